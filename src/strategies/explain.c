// Writes the text of `clreduce plan`.
#include "strategies/strategies.h"

#include <string.h>

#include "planning/strategy.h"

enum { LINE_WIDTH = 100, INDENT = 4 };

static void line(struct clr_text *text, const char *name, cl_ulong value, const char *why) {
  clr_text_format(text, "  %-13s %llu%s%s\n", name, (unsigned long long)value, *why ? ": " : "", why);
}

static void explain_choice(const struct clr_facts *facts, const struct clr_problem *problem,
                           const struct clr_strategy *strategy, struct clr_text *text) {
  clr_text_format(text, "%s of %s: strategy %s (%s)\n", problem->operation.name, problem->operation.element.name,
                  strategy->name, strategy->summary);
  if (*problem->strategy)
    clr_text_format(text, "  named by the caller; auto would be %s\n", clr_strategy_auto(facts, problem)->name);
  else
    clr_text_format(text, "  auto: facts cpu = %llu, local_mem_size = %llu\n", (unsigned long long)facts->cpu,
                    (unsigned long long)facts->local_mem_size);
}

// Lists every measured number, also numbers that no earlier line of the text shows.
static void explain_tuned(const struct clr_shape *shape, struct clr_text *text) {
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tuned_has(&shape->tuned, i))
      clr_text_format(text, "  %-13s %s %llu: tuned (%s)\n", "", clr_tunable_row(i)->name,
                      (unsigned long long)clr_tunable_in_use(shape, i), clr_tunable_row(i)->summary);
}

static void explain_numbers(const struct clr_facts *facts, const struct clr_problem *problem,
                            const struct clr_shape *shape, const clred_plan_info *info, struct clr_text *text) {
  struct clr_text why = {0};
  bool tuned = clr_tuned_has(&shape->tuned, CLR_TUNE_GROUP_SIZE);
  clr_text_format(&why,
                  problem->group_size ? "as asked"
                  : tuned             ? "tuned"
                                      : "from max_work_group_size %llu, kernel_work_group_size %llu, "
                                        "preferred_multiple %llu, local_mem_size %llu",
                  (unsigned long long)facts->max_work_group_size, (unsigned long long)facts->kernel_work_group_size,
                  (unsigned long long)facts->preferred_multiple, (unsigned long long)facts->local_mem_size);
  line(text, "group size", info->group_size, info->group_size > 1 && why.bytes ? why.bytes : "");
  clr_text_release(&why);
  if (shape->groups_max)
    clr_text_format(text, "  %-13s %llu, of at most %llu\n", "groups", (unsigned long long)info->groups,
                    (unsigned long long)shape->groups_max);
  else
    line(text, "groups", info->groups, "they follow from n");
  clr_text_format(text, "  %-13s %llu for each work-item at most, %llu for each group\n", "elements",
                  (unsigned long long)info->elements, (unsigned long long)info->elements_per_group);
  if (info->stop_at)
    line(text, "stop at", info->stop_at, "partials, which a group hands to the next launch");
  line(text, "vector width", info->vector_width, "elements of one load");
  line(text, "local memory", info->local_bytes, "bytes for each group");
  line(text, "scratch", info->scratch_bytes, "bytes");
  line(text, "launches", info->passes, "");
  if (shape->wide.kept_bytes)
    line(text, "left in cache", shape->wide.kept_bytes >> 20, "MiB of a call's elements, about");
  explain_tuned(shape, text);
}

static void explain_order(const struct clr_problem *problem, const struct clr_shape *shape, const clred_plan_info *info,
                          struct clr_text *text) {
  if (info->finish)
    clr_text_format(text, "  %-13s %s\n", "finish", info->finish);
  clr_text_format(text, "  %-13s %s\n", "order", info->order);
  if (shape->strategy->fixed_order && problem->order != CLRED_ORDER_ANY)
    clr_text_format(text, "  %-13s %llu rows of %llu lanes\n", "tile", (unsigned long long)shape->rows,
                    (unsigned long long)shape->lanes);
}

// Appends a name to a list that is broken into lines.
static void list_name(const char *name, size_t *column, struct clr_text *text) {
  size_t length = strlen(name) + strlen(", ");
  bool breaks = *column == 0 || *column + length > LINE_WIDTH;
  clr_text_append(text, *column == 0 ? "" : breaks ? ",\n" : ", ");
  clr_text_format(text, "%*s%s", breaks ? INDENT : 0, "", name);
  *column = (breaks ? INDENT : *column) + length;
}

enum fitness { FITS, OTHER_LAYOUT, REFUSED };

static enum fitness fitness_of(const struct clr_strategy *strategy, const struct clr_facts *facts,
                               const struct clr_problem *asked, struct clr_status *status) {
  struct clr_shape shape;
  if (!(clr_strategy_layouts(strategy) & CLR_LAYOUT_BIT(asked->layout)))
    return OTHER_LAYOUT;
  return clr_strategy_fit(strategy, facts, asked, &shape, status) == CL_SUCCESS ? FITS : REFUSED;
}

// Lists the other strategies for the same task that have this fitness. For refused strategies, it gives the reason.
static void list_others(const struct clr_facts *facts, const struct clr_problem *asked,
                        const struct clr_strategy *chosen, enum fitness fitness, struct clr_text *text) {
  const struct clr_strategy *strategy;
  size_t column = 0;
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++) {
    struct clr_status status = {0};
    if (strategy == chosen || strategy->task != chosen->task || fitness_of(strategy, facts, asked, &status) != fitness)
      continue;
    if (fitness == REFUSED)
      clr_text_format(text, "  %-19s refused: %s\n", strategy->name, status.message);
    else
      list_name(strategy->name, &column, text);
  }
  clr_text_append(text, fitness == REFUSED ? "" : column == 0 ? "    none\n" : "\n");
}

static void explain_others(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong count,
                           const struct clr_strategy *chosen, struct clr_text *text) {
  struct clr_problem asked = *problem;
  asked.count_max = asked.count_max ? asked.count_max : count;
  asked.group_size = asked.groups = asked.elements = asked.stop_at = 0;
  asked.stage = CLRED_STAGE_LOCAL;
  asked.tuned.given = 0;
  *asked.finish = 0;
  clr_text_format(text, "others that would serve by name (auto takes %s here):\n",
                  clr_strategy_auto(facts, problem)->name);
  list_others(facts, &asked, chosen, FITS, text);
  clr_text_append(text, "for other layouts:\n");
  list_others(facts, &asked, chosen, OTHER_LAYOUT, text);
  list_others(facts, &asked, chosen, REFUSED, text);
}

void clr_explain(const struct clr_facts *facts, const struct clr_problem *problem, const struct clr_shape *shape,
                 const clred_plan_info *info, cl_ulong count, struct clr_text *text) {
  const struct clr_strategy *strategy = shape->strategy;
  explain_choice(facts, problem, strategy, text);
  clr_text_format(text, "  %-13s %llu\n", "n", (unsigned long long)count);
  explain_numbers(facts, problem, shape, info, text);
  explain_order(problem, shape, info, text);
  explain_others(facts, problem, count, strategy, text);
}
