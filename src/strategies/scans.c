// Shared by scans: how a group moves a tile through local memory, how a work-item of a CPU reads a block, and the order
// fixed/1.
#include "strategies/scans.h"

#include "host/in_order.h"
#include "strategies/fixed_order.h"

// --- Tiles ---

// Bytes of local memory for a group's elements and results; this leaves enough for other groups.
#define GOOD_ROOM 36864

// True for sizes with which a lane is a whole number of 16-byte words.
static bool is_exchangeable(cl_ulong size) {
  return size <= 16 && (size & (size - 1)) == 0;
}

// Returns the distance in bytes between the strips of neighbouring work-items in local memory (STRIP_STEP in
// cl/scan/strip.clh).
static cl_ulong strip_bytes(const struct clr_shape *shape, cl_ulong size) {
  return 16 * (size * shape->strip.lanes | 1);
}

// Counts the nodes of all levels; each level has an eighth of the nodes of the level below.
static cl_ulong sweep_nodes(cl_ulong group_size) {
  cl_ulong nodes = group_size;
  for (cl_ulong width = group_size; width > 1; nodes += width)
    width = clr_ceil_divide(width, 8);
  return nodes;
}

// Returns the bytes that a selection stores in local memory for an element: the element, or its place in the tile, a
// ushort (cl/scan/select.clh).
static cl_ulong held_size(const struct clr_problem *problem) {
  return problem->custom->keeping.indices ? sizeof(cl_ushort) : problem->operation.element.size;
}

// Reserves local memory for the kept elements or their places, which overwrite the tile's elements.
static void fit_compaction(const struct clr_problem *problem, cl_ulong room, struct clr_shape *shape) {
  cl_ulong size = clr_max(shape->element_size, held_size(problem)),
           bytes = shape->group_size * strip_bytes(shape, size);
  bool has_places = shape->group_size * shape->rows * shape->strip.lanes <= (cl_ulong)CL_USHRT_MAX + 1;
  if (problem->layout != CLRED_LAYOUT_LINE || shape->group_size < 16 || !is_exchangeable(shape->element_size) ||
      !has_places || bytes > room)
    return;
  shape->strip.exchanges = true;
  shape->strip.exchange_bytes = bytes;
}

static void fit_exchange(const struct clr_problem *problem, cl_ulong room, struct clr_shape *shape) {
  cl_ulong element = shape->element_size, result = problem->operation.result_size;
  cl_ulong in = shape->group_size * strip_bytes(shape, element), out = shape->group_size * strip_bytes(shape, result);
  if (problem->layout != CLRED_LAYOUT_LINE || shape->group_size < 16 || !is_exchangeable(element) || in > room)
    return;
  shape->strip.exchanges = true;
  shape->strip.exchange_bytes = in;
  if (result == element) {
    shape->strip.exchange_out = 1;
    return;
  }
  for (cl_ulong pieces = 1; is_exchangeable(result) && pieces <= result && !shape->strip.exchange_out; pieces *= 2)
    if (in + out / pieces <= clr_min(room, GOOD_ROOM)) {
      shape->strip.exchange_out = pieces;
      shape->strip.out_offset = in;
      shape->strip.exchange_bytes = in + out / pieces;
    }
}

// Few work-items with long strips have fewer nodes to sweep than many with short strips. If the device runs work-items
// one after another, a group of one is best, because barriers only cost time.
static cl_ulong good_group_size(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong group_size) {
  const cl_ulong good =
    !problem->selects && problem->operation.result_size > problem->operation.element.size ? 64 : 128;
  if (facts->cpu)
    return 1;
  return clr_min(group_size, good);
}

// More lanes for each work-item mean fewer tiles that look back.
static void fit_strip(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  cl_ulong size = clr_max(problem->operation.element.size, problem->operation.result_size), longest = 8;
  shape->strip.lanes = 1;
  if (problem->selects) {
    // A selection keeps its strips in registers while it moves elements in local memory. If it moves places in the tile
    // instead, it needs no registers for elements.
    const cl_ulong most_held = 128;
    size = clr_max(problem->operation.element.size, held_size(problem));
    if (!problem->custom->keeping.indices)
      longest = clr_pow2_floor(most_held / (size * shape->rows));
  }
  if (facts->cpu || problem->layout != CLRED_LAYOUT_LINE || !is_exchangeable(size) || shape->state_size > 16)
    return;
  while (shape->strip.lanes < longest && shape->group_size * 2 * strip_bytes(shape, size) <= GOOD_ROOM)
    shape->strip.lanes *= 2;
}

// With few elements, it is more important that all compute units get tiles than that strips are long.
static void fit_small(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong tiles_per_unit = 3, smallest_group = 64;
  cl_ulong wanted = clr_multiply(tiles_per_unit * shape->rows, facts->compute_units);
  if (facts->cpu || !problem->count_max)
    return;
  while (!problem->group_size && shape->group_size > smallest_group &&
         problem->count_max / (shape->group_size * shape->strip.lanes) < wanted)
    shape->group_size /= 2;
  while (shape->strip.lanes > 1 && problem->count_max / (shape->group_size * shape->strip.lanes) < wanted)
    shape->strip.lanes /= 2;
}

cl_int clr_scan_fit_tile(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong nodes_beside,
                         struct clr_shape *shape, struct clr_status *status) {
  cl_ulong usable = clr_usable_local(facts);
  cl_ulong nodes = usable / shape->state_size;
  if (!problem->group_size)
    shape->group_size = good_group_size(facts, problem, shape->group_size);
  while (!problem->group_size && shape->group_size > 1 && sweep_nodes(shape->group_size) + nodes_beside > nodes)
    shape->group_size /= 2;
  shape->strip.sweep_nodes = sweep_nodes(shape->group_size);
  if (shape->strip.sweep_nodes + nodes_beside > nodes)
    return clr_refuse_local_memory(facts, shape, status);
  fit_strip(facts, problem, shape);
  fit_small(facts, problem, shape);
  shape->strip.sweep_nodes = sweep_nodes(shape->group_size);
  cl_ulong taken = (shape->strip.sweep_nodes + nodes_beside) * shape->state_size;
  if (!facts->cpu && problem->selects)
    fit_compaction(problem, usable - taken, shape);
  else if (!facts->cpu)
    fit_exchange(problem, usable - taken, shape);
  shape->local_bytes = taken + shape->strip.exchange_bytes;
  return CL_SUCCESS;
}

// --- Blocks ---

void clr_scan_fit_block(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  // A lane's rows are vectors in registers. States with more members need more registers, and make programs large.
  const cl_ulong vector_bytes = 64, most_state = 16;
  // In most blocks, products are plain numbers, so they take half of a state.
  const struct clr_row_fold *fold = problem->operation.row_fold;
  const cl_ulong state_size = shape->state_size / (fold && fold->product ? 2 : 1);
  if (!facts->cpu || problem->layout == CLRED_LAYOUT_STRIDED || problem->operation.lanes_form == CLR_LANES_ARRAY ||
      state_size > most_state)
    return;
  cl_ulong widest = clr_element_is_complex(&problem->operation.element) ? 8 : 16;
  shape->vector = clr_min(clr_pow2_floor(vector_bytes / state_size), widest);
  shape->fold.exact = problem->operation.exact && problem->operation.commutes;
}

// --- Order ---

cl_ulong clr_scan_tile(const struct clr_shape *shape) {
  return shape->group_size * shape->rows * shape->strip.lanes;
}

cl_int clr_scan_fixed_reference(const struct clr_shape *shape, const struct clr_values *values,
                                const struct clr_scan *scan) {
  if (clr_fixed_is_any(values->operation))
    clr_scan_in_order(scan, values);
  else
    clr_scan_lanes(scan, values, shape->rows);
  return CL_SUCCESS;
}
