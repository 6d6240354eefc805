// The table of strategies, which of them a device may run, and the choice of `auto`. Called when a plan is made.
#include "strategies/strategies.h"

#include <string.h>

#define CLR_STRATEGY(name) &clr_strategy_##name,
static const struct clr_strategy *const strategies[] = {
#include "strategies/strategies.def"
};
#undef CLR_STRATEGY

const struct clr_strategy *clr_strategy_at(size_t index) {
  return index < sizeof strategies / sizeof *strategies ? strategies[index] : NULL;
}

const struct clr_strategy *clr_strategy_named(const char *name) {
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
    if (strcmp(strategies[i]->name, name) == 0)
      return strategies[i];
  return NULL;
}

static cl_ulong place_of(const struct clr_strategy *strategy) {
  size_t place = 0;
  while (clr_strategy_at(place) != strategy)
    place++;
  return place;
}

cl_ulong clr_strategy_bit(const struct clr_strategy *strategy) {
  return (cl_ulong)1 << place_of(strategy);
}

static bool is_trusted(const struct clr_strategy *strategy, const struct clr_facts *facts) {
  return !(facts->avoided & clr_strategy_bit(strategy)) &&
         (facts->atomics || !(strategy->requires & CLR_REQUIRES_ATOMICS)) &&
         (facts->local_atomics || !(strategy->requires & CLR_REQUIRES_LOCAL_ATOMICS)) &&
         (clr_may_wait(facts) || !(strategy->requires & CLR_REQUIRES_WAITING));
}

cl_int clr_strategy_check_trust(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                struct clr_status *status) {
  if (is_trusted(strategy, facts))
    return CL_SUCCESS;
  if (facts->avoided & clr_strategy_bit(strategy))
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "this device computes %s wrong (fact avoided)", strategy->name);
  if (!facts->atomics && strategy->requires & CLR_REQUIRES_ATOMICS)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s relies on atomics, which this device computes wrong (fact atomics is 0)", strategy->name);
  if (!facts->local_atomics && strategy->requires & CLR_REQUIRES_LOCAL_ATOMICS)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s relies on atomics in local memory, which this device computes wrong (fact local_atomics is 0)",
                    strategy->name);
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "%s waits for other groups in loops, but this device ends loops after %llu turns (fact loop_trips)",
                  strategy->name, (unsigned long long)facts->loop_trips);
}

cl_int clr_finish_check_trust(enum clr_finish finish, const struct clr_facts *facts, struct clr_status *status) {
  if (facts->atomics || (finish != CLR_FINISH_LAST_GROUP && finish != CLR_FINISH_ATOMIC))
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "finish %s relies on atomics, which this device computes wrong (fact atomics is 0)",
                  clr_finish_name(finish));
}

typedef const struct clr_strategy *const choice;

// by_groups is for devices on which neighbouring work-items should read neighbouring elements (GPUs). by_runs is for
// devices on which each work-item should read a long run (CPUs).
struct pair {
  choice by_groups, by_runs;
};

static const struct pair by_layout[] = {
  [CLRED_LAYOUT_LINE] = {&clr_strategy_wide, &clr_strategy_chunked},
  [CLRED_LAYOUT_STRIDED] = {&clr_strategy_wide, &clr_strategy_chunked},
  [CLRED_LAYOUT_ROWS] = {&clr_strategy_rows_wide, &clr_strategy_rows_chunked},
  [CLRED_LAYOUT_COLUMNS] = {&clr_strategy_columns_wide, &clr_strategy_columns_chunked},
  [CLRED_LAYOUT_SEGMENTS] = {&clr_strategy_segments_wide, &clr_strategy_segments_chunked},
  [CLRED_LAYOUT_HEADS] = {&clr_strategy_runs_wide, &clr_strategy_runs_chunked},
  [CLRED_LAYOUT_KEYS] = {&clr_strategy_runs_wide, &clr_strategy_runs_chunked},
};
static const struct pair scans = {&clr_strategy_scan_wide, &clr_strategy_scan_chunked};
static const struct pair scans_of_rows = {&clr_strategy_scan_rows, &clr_strategy_scan_items};
static const struct pair scans_of_columns = {&clr_strategy_scan_items, &clr_strategy_scan_items};
static const struct pair scans_of_segments = {&clr_strategy_scan_segments_wide, &clr_strategy_scan_segments_chunked};
static const struct pair scans_of_runs = {&clr_strategy_scan_runs_wide, &clr_strategy_scan_runs_chunked};
static const struct pair histograms = {&clr_strategy_histogram_local, &clr_strategy_histogram_chunked};

static const struct pair sums_in_bins = {&clr_strategy_histogram_cells, &clr_strategy_histogram_cells};

static bool has_runs(const struct clr_problem *problem) {
  return problem->layout == CLRED_LAYOUT_HEADS || problem->layout == CLRED_LAYOUT_KEYS;
}

static const struct pair *pair_for(const struct clr_problem *problem) {
  if (problem->histogram)
    return problem->operation.input_count ? &sums_in_bins : &histograms;
  if (!problem->scan)
    return &by_layout[problem->layout];
  if (problem->layout >= CLRED_LAYOUT_SEGMENTS)
    return has_runs(problem) ? &scans_of_runs : &scans_of_segments;
  return problem->layout == CLRED_LAYOUT_ROWS      ? &scans_of_rows
         : problem->layout == CLRED_LAYOUT_COLUMNS ? &scans_of_columns
                                                   : &scans;
}

// Returns a further strategy that needs little local memory and no groups that wait for each other. NULL if a strategy
// of the pair already meets this.
static const struct clr_strategy *fallback(const struct clr_problem *problem, const struct pair *pair, bool by_runs) {
  const struct pair *by_offsets = problem->scan ? &scans_of_segments : &by_layout[CLRED_LAYOUT_SEGMENTS];
  if (has_runs(problem))
    return by_runs ? by_offsets->by_runs : by_offsets->by_groups;
  return pair == &histograms     ? &clr_strategy_histogram_atomic
         : pair == &sums_in_bins ? &clr_strategy_histogram_host_serial
         : pair == &scans        ? &clr_strategy_scan_reduce_then_scan
                                 : NULL;
}

static bool is_among(choice chosen[], size_t count, choice wanted) {
  for (size_t i = 0; i < count; i++)
    if (chosen[i] == wanted)
      return true;
  return false;
}

// Without atomics, strategies that find and fold runs in one launch need a launch for each tile (clr_runs_board). Then
// strategies by offsets, which need longer loops, come first if count_max bounds the offsets.
static bool prefers_offsets(const struct clr_facts *facts, const struct clr_problem *problem) {
  return has_runs(problem) && problem->count_max && !facts->atomics && clr_may_wait(facts);
}

// Lists the candidates, best first and each once: at most CLR_CHOICES.
static size_t list(const struct clr_facts *facts, const struct clr_problem *problem,
                   const struct clr_strategy *chosen[CLR_CHOICES]) {
  // The strategies by_groups need at least this much local memory to be useful; the strategies by_runs need none.
  const cl_ulong least_local_memory = 1024;
  const struct pair *pair = pair_for(problem);
  bool by_runs = facts->cpu || (facts->local_mem_size < least_local_memory && !problem->histogram);
  choice first = by_runs ? pair->by_runs : pair->by_groups, plain = fallback(problem, pair, by_runs),
         other = by_runs ? pair->by_groups : pair->by_runs, last = fallback(problem, pair, !by_runs);
  choice usual[CLR_CHOICES] = {first, plain, other, last}, by_offsets[CLR_CHOICES] = {plain, last, first, other};
  choice *wanted = prefers_offsets(facts, problem) ? by_offsets : usual;
  size_t count = 0;
  for (size_t i = 0; i < CLR_CHOICES; i++)
    if (wanted[i] && !is_among(chosen, count, wanted[i]))
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
    if (is_trusted(chosen[i], facts))
      return chosen[i];
  return chosen[0];
}
