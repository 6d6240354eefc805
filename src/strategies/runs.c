// runs_chunked and runs_wide: runs of equal keys, and of elements from one head flag to the next, in the order fixed/1.
// The launch that folds the runs also finds them (cl/runs).
#include "strategies/runs.h"

// The same number as in cl/runs/board.clh and cl/runs/pieces.clh.
#define FAN 32
#define LEVELS 3
#define MOST_PIECES 4096
#define PIECE_BYTES 32
#define CARRIED_BYTES 32

// One tile in a launch: no group counts tiles, publishes or waits, so neither atomics nor long loops are needed.
static void set_one_tile(struct clr_shape *shape) {
  const cl_ulong least_cells = 4;
  shape->scan.tiles = shape->scan.levels = shape->groups_max = 1;
  shape->scan.cells = least_cells;
}

static bool has_one_tile(const struct clr_shape *shape) {
  return shape->scan.tiles == 1;
}

cl_int clr_runs_board(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                      struct clr_status *status) {
  const cl_ulong node_bits = 128;
  if (problem->groups && problem->groups < FAN)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: groups: %llu is below %d", shape->strategy->name,
                    (unsigned long long)problem->groups, FAN);
  shape->scan.tiles = FAN;
  shape->scan.levels = 1;
  while (shape->scan.levels < LEVELS && (!problem->groups || shape->scan.tiles * FAN <= problem->groups)) {
    shape->scan.tiles *= FAN;
    shape->scan.levels++;
  }
  shape->scan.cell_bits = facts->int64_atomics ? 64 : 32;
  if (shape->strategy->exec == CLR_EXEC_SINGLE_ITEM && !clr_runs_are_side_by_side(facts)) {
    set_one_tile(shape);
    return CL_SUCCESS;
  }
  for (cl_ulong nodes = shape->scan.tiles; nodes > 1; nodes /= FAN)
    shape->scan.cells += nodes * (node_bits / shape->scan.cell_bits);
  shape->groups_max = shape->scan.tiles;
  return CL_SUCCESS;
}

// Tiles and pieces are small where the loops of a work-item must be short.
cl_ulong clr_runs_limit(const struct clr_facts *facts, cl_ulong otherwise, cl_ulong least) {
  return clr_may_wait(facts) ? otherwise : least;
}

// The first run of a launch may have begun in an earlier one, so its pieces do not follow from the launch's elements.
void clr_runs_pieces(cl_ulong tile, cl_ulong piece, cl_ulong runs, struct clr_shape *shape) {
  shape->segments.tile = tile;
  shape->segments.piece = piece;
  shape->segments.pieces_max = runs + 2 * clr_ceil_divide(shape->scan.tiles * tile, piece) + MOST_PIECES + 1;
}

static cl_ulong work(const struct clr_shape *shape) {
  return clr_ceil_divide(shape->scan.cells * (shape->scan.cell_bits / 8), sizeof(cl_ulong));
}

static cl_ulong target(const struct clr_shape *shape) {
  cl_ulong bytes = work(shape) * sizeof(cl_ulong) + CARRIED_BYTES + shape->segments.pieces_max * PIECE_BYTES;
  return clr_ceil_divide(bytes, shape->state_size);
}

cl_ulong clr_runs_scratch(const struct clr_shape *shape, cl_ulong of_piece) {
  return target(shape) + of_piece * shape->segments.pieces_max;
}

// All compute units of a CPU get tiles.
cl_ulong clr_runs_tile(const struct clr_shape *shape, const struct clr_extent *extent) {
  const cl_ulong least = 1024, tiles_per_unit = 4;
  if (shape->strategy->exec != CLR_EXEC_SINGLE_ITEM)
    return shape->segments.tile;
  cl_ulong share = clr_pow2_floor(extent->count / (tiles_per_unit * shape->compute_units) + 1);
  return has_one_tile(shape) ? shape->segments.tile : clr_clamp(share, least, shape->segments.tile);
}

// Returns the groups of a launch over listed pieces. Runs of up to `most` elements are not listed. A run longer than a
// piece has at most twice as many pieces as its elements would fill.
static cl_ulong groups_over(const struct clr_shape *shape, const struct clr_extent *extent, cl_ulong most,
                            enum clr_kernel kernel) {
  const cl_ulong groups_per_unit = 8;
  bool by_items = kernel == CLR_KERNEL_STATES && shape->strategy->exec == CLR_EXEC_GROUPS;
  cl_ulong listed = extent->count / most + 2 * clr_ceil_divide(extent->count, shape->segments.piece);
  cl_ulong pieces = clr_min(shape->segments.pieces_max, listed);
  if (by_items)
    return clr_ceil_divide(pieces, shape->group_size);
  return shape->loop_trips ? pieces : clr_min(pieces, groups_per_unit * shape->compute_units);
}

// With one tile in a launch, a work-item finds and folds the elements of its tile and the earlier elements of the
// tile's first run; or folds a piece; or joins the nodes of the pieces of one run.
cl_ulong clr_runs_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass) {
  const cl_ulong most_back = 1024, loops = 512, turns_a_piece = 16;
  cl_ulong piece = shape->segments.piece;
  if (!has_one_tile(shape))
    return clr_trips_of_all(shape, extent, pass);
  while (clr_multiply(piece, MOST_PIECES) < extent->count)
    piece *= 2;
  cl_ulong of_pieces = turns_a_piece * clr_ceil_divide(extent->count, piece);
  cl_ulong before = shape->strategy->task == CLR_TASK_SCAN ? most_back : shape->segments.piece;
  if (pass->kernel == CLR_KERNEL_STATES)
    return loops + of_pieces;
  if (pass->kernel == CLR_KERNEL_APPLY)
    return clr_add(loops, clr_multiply(clr_turns_per_value(shape), piece));
  return loops + clr_ceil_divide(extent->count, piece) + clr_turns_per_value(shape) * (shape->segments.tile + before);
}

bool clr_runs_pass(const struct clr_shape *shape, const struct clr_extent *extent, const enum clr_kernel *kernels,
                   unsigned kinds, cl_ulong most, unsigned index, struct clr_pass *out) {
  cl_ulong size = clr_runs_tile(shape, extent), tiles = extent->count ? clr_ceil_divide(extent->count, size) : 1;
  unsigned of_board = extent->count > most ? kinds : 1, kind = index % of_board;
  cl_ulong begin = index / of_board * shape->scan.tiles;
  if (begin >= tiles)
    return false;
  *out = (struct clr_pass){
    .kernel = kernels[kind],
    .groups = kind ? groups_over(shape, extent, most, kernels[kind]) : clr_min(tiles - begin, shape->scan.tiles),
    .group_size = shape->group_size,
    .count = extent->count,
    .span = kind == 1 ? 0 : size,
    .work = work(shape),
    .target = target(shape),
    .launch = index / of_board,
  };
  return true;
}

// ---------------------------------------------------------------- Reductions

static cl_ulong scratch(const struct clr_shape *shape) {
  return clr_runs_scratch(shape, 1);
}

// The launch that finds a run also folds it, up to this number of elements. Longer runs are listed.
static cl_ulong folded_at_once(const struct clr_shape *shape) {
  if (shape->strategy->exec == CLR_EXEC_SINGLE_ITEM)
    return shape->segments.piece;
  return shape->lanes / shape->vector <= shape->fold.nodes ? clr_fixed_tile(shape) : shape->segments.shortest;
}

// The second and the third launch process long runs.
static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY, CLR_KERNEL_STATES};
  return clr_runs_pass(shape, extent, kernels, 3, folded_at_once(shape), index, out);
}

#define REDUCES_RUNS \
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS), \
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY) | \
             CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR), \
  .fixed_order = true, .launches_empty = true, .takes_groups = true, .finds_runs = true, \
  .reduce.reference = clr_fixed_reference, .elements = clr_runs_tile, .scratch = scratch, .pass = pass, \
  CLR_RUNS_LAUNCHES

// A tile's keys stay in the core's cache from the search for heads until the runs are folded.
static cl_int fit_chunked(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                          struct clr_status *status) {
  const cl_ulong most_tile = clr_runs_limit(facts, 32768, 512), piece_tiles = clr_runs_limit(facts, 64, 1);
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->loads.short_rows = true;
  shape->loads.rows_beside = clr_fixed_folds_beside(&problem->operation);
  cl_int err = clr_runs_board(facts, problem, shape, status);
  clr_runs_pieces(most_tile, piece_tiles * clr_fixed_tile(shape), 0, shape);
  return err;
}

const struct clr_strategy clr_strategy_runs_chunked = {
  .name = "runs_chunked",
  .summary = "runs of keys or flags on CPU-like devices: each work-item finds and folds the runs of a tile",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  REDUCES_RUNS,
  .fit = fit_chunked,
};

// Returns the bytes of local memory for tiles of `tile` elements: nodes, results that wait, elements, positions where
// runs begin, heads as bits and as counts, and lists of runs.
static cl_ulong local_bytes(const struct clr_shape *shape, cl_ulong tile) {
  const cl_ulong begin_bytes = 2, listed_bytes = 2 * 2, counts_of_32 = 4 + 1, others = 128;
  cl_ulong nodes = shape->fold.nodes + shape->fold.nodes / 8 + CLR_STACK_DEPTH;
  return nodes * shape->state_size + shape->segments.kept_runs * shape->result_size +
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
    shape->segments.kept_runs = clr_clamp(kept_bytes / shape->result_size, 1, clr_ceil_divide(tile, 4));
    shape->local_bytes = local_bytes(shape, tile);
    if (each == 1 || (shape->local_bytes <= most && tile + overhang < 65536))
      break;
  }
  clr_runs_pieces(tile, 16 * clr_fixed_tile(shape), shape->scan.tiles * tile / folded_at_once(shape) + 1, shape);
  if (shape->local_bytes <= facts->local_mem_size && tile >= overhang)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "runs_wide: local_mem_size is %llu: too little for groups of %llu and states of %llu bytes",
                  (unsigned long long)facts->local_mem_size, (unsigned long long)shape->group_size,
                  (unsigned long long)shape->state_size);
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
    err = clr_runs_board(facts, problem, shape, status);
  return err ? err : fit_tile(facts, problem, shape, status);
}

const struct clr_strategy clr_strategy_runs_wide = {
  .name = "runs_wide",
  .summary = "runs of keys or flags on GPU-like devices: each group finds and folds the runs of a tile",
  .requires = CLR_REQUIRES_ATOMICS | CLR_REQUIRES_LOCAL_ATOMICS | CLR_REQUIRES_WAITING,
  .local_states = 1,
  REDUCES_RUNS,
  .fit = fit_wide,
};
