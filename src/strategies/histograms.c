#include "strategies/histograms.h"

void clr_histogram_fit(const struct clr_problem *problem, cl_ulong groups, struct clr_shape *shape) {
  const cl_ulong most_groups = (cl_ulong)1 << 20;
  const struct clr_histogram *histogram = problem->histogram;
  shape->groups_max = problem->groups ? problem->groups : groups < most_groups ? groups : most_groups;
  shape->counting = (struct clr_counting){
    .bins = histogram->bins, .slots = histogram->bins, .guesses = histogram->guesses, .copies = 1, .turns = 1};
}

void clr_histogram_add_up(const struct clr_facts *facts, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  counting->in_totals = facts->int64_atomics != 0;
  if (!counting->in_totals)
    counting->slice = CLR_COUNTER_BEARS;
  else
    counting->slice = counting->local_slots ? clr_multiply(shape->groups_max, CLR_COUNTER_BEARS) : CL_ULONG_MAX;
}

cl_ulong clr_histogram_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  const struct clr_counting *counting = &shape->counting;
  (void)n;
  *bounded = true;
  if (counting->in_totals)
    return 0;
  return counting->has_rows ? clr_multiply(shape->groups_max, counting->slots) : counting->bins;
}

// --- Passes ---

// Groups that take so few elements are not worth their counters.
static cl_ulong groups_for(const struct clr_shape *shape, cl_ulong count) {
  const cl_ulong least_elements = 64 * shape->group_size;
  const struct clr_counting *counting = &shape->counting;
  cl_ulong share = counting->has_rows && counting->slots > least_elements ? counting->slots : least_elements;
  cl_ulong groups = clr_ceil_divide(count, share);
  return groups < shape->groups_max ? groups : shape->groups_max;
}

static struct clr_pass pass_over_bins(const struct clr_shape *shape, enum clr_kernel kernel) {
  const cl_ulong most_groups = 1024;
  cl_ulong groups = clr_ceil_divide(shape->counting.bins, shape->group_size);
  return (struct clr_pass){
    .kernel = kernel, .groups = groups < most_groups ? groups : most_groups, .group_size = shape->group_size};
}

static struct clr_pass count_pass(const struct clr_shape *shape, cl_ulong n, cl_ulong slice, cl_ulong turn) {
  cl_ulong begin = slice * shape->counting.slice, left = n - begin;
  cl_ulong count = left < shape->counting.slice ? left : shape->counting.slice;
  return (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = groups_for(shape, count),
    .group_size = shape->group_size,
    .count = count,
    .work = begin,
    .span = turn * shape->counting.local_slots,
  };
}

// Partials of a slice to the totals; the first slice's take the place of what was there.
static struct clr_pass deliver_pass(const struct clr_shape *shape, cl_ulong rows, cl_ulong slice) {
  struct clr_pass pass = pass_over_bins(shape, CLR_KERNEL_DELIVER);
  pass.count = rows;
  pass.span = slice;
  return pass;
}

static bool pass_to_totals(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  cl_ulong slices = n ? clr_ceil_divide(n, shape->counting.slice) : 0, turns = shape->counting.turns;
  if (index == 0) {
    *pass = pass_over_bins(shape, CLR_KERNEL_CLEAR);
    return true;
  }
  if (index > slices * turns)
    return false;
  *pass = count_pass(shape, n, (index - 1) / turns, (index - 1) % turns);
  return true;
}

static bool pass_to_partials(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  const struct clr_counting *counting = &shape->counting;
  // Rows are cleared by those who count in them.
  cl_ulong before = !counting->has_rows, in_slice = before + counting->turns + 1;
  cl_ulong slices = n ? clr_ceil_divide(n, counting->slice) : 0, slice = index / in_slice, step = index % in_slice;
  if (slices == 0) {
    *pass = deliver_pass(shape, 0, 0);
    return index == 0;
  }
  if (slice >= slices)
    return false;
  *pass = count_pass(shape, n, slice, step - before);
  if (step + 1 == in_slice)
    *pass = deliver_pass(shape, counting->has_rows ? pass->groups : 1, slice);
  else if (step < before)
    *pass = pass_over_bins(shape, CLR_KERNEL_CLEAR);
  return true;
}

bool clr_histogram_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  return shape->counting.in_totals ? pass_to_totals(shape, n, index, pass) : pass_to_partials(shape, n, index, pass);
}
