// Finds the keys at given ranks. A sample guesses an interval of keys around each rank; one reading counts the elements
// on both sides and gathers the elements between. If a guess was wrong, or the keys do not fit the scratch memory,
// readings count keys in bins until the keys fit. The host sorts the last few keys.
#include "quantile/search.h"
#include "base/arithmetic.h"

// Bins of an interval, at most.
#define BINS ((cl_ulong)2048)

// ---------------------------------------------------------------- Intervals

// The intervals of targets that are not found. Targets ascend by rank, so equal intervals are neighbours.
static size_t list_intervals(const clred_quantile *quantile, struct clr_interval *intervals) {
  size_t count = 0;
  for (size_t i = 0; i < quantile->target_count; i++) {
    const struct clr_target *target = &quantile->targets[i];
    if (target->found)
      continue;
    if (count == 0 || intervals[count - 1].low != target->low)
      intervals[count++] = (struct clr_interval){target->low, target->high, target->inside, target->rank};
    intervals[count - 1].last = target->rank;
  }
  return count;
}

// Joins intervals of neighbouring ranks: no key lies between them. Each quantile then has one interval at most.
static size_t join_neighbours(const clred_quantile *quantile, struct clr_interval *intervals, size_t count) {
  size_t joined = 0;
  for (size_t i = 1; i < count; i++) {
    const struct clr_target *first = quantile->targets;
    while (first->found || first->low != intervals[i].low)
      first++;
    if (first->rank == intervals[joined].last + 1) {
      intervals[joined].high = intervals[i].high;
      intervals[joined].inside += intervals[i].inside;
      intervals[joined].last = intervals[i].last;
    } else {
      intervals[++joined] = intervals[i];
    }
  }
  return joined + 1;
}

static cl_ulong keys_inside(const struct clr_interval *intervals, size_t count) {
  cl_ulong sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += intervals[i].inside;
  return sum;
}

static size_t interval_of(const struct clr_interval *intervals, const struct clr_target *target) {
  size_t i = 0;
  while (intervals[i].low != target->low)
    i++;
  return i;
}

// ---------------------------------------------------------------- Counting in bins

struct bins {
  struct clr_interval intervals[CLR_TARGETS_MAX];
  unsigned shifts[CLR_TARGETS_MAX];
  size_t count;
  cl_ulong bins;
};

static cl_int count_bins(struct clr_quantile_run *run, struct bins *bins) {
  bins->bins = clr_min(clr_pow2_floor(run->quantile->slots / bins->count), BINS);
  for (size_t i = 0; i < bins->count; i++) {
    bins->shifts[i] = 0;
    while ((bins->intervals[i].high - bins->intervals[i].low) >> bins->shifts[i] >= bins->bins)
      bins->shifts[i]++;
  }
  return clr_reading_count(run, bins->intervals, bins->count, bins->bins, bins->shifts);
}

// Moves the target's interval to the bin that has its rank. False if no bin has it.
static bool narrow_target(const clred_quantile *quantile, const struct bins *bins, struct clr_target *target) {
  size_t interval = interval_of(bins->intervals, target);
  const cl_ulong *counts = quantile->totals + interval * bins->bins;
  unsigned shift = bins->shifts[interval];
  for (cl_ulong bin = 0; bin < bins->bins; bin++) {
    if (target->rank - target->below < counts[bin]) {
      target->low += bin << shift;
      target->high = clr_min(target->low + (((cl_ulong)1 << shift) - 1), target->high);
      target->inside = counts[bin];
      target->found = target->low == target->high;
      return true;
    }
    target->below += counts[bin];
  }
  return false;
}

static cl_int narrow(struct clr_quantile_run *run, const struct bins *bins) {
  clred_quantile *quantile = run->quantile;
  for (size_t i = 0; i < quantile->target_count; i++)
    if (!quantile->targets[i].found && !narrow_target(quantile, bins, &quantile->targets[i]))
      return clr_fail_changed(run);
  return CL_SUCCESS;
}

static cl_int count_and_narrow(struct clr_quantile_run *run) {
  struct bins bins;
  bins.count = list_intervals(run->quantile, bins.intervals);
  cl_int err = count_bins(run, &bins);
  return err ? err : narrow(run, &bins);
}

// ---------------------------------------------------------------- Searching

// Begins with the bins of all keys: for elements of a byte, and for many quantiles.
static cl_int begin_with_bins(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  struct bins bins = {.count = clr_counts_nans(ordering) ? 2 : 1};
  bins.intervals[0] = (struct clr_interval){.high = clr_last_key(ordering), .inside = run->count};
  bins.intervals[1] = (struct clr_interval){.low = ordering->most, .high = ordering->most};
  cl_int err = count_bins(run, &bins);
  if (err)
    return err;
  quantile->nans = clr_counts_nans(ordering) ? quantile->totals[bins.bins] : 0;
  if (!set_ranks(quantile, run->count, quantile->nans))
    return CL_SUCCESS;
  for (size_t i = 0; i < quantile->target_count; i++)
    quantile->targets[i] =
      (struct clr_target){quantile->targets[i].rank, 0, clr_last_key(ordering), 0, run->count - quantile->nans, false};
  return narrow(run, &bins);
}

static cl_int gather(struct clr_quantile_run *run, struct clr_interval *intervals, size_t count, cl_mem out,
                     cl_ulong keys) {
  struct clr_tally tally;
  cl_int err = clr_reading_gather(run, intervals, join_neighbours(run->quantile, intervals, count), out, keys, &tally);
  return err ? err : tally.inside == keys ? CL_SUCCESS : clr_fail_changed(run);
}

static cl_int step(struct clr_quantile_run *run, struct clr_interval *intervals, size_t count) {
  clred_quantile *quantile = run->quantile;
  cl_ulong keys = keys_inside(intervals, count);
  cl_mem from = quantile->candidates;
  cl_int err = CL_SUCCESS;
  if (run->on_keys && run->held <= CLR_SAMPLE) {
    keys = run->held;
  } else if (keys <= CLR_SAMPLE) {
    from = quantile->finalists;
    err = gather(run, intervals, count, from, keys);
  } else if (!run->on_keys && keys <= clr_min(quantile->capacity, run->count / 4)) {
    err = gather(run, intervals, count, from, keys);
    run->on_keys = true;
    run->held = keys;
    return err;
  } else {
    return count_and_narrow(run);
  }
  if (!err)
    err = clr_reading_keys(run, from, keys);
  return err ? err : clr_find_targets(run, (size_t)keys);
}

cl_int clr_quantile_search(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  bool by_bins = (quantile->ordering.type->size == 1 && run->count > CLR_SAMPLE) || clr_quantile_searches(quantile);
  cl_int err = by_bins ? begin_with_bins(run, set_ranks) : clr_begin_with_sample(run, set_ranks);
  while (!err) {
    struct clr_interval intervals[CLR_TARGETS_MAX];
    size_t count = list_intervals(quantile, intervals);
    if (count == 0)
      return CL_SUCCESS;
    err = step(run, intervals, count);
  }
  return err;
}
