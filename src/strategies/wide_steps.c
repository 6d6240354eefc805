// The analysis of wide: a group folds lists of nodes in local memory, NODES at a time (cl/group/fold_list.clh): the
// columns of its tiles, and in the end the groups' partials.
#include "strategies/lines_steps.h"

#include <stdio.h>

// Nodes that a group reads at a time: `count` lots that do the same, from node `first` of the list on.
struct lot {
  cl_ulong count, first, present;
};

#define LOTS_MAX 80

// The lists that the groups of a launch fold. The last group may have fewer nodes.
struct list {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong n;           // elements of the call
  bool columns;         // nodes are columns of tiles, otherwise states
  bool handed_over;     // the states are the partials of this launch
  cl_ulong groups;      // that fold such a list
  cl_ulong turns;       // lots of a group, at most
  cl_ulong all_turns;   // of all groups
  struct lot lots[LOTS_MAX];
  unsigned count;
};

static cl_ulong columns_a_tile(const struct clr_shape *shape) {
  return shape->lanes / shape->vector;
}

static void add_lot(struct list *list, cl_ulong count, cl_ulong first, cl_ulong present) {
  if (count && present && list->count < LOTS_MAX)
    list->lots[list->count++] = (struct lot){count, first, present};
  list->all_turns += present ? count : 0;
}

// Cuts the nodes from `first` to `end` into lots. Lots with nodes from `alike` on differ, so they stand alone.
static void cut_list(struct list *list, cl_ulong first, cl_ulong end, cl_ulong alike) {
  cl_ulong size = list->shape->fold.nodes, whole = alike > first ? (alike - first) / size : 0;
  whole = clr_at_most(whole, (end - first) / size);
  add_lot(list, whole, first, size);
  for (cl_ulong at = first + whole * size; at < end; at += size)
    add_lot(list, 1, at, clr_at_most(end - at, size));
}

static struct list columns_of(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong n) {
  struct list list = {.shape = shape, .pass = pass, .n = n, .columns = true, .groups = pass->groups};
  cl_ulong each = pass->span * columns_a_tile(shape), begin = (pass->groups - 1) * each;
  cl_ulong all = n / clr_fixed_tile(shape) * columns_a_tile(shape), size = clr_at_most(each, shape->fold.nodes);
  cl_ulong rest = n % clr_fixed_tile(shape), last = clr_fixed_lanes(shape, rest);
  add_lot(&list, begin / size, 0, size);
  cut_list(&list, begin, all + clr_ceil_divide(last, shape->vector), all);
  list.turns = pass->groups > 1 ? clr_ceil_divide(each, shape->fold.nodes) : list.all_turns;
  return list;
}

static struct list states_of(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong count,
                             bool handed_over) {
  struct list list = {.shape = shape, .pass = pass, .handed_over = handed_over, .groups = 1};
  cut_list(&list, 0, count, count);
  list.turns = list.all_turns;
  return list;
}

// ---------------------------------------------------------------- Loads of columns

// Work-items fold whole columns by aligned vectors, columns of the last tile by vectors at any address, and columns
// whose lanes have different numbers of rows lane by lane. These are different instructions. Without vectors, there is
// one.
enum way { ALIGNED, ANYWHERE, LANE_BY_LANE, ONE_BY_ONE };

struct columns {
  const struct clr_shape *shape;
  cl_ulong n, first, present, group_size;
  enum way way;
};

// A column of a tile with `present` elements from element `element` on.
struct column {
  cl_ulong element, present, lane;
  enum way way;
  cl_ulong rows;  // of its first lane
};

static cl_ulong rows_of(const struct clr_shape *shape, cl_ulong present, cl_ulong lane) {
  cl_ulong step = shape->in_order ? shape->rows : 1, row_step = shape->in_order ? 1 : shape->lanes;
  cl_ulong left = present > lane * step ? present - lane * step : 0;
  return clr_at_most(clr_ceil_divide(left, row_step), shape->rows);
}

static struct column column_of(const struct columns *it, cl_ulong index) {
  cl_ulong tile = clr_fixed_tile(it->shape), a_tile = columns_a_tile(it->shape), vector = it->shape->vector;
  struct column column = {.element = index / a_tile * tile, .lane = index % a_tile * vector};
  column.present = clr_at_most(it->n - column.element, tile);
  column.rows = rows_of(it->shape, column.present, column.lane);
  bool even = column.rows == rows_of(it->shape, column.present, column.lane + vector - 1);
  column.way = column.present == tile ? ALIGNED : even ? ANYWHERE : LANE_BY_LANE;
  return column;
}

static bool takes_vectors(const struct clr_shape *shape) {
  return shape->vector > 1 && !shape->loops_over_lanes;
}

// Returns how many loads of this way a column takes.
static cl_ulong loads_of(const struct columns *it, const struct column *column) {
  cl_ulong loads = 0;
  if (it->way != ONE_BY_ONE && it->way != column->way)
    return 0;
  if (it->way == ALIGNED || it->way == ANYWHERE)
    return column->rows;
  for (cl_ulong lane = 0; lane < it->shape->vector; lane++)
    loads += rows_of(it->shape, column->present, column->lane + lane);
  return loads;
}

// Returns the place of a load of a column, in vectors or elements.
static cl_ulong place_of(const struct columns *it, const struct column *column, cl_ulong load) {
  cl_ulong vector = it->shape->vector, row, lane = column->lane;
  if (it->way == ALIGNED || it->way == ANYWHERE)
    return (column->element + load * it->shape->lanes + lane) / vector;
  // One by one: row after row of a column whose lanes have the same rows; otherwise lane after lane.
  if (column->way != LANE_BY_LANE) {
    row = load / vector;
    lane += load % vector;
  } else {
    for (row = load; row >= rows_of(it->shape, column->present, lane); lane++)
      row -= rows_of(it->shape, column->present, lane);
  }
  bool in_order = it->shape->in_order;
  return column->element + (in_order ? lane * it->shape->rows + row : row * it->shape->lanes + lane);
}

static cl_ulong load_at(const void *data, cl_ulong item, cl_ulong turn) {
  const struct columns *it = data;
  for (cl_ulong index = item; index < it->present; index += it->group_size) {
    struct column column = column_of(it, it->first + index);
    cl_ulong loads = loads_of(it, &column);
    if (turn < loads)
      return place_of(it, &column, turn);
    turn -= loads;
  }
  return CLR_NOWHERE;
}

static void load_columns(const struct clr_making *making, const struct list *list, const struct lot *lot,
                         enum way way) {
  const struct clr_shape *shape = list->shape;
  struct columns columns = {shape, list->n, lot->first, lot->present, shape->group_size, way};
  bool vectors = way == ALIGNED || way == ANYWHERE;
  cl_ulong at_once = vectors ? shape->vector : 1, a_tile = columns_a_tile(shape);
  cl_ulong apart = lot->present % a_tile ? lot->present * shape->vector
                                         : lot->present / a_tile * clr_fixed_tile(shape);
  const struct clr_pattern pattern = {
    clr_at_most(lot->present, shape->group_size),
    clr_ceil_divide(lot->present, shape->group_size) * shape->rows * (shape->vector / at_once), load_at, &columns};
  const struct clr_access access = {.groups = lot->count,
                                    .size = at_once * shape->element_size,
                                    .holds = at_once,
                                    .a_group = apart * shape->element_size};
  struct clred_step before = *making->step, *step = making->step;
  for (cl_ulong input = 0; input <= shape->inputs; input++)
    clr_step_pattern(making, &pattern, access);
  // Some types are read by several loads if they may lie anywhere.
  cl_ulong parts = way == ANYWHERE ? clr_ceil_divide(at_once, shape->loads.together) : 1;
  step->requests = before.requests + (step->requests - before.requests) * parts;
  step->lines = before.lines + (step->lines - before.lines) * parts;
}

static void load_list(const struct clr_making *making, const struct list *list, const struct lot *lot) {
  const struct clr_shape *shape = list->shape;
  if (takes_vectors(shape)) {
    load_columns(making, list, lot, ALIGNED);
    load_columns(making, list, lot, ANYWHERE);
    load_columns(making, list, lot, LANE_BY_LANE);
  } else {
    load_columns(making, list, lot, ONE_BY_ONE);
  }
}

// Large states are folded with loops that read the last row twice.
static void settle_loads(const struct clr_making *making) {
  const struct clr_shape *shape = making->shape;
  struct clred_step *step = making->step;
  if (clr_line_radix(shape) == 2 && takes_vectors(shape))
    step->global_accesses = step->requests = step->lines = CLR_UNKNOWN;
  if (shape->strided || shape->inputs)
    step->lines = CLR_UNKNOWN;
}

void clr_wide_load(const struct clr_making *making, const struct clr_extent *extent) {
  const struct list list = columns_of(making->shape, making->pass, extent->count);
  for (unsigned i = 0; i < list.count; i++)
    load_list(making, &list, &list.lots[i]);
  settle_loads(making);
}

// ---------------------------------------------------------------- Nodes in local memory

// One place in nine stays empty: NODE_AT in cl/group/nodes.clh.
static cl_ulong node_at(cl_ulong index) {
  return index + index / 8;
}

// The accesses of a lot in local memory: `apart` nodes lie between those that a round combines.
struct round {
  cl_ulong present, group_size, apart, radix;
};

static cl_ulong own_node(const void *data, cl_ulong item, cl_ulong turn) {
  const struct round *it = data;
  cl_ulong index = turn * it->group_size + item;
  return index * it->apart < it->present ? node_at(index * it->apart) : CLR_NOWHERE;
}

// Nodes that are absent are read as the last one.
static cl_ulong neighbour(const void *data, cl_ulong item, cl_ulong turn) {
  const struct round *it = data;
  cl_ulong begin = (turn / it->radix * it->group_size + item) * it->radix * it->apart;
  return begin < it->present ? node_at(clr_at_most(begin + turn % it->radix * it->apart, it->present - 1))
                             : CLR_NOWHERE;
}

static void access_nodes(const struct clr_making *making, const struct lot *lot, const struct round *round,
                         bool neighbours) {
  cl_ulong nodes = clr_ceil_divide(lot->present, round->apart * (neighbours ? round->radix : 1));
  cl_ulong turns = clr_ceil_divide(nodes, round->group_size) * (neighbours ? round->radix : 1);
  const struct clr_pattern pattern = {
    clr_at_most(nodes, round->group_size), turns, neighbours ? neighbour : own_node, round};
  clr_step_pattern(making, &pattern,
                   (struct clr_access){.groups = lot->count, .local = true, .size = making->shape->state_size});
}

static struct clr_making begin_lot(const struct list *list, const struct lot *lot, cl_ulong items,
                                   struct clred_step *step, const char *name) {
  cl_ulong active = clr_at_most(items, list->shape->group_size);
  const struct clr_crew crew = {.groups = lot->count, .full = active, .last = active, .apart = 1};
  return clr_step_begin(step, list->shape, list->pass, crew, "%s", name);
}

static struct round round_of(const struct list *list, const struct lot *lot, cl_ulong apart) {
  return (struct round){lot->present, list->shape->group_size, apart, clr_line_radix(list->shape)};
}

// ---------------------------------------------------------------- Steps of a list

// The elements of a lot of columns.
static cl_ulong elements_of(const struct list *list, const struct lot *lot) {
  cl_ulong a_tile = columns_a_tile(list->shape), tile = clr_fixed_tile(list->shape), elements = 0;
  if (lot->count > 1 || (lot->first + lot->present) / a_tile * tile <= list->n)
    if (lot->count > 1 || (lot->first + lot->present + a_tile - 1) / a_tile * tile <= list->n)
      return lot->present * list->shape->vector * list->shape->rows;
  const struct columns columns = {list->shape, list->n, lot->first, lot->present, 1, ONE_BY_ONE};
  for (cl_ulong i = 0; i < lot->present; i++) {
    struct column column = column_of(&columns, lot->first + i);
    elements += loads_of(&columns, &column);
  }
  return elements;
}

// A work-item has several loads of states in flight. Where states end, it repeats the last one.
struct states {
  cl_ulong present, group_size, in_flight;
};

static cl_ulong state_at(const void *data, cl_ulong item, cl_ulong turn) {
  const struct states *it = data;
  cl_ulong first = turn / it->in_flight * it->in_flight * it->group_size + item;
  return first < it->present ? clr_at_most(first + turn % it->in_flight * it->group_size, it->present - 1)
                             : CLR_NOWHERE;
}

// Partials of the same launch may be read word by word, or polled.
static void load_states(const struct clr_making *making, const struct list *list, const struct lot *lot) {
  const struct clr_shape *shape = list->shape;
  const cl_ulong size = shape->state_size, word = 4, few = 16;
  const struct states states = {lot->present, shape->group_size, size > few ? 1 : 4};
  cl_ulong turns = clr_ceil_divide(lot->present, shape->group_size * states.in_flight) * states.in_flight;
  const struct clr_pattern pattern = {
    clr_at_most(lot->present, shape->group_size), turns, state_at, &states};
  bool by_words = list->handed_over && !shape->has_fence && size % word == 0;
  cl_ulong first = (list->handed_over ? list->pass->target : list->pass->first) + lot->first;
  cl_ulong words = by_words ? size / word : 1, accesses = making->step->global_accesses;
  for (cl_ulong i = 0; i < words; i++) {
    making->step->global_accesses = accesses;  // a state is one access
    clr_step_pattern(making, &pattern,
                     (struct clr_access){.groups = lot->count, .size = size, .base = first * size, .a_group = 0});
  }
  if (list->handed_over && shape->fold.handover_words)
    making->step->global_accesses = making->step->requests = making->step->lines = CLR_UNKNOWN;
}

static void load_step(const struct list *list, const struct lot *lot, struct clred_step *step) {
  struct clr_making making = begin_lot(list, lot, lot->present, step, list->columns ? "columns" : "states");
  struct round round = round_of(list, lot, 1);
  access_nodes(&making, lot, &round, false);
  if (!list->columns) {
    load_states(&making, list, lot);
    return;
  }
  load_list(&making, list, lot);
  settle_loads(&making);
  cl_ulong elements = elements_of(list, lot), lanes = lot->present * list->shape->vector;
  clr_step_combine(&making, lot->count * (elements - lot->present), 0, lot->count * clr_at_most(lanes, elements / 2));
}

static void fold_step(const struct list *list, const struct lot *lot, cl_ulong apart, struct clred_step *step) {
  cl_ulong radix = clr_line_radix(list->shape), before = clr_ceil_divide(lot->present, apart);
  cl_ulong nodes = clr_ceil_divide(before, radix);
  struct clr_making making = begin_lot(list, lot, nodes, step, "fold");
  struct round round = round_of(list, lot, apart), written = round_of(list, lot, apart * radix);
  access_nodes(&making, lot, &round, true);
  access_nodes(&making, lot, &written, false);
  clr_step_combine(&making, lot->count * (before - nodes), 0, lot->count * (before / 2));
  snprintf(step->name, sizeof step->name, "fold %llu", (unsigned long long)(apart * radix));
}

static cl_ulong ones_of(cl_ulong number) {
  cl_ulong ones = 0;
  for (; number; number &= number - 1)
    ones++;
  return ones;
}

// Returns how many nodes the stacks of all groups hold in the end.
static cl_ulong stacked(const struct list *list) {
  cl_ulong others = list->groups - 1;
  return others * ones_of(list->turns) + ones_of(list->all_turns - others * list->turns);
}

// One work-item of each group keeps the nodes of its turns on a stack.
static void push_step(const struct list *list, struct clred_step *step) {
  const struct lot all = {.count = list->all_turns, .present = 1};
  struct clr_making making = begin_lot(list, &all, 1, step, "push");
  cl_ulong carries = list->all_turns - stacked(list);
  clr_step_alone(&making, 2 * list->all_turns + carries);
  clr_step_combine(&making, carries, 0, list->groups);
  step->depth = clr_line_levels(list->turns);
}

// --- Steps of all lots ---

static cl_ulong depth_of_load(const struct list *list) {
  const struct clr_shape *shape = list->shape;
  cl_ulong n = list->n, lanes = clr_fixed_lanes(shape, n);
  cl_ulong in_lane = clr_at_most(clr_ceil_divide(n, shape->in_order ? 1 : shape->lanes), shape->rows);
  return list->columns ? in_lane - 1 + clr_line_levels(clr_at_most(lanes, shape->vector)) : 0;
}

static void loads(const struct list *list, struct clred_step *step) {
  struct clred_step other;
  load_step(list, &list->lots[0], step);
  for (unsigned i = 1; i < list->count; i++) {
    load_step(list, &list->lots[i], &other);
    clr_step_join(step, &other);
  }
  step->depth = depth_of_load(list);
  step->barriers = list->turns - 1;
}

static void folds(const struct list *list, cl_ulong apart, struct clred_step *step) {
  struct clred_step other;
  cl_ulong nodes = clr_ceil_divide(list->lots[0].present, apart);
  fold_step(list, &list->lots[0], apart, step);
  for (unsigned i = 1; i < list->count; i++) {
    fold_step(list, &list->lots[i], apart, &other);
    clr_step_join(step, &other);
  }
  step->depth = clr_line_levels(clr_at_most(nodes, clr_line_radix(list->shape)));
  step->barriers = list->turns;
}

// Describes step *index of a list. Otherwise subtracts the number of its steps from *index and returns false.
static bool list_step(const struct list *list, unsigned *index, struct clred_step *step) {
  unsigned rounds = 0;
  if (*index == 0) {
    loads(list, step);
    return true;
  }
  for (cl_ulong apart = 1; apart < list->shape->fold.nodes; apart *= clr_line_radix(list->shape))
    if (++rounds == *index) {
      folds(list, apart, step);
      return true;
    }
  if (*index == rounds + 1) {
    push_step(list, step);
    return true;
  }
  *index -= rounds + 2;
  return false;
}

// ---------------------------------------------------------------- The launch

static struct clr_making begin_leaders(const struct list *list, struct clred_step *step, const char *name) {
  const struct clr_crew crew = {.groups = list->groups, .full = 1, .last = 1, .apart = 1};
  return clr_step_begin(step, list->shape, list->pass, crew, "%s", name);
}

// One work-item of each group counts the groups. The last one sets the count back.
static void count_groups(const struct clr_making *making) {
  struct clr_access each = clr_access_each(&making->crew), reset = {.groups = 1, .last = 1, .size = sizeof(cl_uint)};
  each.size = sizeof(cl_uint);
  clr_step_access(making, each);
  if (!making->shape->resets_alone)
    clr_step_access(making, reset);
}

// Groups that poll hand their partials over in cells, one for each word of a state.
static void hand_over(const struct clr_making *making) {
  const cl_ulong cell = 8, word = 4;
  struct clr_access each = clr_access_each(&making->crew);
  if (!making->shape->fold.handover_words) {
    clr_step_publish(making, each, making->pass->target, 1);
    count_groups(making);
    return;
  }
  cl_ulong cells = making->shape->state_size / word, accesses = making->step->global_accesses;
  each.size = cell;
  each.a_group = cells * cell;
  for (each.base = 0; each.base < cells * cell; each.base += cell) {
    making->step->global_accesses = accesses;  // a state is one access
    clr_step_access(making, each);
  }
}

// One work-item of each group folds its stack.
static void end_step(const struct list *list, struct clred_step *step) {
  bool elements = list->columns, finishes = elements && list->shape->finish == CLR_FINISH_LAST_GROUP;
  bool alone = !elements || (list->groups == 1 && list->shape->finish != CLR_FINISH_HOST);
  struct clr_making making = begin_leaders(list, step, alone ? "result" : "partials");
  clr_step_alone(&making, stacked(list));
  clr_step_combine(&making, stacked(list) - list->groups, 0, list->groups);
  step->barriers = list->turns;
  if (finishes)
    clr_step_alone(&making, list->groups * (alone ? 1 : 2));  // the flag
  if (alone)
    clr_step_result(&making);
  else if (finishes)
    hand_over(&making);
  else
    clr_step_scratch(&making, clr_access_each(&making.crew), list->pass->target, 1, 1);
}

static void flag_step(const struct list *list, struct clred_step *step) {
  cl_ulong size = list->shape->group_size;
  const struct clr_crew all = {.groups = list->groups, .full = size, .last = size, .apart = 1};
  struct clr_making making = clr_step_begin(step, list->shape, list->pass, all, "flag");
  struct clr_access each = clr_access_each(&all);
  each.local = true;
  each.size = sizeof(cl_uint);
  clr_step_access(&making, each);
  step->barriers = 1;
}

bool clr_wide_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step) {
  bool elements = pass->kernel == CLR_KERNEL_ELEMENTS, finishes = elements && shape->finish == CLR_FINISH_LAST_GROUP;
  struct list list = elements ? columns_of(shape, pass, extent->count) : states_of(shape, pass, pass->count, false);
  bool begins = finishes && shape->fold.handover_words && pass->groups > 1 && !shape->resets_alone;
  if (begins && index-- == 0) {
    struct clr_making making = begin_leaders(&list, step, "begin");
    count_groups(&making);
    return true;
  }
  if (list_step(&list, &index, step))
    return true;
  if (index == 0)
    end_step(&list, step);
  else if (finishes && index == 1)
    flag_step(&list, step);
  if (index <= finishes)
    return true;
  if (!finishes || pass->groups == 1)
    return false;
  index -= 2;
  list = states_of(shape, pass, pass->groups, true);
  if (list_step(&list, &index, step))
    return true;
  if (index == 0)
    end_step(&list, step);
  return index == 0;
}
