// What the files of quantile share while they run.
#pragma once

#include "input/mapping.h"
#include "run/job.h"
#include "verbs/quantile.h"

// A quantile is searched for in each group by itself, which takes longer than the elements of small groups.
enum { QUANTILE_GROUPS_MOST = 1 << 16 };

struct quantiles {
  struct job job;
  struct quantile_request asked;
  clred_quantile *quantile;
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct results values;  // of each group those of all quantiles
  struct results rows;    // the values as they are shown: with places, or one result for each group
  cl_ulong *places;
  double kernel_seconds, wall_seconds;
  bool steady, correct;
};

// Elements of a group; without --group there is one, of all elements.
struct quantile_range {
  uint64_t first, count;
};
uint64_t quantile_groups(const struct quantiles *at);
struct quantile_range quantile_range_of(const struct quantiles *at, uint64_t group);

// Prints or writes the results. Returns an exit code.
int quantile_show(struct quantiles *at);
