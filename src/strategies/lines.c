// wide and chunked: lines of elements in the order fixed/1, cut into aligned runs of a power of two of tiles.
#include "planning/strategy.h"
#include "strategies/fixed_order.h"

// Sets the number of groups, each of which takes a run of tiles. Sets the finish if the caller named none: last_group
// if the device has a fence that makes all partials visible to it, otherwise a second launch.
static void fit_line(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_max,
                     struct clr_shape *shape) {
  if (!*problem->finish)
    shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_RELAUNCH;
  shape->groups_max = clr_groups_or(problem, clr_trips_groups(facts, groups_max));
}

// --- Passes ---

// Returns the tiles of a group: the smallest power of two with which groups_max groups are enough, but at least
// tiles_at_least.
static cl_ulong span(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong enough = clr_pow2_ceil(clr_ceil_divide(clr_fixed_tiles(shape, n), shape->groups_max));
  return enough > shape->fold.tiles_at_least ? enough : shape->fold.tiles_at_least;
}

static cl_ulong elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  return clr_ceil_divide(span(shape, extent->count) * clr_fixed_tile(shape), shape->group_size);
}

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  cl_ulong n = extent->count;
  struct clr_pass fold = {
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(clr_fixed_tiles(shape, n), span(shape, n)),
    .group_size = shape->group_size,
    .count = n,
    .span = span(shape, n),
  };
  fold.alone = fold.groups == 1 && shape->finish != CLR_FINISH_HOST;
  *out = fold;
  if (index == 0)
    return true;
  if (shape->finish == CLR_FINISH_HOST)
    *out = (struct clr_pass){.kind = CLR_PASS_FOLD_ON_HOST, .count = fold.groups, .pairs = true};
  else
    *out = (struct clr_pass){
      .kernel = CLR_KERNEL_STATES, .groups = 1, .group_size = shape->group_size, .count = fold.groups};
  bool relaunches = shape->finish == CLR_FINISH_RELAUNCH && fold.groups > 1;
  return index == 1 && (relaunches || shape->finish == CLR_FINISH_HOST);
}

// --- Iterations of loops: upper bounds; tests/layer compares them with the iterations of kernels ---

#define FEW 256  // iterations at the ends of stacks

static cl_ulong words(const struct clr_shape *shape) {
  return shape->finish == CLR_FINISH_LAST_GROUP ? shape->state_size / 4 : 0;
}

// In a full tile, each vector is read, combined and pushed; if lanes are arrays, each of these is a loop. Each cache
// line is prefetched. A partial tile is read element by element.
static cl_ulong chunked_trips(const struct clr_shape *shape, const struct clr_extent *extent,
                              const struct clr_pass *pass) {
  (void)extent;
  const cl_ulong line_bytes = 64, turns_a_partial = 2;
  if (pass->kernel != CLR_KERNEL_ELEMENTS)
    return clr_add(FEW, clr_multiply(turns_a_partial + words(shape), pass->count));
  cl_ulong vectors = clr_fixed_tile(shape) / shape->vector, on_lanes = shape->loops_over_lanes ? 5 * shape->vector : 2;
  cl_ulong a_tile = vectors * (1 + on_lanes) + clr_fixed_tile(shape) * shape->element_size / line_bytes +
                    2 * shape->lanes + shape->rows;
  cl_ulong partials = shape->finish == CLR_FINISH_LAST_GROUP ? pass->groups : 0;
  cl_ulong last = (shape->loops_over_lanes ? 6 : 3) * clr_fixed_tile(shape);
  return clr_add(clr_add(FEW + last, clr_multiply(pass->span, a_tile)),
                 clr_multiply(turns_a_partial + words(shape), partials));
}

// Bounds the iterations in which a group folds a list of nodes. Each work-item first makes its nodes (from columns) or
// reads them (partials), in `a_node` iterations each. Then a tree folds them, with one barrier for each level.
// The radix is 2 or 8: levels are counted as for 2, iterations of a level as for 8. If work-items fold their own nodes
// first, there are fewer iterations.
static cl_ulong turns_of_list(const struct clr_shape *shape, cl_ulong nodes, cl_ulong a_node) {
  const cl_ulong radix = 8, a_fold = 2 * radix + 6;
  cl_ulong levels = 1, an_item = clr_ceil_divide(shape->fold.nodes, shape->group_size);
  for (cl_ulong apart = 1; apart < shape->fold.nodes; apart *= 2)
    levels++;
  cl_ulong a_turn = an_item * (a_node + 1) + levels * (2 + a_fold) + 2 * an_item * a_fold;
  return clr_multiply(clr_ceil_divide(nodes, shape->fold.nodes), a_turn);
}

static cl_ulong wide_trips(const struct clr_shape *shape, const struct clr_extent *extent,
                           const struct clr_pass *pass) {
  (void)extent;
  cl_ulong of_partials =
    turns_of_list(shape, pass->kernel == CLR_KERNEL_ELEMENTS ? pass->groups : pass->count, 1 + words(shape));
  if (pass->kernel != CLR_KERNEL_ELEMENTS)
    return clr_add(FEW, of_partials);
  cl_ulong a_column = shape->rows * (shape->loops_over_lanes ? 6 * shape->vector : 4) + 8;
  cl_ulong of_columns = turns_of_list(shape, clr_multiply(pass->span, shape->lanes / shape->vector), a_column);
  // In the last tile, columns are read lane by lane.
  cl_ulong last = 3 * shape->rows * shape->vector * clr_ceil_divide(shape->lanes, shape->group_size);
  return clr_add(FEW + last, clr_add(of_columns, of_partials));
}

#define LINE \
  .fixed_order = true, .takes_groups = true, \
  .reduce.finishes = \
    CLR_FINISH_BIT(CLR_FINISH_HOST) | CLR_FINISH_BIT(CLR_FINISH_RELAUNCH) | CLR_FINISH_BIT(CLR_FINISH_LAST_GROUP), \
  .reduce.finish = CLR_FINISH_LAST_GROUP, .reduce.reference = clr_fixed_reference, .reduce.fold = clr_fixed_fold, \
  .elements = elements, .scratch = clr_fixed_scratch, .pass = pass, \
  .launches = {[CLR_KERNEL_ELEMENTS] = "elements", [CLR_KERNEL_STATES] = "partials"}

// --- chunked ---

// Halves the shortest run until it takes at most half of the iterations after which the device ends loops.
static void shorten_runs(const struct clr_facts *facts, struct clr_shape *shape) {
  struct clr_pass run = {.kind = CLR_PASS_LAUNCH, .kernel = CLR_KERNEL_ELEMENTS};
  for (run.span = shape->fold.tiles_at_least; facts->loop_trips && run.span > 1; run.span /= 2)
    if (chunked_trips(shape, NULL, &run) <= facts->loop_trips / 2)
      break;
  shape->fold.tiles_at_least = run.span;
}

static bool line_has_bins(const struct clr_facts *facts, const struct clr_problem *problem) {
  return problem->layout == CLRED_LAYOUT_LINE && clr_has_bins(facts, problem);
}

// There are many runs, which keep any number of cores busy to the end, but so few that folding their partials takes
// almost no time.
static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong runs = 1024, tiles_per_run = 16;
  (void)status;
  clr_fixed_vectors(facts, &problem->operation, shape);
  clr_tune_loads(&problem->operation, shape);
  // Starting a run on a core takes as long as reading about 10 KiB, so a run must not be too short.
  shape->fold.tiles_at_least = clr_tuned_or(shape, CLR_TUNE_TILES, tiles_per_run);
  shorten_runs(facts, shape);
  fit_line(facts, problem, runs, shape);
  shape->fold.bin_lanes = line_has_bins(facts, problem) ? CLR_BIN_LANES : 0;
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_chunked = {
  .name = "chunked",
  .summary = "CPU-like devices: each work-item reads one long contiguous run with wide vectors, no barrier",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  .reduce.tunables = CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES) | CLR_TUNE_BIT(VECTOR) | CLR_TUNE_BIT(VECTORS_AT_ONCE) |
                     CLR_TUNE_BIT(PREFETCHES),
  LINE,
  .fit = fit_chunked,
  .trips = chunked_trips,
};

// --- wide ---

// Returns the number of 64-bit cells of all groups, one for each word of a state; keys with places need fewer. Returns
// 0 if cells cannot be used: groups may not make progress while another waits, or states may be too large.
static cl_ulong handover_words(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong most_words = 8, most_groups = 65536;
  bool waits = shape->finish == CLR_FINISH_LAST_GROUP && facts->forward_progress && facts->atomics &&
               facts->int64_atomics && !facts->loop_trips;
  cl_ulong words = shape->state_size / 4;
  bool fits = shape->state_size % 4 == 0 && words <= most_words && shape->groups_max <= most_groups &&
              words * shape->groups_max <= facts->max_alloc / 16;
  return waits && fits ? words * shape->groups_max : 0;
}

// True if 31 bits are enough to count a group's elements in any call. A group takes up to twice its share of the
// elements, or tiles_at_least tiles. A call has at most as many elements as the device's memory holds.
static bool counts_places(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong places = CL_INT_MAX;
  cl_ulong memory = facts->global_mem_size > facts->max_alloc ? facts->global_mem_size : facts->max_alloc;
  cl_ulong share = memory / shape->element_size / shape->groups_max;
  return !shape->strided && share < places / 2 &&
         clr_multiply(shape->fold.tiles_at_least, clr_fixed_tile(shape)) < places;
}

// True if elements are read by the functions of cl/common/loads.clh, which accept a cache hint.
static bool loads_take_hints(const struct clr_operation *operation, const struct clr_shape *shape) {
  const cl_ulong load_bytes = 16;
  return shape->vector * shape->element_size == load_bytes && operation->lanes_form != CLR_LANES_ARRAY &&
         !clr_element_is_complex(&operation->element);
}

// Returns two fifths of the cache. If more were kept, too much of it would be evicted before the next call begins.
static cl_ulong kept_bytes(const struct clr_facts *facts, const struct clr_operation *operation,
                           const struct clr_shape *shape) {
  const cl_ulong least_target = 80;
  cl_ulong kept_mib = facts->shared_cache / 5 * 2 >> 20;
  if (facts->ptx_target < least_target || !kept_mib || !loads_take_hints(operation, shape))
    return 0;
  return clr_tuned_or(shape, CLR_TUNE_KEPT, kept_mib) << 20;
}

// Returns the bytes of the digits that a group adds exact terms to (cl/exact/digits.clh).
static cl_ulong digit_bytes(const struct clr_shape *shape, cl_ulong copies) {
  cl_ulong items = clr_ceil_divide(shape->group_size, copies), bits = items <= 32 ? 24 : items <= 512 ? 20 : 17;
  return clr_ceil_divide(8 * shape->state_size, bits) * (sizeof(cl_int) * copies + sizeof(cl_long));
}

// A group adds terms to digits in local memory. With finish last_group, all groups add their digits to 64-bit cells
// after the ticket. With other finishes, groups leave partials, which are folded as states. So a device without 64-bit
// atomics folds them in a second launch; if the caller named last_group, there are no bins.
static void fit_wide_bins(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong load_bytes = 16, most_copies = 8, others = shape->state_size + 4 * sizeof(cl_uint);
  const bool is_last = shape->finish == CLR_FINISH_LAST_GROUP, has_cells = is_last && facts->int64_atomics;
  cl_ulong copies = most_copies;
  while (copies > 1 && others + digit_bytes(shape, copies) > clr_usable_local(facts))
    copies /= 2;
  const cl_ulong bytes = others + digit_bytes(shape, copies);
  if (!line_has_bins(facts, problem) || !facts->local_atomics || bytes > clr_usable_local(facts) ||
      (is_last && !has_cells && *problem->finish))
    return;
  if (!has_cells && is_last)
    shape->finish = CLR_FINISH_RELAUNCH;
  shape->fold.bin_lanes = clr_clamp(load_bytes / shape->element_size, 2, 4);
  shape->fold.exact = false;
  shape->wide.digit_copies = copies;
  shape->local_bytes = bytes > shape->local_bytes ? bytes : shape->local_bytes;
  // A digit has at least 17 bits, and flags take one more cell.
  shape->wide.digit_cells = has_cells ? shape->state_size / 2 + 2 : 0;
}

static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  // There are more groups than run at once, so that no compute unit is idle while another has two groups left.
  const cl_ulong groups_per_unit = 16;
  // Emptying bins takes about as long as adding this many elements, so each work-item gets at least as many.
  const cl_ulong elements_each = line_has_bins(facts, problem) ? 64 : 0;
  clr_fixed_columns(&problem->operation, shape);
  clr_tune_loads(&problem->operation, shape);
  // Starting a group and publishing its partial takes longer than reading one column for each work-item. So a group has
  // at least one column for each work-item.
  cl_ulong a_column_each = clr_pow2_ceil(clr_ceil_divide(shape->group_size, shape->lanes / shape->vector));
  shape->fold.exact = problem->operation.exact && problem->operation.commutes;
  cl_ulong tiles = clr_pow2_ceil(clr_ceil_divide(elements_each * shape->group_size, clr_fixed_tile(shape)));
  shape->fold.tiles_at_least = clr_tuned_or(shape, CLR_TUNE_TILES, tiles > a_column_each ? tiles : a_column_each);
  cl_int err = clr_fixed_nodes(facts, shape, status);
  if (err)
    return err;
  fit_line(facts, problem, groups_per_unit * facts->compute_units, shape);
  fit_wide_bins(facts, problem, shape);
  shape->wide.handover_words = handover_words(facts, shape);
  shape->wide.counts_places = counts_places(facts, shape);
  shape->wide.kept_bytes = kept_bytes(facts, &problem->operation, shape);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_wide = {
  .name = "wide",
  .summary = "GPU-like devices: neighbouring work-items read neighbouring words, wide loads, one launch",
  .local_states = 1,
  .reduce.tunables = CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES) | CLR_TUNE_BIT(GROUP_SIZE) | CLR_TUNE_BIT(VECTOR) |
                     CLR_TUNE_BIT(ROWS_AT_ONCE) | CLR_TUNE_BIT(TURNS) | CLR_TUNE_BIT(KEPT),
  LINE,
  .fit = fit_wide,
  .trips = wide_trips,
};
