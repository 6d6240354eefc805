// runs_chunked and runs_wide, scan_runs_chunked and scan_runs_wide: runs of equal keys, and of elements from one head
// flag to the next, in the order fixed/1. The launch that folds or scans the runs also finds them (cl/runs).
#include "strategies/fixed_order.h"
#include "strategies/scans.h"

// The same numbers as in cl/runs/pieces.clh.
#define MOST_PIECES 4096
#define PIECE_BYTES 32
#define CARRIED_BYTES 32

// One tile in a launch: no group counts tiles, publishes or waits, so neither atomics nor long loops are needed.
static void set_one_tile(struct clr_shape *shape) {
  const cl_ulong least_cells = 4;
  shape->board.tiles = shape->board.levels = shape->groups_max = 1;
  shape->board.cells = least_cells;
}

static bool has_one_tile(const struct clr_shape *shape) {
  return shape->board.tiles == 1;
}

// Sets the status array for as many tiles in a launch as the caller allows. Where the groups of a launch cannot wait
// for each other, a launch of a strategy with single work-items has one tile.
static cl_int fit_board(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                        struct clr_status *status) {
  const cl_ulong levels = 3, node_size = 8;
  cl_int err = clr_board_fit(facts, problem, levels, node_size, shape, status);
  if (!err && shape->strategy->exec == CLR_EXEC_SINGLE_ITEM && !clr_runs_are_side_by_side(facts))
    set_one_tile(shape);
  return err;
}

// Returns a limit of tiles or pieces: `least` on devices that end loops early, because the loops of a work-item must be
// short there.
static cl_ulong limit(const struct clr_facts *facts, cl_ulong otherwise, cl_ulong least) {
  return clr_may_wait(facts) ? otherwise : least;
}

// Sets the maximum number of elements in a tile and the minimum number in a piece. A launch lists the pieces of runs
// that end in it, each run once, and at most `runs` runs that have fewer elements than a piece. The first run of a
// launch may have begun in an earlier one, so its pieces do not follow from the launch's elements.
static void set_pieces(cl_ulong tile, cl_ulong piece, cl_ulong runs, struct clr_shape *shape) {
  shape->runs.tile = tile;
  shape->runs.piece = piece;
  shape->runs.pieces_max = runs + 2 * clr_ceil_divide(shape->board.tiles * tile, piece) + MOST_PIECES + 1;
}

static cl_ulong work(const struct clr_shape *shape) {
  return clr_ceil_divide(shape->board.cells * (shape->board.cell_bits / 8), sizeof(cl_ulong));
}

static cl_ulong target(const struct clr_shape *shape) {
  cl_ulong bytes = work(shape) * sizeof(cl_ulong) + CARRIED_BYTES + shape->runs.pieces_max * PIECE_BYTES;
  return clr_ceil_divide(bytes, shape->state_size);
}

// Returns the states of scratch: for the status array, the list, and one or two states for each piece.
static cl_ulong scratch(const struct clr_shape *shape) {
  return target(shape) + (shape->strategy->task == CLR_TASK_SCAN ? 2 : 1) * shape->runs.pieces_max;
}

// Returns the elements of a tile. All compute units of a CPU get tiles.
static cl_ulong tile_of(const struct clr_shape *shape, const struct clr_extent *extent) {
  const cl_ulong least = 1024, tiles_per_unit = 4;
  if (shape->strategy->exec != CLR_EXEC_SINGLE_ITEM)
    return shape->runs.tile;
  cl_ulong share = clr_pow2_floor(extent->count / (tiles_per_unit * shape->compute_units) + 1);
  return has_one_tile(shape) ? shape->runs.tile : clr_clamp(share, least, shape->runs.tile);
}

// Returns the groups of a launch over listed pieces. Runs of up to `most` elements are not listed. A run longer than a
// piece has at most twice as many pieces as its elements would fill.
static cl_ulong groups_over(const struct clr_shape *shape, const struct clr_extent *extent, cl_ulong most,
                            enum clr_kernel kernel) {
  const cl_ulong groups_per_unit = 8;
  bool by_items = kernel == CLR_KERNEL_STATES && shape->strategy->exec == CLR_EXEC_GROUPS;
  cl_ulong listed = extent->count / most + 2 * clr_ceil_divide(extent->count, shape->runs.piece);
  cl_ulong pieces = clr_min(shape->runs.pieces_max, listed);
  if (by_items)
    return clr_ceil_divide(pieces, shape->group_size);
  return shape->loop_trips ? pieces : clr_min(pieces, groups_per_unit * shape->compute_units);
}

// A bound for the iterations of a work-item's loops in a launch. With one tile in a launch, a work-item finds and folds
// the elements of its tile and the earlier elements of the tile's first run; or folds a piece; or joins the nodes of
// the pieces of one run.
static cl_ulong trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  const cl_ulong most_back = 1024, loops = 512, turns_a_piece = 16;
  cl_ulong piece = shape->runs.piece;
  if (!has_one_tile(shape))
    return clr_trips_of_all(shape, extent, pass);
  while (clr_multiply(piece, MOST_PIECES) < extent->count)
    piece *= 2;
  cl_ulong of_pieces = turns_a_piece * clr_ceil_divide(extent->count, piece);
  cl_ulong before = shape->strategy->task == CLR_TASK_SCAN ? most_back : shape->runs.piece;
  if (pass->kernel == CLR_KERNEL_STATES)
    return loops + of_pieces;
  if (pass->kernel == CLR_KERNEL_APPLY)
    return clr_add(loops, clr_multiply(clr_turns_per_value(shape), piece));
  return loops + clr_ceil_divide(extent->count, piece) + clr_turns_per_value(shape) * (shape->runs.tile + before);
}

// Gives launch `index` of a call. For each full status array of tiles, a call launches the `kinds` kernels of a list,
// or only the first of them if no run can have more than `most` elements.
static bool runs_pass(const struct clr_shape *shape, const struct clr_extent *extent, const enum clr_kernel *kernels,
                      unsigned kinds, cl_ulong most, unsigned index, struct clr_pass *out) {
  cl_ulong size = tile_of(shape, extent), tiles = extent->count ? clr_ceil_divide(extent->count, size) : 1;
  unsigned of_board = extent->count > most ? kinds : 1, kind = index % of_board;
  cl_ulong begin = index / of_board * shape->board.tiles;
  if (begin >= tiles)
    return false;
  *out = (struct clr_pass){
    .kernel = kernels[kind],
    .groups = kind ? groups_over(shape, extent, most, kernels[kind]) : clr_min(tiles - begin, shape->board.tiles),
    .group_size = shape->group_size,
    .count = extent->count,
    .span = kind == 1 ? 0 : size,
    .work = work(shape),
    .target = target(shape),
    .launch = index / of_board,
  };
  return true;
}

#define RUNS \
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS), \
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY) | \
             CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR), \
  .fixed_order = true, .launches_empty = true, .takes_groups = true, .finds_runs = true, .elements = tile_of, \
  .scratch = scratch, .trips = trips, \
  .launches = {[CLR_KERNEL_ELEMENTS] = "runs", [CLR_KERNEL_APPLY] = "pieces", [CLR_KERNEL_STATES] = "long runs"}

// ---------------------------------------------------------------- Reductions

// The launch that finds a run also folds it, up to this number of elements. Longer runs are listed.
static cl_ulong folded_at_once(const struct clr_shape *shape) {
  if (shape->strategy->exec == CLR_EXEC_SINGLE_ITEM)
    return shape->runs.piece;
  return shape->lanes / shape->vector <= shape->fold.nodes ? clr_fixed_tile(shape) : shape->segments.shortest;
}

// The second and the third launch process long runs.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY, CLR_KERNEL_STATES};
  return runs_pass(shape, extent, kernels, 3, folded_at_once(shape), index, out);
}

#define REDUCES RUNS, .reduce.reference = clr_fixed_reference, .pass = pass

// A tile's keys stay in the core's cache from the search for heads until the runs are folded.
static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong most_tile = limit(facts, 32768, 512), piece_tiles = limit(facts, 64, 1);
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->loads.short_rows = true;
  shape->loads.rows_beside = clr_fixed_folds_beside(&problem->operation);
  cl_int err = fit_board(facts, problem, shape, status);
  set_pieces(most_tile, piece_tiles * clr_fixed_tile(shape), 0, shape);
  return err;
}

const struct clr_strategy clr_strategy_runs_chunked = {
  .name = "runs_chunked",
  .summary = "runs of keys or flags on CPU-like devices: each work-item finds and folds the runs of a tile",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  REDUCES,
  .fit = fit_chunked,
};

// Returns the bytes of local memory for tiles of `tile` elements: nodes, results that wait, elements, positions where
// runs begin, heads as bits and as counts, and lists of runs.
static cl_ulong local_bytes(const struct clr_shape *shape, cl_ulong tile) {
  const cl_ulong begin_bytes = 2, listed_bytes = 2 * 2, counts_of_32 = 4 + 1, others = 128;
  cl_ulong nodes = shape->fold.nodes + shape->fold.nodes / 8 + CLR_STACK_DEPTH;
  return nodes * shape->state_size + shape->runs.kept * shape->result_size +
         ((shape->segments.staged + shape->segments.staged_over) * 33 / 32 + 1) * shape->element_size +
         tile * begin_bytes + (tile / shape->segments.shortest + 8) * listed_bytes + tile / 32 * counts_of_32 +
         shape->fold.nodes * sizeof(cl_uint) + others + CLR_LOCAL_RESERVE;
}

// Chooses the tile: several elements for each work-item, if local memory has room.
static cl_int fit_tile(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong good_bytes = 128, most_items = 32, overhang = 64, good_local = 40960, largest = 16, kept_bytes = 8192;
  bool stages = clr_segments_can_stage(&problem->operation) && shape->element_size <= largest;
  cl_ulong each = clr_clamp(clr_pow2_floor(good_bytes / shape->element_size), 4, most_items);
  cl_ulong most = clr_min(good_local, facts->local_mem_size), tile;
  for (;; each /= 2) {
    tile = each * shape->group_size;
    shape->segments.staged = stages ? tile + overhang : 0;
    shape->segments.staged_over = stages ? shape->segments.shortest : 0;
    shape->runs.kept = clr_clamp(kept_bytes / shape->result_size, 1, clr_ceil_divide(tile, 4));
    shape->local_bytes = local_bytes(shape, tile);
    if (each == 1 || (shape->local_bytes <= most && tile + overhang < 65536))
      break;
  }
  set_pieces(tile, 16 * clr_fixed_tile(shape), shape->board.tiles * tile / folded_at_once(shape) + 1, shape);
  if (shape->local_bytes <= facts->local_mem_size && tile >= overhang)
    return CL_SUCCESS;
  return clr_refuse_local_memory(facts, shape, status);
}

static cl_int fit_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong good_group_size = 256, held_bytes = 128;
  clr_fixed_columns(&problem->operation, shape);
  shape->loads.rows_at_once = clr_min(shape->loads.rows_at_once, 4);
  if (!problem->group_size)
    shape->group_size = clr_min(clr_largest_group(facts, good_group_size), good_group_size);
  cl_ulong states = clr_pow2_floor(held_bytes / shape->state_size);
  shape->segments.shortest = shape->in_order ? shape->rows : clr_min(clr_min(16, shape->lanes), states);
  cl_int err = clr_fixed_nodes(facts, shape, status);
  shape->fold.nodes = clr_min(shape->fold.nodes, shape->group_size);
  if (!err)
    err = fit_board(facts, problem, shape, status);
  return err ? err : fit_tile(facts, problem, shape, status);
}

const struct clr_strategy clr_strategy_runs_wide = {
  .name = "runs_wide",
  .summary = "runs of keys or flags on GPU-like devices: each group finds and folds the runs of a tile",
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_LOCAL_ATOMICS | CLR_REQUIRES_WAITING,
  .local_states = 1,
  REDUCES,
  .fit = fit_wide,
};

// ---------------------------------------------------------------- Scans

// The later launches process long runs: they fold pieces, compute the prefixes of pieces, and scan them.
static bool scan_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  const cl_ulong most_back = 1024;  // MOST_BACK in cl/strategies/scan_runs_chunked.cl, scan_runs_wide.cl
  return runs_pass(shape, extent, kernels, 4, most_back, index, out);
}

// In place, the results of a tile would overwrite elements that the next tile reads again. In a reversed scan, a run
// starts with its last element, but the tile in which the run begins does not know where it ends.
static cl_int refuse_backward(const struct clr_problem *problem, const struct clr_shape *shape,
                              struct clr_status *status) {
  if (!problem->in_place && !problem->reversed)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s scans forward, and not in place", shape->strategy->name);
}

#define SCANS RUNS, .task = CLR_TASK_SCAN, .scan.reference = clr_scan_fixed_reference, .pass = scan_pass

static cl_int fit_scan_chunked(const struct clr_facts *facts, const struct clr_problem *problem,
                               struct clr_shape *shape, struct clr_status *status) {
  const cl_ulong most_tile = limit(facts, 32768, 512), piece_lanes = limit(facts, 4096, 64);
  const cl_ulong most_held = 512;
  cl_int err = refuse_backward(problem, shape, status);
  if (err)
    return err;
  clr_scan_fit_block(facts, problem, shape);
  shape->scan.keeps_lanes = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  err = fit_board(facts, problem, shape, status);
  set_pieces(most_tile, piece_lanes * shape->rows, shape->board.tiles, shape);
  return err;
}

const struct clr_strategy clr_strategy_scan_runs_chunked = {
  .name = "scan_runs_chunked",
  .summary = "scans of runs of keys or flags on CPU-like devices: each work-item finds and scans the runs of a tile",
  .exec = CLR_EXEC_SINGLE_ITEM,
  SCANS,
  .fit = fit_scan_chunked,
};

// Copies a tile to local memory, if a work-item can keep its states in registers until the results are written. In
// local memory, results overwrite the elements.
static void stage_tile(const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong largest = 16, overhang = 64;
  cl_ulong elements = shape->runs.tile + overhang, results = clr_scan_staged_bytes(problem, shape);
  if (!clr_segments_can_stage(&problem->operation) || shape->element_size > largest || shape->state_size > largest)
    return;
  shape->segments.staged = elements;
  cl_ulong bytes = (elements + elements / 32 + 2) * shape->element_size;
  shape->local_bytes += bytes > results ? bytes - results : 0;
}

// Sets the numbers that follow from the group size. A group has a tile of ROWS elements for each work-item.
static void set_tile(const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong begin_bytes = 2, found_bytes = 256, counts_of_32 = 5, piece_lists = 16;
  cl_ulong tile = shape->group_size * shape->rows;
  shape->lists.lanes = shape->group_size;
  set_pieces(tile, piece_lists * tile, shape->board.tiles, shape);
  shape->local_bytes =
    clr_scan_list_bytes(problem, shape) + tile * begin_bytes + tile / 32 * counts_of_32 + found_bytes;
  stage_tile(problem, shape);
}

// Takes the largest group whose tile fits local memory. Groups of fewer than 4 have tiles that are shorter than the
// elements that they stage before the tile.
static cl_int fit_scan_wide(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                            struct clr_status *status) {
  const cl_ulong good_group_size = 256, least_group_size = 4;
  cl_int err = refuse_backward(problem, shape, status);
  if (err)
    return err;
  if (!problem->group_size)
    shape->group_size = clr_min(clr_largest_group(facts, good_group_size), good_group_size);
  err = fit_board(facts, problem, shape, status);
  shape->lists.first_turn = facts->cpu || !facts->local_mem_dedicated;
  set_tile(problem, shape);
  while (!problem->group_size && shape->group_size > least_group_size && shape->local_bytes > facts->local_mem_size) {
    shape->group_size /= 2;
    set_tile(problem, shape);
  }
  if (err || (shape->local_bytes <= facts->local_mem_size && shape->group_size >= least_group_size))
    return err;
  return clr_refuse_local_memory(facts, shape, status);
}

const struct clr_strategy clr_strategy_scan_runs_wide = {
  .name = "scan_runs_wide",
  .summary = "scans of runs of keys or flags on GPU-like devices: each group finds and scans the runs of a tile",
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_LOCAL_ATOMICS | CLR_REQUIRES_WAITING,
  SCANS,
  .fit = fit_scan_wide,
};
