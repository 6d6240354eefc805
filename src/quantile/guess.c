// Begins a search with a sample: it guesses an interval of keys around each rank, and one reading counts both sides.
// If a rank lies outside the interval, the next guess is on the rank's side.
#include <math.h>

#include "base/arithmetic.h"
#include "quantile/search.h"

// Readings that guess, at most. After wrong guesses, bins narrow the intervals.
#define GUESSES 3

// How far the index of a rank in a sample of this many numbers may be off. A larger error happens once in a hundred
// thousand cases.
static double margin_of(double index, double sampled) {
  return 4.5 * sqrt(fmax(index * (1 - fmin(index / sampled, 1)), 1)) + 3;
}

// The first of the sorted keys above `key`.
static size_t place_behind(const struct clr_ranked *sorted, size_t count, cl_ulong key) {
  return key == CL_ULONG_MAX ? count : clr_sorted_place(sorted, count, key + 1);
}

// True if so much of the sorted sample has this key that a guessed interval should have no other key.
static bool is_common(const struct clr_ranked *sample, size_t sampled, cl_ulong key, double margin) {
  return (double)(place_behind(sample, sampled, key) - clr_sorted_place(sample, sampled, key)) > margin;
}

// An interval around an unknown target, from the sorted sample of `sampled` numbers. A common key is guessed alone.
static struct clr_interval guess(const clred_quantile *quantile, size_t sampled, const struct clr_target *target) {
  const struct clr_ranked *sample = quantile->ranked[0];
  struct clr_interval guessed = {.low = target->low, .high = target->high};
  size_t first = clr_sorted_place(sample, sampled, target->low), last = place_behind(sample, sampled, target->high);
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

cl_int clr_begin_with_sample(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  cl_ulong sampled = 0;
  cl_int err = clr_reading_sample(run, &sampled);
  if (err)
    return err;
  size_t numbers = clr_counts_nans(ordering) ? clr_sorted_place(quantile->ranked[0], (size_t)sampled, ordering->most)
                                             : (size_t)sampled;
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
    return clr_find_targets(run, (size_t)sampled);
  }
  for (int i = 0; i < GUESSES && !is_located && !err; i++) {
    struct clr_interval intervals[CLR_TARGETS_MAX];
    size_t count = guess_intervals(quantile, numbers, intervals);
    err = gather_guessed(run, intervals, count, i == 0 ? set_ranks : NULL, &is_located);
  }
  return err;
}
