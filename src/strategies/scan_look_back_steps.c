// The analysis of scan_look_back: the sweeps of each tile, and the windows of its look-back.
#include <stdio.h>

#include "strategies/scan_board.h"
#include "strategies/scan_tiles.h"

#define FAN CLR_LOOK_FAN
#define EIGHT 8
#define BLOCKS (FAN / EIGHT)

static bool is_whole(const struct clr_tiles *it) {
  return it->present == it->size;
}

static struct clr_access access_of(const struct clr_tiles *it, cl_ulong groups, cl_ulong values) {
  return (struct clr_access){.groups = groups, .full = values, .last = values, .width = clr_scan_team(it->shape)};
}

// Begins a step that only the tiles of `groups` groups have. In `whole` of these groups the team is active, in the
// others only work-items 0 to few - 1.
static struct clr_making begin(const struct clr_tiles *it, struct clred_step *step, cl_ulong groups, cl_ulong few,
                               cl_ulong whole, const char *name) {
  cl_ulong team = clr_scan_team(it->shape);
  const struct clr_crew all = {.groups = whole, .full = team, .last = team, .apart = 1};
  const struct clr_crew some = {
    .groups = groups - whole, .full = clr_at_most(few, team), .last = clr_at_most(few, team), .apart = 1};
  struct clr_making making;
  struct clred_step other;
  clr_step_begin(&other, it->shape, it->pass, all, "%s", name);
  making = clr_step_begin(step, it->shape, it->pass, some, "%s", name);
  if (whole && groups == whole)
    making = clr_step_begin(step, it->shape, it->pass, all, "%s", name);
  else if (whole)
    clr_step_join(step, &other);
  step->barriers = !clr_scan_has_team(it->shape);
  return making;
}

static void name_level(struct clred_step *step, const char *name, cl_ulong level) {
  snprintf(step->name, sizeof step->name, "%s %u", name, 1u << CLR_LOOK_DIGIT * level);
}

// ---------------------------------------------------------------- Which tile

static void read_tile(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, it->pass->group_size, "tile");
  struct clr_access each = clr_tiles_access(it, it->pass->group_size, 0);
  (void)number;
  each.local = true;
  each.size = sizeof(cl_uint);
  clr_step_access(&making, each);
  step->barriers = 1;
}

// ---------------------------------------------------------------- Look-back

// The whole team reads the tile's node.
static void publish(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong team = clr_scan_team(it->shape);
  struct clr_making making = begin(it, step, it->count, team, 0, "publish");
  (void)number;
  clr_step_local(&making, access_of(it, it->count, team), it->shape->scan.sweep_nodes - 1, 0);
  if (is_whole(it))
    clr_board_publish(&making, it->count);
}

// Tiles that look at the windows of a level. If the team is a sub-group, it looks at the windows of all further
// levels at once, unless it completes a node first.
struct looking {
  cl_ulong begun;      // tiles that begin with this level
  cl_ulong alone;      // those of them that look at no other level yet
  cl_ulong completed;  // those of them that have just completed a node
};

static struct looking looking_at(const struct clr_tiles *it, cl_ulong level) {
  cl_ulong completed = level ? clr_board_completing(it, level - 1) : 0;
  if (!clr_scan_has_team(it->shape))
    return (struct looking){it->count, it->count, completed};
  cl_ulong begun = level ? completed : it->count, last = level + 1 == it->shape->scan.levels;
  return (struct looking){begun, last ? begun : clr_board_completing(it, level), completed};
}

// The team of a tile that completes a node reads the blocks of the window below. All its work-items fold them.
static void complete(const struct clr_making *making, const struct clr_tiles *it, cl_ulong level, cl_ulong tiles) {
  cl_ulong team = clr_scan_team(it->shape);
  for (cl_ulong block = 0; block < BLOCKS; block++)
    clr_step_local(making, access_of(it, tiles, team), (level - 1) * BLOCKS + block, 0);
  clr_step_combine(making, tiles * team * (BLOCKS - 1), CLR_UNKNOWN, tiles * team * BLOCKS / 2);
  if (level < it->shape->scan.levels)
    clr_board_publish(making, tiles);
}

// Work-items read the nodes of earlier tiles and copy the window to local memory. How often they poll depends on the
// order in which other groups publish.
static void window(const struct clr_tiles *it, cl_ulong level, struct clred_step *step) {
  struct looking looking = looking_at(it, level);
  struct clr_making making = begin(it, step, looking.begun, FAN, looking.completed, "window");
  name_level(step, "window", level);
  if (looking.completed)
    complete(&making, it, level, looking.completed);
  for (cl_ulong at = level; at < it->shape->scan.levels; at++) {
    cl_ulong tiles = at == level ? looking.begun : looking.begun - looking.alone;
    clr_step_local(&making, access_of(it, tiles, FAN), at * FAN, 1);
    if (tiles && clr_board_waits(it->first, it->count, at))
      step->global_accesses = step->requests = step->lines = CLR_UNKNOWN;
  }
  step->barriers = level > 0 && !clr_scan_has_team(it->shape);
}

// Work-items fold blocks of eight nodes.
static void blocks(const struct clr_tiles *it, cl_ulong level, struct clred_step *step) {
  struct looking looking = looking_at(it, level);
  cl_ulong more = looking.begun - looking.alone, at_once = (it->shape->scan.levels - level) * BLOCKS;
  struct clr_making making = begin(it, step, looking.begun, more ? at_once : BLOCKS, 0, "blocks");
  name_level(step, "blocks", level);
  for (cl_ulong lot = 0; lot < 2; lot++) {
    cl_ulong tiles = lot ? more : looking.alone, values = lot ? at_once : BLOCKS;
    for (cl_ulong i = 0; i < EIGHT; i++)
      clr_step_local(&making, access_of(it, tiles, values), level * FAN + i, EIGHT);
    clr_step_local(&making, access_of(it, tiles, values), level * BLOCKS, 1);
    clr_step_combine(&making, tiles * values * (EIGHT - 1), CLR_UNKNOWN, 0);
  }
  step->operations_at_once = step->operations / (EIGHT - 1) * (EIGHT / 2);
}

// ---------------------------------------------------------------- Nodes of the tile's binary digits

// One work-item for each level finds the nodes of five binary digits. A level has a part of `apart` states, and the
// work-item accesses place digit / divisor x places + begin of this part, where `digit` is the tile's place in the
// window.
static const struct place {
  cl_ulong apart, divisor, places, begin;
} places[] = {
  {BLOCKS, FAN, 0, 0},
  {BLOCKS, FAN, 0, 1},
  {BLOCKS, 16, 2, 0},
  {FAN, 8, 8, 0},
  {FAN, 8, 8, 1},
  {FAN, 8, 8, 2},
  {FAN, 8, 8, 3},
  {FAN, 4, 4, 0},
  {FAN, 4, 4, 1},
  {FAN, 2, 2, 0},
  {CLR_LOOK_DIGIT, FAN, 0, 0},
  {CLR_LOOK_DIGIT, FAN, 0, 1},
  {CLR_LOOK_DIGIT, FAN, 0, 2},
  {CLR_LOOK_DIGIT, FAN, 0, 3},
  {CLR_LOOK_DIGIT, FAN, 0, 4},
};
#define PLACES (sizeof places / sizeof *places)

// The places that depend on digits of a lot of tiles: those of the windows are classed by digit / divisor.
struct digits {
  const struct place *place;
  cl_ulong levels, team;
  cl_ulong of_level[3];
};

static cl_ulong place_of_level(const void *data, cl_ulong item, cl_ulong turn) {
  const struct digits *digits = data;
  cl_ulong level = turn * digits->team + item;
  if (level >= digits->levels)
    return CLR_NOWHERE;
  return level * digits->place->apart + digits->of_level[level] * digits->place->places + digits->place->begin;
}

// Returns how many tiles below `end` have digits that give these when they are divided by the divisor.
static cl_ulong tiles_with(const struct digits *digits, cl_ulong end) {
  cl_ulong levels = digits->levels, divisor = digits->place->divisor, tiles = 0;
  cl_ulong high = levels > 2 ? divisor : 1, middle = levels > 1 ? divisor : 1;
  for (cl_ulong i = 0; i < high * middle; i++) {
    cl_ulong second = digits->of_level[1] * divisor + i % middle, third = digits->of_level[2] * divisor + i / middle;
    cl_ulong begin = (third * FAN + second) * FAN + digits->of_level[0] * divisor;
    tiles += end > begin ? clr_at_most(end - begin, divisor) : 0;
  }
  return tiles;
}

static void access_digits(const struct clr_making *making, const struct clr_tiles *it, const struct place *place) {
  cl_ulong levels = it->shape->scan.levels, team = clr_scan_team(it->shape), classes = FAN / place->divisor;
  const cl_ulong end[] = {classes, levels > 1 ? classes : 1, levels > 2 ? classes : 1};
  cl_ulong all = end[0] * end[1] * end[2], last = it->first + it->count;
  for (cl_ulong i = 0; i < all; i++) {
    const struct digits digits = {place, levels, team, {i % end[0], i / end[0] % end[1], i / end[0] / end[1]}};
    cl_ulong tiles = tiles_with(&digits, last) - tiles_with(&digits, it->first);
    const struct clr_pattern pattern = {clr_at_most(levels, team), clr_ceil_divide(levels, team), place_of_level,
                                        &digits};
    const struct clr_access access = {.groups = tiles, .local = true, .size = it->shape->state_size};
    if (tiles)
      clr_step_pattern(making, &pattern, access);
  }
}

static void digits_step(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong levels = it->shape->scan.levels, completed = clr_board_completing(it, levels - 1);
  struct clr_making making = begin(it, step, it->count, levels, completed, "digits");
  (void)number;
  if (completed)
    complete(&making, it, levels, completed);
  for (size_t i = 0; i < PLACES; i++)
    access_digits(&making, it, &places[i]);
  clr_step_combine(&making, it->count * levels * 5, CLR_UNKNOWN, it->count * levels * 4);
}

// One work-item computes the prefix of the tile, another one the prefix after it if the tile is whole.
static void edges(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong whole = is_whole(it), end = it->first + it->count, launch = it->pass->launch;
  cl_ulong digits = CLR_LOOK_DIGIT * it->shape->scan.levels, team = clr_scan_team(it->shape);
  cl_ulong ones = clr_board_ones(end) - clr_board_ones(it->first);
  cl_ulong carries = clr_counted_carries(end) - clr_counted_carries(it->first);
  struct clr_making making = begin(it, step, it->count, launch ? team : 1 + whole, 0, "edges");
  struct clr_access results = access_of(it, it->count, 1 + whole);
  (void)number;
  clr_board_launch_prefix(&making, it->count, team);
  clr_step_alone(&making, it->count * (1 + whole) * digits + whole * carries);
  results.skip = it->prefixed ? 0 : 1;
  clr_step_local(&making, results, 0, 1);
  // If nothing precedes the launch, the first node of a prefix is copied, not combined.
  bool joins = launch > 0, ends = whole && end == it->shape->scan.tiles;
  cl_ulong first = !joins && it->prefixed ? it->count : 0;
  clr_step_combine(&making, ones - first + whole * (ones + (joins ? it->count - ends : 0)), CLR_UNKNOWN,
                   it->count * (1 + whole));
  if (ends)
    clr_board_end_launch(&making);
}

// The prefix of the tile becomes the prefix of the root.
static void root(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = begin(it, step, it->count, it->prefixed ? 1 : 0, 0, "root");
  (void)number;
  clr_step_alone(&making, it->prefixed ? 2 * it->count : 0);
}

// ---------------------------------------------------------------- The launch

static void list_steps(const struct clr_shape *shape, struct clr_tile_steps *steps) {
  // NVIDIA's groups take the tiles of their numbers.
  if (!shape->resets_alone) {
    clr_tiles_add(steps, clr_board_ticket, 0);
    clr_tiles_add(steps, read_tile, 0);
  }
  clr_tiles_add_loads(shape, false, steps);
  clr_tiles_add_ups(shape, steps);
  clr_tiles_add(steps, publish, 0);
  for (cl_ulong level = 0; level < shape->scan.levels; level++) {
    clr_tiles_add(steps, window, level);
    clr_tiles_add(steps, blocks, level);
  }
  clr_tiles_add(steps, digits_step, 0);
  clr_tiles_add(steps, edges, 0);
  clr_tiles_add(steps, root, 0);
  clr_tiles_add_downs(shape, steps);
  clr_tiles_add_results(shape, steps);
}

bool clr_look_back_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step) {
  struct clr_tile_steps steps = {.count = 0};
  const struct clr_tile_launch launch = clr_board_launch(shape, pass, clr_scan_tile(shape));
  if (shape->outcome)
    return clr_scan_step(shape, extent, pass, index, step);
  list_steps(shape, &steps);
  return clr_tiles_listed(&launch, &steps, index, step);
}
