// Shared by the files that search keys at given ranks.
#pragma once

#include "quantile/quantile.h"

// True if NaNs have the greatest key and must be counted.
static inline bool clr_counts_nans(const struct clr_ordering *ordering) {
  return ordering->infinite && !ordering->nans_first;
}

// The greatest key of elements that have a rank.
static inline cl_ulong clr_last_key(const struct clr_ordering *ordering) {
  return clr_counts_nans(ordering) ? ordering->most - 1 : ordering->most;
}

// --- sorted.c ---
// Fails because two readings disagree.
cl_int clr_fail_changed(struct clr_quantile_run *run);

// The first of `count` sorted keys that is at least `key`.
size_t clr_sorted_place(const struct clr_ranked *sorted, size_t count, cl_ulong key);

// Finds all targets. `ranked[0]` has all keys of their intervals, sorted.
cl_int clr_find_targets(struct clr_quantile_run *run, size_t count);

// --- guess.c ---
// Begins with a sample. With at most CLR_SAMPLE elements, the sample is all of them.
cl_int clr_begin_with_sample(struct clr_quantile_run *run, clr_set_ranks *set_ranks);
