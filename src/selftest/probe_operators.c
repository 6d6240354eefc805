// Tries operators and types. A short probing tries each operator and each type at least once; a full one tries every
// pair. Most pairs run with a strategy that builds quickly. The kernels that `auto` chooses build in a second or more
// each on slow compilers, so a full probing with `auto` alone would take a quarter of an hour.
#include <stdio.h>

#include "selftest/probe_plans.h"

#define NAME_SIZE 64

// The kernel of this strategy is short and builds ten times as fast as others.
static const char quickly_built[] = "local_sequential";

struct pair {
  clred_op op;
  clred_type type;
  const char *op_name, *type_name;
};

static struct pair pair_of(clred_op op, clred_type type) {
  return (struct pair){op, type, clr_op_row(op)->name, clr_type_row(type)->name};
}

static bool is_defined(clred_op op, clred_type type) {
  struct clr_problem problem;
  struct clr_status status;
  const clred_problem given = {.op = op, .type = type};
  bool is = clr_problem_make(&given, &problem, &status) == CL_SUCCESS;
  clr_problem_release(&problem);
  return is;
}

static enum clr_trial_result try(struct clr_plan_trials *trials, const struct pair *pair, const char *strategy,
                                 char why[CLR_SENTENCE_SIZE]) {
  const clred_problem problem = {.type = pair->type, .op = pair->op, .strategy = strategy, .count_max = 100000};
  return clr_try_plan(trials, &problem, why);
}

// ---------------------------------------------------------------- Find the cause

// If another strategy that `auto` may choose gives the right result, the fault is in the chosen strategy: avoid it.
static bool avoid_chosen(struct clr_plan_trials *trials, const struct pair *pair, const char *what,
                         struct clr_probed *probed) {
  struct clr_problem problem;
  struct clr_status status;
  char why[CLR_SENTENCE_SIZE];
  const clred_problem given = {.op = pair->op, .type = pair->type};
  if (clr_problem_make(&given, &problem, &status))
    return false;
  const struct clr_strategy *first = clr_strategy_auto(&trials->runtime->facts, &problem), *other = NULL;
  bool found = false;
  for (size_t i = 0; !found && (other = clr_strategy_choice(&trials->runtime->facts, &problem, i)) != NULL; i++)
    found = other != first && try(trials, pair, other->name, why) == CLR_TRIAL_RIGHT;
  clr_problem_release(&problem);
  if (!found)
    return false;
  clr_avoid_strategy(trials, first->name, what);
  probed->verdict = CLRED_AVOIDED;
  snprintf(probed->detail, sizeof probed->detail, "%.120s by %s, right by %s: %s is refused from now on", what,
           first->name, other->name, first->name);
  return true;
}

// If the operator is right for another type, the fault is in the type: refuse it.
static bool avoid_type(struct clr_plan_trials *trials, const struct pair *pair, const char *what,
                       struct clr_probed *probed) {
  static const clred_type others[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_INT};
  char why[CLR_SENTENCE_SIZE];
  bool right = false;
  for (size_t i = 0; i < sizeof others / sizeof *others && !right; i++) {
    const struct pair other = pair_of(pair->op, others[i]);
    right =
      others[i] != pair->type && is_defined(pair->op, others[i]) && try(trials, &other, NULL, why) == CLR_TRIAL_RIGHT;
  }
  if (!right)
    return false;
  clr_finding_add(trials->findings, "types", CLR_ALL_TYPES & ~((cl_ulong)1 << pair->type), what);
  probed->verdict = CLRED_AVOIDED;
  snprintf(probed->detail, sizeof probed->detail, "%.180s: %s is refused from now on", what, pair->type_name);
  return true;
}

// Avoids a strategy that gave a wrong result, even if `auto` would not choose it for this problem.
static void avoid_tried(struct clr_plan_trials *trials, const struct pair *pair, const char *strategy,
                        const char *wrong, struct clr_probed *probed) {
  char what[CLR_FINDING_WHY];
  snprintf(what, sizeof what, "%s of %s: %.120s", pair->op_name, pair->type_name, wrong);
  clr_avoid_strategy(trials, strategy, what);
  probed->verdict = CLRED_AVOIDED;
  snprintf(probed->detail, sizeof probed->detail, "%.120s by %s, which is refused from now on", what, strategy);
}

// Tries a pair with `strategy`, or with `auto` if it is NULL or cannot run this pair.
static void try_pair(struct clr_plan_trials *trials, const struct pair *pair, const char *strategy,
                     struct clr_probed *probed) {
  char why[CLR_SENTENCE_SIZE], what[CLR_FINDING_WHY];
  enum clr_trial_result result = try(trials, pair, strategy, why);
  if (result != CLR_TRIAL_RIGHT && strategy) {
    if (result == CLR_TRIAL_WRONG)
      avoid_tried(trials, pair, strategy, why, probed);
    result = try(trials, pair, NULL, why);
  }
  if (result == CLR_TRIAL_RIGHT || probed->verdict == CLRED_WRONG)
    return;
  if (result == CLR_TRIAL_REFUSED) {
    if (probed->verdict == CLRED_HOLDS)
      probed->verdict = CLRED_LACKING;
    if (!*probed->detail)
      snprintf(probed->detail, sizeof probed->detail, "%.230s", why);
    return;
  }
  snprintf(what, sizeof what, "%s of %s: %.120s", pair->op_name, pair->type_name, why);
  if (avoid_chosen(trials, pair, what, probed) || avoid_type(trials, pair, what, probed))
    return;
  probed->verdict = CLRED_WRONG;
  snprintf(probed->detail, sizeof probed->detail, "%.220s", what);
}

// ---------------------------------------------------------------- All pairs

static size_t count_types(void) {
  size_t count = 0;
  while (clr_type_at(count))
    count++;
  return count;
}

// True if a short probing tries operator `op` with this type. Each operator begins its search at another type, so that
// every type is tried with few operators.
static bool is_first_turn(size_t op, size_t index) {
  const size_t count = count_types();
  for (size_t i = 0; i < count; i++)
    if (is_defined(clr_op_at(op)->id, clr_type_at((op * 5 + i) % count)->id))
      return (op * 5 + i) % count == index;
  return false;
}

// Tries the operators of one type. A short probing tries those for which is_first_turn is true, or the sum if there are
// none.
static void try_type(struct clr_plan_trials *trials, size_t index, clred_type type, struct clr_probed *probed) {
  const struct clr_op *op;
  size_t tried = 0;
  *probed = (struct clr_probed){.verdict = CLRED_HOLDS};
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++) {
    const struct pair pair = pair_of(op->id, type);
    bool by_auto = is_first_turn(i, index) || (trials->options->full && type == CLRED_TYPE_FLOAT);
    if ((by_auto || trials->options->full) && is_defined(op->id, type) && !trials->stopped) {
      try_pair(trials, &pair, by_auto ? NULL : quickly_built, probed);
      tried++;
    }
  }
  const struct pair sum = pair_of(CLRED_OP_SUM, type);
  if (!tried)
    try_pair(trials, &sum, NULL, probed);
}

void clr_try_operators(struct clr_plan_trials *trials) {
  const size_t count = count_types();
  const struct clr_type *type;
  char name[NAME_SIZE];
  for (size_t i = 0; (type = clr_type_at(i)) != NULL; i++) {
    struct clr_probed probed;
    snprintf(name, sizeof name, "operators over %s", type->name);
    if (!clr_trials_want(trials, "operators") || !clr_trials_begin(trials, name, (double)i / (double)count))
      return;
    try_type(trials, i, type->id, &probed);
    clr_trials_end(trials, name, "operators", &probed);
  }
}
