// Tries every strategy with its finishes, and at the end what `auto` chooses with all findings.
#include <stdio.h>

#include "selftest/probe_plans.h"

void clr_avoid_strategy(struct clr_plan_trials *trials, const char *name, const char *why) {
  char line[CLR_FINDING_WHY];
  snprintf(line, sizeof line, "%s: %.150s", name, why);
  clr_finding_add(trials->findings, "avoided", clr_strategy_bit(clr_strategy_named(name)), line);
}

static const clred_histogram bins = {.bins = 16, .low = -2, .high = 2};

static cl_uint is_positive(const void *element, cl_ulong index, const void *const *inputs,
                           const void *const *parameters, void *user) {
  (void)index, (void)inputs, (void)parameters, (void)user;
  return *(const float *)element > 0;
}

static const clred_selection positive = {
  .name = "positive", .element = "float", .element_size = sizeof(float), .keep = "x > 0", .host = is_positive};

static const struct {
  const char *name;
  clred_problem problem;
} choices[] = {
  {"auto, one line", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM}},
  {"auto, rows", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .layout = CLRED_LAYOUT_ROWS}},
  {"auto, columns", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .layout = CLRED_LAYOUT_COLUMNS}},
  {"auto, segments",
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT}},
  {"auto, scan", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .scan = CLRED_SCAN_EXCLUSIVE}},
  {"auto, scan of rows",
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .scan = CLRED_SCAN_INCLUSIVE, .layout = CLRED_LAYOUT_ROWS}},
  {"auto, selection", {.selection = &positive}},
  {"auto, histogram", {.type = CLRED_TYPE_FLOAT, .histogram = &bins}},
};
#define CHOICES (sizeof choices / sizeof *choices)

static clred_problem problem_for(const struct clr_strategy *strategy, clred_layout layout) {
  clred_problem problem = {
    .type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .strategy = strategy->name, .layout = layout, .count_max = 100000};
  if (strategy->task == CLR_TASK_SCAN)
    problem.scan = CLRED_SCAN_INCLUSIVE;
  if (layout == CLRED_LAYOUT_SEGMENTS)
    problem.segment_type = CLRED_TYPE_UINT;
  if (strategy->task == CLR_TASK_COUNT) {
    problem.op = CLRED_OP_NONE;
    problem.histogram = &bins;
  }
  return problem;
}

static clred_layout layout_of(const struct clr_strategy *strategy) {
  unsigned layouts = clr_strategy_layouts(strategy);
  for (int layout = 0; layout <= (int)CLRED_LAYOUT_SEGMENTS; layout++)
    if (layouts & CLR_LAYOUT_BIT(layout))
      return (clred_layout)layout;
  return CLRED_LAYOUT_LINE;
}

// Only faults of the device count. Work on the host is not tested, but the transfer of its data is.
static void try_one(struct clr_plan_trials *trials, const clred_problem *problem, const char *with,
                    struct clr_probed *probed) {
  char why[CLR_SENTENCE_SIZE], line[CLR_FINDING_WHY];
  enum clr_trial_result result = clr_try_plan(trials, problem, why);
  if (result == CLR_TRIAL_RIGHT || probed->verdict == CLRED_AVOIDED)
    return;
  if (result == CLR_TRIAL_REFUSED) {
    bool trusted = clr_strategy_is_trusted(clr_strategy_named(problem->strategy), &trials->runtime->facts);
    if (probed->verdict == CLRED_HOLDS && !problem->finish)
      *probed = (struct clr_probed){.verdict = trusted ? CLRED_LACKING : CLRED_AVOIDED};
    if (!*probed->detail && !problem->finish)
      snprintf(probed->detail, sizeof probed->detail, "%.230s", why);
    return;
  }
  snprintf(line, sizeof line, "%s%.150s", with, why);
  clr_avoid_strategy(trials, problem->strategy, line);
  *probed = (struct clr_probed){.verdict = CLRED_AVOIDED};
  snprintf(probed->detail, sizeof probed->detail, "%.180s; it is refused from now on", line);
}

static void try_finishes(struct clr_plan_trials *trials, const struct clr_strategy *strategy, clred_problem problem,
                         struct clr_probed *probed) {
  char with[64];
  for (int i = 0; i < CLR_FINISHES; i++)
    if (strategy->reduce.finishes & CLR_FINISH_BIT(i)) {
      problem.finish = clr_finish_name((enum clr_finish)i);
      problem.type = i == CLR_FINISH_ATOMIC ? CLRED_TYPE_UINT : CLRED_TYPE_FLOAT;
      snprintf(with, sizeof with, "finish %s: ", problem.finish);
      try_one(trials, &problem, with, probed);
    }
}

static void try_strategy(struct clr_plan_trials *trials, const struct clr_strategy *strategy,
                         struct clr_probed *probed) {
  clred_problem problem = problem_for(strategy, layout_of(strategy));
  *probed = (struct clr_probed){.verdict = CLRED_HOLDS};
  if (strategy->reduce.finish == CLR_FINISH_ATOMIC && strategy->reduce.finishes)
    problem.type = CLRED_TYPE_UINT;
  try_one(trials, &problem, "", probed);
  if (trials->options->full && strategy->reduce.finishes)
    try_finishes(trials, strategy, problem, probed);
  if (trials->options->full && strategy->scan.selects) {
    const clred_problem selection = {.selection = &positive, .strategy = strategy->name, .count_max = 100000};
    try_one(trials, &selection, "a selection: ", probed);
  }
}

// A short probing tries the strategies that `auto` may choose first or second on this device, and a few of the
// textbook's.
static bool is_due(const struct clr_plan_trials *trials, const struct clr_strategy *strategy) {
  const size_t first_choices = 2;
  bool due = trials->options->full || strategy == &clr_strategy_local_sequential || strategy == &clr_strategy_atomic;
  for (size_t i = 0; i < CHOICES && !due; i++) {
    struct clr_problem problem;
    struct clr_status status;
    bool made = clr_problem_make(&choices[i].problem, &problem, &status) == CL_SUCCESS;
    for (size_t c = 0; c < first_choices && made; c++)
      due |= clr_strategy_choice(&trials->runtime->facts, &problem, c) == strategy &&
             (c == 0 || clr_strategy_choice(&trials->runtime->facts, &problem, 2));
    clr_problem_release(&problem);
  }
  return due;
}

void clr_try_strategies(struct clr_plan_trials *trials) {
  const struct clr_strategy *strategy;
  size_t count = 0;
  while (clr_strategy_at(count))
    count++;
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++) {
    struct clr_probed probed;
    if (!clr_trials_want(trials, "strategies") || !is_due(trials, strategy))
      continue;
    if (!clr_trials_begin(trials, strategy->name, (double)i / (double)count))
      return;
    try_strategy(trials, strategy, &probed);
    clr_trials_end(trials, strategy->name, "strategies", &probed);
  }
}

void clr_try_choices(struct clr_plan_trials *trials) {
  const size_t count = CHOICES;
  for (size_t i = 0; i < count; i++) {
    struct clr_probed probed = {.verdict = CLRED_HOLDS};
    char why[CLR_SENTENCE_SIZE];
    if (!clr_trials_want(trials, "choices") || !clr_trials_begin(trials, choices[i].name, (double)i / (double)count))
      return;
    enum clr_trial_result result = clr_try_plan(trials, &choices[i].problem, why);
    if (result != CLR_TRIAL_RIGHT) {
      probed.verdict = result == CLR_TRIAL_WRONG ? CLRED_WRONG : CLRED_AVOIDED;
      snprintf(probed.detail, sizeof probed.detail, "%s%.200s", result == CLR_TRIAL_WRONG ? "" : "refused: ", why);
    }
    clr_trials_end(trials, choices[i].name, "choices", &probed);
  }
}
