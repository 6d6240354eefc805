#include "strategies/scans.h"

#include "source/operation_text.h"

// ---------------------------------------------------------------- Tiles

// Bytes of local memory a group may take for elements and results and yet leave room for other groups.
#define GOOD_ROOM 36864

static cl_ulong most(cl_ulong a, cl_ulong b) {
  return a > b ? a : b;
}

// Sizes whose lanes are whole words of 16 bytes.
static bool is_exchangeable(cl_ulong size) {
  return size <= 16 && (size & (size - 1)) == 0;
}

// From one work-item's strip to the next in local memory, in bytes: cl/scan_strip.clh, STRIP_STEP.
static cl_ulong strip_bytes(const struct clr_shape *shape, cl_ulong size) {
  return 16 * (size * shape->strip_lanes | 1);
}

// Nodes of all levels, each an eighth of the one below.
static cl_ulong sweep_nodes(cl_ulong group_size) {
  cl_ulong nodes = group_size;
  for (cl_ulong width = group_size; width > 1; nodes += width)
    width = clr_ceil_divide(width, 8);
  return nodes;
}

// Bytes of what a selection keeps in local memory: elements, or places in a tile, which are ushort (cl/select.clh).
static cl_ulong traveller_size(const struct clr_problem *problem) {
  return problem->custom->keeping.indices ? sizeof(cl_ushort) : problem->operation.element.size;
}

// Kept elements take the places of all, or as many as there are of another size.
static void fit_compaction(const struct clr_problem *problem, cl_ulong room, struct clr_shape *shape) {
  cl_ulong size = most(shape->element_size, traveller_size(problem)),
           bytes = shape->group_size * strip_bytes(shape, size);
  bool has_places = shape->group_size * shape->rows * shape->strip_lanes <= (cl_ulong)CL_USHRT_MAX + 1;
  if (problem->layout != CLRED_LAYOUT_LINE || shape->group_size < 16 || !is_exchangeable(shape->element_size) ||
      !has_places || bytes > room)
    return;
  shape->exchanges = true;
  shape->room = bytes;
}

static void fit_exchange(const struct clr_problem *problem, cl_ulong room, struct clr_shape *shape) {
  cl_ulong element = shape->element_size, result = problem->operation.result_size;
  cl_ulong in = shape->group_size * strip_bytes(shape, element), out = shape->group_size * strip_bytes(shape, result);
  if (problem->layout != CLRED_LAYOUT_LINE || shape->group_size < 16 || !is_exchangeable(element) || in > room)
    return;
  shape->exchanges = true;
  shape->room = in;
  if (result == element) {
    shape->exchange_out = 1;
    return;
  }
  for (cl_ulong pieces = 1; is_exchangeable(result) && pieces <= result && !shape->exchange_out; pieces *= 2)
    if (in + out / pieces <= (room < GOOD_ROOM ? room : GOOD_ROOM)) {
      shape->exchange_out = pieces;
      shape->out_behind = in;
      shape->room = in + out / pieces;
    }
}

// Few work-items with long strips leave less to sweep than many with short ones. Where work-items run one after
// another, which barriers only make slow, one is best.
static cl_ulong good_group_size(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong group_size) {
  const cl_ulong good =
    !problem->selects && problem->operation.result_size > problem->operation.element.size ? 64 : 128;
  if (facts->cpu)
    return 1;
  return group_size < good ? group_size : good;
}

// The more lanes a work-item takes, the fewer tiles must look back.
static void fit_strip(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  cl_ulong size = most(problem->operation.element.size, problem->operation.result_size), longest = 8;
  shape->strip_lanes = 1;
  if (problem->selects) {
    // Work-items of a selection hold their strips in registers while they change places, but for places in the tile.
    const cl_ulong most_held = 128;
    size = most(problem->operation.element.size, traveller_size(problem));
    if (!problem->custom->keeping.indices)
      longest = clr_power_of_two_below(most_held / (size * shape->rows));
  }
  if (facts->cpu || problem->layout != CLRED_LAYOUT_LINE || !is_exchangeable(size) || shape->state_size > 16)
    return;
  while (shape->strip_lanes < longest && shape->group_size * 2 * strip_bytes(shape, size) <= GOOD_ROOM)
    shape->strip_lanes *= 2;
}

// Of few elements: tiles enough for all compute units come before long strips.
static void fit_small(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong tiles_a_unit = 3, smallest_group = 64;
  cl_ulong wanted = clr_multiply(tiles_a_unit * shape->rows, facts->compute_units);
  if (facts->cpu || !problem->count_max)
    return;
  while (!problem->group_size && shape->group_size > smallest_group &&
         problem->count_max / (shape->group_size * shape->strip_lanes) < wanted)
    shape->group_size /= 2;
  while (shape->strip_lanes > 1 && problem->count_max / (shape->group_size * shape->strip_lanes) < wanted)
    shape->strip_lanes /= 2;
}

cl_int clr_scan_fit_tile(const char *name, const struct clr_facts *facts, const struct clr_problem *problem,
                         cl_ulong nodes_beside, struct clr_shape *shape, struct clr_status *status) {
  cl_ulong usable = facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
  cl_ulong nodes = usable / shape->state_size;
  if (!problem->group_size)
    shape->group_size = good_group_size(facts, problem, shape->group_size);
  while (!problem->group_size && shape->group_size > 1 && sweep_nodes(shape->group_size) + nodes_beside > nodes)
    shape->group_size /= 2;
  shape->sweep = sweep_nodes(shape->group_size);
  if (shape->sweep + nodes_beside > nodes)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: local_mem_size is %llu: too little for %llu states of %llu bytes", name,
                    (unsigned long long)facts->local_mem_size, (unsigned long long)(shape->sweep + nodes_beside),
                    (unsigned long long)shape->state_size);
  fit_strip(facts, problem, shape);
  fit_small(facts, problem, shape);
  shape->sweep = sweep_nodes(shape->group_size);
  cl_ulong taken = (shape->sweep + nodes_beside) * shape->state_size;
  if (!facts->cpu && problem->selects)
    fit_compaction(problem, usable - taken, shape);
  else if (!facts->cpu)
    fit_exchange(problem, usable - taken, shape);
  shape->local_bytes = taken + shape->room;
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Blocks

void clr_scan_fit_block(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  // A block has a lane's rows in vectors, which registers hold; more members make more of them, and programs large.
  const cl_ulong vector_bytes = 64, most_state = 16;
  if (!facts->cpu || problem->layout == CLRED_LAYOUT_STRIDED ||
      clr_lanes_form(&problem->operation) == CLR_LANES_ARRAY || shape->state_size > most_state)
    return;
  cl_ulong widest = clr_element_is_complex(&problem->operation.element) ? 8 : 16;
  cl_ulong vector = clr_power_of_two_below(vector_bytes / shape->state_size);
  shape->vector = vector < widest ? vector : widest;
}

// ---------------------------------------------------------------- The board

#define FAN 32
#define LAUNCH_STACK 48

static cl_ulong board_cells(const struct clr_shape *shape) {
  cl_ulong nodes = 0, piece = shape->cell_bits / 16;
  for (cl_ulong level = 0, width = shape->tiles; level < shape->levels; level++, width /= FAN)
    nodes += width;
  return nodes * clr_ceil_divide(shape->state_size, piece);
}

static cl_ulong board_bytes(const struct clr_shape *shape) {
  return shape->cells * (shape->cell_bits / 8);
}

cl_int clr_scan_fit_board(const char *name, const struct clr_facts *facts, const struct clr_problem *problem,
                          struct clr_shape *shape, struct clr_status *status) {
  if (problem->in_place && !facts->device_fence)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: in place it may read what is already overwritten where no fence between groups is certain "
                    "(fact device_fence is 0)",
                    name);
  // Large states have small windows in local memory.
  cl_ulong levels = shape->state_size <= 32 ? 3 : shape->state_size <= 128 ? 2 : 1;
  if (problem->groups && problem->groups < FAN)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: groups: %llu is below %d", name,
                    (unsigned long long)problem->groups, FAN);
  while (problem->groups && levels > 1 && (cl_ulong)1 << 5 * levels > problem->groups)
    levels--;
  shape->levels = levels;
  shape->tiles = (cl_ulong)1 << 5 * levels;
  shape->groups_max = shape->tiles;
  shape->cell_bits = facts->int64_atomics ? 64 : 32;
  shape->cells = board_cells(shape);
  return CL_SUCCESS;
}

cl_ulong clr_scan_board_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  // The launches of a call: a stack, and two prefixes by turns.
  return clr_ceil_divide(board_bytes(shape), shape->state_size) + LAUNCH_STACK + 2;
}

bool clr_scan_board_pass(const struct clr_shape *shape, cl_ulong n, cl_ulong tile, unsigned index,
                         struct clr_pass *pass) {
  cl_ulong tiles = clr_ceil_divide(n, tile), begin = index * shape->tiles;
  if (begin >= tiles)
    return false;
  cl_ulong launches = clr_ceil_divide(board_bytes(shape), shape->state_size);
  *pass = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = tiles - begin < shape->tiles ? tiles - begin : shape->tiles,
    .group_size = shape->group_size,
    .count = n,
    .span = tile / shape->rows,
    .work = launches,
    .launch = index,
  };
  return true;
}

// ---------------------------------------------------------------- Analysis and order

bool clr_scan_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                   struct clred_step *step) {
  struct clr_activity all = {.items = pass->group_size, .apart = 1};
  (void)n;
  clr_step_make(step, shape, pass, all, all, pass->kernel == CLR_KERNEL_APPLY ? "scan" : "tiles");
  step->global_requests = pass->count * (pass->kernel == CLR_KERNEL_ELEMENTS && shape->levels ? 2 : 1);
  return index == 0;
}

cl_int clr_scan_fixed_reference(const struct clr_shape *shape, const struct clr_values *values,
                                const struct clr_scan *scan) {
  clr_scan_lanes(scan, values, shape->rows);
  return CL_SUCCESS;
}
