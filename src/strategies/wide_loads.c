// How wide reads columns of tiles, and states: see wide_lists.h.
#include "strategies/wide_lists.h"

// ---------------------------------------------------------------- Columns

// Work-items fold whole columns by aligned vectors, and columns of the last tile by vectors at any address. If the
// lanes of a column have different numbers of rows, they fold it lane by lane. Each way has load instructions of its
// own. Without vectors, there is one way.
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
  cl_ulong tile = clr_fixed_tile(it->shape), a_tile = clr_columns_a_tile(it->shape), vector = it->shape->vector;
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
  // One by one: row after row, if all lanes of the column have the same number of rows; otherwise lane after lane.
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

static void load_columns(const struct clr_making *making, const struct clr_list *list, const struct clr_lot *lot,
                         enum way way) {
  const struct clr_shape *shape = list->shape;
  struct columns columns = {shape, list->n, lot->first, lot->present, shape->group_size, way};
  bool vectors = way == ALIGNED || way == ANYWHERE;
  cl_ulong at_once = vectors ? shape->vector : 1, a_tile = clr_columns_a_tile(shape);
  cl_ulong apart = lot->present % a_tile ? lot->present * shape->vector : lot->present / a_tile * clr_fixed_tile(shape);
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

static void load_all(const struct clr_making *making, const struct clr_list *list, const struct clr_lot *lot) {
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
  if (shape->state_size > CLR_LARGE_STATE && shape->vector > 1)
    step->global_accesses = step->requests = step->lines = CLR_UNKNOWN;
  if (shape->strided || shape->inputs)
    step->lines = CLR_UNKNOWN;
}

// The elements of a lot of columns.
cl_ulong clr_lot_elements(const struct clr_list *list, const struct clr_lot *lot) {
  cl_ulong elements = 0;
  const struct columns columns = {list->shape, list->n, lot->first, lot->present, 1, ONE_BY_ONE};
  for (cl_ulong i = 0; i < lot->present; i++) {
    struct column column = column_of(&columns, lot->first + i);
    elements += loads_of(&columns, &column);
  }
  return elements;
}

// ---------------------------------------------------------------- States

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
static void load_states(const struct clr_making *making, const struct clr_list *list, const struct clr_lot *lot) {
  const struct clr_shape *shape = list->shape;
  const cl_ulong size = shape->state_size, word = 4, few = 16;
  const struct states states = {lot->present, shape->group_size, size > few ? 1 : 4};
  cl_ulong turns = clr_ceil_divide(lot->present, shape->group_size * states.in_flight) * states.in_flight;
  const struct clr_pattern pattern = {clr_at_most(lot->present, shape->group_size), turns, state_at, &states};
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

void clr_list_load(const struct clr_making *making, const struct clr_list *list, const struct clr_lot *lot) {
  if (!list->columns) {
    load_states(making, list, lot);
    return;
  }
  load_all(making, list, lot);
  settle_loads(making);
}
