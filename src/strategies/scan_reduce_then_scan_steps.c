// The analysis of scan_reduce_then_scan: its three launches, tile by tile.
#include "strategies/scan_tiles.h"

// The same as RUN_DEPTH in cl/strategies/scan_reduce_then_scan.cl.
#define RUN_DEPTH 40

// --- Runs: the groups of the launches over elements; the launch over their nodes has one ---

struct runs {
  cl_ulong count, tiles, in_last;  // tiles of all but the last run, and of the last run
};

static struct runs runs_of(const struct clr_tile_launch *launch) {
  cl_ulong tiles = clr_tiles_count(launch), count = launch->pass->groups;
  bool is_one = launch->pass->kernel == CLR_KERNEL_STATES;
  cl_ulong each = is_one ? tiles : launch->pass->span;
  return (struct runs){count, each, tiles - (count - 1) * each};
}

// Adds what a work-item of each group does with the nodes of its run, besides what it does for each tile: each carry
// reads a node and combines it, and in launches that need prefixes the prefix of a node is written. Nodes that do not
// begin with the first tile are combined with their prefix.
static void count_tiles(const struct clr_making *making, const struct clr_tile_launch *launch, bool prefixes) {
  struct runs runs = runs_of(launch);
  bool is_one = launch->pass->kernel == CLR_KERNEL_STATES;
  for (cl_ulong lot = 0; lot < 3; lot++) {  // the first run, the last one, and those between
    bool starts = lot > 0 && !is_one;
    cl_ulong times = lot == 2 ? (runs.count > 2 ? runs.count - 2 : 0) : lot == 1 ? runs.count > 1 : 1;
    cl_ulong tiles = (lot == 0 && runs.count == 1) || lot == 1 ? runs.in_last : runs.tiles;
    cl_ulong carries = clr_counted_carries(tiles), joins = prefixes ? clr_counted_joins(tiles, starts) : 0;
    clr_step_alone(making, times * (carries + joins + (prefixes ? carries + tiles : 0)));
    clr_step_combine(making, times * (carries + joins), CLR_UNKNOWN, 0);
  }
  if (making->step->operations)
    making->step->operations_at_once = runs.count;
}

static struct clr_making begin_leader(const struct clr_tiles *it, struct clred_step *step, const char *name) {
  struct clr_making making = clr_tiles_begin(it, step, 1, name);
  step->barriers = !clr_scan_has_team(it->shape);
  return making;
}

// --- The first launch ---

// One work-item keeps the nodes of the run's tiles on a stack. It reads the tile's node and writes the one that the
// tile completes. In the end it writes the node of the run.
static void node(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = begin_leader(it, step, "node");
  (void)number;
  clr_step_alone(&making, 2 * it->count);
  if (!it->is_last)
    return;
  const struct clr_access each = {.groups = it->pass->groups, .full = 1, .last = 1};
  count_tiles(&making, it->launch, false);
  clr_step_alone(&making, it->pass->groups);
  clr_step_scratch(&making, each, it->pass->target, 1, 1);
}

// --- The second launch: values are the runs' nodes ---

// The last value stands for those that are absent.
static cl_ulong present_value(const void *data, cl_ulong item, cl_ulong turn) {
  const struct clr_tiles *it = data;
  (void)turn;
  return clr_at_most(item, it->present - 1);
}

static void load_nodes(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, it->pass->group_size, "load");
  const struct clr_pattern pattern = {it->pass->group_size, 1, present_value, it};
  cl_ulong size = it->shape->state_size;
  (void)number;
  clr_step_pattern(&making, &pattern,
                   (struct clr_access){.groups = it->count,
                                       .size = size,
                                       .base = (it->pass->first + it->first * it->size) * size,
                                       .a_group = it->size * size});
  clr_step_local(&making, clr_tiles_access(it, it->pass->group_size, 0), 0, 1);
  step->barriers = 1;
}

// Writes the prefixes of the runs, and the prefix after the last run.
static void write_prefixes(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, it->present, "results");
  struct clr_access prefixes = clr_tiles_access(it, it->present, !it->prefixed);
  const struct clr_access one = {.groups = 1, .full = 1, .last = 1};
  (void)number;
  clr_step_local(&making, prefixes, 0, 1);
  clr_step_scratch(&making, prefixes, it->pass->target + it->first * it->size, it->size, 1);
  if (it->is_last) {
    clr_step_alone(&making, 1);
    clr_step_scratch(&making, one, it->pass->target + it->pass->count, 0, 1);
  } else if (!it->prefixed) {
    clr_tiles_first_idle(it, step);
  }
  step->barriers = 1;
}

// --- The second and the third launch ---

// One work-item gives the prefix of the tile to the sweep. Then it computes the prefix after the tile from the nodes of
// the tiles so far. The prefix after a whole run is the prefix of the next run.
static void root(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = begin_leader(it, step, "root");
  (void)number;
  clr_step_alone(&making, it->count * (it->prefixed ? 7 : 3));
  if (!it->is_last)
    return;
  struct runs runs = runs_of(it->launch);
  count_tiles(&making, it->launch, true);
  if (it->pass->kernel == CLR_KERNEL_STATES)
    return;
  cl_ulong whole = runs.count - (runs.in_last < runs.tiles);
  const struct clr_access each = {.groups = whole, .full = 1, .last = 1};
  clr_step_alone(&making, whole);
  clr_step_scratch(&making, each, it->pass->target + 1, 1, 1);
}

// One work-item of each run but the first reads the run's prefix.
static void prefix_step(const struct clr_tile_launch *launch, struct clred_step *step) {
  const struct clr_pass *pass = launch->pass;
  const struct clr_crew crew = {.groups = pass->groups - 1, .full = 1, .last = 1, .apart = 1};
  struct clr_making making = clr_step_begin(step, launch->shape, pass, crew, "prefix");
  clr_step_scratch(&making, clr_access_each(&crew), pass->target + 1, 1, 1);
  clr_step_alone(&making, crew.groups * RUN_DEPTH);
  step->idle_work_items += pass->group_size;
}

// --- A launch ---

static void list_steps(const struct clr_shape *shape, const struct clr_pass *pass, struct clr_tile_steps *steps) {
  if (pass->kernel == CLR_KERNEL_STATES)
    clr_tiles_add(steps, load_nodes, 0);
  else
    clr_tiles_add_loads(shape, true, steps);
  clr_tiles_add_ups(shape, steps);
  clr_tiles_add(steps, pass->kernel == CLR_KERNEL_ELEMENTS ? node : root, 0);
  if (pass->kernel == CLR_KERNEL_ELEMENTS)
    return;
  clr_tiles_add_downs(shape, steps);
  if (pass->kernel == CLR_KERNEL_STATES)
    clr_tiles_add(steps, write_prefixes, 0);
  else
    clr_tiles_add_results(shape, steps);
}

bool clr_reduce_then_scan_step(const struct clr_shape *shape, const struct clr_extent *extent,
                               const struct clr_pass *pass, unsigned index, struct clred_step *step) {
  struct clr_tile_steps steps = {.count = 0};
  bool of_nodes = pass->kernel == CLR_KERNEL_STATES;
  struct clr_tile_launch launch = {.shape = shape,
                                   .pass = pass,
                                   .size = of_nodes ? pass->group_size : clr_scan_tile(shape),
                                   .values = pass->count,
                                   .chained = true};
  if (shape->outcome)
    return clr_scan_step(shape, extent, pass, index, step);
  launch.turns = of_nodes ? clr_tiles_count(&launch) : clr_at_most(pass->span, clr_tiles_count(&launch));
  bool has_prefixes = pass->kernel == CLR_KERNEL_APPLY && pass->groups > 1;
  if (has_prefixes && index == 0) {
    prefix_step(&launch, step);
    return true;
  }
  list_steps(shape, pass, &steps);
  return clr_tiles_listed(&launch, &steps, index - has_prefixes, step);
}
