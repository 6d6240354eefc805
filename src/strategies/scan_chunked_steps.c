// The analysis of scan_chunked: each work-item is a group and scans a block, in one run without barriers.
#include "strategies/scan_board.h"
#include "strategies/scan_tiles.h"

// ---------------------------------------------------------------- Accesses of single work-items

// Accesses to `values` neighbouring elements or results of each block, `at_once` of them together, from value `begin`
// of the block on.
static struct clr_access access_of(const struct clr_tiles *it, cl_ulong size, cl_ulong begin, cl_ulong values,
                                   cl_ulong at_once) {
  return (struct clr_access){
    .groups = it->count,
    .full = values / at_once,
    .last = values / at_once,
    .width = 1,
    .size = size * at_once,
    .holds = at_once,
    .base = ((it->launch->first + it->first) * it->size + begin) * size,
    .a_group = it->size * size,
    .a_value = size * at_once,
  };
}

static void load(const struct clr_making *making, const struct clr_tiles *it, cl_ulong begin, cl_ulong values,
                 cl_ulong at_once) {
  for (cl_ulong input = 0; input <= it->shape->inputs; input++)
    clr_step_access(making, access_of(it, it->shape->element_size, begin, values, at_once));
  if (it->shape->strided || it->shape->inputs)
    making->step->lines = CLR_UNKNOWN;
}

static void store(const struct clr_making *making, const struct clr_tiles *it, cl_ulong begin, cl_ulong values,
                  cl_ulong at_once) {
  clr_step_access(making, access_of(it, it->shape->result_size, begin, values, at_once));
  if (it->shape->strided)
    making->step->lines = CLR_UNKNOWN;
}

// Returns the elements of a load in vectors of lanes.
static cl_ulong at_once(const struct clr_tiles *it) {
  return clr_at_most(it->shape->vector, it->shape->loads.together);
}

// ---------------------------------------------------------------- Folding and publishing

// Only whole blocks are folded before their prefix is known.
static void fold(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong block = it->shape->vector * it->shape->rows;
  bool whole = it->present == it->size;
  struct clr_making making = clr_tiles_begin(it, step, whole, "fold");
  (void)number;
  if (!whole)
    return;
  load(&making, it, 0, it->size, it->size >= block ? at_once(it) : 1);
  clr_step_combine(&making, it->count * (it->size - 1), CLR_UNKNOWN, it->count * (it->size / it->shape->rows));
}

static void publish(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  bool whole = it->present == it->size;
  struct clr_making making = clr_tiles_begin(it, step, whole, "publish");
  (void)number;
  if (whole)
    clr_board_publish(&making, it->count);
}

// ---------------------------------------------------------------- Look-back

// Returns the sum of the digits of this level, of all numbers below `end`.
static cl_ulong digits_below(cl_ulong end, cl_ulong level) {
  cl_ulong each = (cl_ulong)1 << CLR_LOOK_DIGIT * level, turn = each * CLR_LOOK_FAN, rest = end % turn;
  cl_ulong digit = rest / each, of_turn = each * CLR_LOOK_FAN * (CLR_LOOK_FAN - 1) / 2;
  return end / turn * of_turn + each * digit * (digit - 1) / 2 + digit * (rest - digit * each);
}

// Returns the operations that fold the nodes of earlier blocks into nodes of binary digits, and these into nodes that
// blocks complete.
static cl_ulong operations_of_nodes(const struct clr_tiles *it, cl_ulong ones) {
  cl_ulong end = it->first + it->count, operations = 0;
  for (cl_ulong level = 0; level < it->shape->scan.levels; level++)
    operations +=
      digits_below(end, level) - digits_below(it->first, level) + CLR_LOOK_DIGIT * clr_board_completing(it, level);
  return operations - ones;
}

// How often a work-item polls the nodes of earlier blocks depends on the order in which these are published.
static void look_back(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, 1, "look back");
  cl_ulong end = it->first + it->count, whole = it->present == it->size, levels = it->shape->scan.levels;
  cl_ulong ones = clr_board_ones(end) - clr_board_ones(it->first);
  bool joins = it->pass->launch > 0, ends = whole && end == it->shape->scan.tiles;
  (void)number;
  for (cl_ulong level = 0; level + 1 < levels; level++)
    if (clr_board_completing(it, level))
      clr_board_publish(&making, clr_board_completing(it, level));
  clr_board_launch_prefix(&making, it->count, 1);
  // The prefix of the block and, if the block is whole, the prefix after it. If nothing precedes the launch, the first
  // node of a prefix is copied, not combined.
  cl_ulong before = ones - (!joins && it->prefixed ? it->count : 0);
  cl_ulong after = whole * (ones + (joins ? it->count - ends : 0));
  clr_step_combine(&making, operations_of_nodes(it, ones) + before + after, CLR_UNKNOWN, it->count);
  if (ends)
    clr_board_end_launch(&making);
  for (cl_ulong level = 0; level < levels; level++)
    if (clr_board_waits(it->first, it->count, level))
      step->global_accesses = step->requests = step->lines = CLR_UNKNOWN;
}

// ---------------------------------------------------------------- Results

// Returns the operations for the results of a lane. The lane has been folded before, for its node.
static cl_ulong operations_of_lane(const struct clr_tiles *it, cl_ulong rows, bool has_prefix) {
  bool inclusive = it->shape->scan.kind == CLRED_SCAN_INCLUSIVE, holds = it->shape->scan.keeps_lanes;
  // The last result of a whole lane is the prefix of the next lane.
  cl_ulong results = inclusive && !(holds && rows == it->shape->rows) ? rows : rows - 1;
  return (holds ? 0 : rows - 1) + (has_prefix ? results : 0);
}

// Lanes from element `begin` of each block on, one after another.
static void put_lanes(const struct clr_making *making, const struct clr_tiles *it, cl_ulong begin, cl_ulong values,
                      bool has_prefix) {
  cl_ulong rows = it->shape->rows, lanes = clr_ceil_divide(values, rows), rest = values - (lanes - 1) * rows;
  cl_ulong first = lanes > 1 ? rows : rest;
  cl_ulong operations = values - lanes + clr_counted_carries(lanes) + clr_counted_joins(lanes, has_prefix) +
                        (lanes - 1) * operations_of_lane(it, rows, true) + operations_of_lane(it, rest, true);
  if (!has_prefix)
    operations -= operations_of_lane(it, first, true) - operations_of_lane(it, first, false);
  load(making, it, begin, values, 1);
  if (!it->shape->scan.keeps_lanes)
    load(making, it, begin, values, 1);
  store(making, it, begin, values, 1);
  clr_step_combine(making, it->count * operations, CLR_UNKNOWN, it->count * rows);
}

// Returns the operations for the nodes and results of whole blocks, of which `put` have a prefix.
static cl_ulong operations_of_blocks(const struct clr_tiles *it, cl_ulong blocks, cl_ulong put) {
  cl_ulong vector = it->shape->vector, rows = it->shape->rows, block = vector * rows, a_vector = 2;
  if (it->shape->fold.exact) {
    // Each vector is scanned alone, and its lanes are then combined with the prefix. The last result is the next
    // prefix.
    for (cl_ulong apart = 1; apart < vector; apart *= 2)
      a_vector++;
    return put * block * a_vector + (blocks - put) * (block - 1);
  }
  // The sweeps up and down take V - 1 operations each, but nothing needs the root.
  cl_ulong scanned = 2 * (vector - 1) - 1 + (rows - 1) * vector;
  return clr_counted_carries(blocks) + clr_counted_joins(blocks, it->prefixed) + blocks * (block - 1) + put * scanned;
}

// Whole vectors of lanes are scanned side by side, if they have a prefix.
static void put_vectors(const struct clr_making *making, const struct clr_tiles *it, cl_ulong blocks) {
  cl_ulong vector = it->shape->vector, block = vector * it->shape->rows, skip = it->prefixed ? 0 : 1;
  cl_ulong put = blocks - skip;
  load(making, it, 0, blocks * block, at_once(it));
  store(making, it, skip * block, put * block, it->shape->scan.lowers_lanes ? vector : 1);
  clr_step_combine(making, it->count * operations_of_blocks(it, blocks, put), CLR_UNKNOWN, it->count * block);
  if (skip)
    put_lanes(making, it, 0, block, false);
}

static void results(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong vector = it->shape->vector, block = vector * it->shape->rows;
  cl_ulong blocks = vector > 1 ? it->present / block : 0, rest = it->present - blocks * block;
  struct clr_making making = clr_tiles_begin(it, step, 1, "results");
  (void)number;
  if (blocks)
    put_vectors(&making, it, blocks);
  if (rest)
    put_lanes(&making, it, blocks * block, rest, it->prefixed || blocks > 0);
}

// ---------------------------------------------------------------- The launch

bool clr_chunked_scan_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                           unsigned index, struct clred_step *step) {
  static const struct clr_tile_steps steps = {
    .list = {{clr_board_ticket, 0}, {fold, 0}, {publish, 0}, {look_back, 0}, {results, 0}}, .count = 5};
  const struct clr_tile_launch launch = clr_board_launch(shape, pass, pass->span * shape->rows);
  if (shape->outcome)
    return clr_scan_step(shape, extent, pass, index, step);
  return clr_tiles_listed(&launch, &steps, index, step);
}
