// scan_chunked and scan_wide: scans in one launch. Groups publish the nodes of their tiles in a status array in scratch
// and look back at the nodes of earlier tiles (cl/scan/look_back.clh).
#include "strategies/scans.h"

#define FAN 32  // as in cl/common/board.clh
#define LAUNCH_STACK 48

cl_int clr_board_fit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong levels,
                     cl_ulong node_size, struct clr_shape *shape, struct clr_status *status) {
  struct clr_board_shape *board = &shape->board;
  if (problem->groups && problem->groups < FAN)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: groups: %llu is below %d", shape->strategy->name,
                    (unsigned long long)problem->groups, FAN);
  board->cell_bits = facts->int64_atomics ? 64 : 32;
  const cl_ulong cells_per_node = clr_ceil_divide(node_size, board->cell_bits / 16);
  for (board->tiles = 1; board->levels < levels; board->levels++) {
    if (board->levels && problem->groups && board->tiles * FAN > problem->groups)
      break;
    board->tiles *= FAN;
    board->cells += board->tiles * cells_per_node;
  }
  shape->groups_max = board->tiles;
  return CL_SUCCESS;
}

static cl_int fit_board(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                        struct clr_status *status) {
  if (problem->in_place && !facts->device_fence)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: in place it may read overwritten elements, because this device has no fence between groups "
                    "(fact device_fence is 0)",
                    shape->strategy->name);
  // Large states allow only small windows in local memory, so there are fewer levels.
  cl_ulong levels = shape->state_size <= 32 ? 3 : shape->state_size <= 128 ? 2 : 1;
  return clr_board_fit(facts, problem, levels, shape->state_size, shape, status);
}

static cl_ulong board_states(const struct clr_shape *shape) {
  return clr_ceil_divide(shape->board.cells * (shape->board.cell_bits / 8), shape->state_size);
}

// Scratch holds the status array of tiles, then a stack and two prefixes, which the launches of a call use alternately.
static cl_ulong scratch(const struct clr_shape *shape) {
  return board_states(shape) + LAUNCH_STACK + 2;
}

// Describes launch `index` of a call with tiles of `tile` elements.
static bool board_pass(const struct clr_shape *shape, cl_ulong n, cl_ulong tile, unsigned index,
                       struct clr_pass *pass) {
  cl_ulong tiles = clr_ceil_divide(n, tile), begin = index * shape->board.tiles;
  if (begin >= tiles)
    return false;
  *pass = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_min(tiles - begin, shape->board.tiles),
    .group_size = shape->group_size,
    .count = n,
    .span = tile / shape->rows,
    .work = board_states(shape),
    .launch = index,
  };
  return true;
}

#define ON_BOARD \
  .task = CLR_TASK_SCAN, .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR), \
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_WAITING, .fixed_order = true, .takes_groups = true, \
  .scan.selects = true, .scan.reference = clr_scan_fixed_reference, .scratch = scratch, \
  .launches = {[CLR_KERNEL_ELEMENTS] = "scan"}

// Returns the distance, in blocks, from a core's block to the block that it takes next: the number of cores, if all are
// equally fast. 0: with many cores, the next block cannot be predicted.
static cl_ulong blocks_ahead(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong most_units = 4;
  const bool is_foreseen = facts->compute_units <= most_units && !shape->strided && !shape->scan.reversed;
  return is_foreseen ? facts->compute_units : 0;
}

static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong most_held = 512;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  shape->board.ahead = blocks_ahead(facts, shape);
  return fit_board(facts, problem, shape, status);
}

// Returns the elements of a block. A block is read twice, so it must fit into a core's own cache. A block must also be
// small enough that all cores get blocks.
static cl_ulong block(const struct clr_shape *shape, const struct clr_extent *extent) {
  const cl_ulong cached_bytes = 262144, blocks_per_unit = 4;
  cl_ulong lanes = clr_pow2_floor(cached_bytes / (shape->element_size * shape->rows));
  cl_ulong share = clr_pow2_floor(extent->count / (shape->rows * blocks_per_unit * shape->compute_units));
  return shape->rows * clr_min(share, lanes);
}

static bool chunked_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                         struct clr_pass *pass) {
  return board_pass(shape, extent->count, block(shape, extent), index, pass);
}

const struct clr_strategy clr_strategy_scan_chunked = {
  .name = "scan_chunked",
  .summary = "CPU-like devices: one launch; each work-item scans contiguous blocks that its cache holds",
  .exec = CLR_EXEC_SINGLE_ITEM,
  ON_BOARD,
  .fit = fit_chunked,
  .elements = block,
  .pass = chunked_pass,
};

// Returns how many tiles ahead a group fetches elements, so that they are in the shared cache when their group begins.
// Measured on an H200: 1 to 2 tiles for each compute unit are best, more than 3 are slower than none.
static cl_ulong tiles_ahead(const struct clr_facts *facts, const struct clr_shape *shape) {
  const cl_ulong parts_of_cache = 4;
  cl_ulong tiles = facts->compute_units * 3 / 2, bytes = clr_scan_tile(shape) * shape->element_size;
  bool reads_onwards = !shape->strided && !shape->scan.reversed;
  return facts->ptx_target && reads_onwards && tiles * bytes <= facts->shared_cache / parts_of_cache ? tiles : 0;
}

static cl_int fit_look_back(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                            struct clr_status *status) {
  // A level has a window of 32 nodes, four nodes of blocks of eight, and five nodes of binary digits. The tile has two
  // edges.
  const cl_ulong nodes_a_level = 32 + 4 + 5, edges = 2;
  cl_int err = fit_board(facts, problem, shape, status);
  if (!err)
    err = clr_scan_fit_tile(facts, problem, shape->board.levels * nodes_a_level + edges, shape, status);
  shape->board.ahead = tiles_ahead(facts, shape);
  return err;
}

static cl_ulong look_back_elements(const struct clr_shape *shape, const struct clr_extent *extent) {
  (void)extent;
  return shape->rows * shape->strip.lanes;
}

static bool look_back_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                           struct clr_pass *pass) {
  return board_pass(shape, extent->count, clr_scan_tile(shape), index, pass);
}

const struct clr_strategy clr_strategy_scan_wide = {
  .name = "scan_wide",
  .summary = "GPU-like devices: one launch; groups publish their tiles' reductions and look back at earlier ones",
  ON_BOARD,
  .fit = fit_look_back,
  .elements = look_back_elements,
  .pass = look_back_pass,
};
