// histogram_atomic, histogram_chunked and histogram_local: count elements in bins. Counters are cleared, elements are
// counted slice by slice (one or more launches a slice), and partial counts are added to the totals. histogram_cells:
// sums weights, and counts in several dimensions.
#include "planning/strategy.h"

// Most elements for a counter of 32 bits, with a reserve because a group may count more than its share.
#define COUNTER_MAX ((cl_ulong)1 << 31)

// Sets the bins and the number of groups: the caller's, otherwise groups_per_unit for each compute unit.
static void fit_bins(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_per_unit,
                     struct clr_shape *shape) {
  const cl_ulong most_groups = (cl_ulong)1 << 20;
  const struct clr_histogram *histogram = problem->histogram;
  cl_ulong groups = clr_min(clr_multiply(facts->compute_units, groups_per_unit), most_groups);
  shape->groups_max = clr_groups_or(problem, groups);
  shape->counting = (struct clr_counting){
    .bins = histogram->results, .slots = histogram->results, .guesses = histogram->guesses, .copies = 1, .turns = 1};
}

// Sets whether groups add their counts by atomics to the results (64 bits) or to scratch (32 bits). Also sets how many
// elements a launch may count before a counter of 32 bits could overflow.
static void fit_totals(const struct clr_facts *facts, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  counting->in_totals = facts->int64_atomics != 0;
  if (!counting->in_totals)
    counting->slice = COUNTER_MAX;
  else
    counting->slice = counting->local_slots ? clr_multiply(shape->groups_max, COUNTER_MAX) : CL_ULONG_MAX;
}

static cl_ulong scratch(const struct clr_shape *shape) {
  const struct clr_counting *counting = &shape->counting;
  if (counting->in_totals)
    return 0;
  return counting->has_rows ? clr_multiply(shape->groups_max, counting->slots) : counting->bins;
}

// --- Passes ---

// With fewer elements, a group would take longer to clear and add its counters than to count.
static cl_ulong groups_for(const struct clr_shape *shape, cl_ulong count) {
  const cl_ulong least_elements = 64 * shape->group_size;
  const struct clr_counting *counting = &shape->counting;
  cl_ulong share = counting->has_rows && counting->slots > least_elements ? counting->slots : least_elements;
  return clr_min(clr_ceil_divide(count, share), shape->groups_max);
}

static struct clr_pass pass_over_bins(const struct clr_shape *shape, enum clr_kernel kernel) {
  const cl_ulong most_groups = 1024;
  cl_ulong groups = clr_ceil_divide(shape->counting.bins, shape->group_size);
  return (struct clr_pass){.kernel = kernel, .groups = clr_min(groups, most_groups), .group_size = shape->group_size};
}

static struct clr_pass count_pass(const struct clr_shape *shape, cl_ulong n, cl_ulong slice, cl_ulong turn) {
  cl_ulong begin = slice * shape->counting.slice, left = n - begin;
  cl_ulong count = clr_min(left, shape->counting.slice);
  return (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = groups_for(shape, count),
    .group_size = shape->group_size,
    .count = count,
    .work = begin,
    .span = turn * shape->counting.local_slots,
  };
}

// Adds a slice's partials to the totals. The first slice overwrites the totals instead.
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
  // If work-items have rows of counters, they clear their rows themselves and need no launch for that.
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

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  return (shape->counting.in_totals ? pass_to_totals : pass_to_partials)(shape, extent->count, index, out);
}

#define COUNTS \
  .task = CLR_TASK_COUNT, .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE), \
  .kernels = \
    CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR) | CLR_KERNEL_BIT(CLR_KERNEL_DELIVER), \
  .takes_groups = true, .launches_empty = true, .scratch = scratch, .pass = pass

// --- histogram_atomic ---

static cl_int fit_atomic(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                         struct clr_status *status) {
  const cl_ulong groups_per_unit = 8;
  (void)status;
  fit_bins(facts, problem, groups_per_unit, shape);
  fit_totals(facts, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_atomic = {
  .name = "histogram_atomic",
  .summary = "one atomic for each element, on counts in global memory",
  .requires = CLR_REQUIRES_ATOMICS,
  COUNTS,
  .fit = fit_atomic,
};

// --- histogram_chunked ---

// Bytes of a core's own cache that counters may take; the rest of the cache is for elements.
#define HELD_BYTES 16384
// Unused counters between the copies: at most 3 gaps of 16 (PLACE_OF in cl/strategies/histogram_chunked.cl).
#define LEFT_OUT 64
// Each work-item has a row of counts. The number balances two goals: keep all cores busy to the end, and leave few rows
// to add up. A thread of PoCL first takes half of the rows that are left and one more, so with few rows the first
// thread ends late.
#define ROWS_PER_UNIT 16
#define MORE_ROWS_PER_UNIT 64
#define FEW_SLOTS 1024
#define ROWS_BYTES 67108864

static void fit_rows(const struct clr_problem *problem, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  const cl_ulong most_copies = clr_min(16 / shape->element_size, 4);
  counting->has_rows = true;
  counting->by_value = shape->element_size == 1;
  counting->slots = counting->by_value ? 256 : problem->histogram->bins;
  cl_ulong copies = HELD_BYTES / sizeof(cl_uint) / counting->slots;
  if (copies == 0)
    return;
  counting->local_slots = counting->slots;
  counting->copies = clr_pow2_floor(clr_min(copies, most_copies));
  counting->own_counters =
    counting->by_value ? counting->slots * counting->copies : HELD_BYTES / sizeof(cl_uint) + LEFT_OUT;
}

static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  (void)status;
  const bool are_few = problem->histogram->bins <= FEW_SLOTS;
  fit_bins(facts, problem, are_few ? MORE_ROWS_PER_UNIT : ROWS_PER_UNIT, shape);
  fit_rows(problem, shape);
  cl_ulong bytes = clr_min(facts->max_alloc, ROWS_BYTES);
  cl_ulong rows = bytes / sizeof(cl_uint) / shape->counting.slots;
  rows = rows ? rows : 1;
  if (!problem->groups)
    shape->groups_max = clr_min(shape->groups_max, rows);
  shape->counting.slice = clr_multiply(shape->groups_max, COUNTER_MAX);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_chunked = {
  .name = "histogram_chunked",
  .summary =
    "CPU-like devices: each work-item counts a contiguous run by itself, without atomics; a second launch adds up",
  .exec = CLR_EXEC_SINGLE_ITEM,
  COUNTS,
  .fit = fit_chunked,
};

// --- histogram_local ---

// Bytes of local memory for a group's counters; this leaves room for other groups.
#define GOOD_BYTES 32768
#define GROUPS_PER_UNIT 4
// How often the elements may be read, each time for another part of the bins. With more readings, atomics on global
// memory would be as fast.
#define TURNS_MAX 4

// Assigns local memory: first to counters (in several launches if necessary), then to edges, then to more copies of the
// counters, at most one for each work-item of a sub-group.
static void fit_counters(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  struct clr_counting *counting = &shape->counting;
  cl_ulong usable = clr_usable_local(facts);
  cl_ulong key = shape->element_size == 8 ? 8 : 4, counters = usable / sizeof(cl_uint),
           edges = problem->histogram->bins - 1;
  counting->by_value = shape->element_size == 1 && counters >= 256;
  counting->slots = counting->by_value ? 256 : problem->histogram->bins;
  if (counting->slots > clr_multiply(counters, TURNS_MAX))
    return;
  counting->turns = clr_ceil_divide(counting->slots, counters);
  counting->local_slots = clr_ceil_divide(counting->slots, counting->turns);
  counting->own_counters = counters;
  cl_ulong taken = counting->local_slots * sizeof(cl_uint);
  if (!counting->by_value && clr_multiply(edges, key) <= usable - taken)
    counting->local_edges = edges;
  cl_ulong left = usable - counting->local_edges * key, good = clr_min(left, GOOD_BYTES);
  cl_ulong copies = clr_pow2_floor(good / taken), most = clr_pow2_floor(facts->preferred_multiple);
  counting->copies = clr_min(copies, clr_min(most, shape->group_size));
  shape->local_bytes = taken * counting->copies + counting->local_edges * key;
}

// Larger groups share the same number of counters among more work-items, so use the largest group.
static void widen(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  if (!problem->group_size && !facts->cpu && shape->counting.local_slots)
    shape->group_size = clr_largest_group(facts, 1024);
}

static cl_int fit_local(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                        struct clr_status *status) {
  (void)status;
  fit_bins(facts, problem, GROUPS_PER_UNIT, shape);
  fit_counters(facts, problem, shape);
  widen(facts, problem, shape);
  fit_totals(facts, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_histogram_local = {
  .name = "histogram_local",
  .summary =
    "GPU-like devices: each group counts in local memory, in a copy for each work-item of a sub-group if there is room",
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_LOCAL_ATOMICS,
  COUNTS,
  .fit = fit_local,
};

// --- histogram_cells ---

// A weight adds less than 2^32 to a cell, so this many elements fit a signed cell of 64 bits.
#define CELL_SLICE ((cl_ulong)1 << 30)
// Elements of a work-item in a short call. With fewer, groups would take longer to add their sums than to read.
#define CELL_ELEMENTS 16
// Groups add to different copies of the cells if there are few bins, so that fewer groups add to one address.
#define COPIED_BINS 4096
#define COPIES_OF_ONE_CELL 32
#define COPIES_OF_CELLS 8

static cl_int fit_cells(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                        struct clr_status *status) {
  const cl_ulong groups_per_unit = 16;
  struct clr_counting *counting = &shape->counting;
  (void)status;
  fit_bins(facts, problem, groups_per_unit, shape);
  counting->cells = clr_bin_cells(problem->weights ? problem->weights->element.row->id : CLRED_TYPE_NONE);
  counting->at_once = facts->cpu ? 1 : 4;
  const cl_ulong most_copies = counting->cells > 1 ? COPIES_OF_CELLS : COPIES_OF_ONE_CELL,
                 room = facts->max_alloc / (sizeof(cl_ulong) * counting->cells);
  counting->copies = clr_clamp(clr_min(COPIED_BINS, room) / counting->bins, 1, most_copies);
  counting->slice = counting->cells > 1 ? CELL_SLICE : CL_ULONG_MAX;
  for (const struct clr_histogram *axis = problem->histogram; axis; axis = axis->next) {
    counting->guesses &= axis->guesses;
    counting->axes++;
  }
  return CL_SUCCESS;
}

// States have 32 bits, cells 64.
static cl_ulong scratch_of_cells(const struct clr_shape *shape) {
  const struct clr_counting *counting = &shape->counting;
  return clr_multiply(2 * counting->cells * counting->copies, counting->bins);
}

// After each slice the cells are carried, and the results so far are written.
static bool pass_to_cells(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                          struct clr_pass *pass) {
  const struct clr_counting *counting = &shape->counting;
  const cl_ulong n = extent->count, slices = n ? clr_ceil_divide(n, counting->slice) : 0, last = 2 * slices,
                 slice = index ? (index - 1) / 2 : 0;
  if (index == 0 || index == (slices ? last : 1) || (index < last && index % 2 == 0)) {
    *pass = pass_over_bins(shape, index ? CLR_KERNEL_DELIVER : CLR_KERNEL_CLEAR);
    pass->span = index < last;
    return true;
  }
  if (index > last)
    return false;
  *pass = count_pass(shape, n, slice, 0);
  pass->groups = clr_min(clr_ceil_divide(pass->count, CELL_ELEMENTS * shape->group_size), shape->groups_max);
  return true;
}

// The last launch reads all cells of a bin.
static cl_ulong trips_of_cells(const struct clr_shape *shape, const struct clr_extent *extent,
                               const struct clr_pass *pass) {
  const struct clr_counting *counting = &shape->counting;
  return clr_add(clr_trips_of_all(shape, extent, pass), 2 * counting->cells * counting->copies);
}

const struct clr_strategy clr_strategy_histogram_cells = {
  .name = "histogram_cells",
  .summary = "weights and several dimensions: atomics on cells of 64 bits, which hold exact sums; a last launch rounds",
  .requires = CLR_REQUIRES_ATOMICS,
  .local_states = 21,  // three numbers of a work-item, and 9 sums of 64 bits
  .task = CLR_TASK_COUNT,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .kernels =
    CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR) | CLR_KERNEL_BIT(CLR_KERNEL_DELIVER),
  .takes_groups = true,
  .sums_weights = true,
  .launches_empty = true,
  .scratch = scratch_of_cells,
  .pass = pass_to_cells,
  .trips = trips_of_cells,
  .fit = fit_cells,
};
