// Finds the keys at given ranks. A sample guesses an interval of keys around each rank; one reading counts the elements
// on both sides and gathers those between. If a guess was wrong, or the keys do not fit the scratch memory, readings
// count keys in bins until they do. The host sorts the last few.
#include <math.h>

#include "base/arithmetic.h"
#include "quantile/quantile.h"

// Bins of an interval, at most.
#define BINS ((cl_ulong)2048)

static cl_int fail_changed(struct clr_quantile_run *run) {
  return clr_fail(run->status, CLRED_WRONG_RESULT, "the elements changed while a quantile was computed");
}

// True if NaNs have the greatest key and must be counted.
static bool counts_nans(const struct clr_ordering *ordering) {
  return ordering->infinite && !ordering->nans_first;
}

static cl_ulong last_key(const struct clr_ordering *ordering) {
  return counts_nans(ordering) ? ordering->most - 1 : ordering->most;
}

// ---------------------------------------------------------------- Intervals

// The intervals of targets that are not found. Targets ascend by rank, so equal intervals are neighbours.
static size_t list_intervals(const clred_quantile *quantile, struct clr_interval *intervals) {
  size_t count = 0;
  for (size_t i = 0; i < quantile->target_count; i++) {
    const struct clr_target *target = &quantile->targets[i];
    if (!target->found && (count == 0 || intervals[count - 1].low != target->low))
      intervals[count++] = (struct clr_interval){target->low, target->high, target->inside};
  }
  return count;
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
  bins->bins = clr_at_most(clr_power_of_two_below(run->quantile->slots / bins->count), BINS);
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
      target->high = clr_at_most(target->low + (((cl_ulong)1 << shift) - 1), target->high);
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
      return fail_changed(run);
  return CL_SUCCESS;
}

static cl_int count_and_narrow(struct clr_quantile_run *run) {
  struct bins bins;
  bins.count = list_intervals(run->quantile, bins.intervals);
  cl_int err = count_bins(run, &bins);
  return err ? err : narrow(run, &bins);
}

// ---------------------------------------------------------------- Keys on the host

// The first of `count` sorted keys that is at least `key`.
static size_t place_of(const struct clr_ranked *sorted, size_t count, cl_ulong key) {
  size_t first = 0;
  while (count > 0) {
    size_t half = count / 2;
    bool is_below = sorted[first + half].key < key;
    first = is_below ? first + half + 1 : first;
    count = is_below ? count - half - 1 : half;
  }
  return first;
}

static bool find_target(const clred_quantile *quantile, size_t count, struct clr_target *target) {
  const struct clr_ranked *sorted = quantile->ranked[0];
  size_t begin = place_of(sorted, count, target->low);
  if (target->rank - target->below >= count - begin)
    return false;
  cl_ulong key = sorted[begin + (size_t)(target->rank - target->below)].key;
  size_t first = place_of(sorted, count, key);
  size_t behind = key == quantile->ordering.most ? count : place_of(sorted, count, key + 1);
  target->below += first - begin;
  target->inside = behind - first;
  target->low = target->high = key;
  target->found = true;
  return true;
}

// All keys of the targets' intervals are in `ranked[0]`.
static cl_int find_targets(struct clr_quantile_run *run, size_t count) {
  clred_quantile *quantile = run->quantile;
  for (size_t i = 0; i < quantile->target_count; i++)
    if (!quantile->targets[i].found && !find_target(quantile, count, &quantile->targets[i]))
      return fail_changed(run);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Guessing

// The index of a target in the sorted sample, and how far it may be off: more happens once in a hundred thousand.
static void guess(const struct clr_target *target, double sampled, double elements, double *index, double *margin) {
  *index = elements > 0 ? (double)target->rank * sampled / elements : 0;
  double share = fmin(*index / sampled, 1);
  *margin = 4.5 * sqrt(fmax(*index * (1 - share), 1)) + 3;
}

// Intervals around the targets, from the sorted sample of `sampled` numbers. Those that touch become one.
static size_t guess_intervals(const clred_quantile *quantile, size_t sampled, double elements,
                              struct clr_interval *intervals) {
  const struct clr_ranked *sample = quantile->ranked[0];
  size_t count = 0;
  for (size_t i = 0; i < quantile->target_count; i++) {
    double index, margin;
    guess(&quantile->targets[i], (double)sampled, elements, &index, &margin);
    cl_ulong low = index - margin < 0 ? 0 : sample[(size_t)(index - margin)].key;
    cl_ulong high =
      index + margin >= (double)sampled ? last_key(&quantile->ordering) : sample[(size_t)(index + margin)].key;
    if (count > 0 && low <= intervals[count - 1].high)
      intervals[count - 1].high = high > intervals[count - 1].high ? high : intervals[count - 1].high;
    else
      intervals[count++] = (struct clr_interval){low, high, 0};
  }
  return count;
}

// Sets the target's interval: one of the guessed ones, or what lies between two. True if it is a guessed one.
static bool locate(const struct clr_ordering *ordering, const struct clr_interval *intervals, size_t count,
                   const struct clr_tally *tally, cl_ulong elements, struct clr_target *target) {
  cl_ulong low = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    if (target->rank < tally->below[i]) {
      *target = (struct clr_target){target->rank, low, intervals[i].low - 1, below, tally->below[i] - below, false};
      return false;
    }
    if (target->rank < tally->upto[i]) {
      *target = (struct clr_target){
        target->rank, intervals[i].low, intervals[i].high, tally->below[i], tally->upto[i] - tally->below[i], false};
      target->found = target->low == target->high;
      return true;
    }
    low = intervals[i].high + 1;
    below = tally->upto[i];
  }
  *target = (struct clr_target){target->rank, low, last_key(ordering), below, elements - below, false};
  return false;
}

static cl_int gather_guessed(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                             clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  struct clr_tally tally;
  cl_int err = clr_reading_gather(run, intervals, count, quantile->candidates, quantile->capacity, &tally);
  if (err)
    return err;
  quantile->nans = counts_nans(&quantile->ordering) ? tally.nans : 0;
  if (!set_ranks(quantile, run->count, quantile->nans))
    return CL_SUCCESS;
  run->on_keys = tally.inside <= quantile->capacity;
  run->held = tally.inside;
  for (size_t i = 0; i < quantile->target_count; i++)
    run->on_keys &=
      locate(&quantile->ordering, intervals, count, &tally, run->count - quantile->nans, &quantile->targets[i]);
  return CL_SUCCESS;
}

// Begins with a sample. With at most CLR_SAMPLE elements, the sample is all of them.
static cl_int begin_with_sample(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  struct clr_interval intervals[CLR_TARGETS_MAX];
  cl_ulong sampled = 0;
  cl_int err = clr_reading_sample(run, &sampled);
  if (err)
    return err;
  size_t numbers =
    counts_nans(ordering) ? place_of(quantile->ranked[0], (size_t)sampled, ordering->most) : (size_t)sampled;
  bool is_all = sampled == run->count;
  cl_ulong nans = sampled - numbers;
  double share = (double)nans / (double)sampled;
  quantile->nans = is_all || nans == 0 ? nans : (cl_ulong)fmax(share * (double)run->count, 1);
  if (!set_ranks(quantile, run->count, quantile->nans) && (is_all || quantile->problem.nan == CLRED_NAN_PROPAGATE))
    return CL_SUCCESS;
  if (is_all)
    return find_targets(run, (size_t)sampled);
  if (numbers == 0 || quantile->target_count == 0)
    numbers = 0;
  size_t count = guess_intervals(quantile, numbers, (double)run->count - (double)quantile->nans, intervals);
  return gather_guessed(run, intervals, count, set_ranks);
}

// ---------------------------------------------------------------- Searching

// Begins with the bins of all keys: for elements of a byte, and for many quantiles.
static cl_int begin_with_bins(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  struct bins bins = {.count = counts_nans(ordering) ? 2 : 1};
  bins.intervals[0] = (struct clr_interval){0, last_key(ordering), run->count};
  bins.intervals[1] = (struct clr_interval){ordering->most, ordering->most, 0};
  cl_int err = count_bins(run, &bins);
  if (err)
    return err;
  quantile->nans = counts_nans(ordering) ? quantile->totals[bins.bins] : 0;
  if (!set_ranks(quantile, run->count, quantile->nans))
    return CL_SUCCESS;
  for (size_t i = 0; i < quantile->target_count; i++)
    quantile->targets[i] =
      (struct clr_target){quantile->targets[i].rank, 0, last_key(ordering), 0, run->count - quantile->nans, false};
  return narrow(run, &bins);
}

static cl_int gather(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count, cl_mem out,
                     cl_ulong keys) {
  struct clr_tally tally;
  cl_int err = clr_reading_gather(run, intervals, count, out, keys, &tally);
  return err ? err : tally.inside == keys ? CL_SUCCESS : fail_changed(run);
}

static cl_int step(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count) {
  clred_quantile *quantile = run->quantile;
  cl_ulong keys = keys_inside(intervals, count);
  cl_mem from = quantile->candidates;
  cl_int err = CL_SUCCESS;
  if (run->on_keys && run->held <= CLR_SAMPLE) {
    keys = run->held;
  } else if (keys <= CLR_SAMPLE) {
    from = quantile->finalists;
    err = gather(run, intervals, count, from, keys);
  } else if (!run->on_keys && keys <= clr_at_most(quantile->capacity, run->count / 4)) {
    err = gather(run, intervals, count, from, keys);
    run->on_keys = true;
    run->held = keys;
    return err;
  } else {
    return count_and_narrow(run);
  }
  if (!err)
    err = clr_reading_keys(run, from, keys);
  return err ? err : find_targets(run, (size_t)keys);
}

cl_int clr_quantile_search(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  bool by_bins =
    (quantile->ordering.type->size == 1 && run->count > CLR_SAMPLE) || quantile->problem.at_count > CLR_SIDES_MAX;
  cl_int err = by_bins ? begin_with_bins(run, set_ranks) : begin_with_sample(run, set_ranks);
  while (!err) {
    struct clr_interval intervals[CLR_TARGETS_MAX];
    size_t count = list_intervals(quantile, intervals);
    if (count == 0)
      return CL_SUCCESS;
    err = step(run, intervals, count);
  }
  return err;
}
