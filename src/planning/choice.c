// Which strategy `auto` chooses, and which ones follow if that one is refused. Called when a plan is made.
#include "planning/strategy.h"

typedef const struct clr_strategy *const choice;

// For devices whose neighbouring work-items read neighbouring elements, and for those whose work-items read long runs.
struct pair {
  choice by_groups, by_runs;
};

static const struct pair by_layout[] = {
  [CLRED_LAYOUT_LINE] = {&clr_strategy_wide, &clr_strategy_chunked},
  [CLRED_LAYOUT_STRIDED] = {&clr_strategy_wide, &clr_strategy_chunked},
  [CLRED_LAYOUT_ROWS] = {&clr_strategy_rows_wide, &clr_strategy_rows_chunked},
  [CLRED_LAYOUT_COLUMNS] = {&clr_strategy_columns_wide, &clr_strategy_columns_chunked},
  [CLRED_LAYOUT_SEGMENTS] = {&clr_strategy_segments_wide, &clr_strategy_segments_chunked},
  [CLRED_LAYOUT_HEADS] = {&clr_strategy_segments_wide, &clr_strategy_segments_chunked},
  [CLRED_LAYOUT_KEYS] = {&clr_strategy_segments_wide, &clr_strategy_segments_chunked},
};
static const struct pair scans = {&clr_strategy_scan_look_back, &clr_strategy_scan_chunked};
static const struct pair scans_of_rows = {&clr_strategy_scan_rows, &clr_strategy_scan_lines};
static const struct pair scans_of_columns = {&clr_strategy_scan_lines, &clr_strategy_scan_lines};
static const struct pair scans_of_segments = {&clr_strategy_scan_segments, &clr_strategy_scan_segments_chunked};
static const struct pair histograms = {&clr_strategy_histogram_local, &clr_strategy_histogram_chunked};

static const struct pair *pair_for(const struct clr_problem *problem) {
  if (problem->histogram)
    return &histograms;
  if (!problem->scan)
    return &by_layout[problem->layout];
  if (problem->layout >= CLRED_LAYOUT_SEGMENTS)
    return &scans_of_segments;
  return problem->layout == CLRED_LAYOUT_ROWS      ? &scans_of_rows
         : problem->layout == CLRED_LAYOUT_COLUMNS ? &scans_of_columns
                                                   : &scans;
}

// A third strategy that needs neither much local memory nor groups that wait for each other; NULL: the pair has one.
static const struct clr_strategy *plainest(const struct pair *pair) {
  return pair == &histograms ? &clr_strategy_histogram_atomic
         : pair == &scans    ? &clr_strategy_scan_reduce_then_scan
                             : NULL;
}

// The candidates by preference, each once: at most CLR_CHOICES.
static size_t list(const struct clr_facts *facts, const struct clr_problem *problem,
                   const struct clr_strategy *chosen[CLR_CHOICES]) {
  // Groups need at least this much local memory to be useful; runs need none.
  const cl_ulong least_local_memory = 1024;
  const struct pair *pair = pair_for(problem);
  bool by_runs = facts->cpu || (facts->local_mem_size < least_local_memory && !problem->histogram);
  const struct clr_strategy *wanted[CLR_CHOICES] = {by_runs ? pair->by_runs : pair->by_groups, plainest(pair),
                                                    by_runs ? pair->by_groups : pair->by_runs};
  size_t count = 0;
  for (size_t i = 0; i < CLR_CHOICES; i++)
    if (wanted[i] && (count == 0 || wanted[i] != chosen[0]))
      chosen[count++] = wanted[i];
  return count;
}

const struct clr_strategy *clr_strategy_choice(const struct clr_facts *facts, const struct clr_problem *problem,
                                               size_t index) {
  const struct clr_strategy *chosen[CLR_CHOICES] = {NULL};
  return index < list(facts, problem, chosen) ? chosen[index] : NULL;
}

const struct clr_strategy *clr_strategy_auto(const struct clr_facts *facts, const struct clr_problem *problem) {
  const struct clr_strategy *chosen[CLR_CHOICES] = {NULL};
  size_t count = list(facts, problem, chosen);
  for (size_t i = 0; i < count; i++)
    if (clr_strategy_is_trusted(chosen[i], facts))
      return chosen[i];
  return chosen[0];
}
