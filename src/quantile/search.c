// Finds the keys at given ranks. A sample guesses an interval of keys around each rank; one reading counts the elements
// on both sides and gathers the elements between. If a rank lies outside its interval, the next guess is on the rank's
// side. If guesses were wrong, or the keys do not fit the scratch memory, readings count keys in bins until the keys
// fit. The host sorts the last few keys.
#include <math.h>

#include "base/arithmetic.h"
#include "quantile/quantile.h"

// Bins of an interval, at most.
#define BINS ((cl_ulong)2048)

// Readings that guess, at most. After wrong guesses, bins narrow the intervals.
#define GUESSES 3

// ---------------------------------------------------------------- Sorted keys on the host

cl_int clr_fail_changed(struct clr_quantile_run *run) {
  return clr_fail(run->status, CLRED_WRONG_RESULT, "the elements changed while a quantile was computed");
}

// Returns the index of the first of the sorted keys that is at least `key`.
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

// Returns the index of the first of the sorted keys above `key`.
static size_t place_behind(const struct clr_ranked *sorted, size_t count, cl_ulong key) {
  return key == CL_ULONG_MAX ? count : place_of(sorted, count, key + 1);
}

static bool find_target(const clred_quantile *quantile, size_t count, struct clr_target *target) {
  const struct clr_ranked *sorted = quantile->ranked[0];
  size_t begin = place_of(sorted, count, target->low);
  if (target->rank - target->below >= count - begin)
    return false;
  cl_ulong key = sorted[begin + (size_t)(target->rank - target->below)].key;
  size_t first = place_of(sorted, count, key);
  size_t behind = place_behind(sorted, count, key);
  target->below += first - begin;
  target->inside = behind - first;
  target->low = target->high = key;
  target->found = true;
  return true;
}

// Finds all targets. `ranked[0]` has all keys of their intervals, sorted.
static cl_int find_targets(struct clr_quantile_run *run, size_t count) {
  clred_quantile *quantile = run->quantile;
  for (size_t i = 0; i < quantile->target_count; i++)
    if (!quantile->targets[i].found && !find_target(quantile, count, &quantile->targets[i]))
      return clr_fail_changed(run);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Guesses from a sample

// How far the index of a rank in a sample of this many numbers may be off. A larger error happens once in a hundred
// thousand cases.
static double margin_of(double index, double sampled) {
  return 4.5 * sqrt(fmax(index * (1 - fmin(index / sampled, 1)), 1)) + 3;
}

// True if so much of the sorted sample has this key that a guessed interval should have no other key.
static bool is_common(const struct clr_ranked *sample, size_t sampled, cl_ulong key, double margin) {
  return (double)(place_behind(sample, sampled, key) - place_of(sample, sampled, key)) > margin;
}

// An interval around an unknown target, from the sorted sample of `sampled` numbers. A common key is guessed alone.
static struct clr_interval guess(const clred_quantile *quantile, size_t sampled, const struct clr_target *target) {
  const struct clr_ranked *sample = quantile->ranked[0];
  struct clr_interval guessed = {.low = target->low, .high = target->high};
  size_t first = place_of(sample, sampled, target->low), last = place_behind(sample, sampled, target->high);
  if (first == last)
    return guessed;
  double count = (double)(last - first);
  // If the elements change during the run, the numbers may be wrong.
  double index = fmin((double)(target->rank - target->below) * count / (double)target->inside, count - 1);
  double margin = margin_of(index, count);
  cl_ulong middle = sample[first + (size_t)index].key;
  if (is_common(sample, sampled, middle, margin))
    return (struct clr_interval){.low = middle, .high = middle};
  if (index >= margin)
    guessed.low = sample[first + (size_t)(index - margin)].key;
  if (index + margin < count)
    guessed.high = sample[first + (size_t)(index + margin)].key;
  guessed.low += guessed.low < middle && is_common(sample, sampled, guessed.low, margin) ? 1 : 0;
  guessed.high -= guessed.high > middle && is_common(sample, sampled, guessed.high, margin) ? 1 : 0;
  return guessed;
}

// Makes intervals around the targets that are not found. Intervals that touch become one; neighbouring ranks share one.
static size_t guess_intervals(const clred_quantile *quantile, size_t sampled, struct clr_interval *intervals) {
  size_t count = 0;
  for (size_t i = 0; i < quantile->target_count; i++) {
    const struct clr_target *target = &quantile->targets[i];
    if (target->found || (i > 0 && !target[-1].found && target->rank == target[-1].rank + 1))
      continue;
    struct clr_interval guessed = guess(quantile, sampled, target);
    if (count > 0 && guessed.low <= intervals[count - 1].high)
      intervals[count - 1].high = clr_max(guessed.high, intervals[count - 1].high);
    else
      intervals[count++] = guessed;
  }
  return count;
}

// Sets the target's interval: one of the guessed ones, or what lies between two. True if it is a guessed one.
static bool locate(const struct clr_interval *intervals, size_t count, const struct clr_tally *tally,
                   struct clr_target *target) {
  struct clr_target left = *target;
  for (size_t i = 0; i < count && intervals[i].low <= left.high; i++) {
    if (intervals[i].high < left.low)
      continue;
    if (left.rank < tally->below[i]) {
      left.high = intervals[i].low - 1;
      left.inside = tally->below[i] - left.below;
      break;
    }
    if (left.rank < tally->upto[i]) {
      *target = (struct clr_target){
        left.rank, intervals[i].low, intervals[i].high, tally->below[i], tally->upto[i] - tally->below[i], false};
      target->found = target->low == target->high;
      return true;
    }
    left.low = intervals[i].high + 1;
    left.inside -= tally->upto[i] - left.below;
    left.below = tally->upto[i];
  }
  *target = left;
  return false;
}

// Reads the set, and sets `is_located` if each target lies in a guessed interval.
static cl_int gather_guessed(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                             clr_set_ranks *set_ranks, bool *is_located) {
  clred_quantile *quantile = run->quantile;
  struct clr_tally tally;
  cl_int err = clr_reading_gather(run, intervals, count, quantile->candidates, quantile->capacity, &tally);
  *is_located = true;
  if (err)
    return err;
  quantile->nans = clr_counts_nans(&quantile->ordering) ? tally.nans : 0;
  if (set_ranks && !set_ranks(quantile, run->count, quantile->nans))
    return CL_SUCCESS;
  for (size_t i = 0; i < quantile->target_count; i++)
    *is_located &= quantile->targets[i].found || locate(intervals, count, &tally, &quantile->targets[i]);
  run->on_keys = *is_located && tally.inside <= quantile->capacity;
  run->held = tally.inside;
  return CL_SUCCESS;
}

// With at most CLR_SAMPLE elements, the sample is all of them.
static cl_int begin_with_sample(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  cl_ulong sampled = 0;
  cl_int err = clr_reading_sample(run, &sampled);
  if (err)
    return err;
  size_t numbers =
    clr_counts_nans(ordering) ? place_of(quantile->ranked[0], (size_t)sampled, ordering->most) : (size_t)sampled;
  bool is_all = sampled == run->count, is_located = false;
  cl_ulong nans = sampled - numbers;
  double share = (double)nans / (double)sampled;
  quantile->nans = is_all || nans == 0 ? nans : (cl_ulong)fmax(share * (double)run->count, 1);
  if (!set_ranks(quantile, run->count, quantile->nans) && (is_all || quantile->problem.nan == CLRED_NAN_PROPAGATE)) {
    quantile->nans = nans;
    return CL_SUCCESS;
  }
  if (is_all) {
    quantile->readings++;
    return find_targets(run, (size_t)sampled);
  }
  for (int i = 0; i < GUESSES && !is_located && !err; i++) {
    struct clr_interval intervals[CLR_TARGETS_MAX];
    size_t count = guess_intervals(quantile, numbers, intervals);
    err = gather_guessed(run, intervals, count, i == 0 ? set_ranks : NULL, &is_located);
  }
  return err;
}

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
  return err ? err : find_targets(run, (size_t)keys);
}

cl_int clr_quantile_search(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  bool by_bins = (quantile->ordering.type->size == 1 && run->count > CLR_SAMPLE) || clr_quantile_searches(quantile);
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
