// Begins a search with a sample: it guesses an interval of keys around each rank, and one reading counts both sides.
#include <math.h>

#include "quantile/search.h"

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
      index + margin >= (double)sampled ? clr_last_key(&quantile->ordering) : sample[(size_t)(index + margin)].key;
    if (count > 0 && low <= intervals[count - 1].high)
      intervals[count - 1].high = high > intervals[count - 1].high ? high : intervals[count - 1].high;
    else
      intervals[count++] = (struct clr_interval){.low = low, .high = high};
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
  *target = (struct clr_target){target->rank, low, clr_last_key(ordering), below, elements - below, false};
  return false;
}

static cl_int gather_guessed(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                             clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  struct clr_tally tally;
  cl_int err = clr_reading_gather(run, intervals, count, quantile->candidates, quantile->capacity, &tally);
  if (err)
    return err;
  quantile->nans = clr_counts_nans(&quantile->ordering) ? tally.nans : 0;
  if (!set_ranks(quantile, run->count, quantile->nans))
    return CL_SUCCESS;
  run->on_keys = tally.inside <= quantile->capacity;
  run->held = tally.inside;
  for (size_t i = 0; i < quantile->target_count; i++)
    run->on_keys &=
      locate(&quantile->ordering, intervals, count, &tally, run->count - quantile->nans, &quantile->targets[i]);
  return CL_SUCCESS;
}

cl_int clr_begin_with_sample(struct clr_quantile_run *run, clr_set_ranks *set_ranks) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  struct clr_interval intervals[CLR_TARGETS_MAX];
  cl_ulong sampled = 0;
  cl_int err = clr_reading_sample(run, &sampled);
  if (err)
    return err;
  size_t numbers = clr_counts_nans(ordering) ? clr_sorted_place(quantile->ranked[0], (size_t)sampled, ordering->most)
                                             : (size_t)sampled;
  bool is_all = sampled == run->count;
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
  size_t count = guess_intervals(quantile, numbers, (double)run->count - (double)quantile->nans, intervals);
  return gather_guessed(run, intervals, count, set_ranks);
}
