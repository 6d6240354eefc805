// The analysis of wide: a group folds lists of nodes in local memory (cl/group/fold_list.clh): the columns of its
// tiles, and in the end the groups' partials.
#include <stdio.h>

#include "base/arithmetic.h"
#include "strategies/wide_lists.h"

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

static void access_nodes(const struct clr_making *making, const struct clr_lot *lot, const struct round *round,
                         bool neighbours) {
  cl_ulong nodes = clr_ceil_divide(lot->present, round->apart * (neighbours ? round->radix : 1));
  cl_ulong turns = clr_ceil_divide(nodes, round->group_size) * (neighbours ? round->radix : 1);
  const struct clr_pattern pattern = {clr_at_most(nodes, round->group_size), turns, neighbours ? neighbour : own_node,
                                      round};
  clr_step_pattern(making, &pattern,
                   (struct clr_access){.groups = lot->count, .local = true, .size = making->shape->state_size});
  // Groups that poll hand over keys with places, which have other sizes than states.
  if (making->shape->fold.chooses && making->shape->fold.exact && making->shape->fold.handover_words)
    making->step->bank_conflicts = CLR_UNKNOWN;
}

static struct clr_making begin_lot(const struct clr_list *list, const struct clr_lot *lot, cl_ulong items,
                                   struct clred_step *step, const char *name) {
  cl_ulong active = clr_at_most(items, list->shape->group_size);
  const struct clr_crew crew = {.groups = lot->count, .full = active, .last = active, .apart = 1};
  return clr_step_begin(step, list->shape, list->pass, crew, "%s", name);
}

static struct round round_of(const struct clr_list *list, const struct clr_lot *lot, cl_ulong apart) {
  return (struct round){lot->present, list->shape->group_size, apart, list->shape->fold.radix};
}

// ---------------------------------------------------------------- Steps of a list

static void load_step(const struct clr_list *list, const struct clr_lot *lot, struct clred_step *step) {
  cl_ulong size = list->shape->group_size, elements = 0, held = list->exact ? size : lot->present;
  struct clr_making making = begin_lot(list, lot, held, step, list->columns ? "columns" : "states");
  const struct clr_lot written = {.count = lot->count, .present = held};
  struct round round = round_of(list, &written, 1);
  access_nodes(&making, &written, &round, false);
  clr_list_load(&making, list, lot);
  if (list->columns)
    elements = clr_lot_elements(list, lot) - lot->present;
  // A work-item that folds its nodes first begins with the identity.
  cl_ulong own = list->exact ? lot->present : 0, lanes = list->columns ? lot->present * list->shape->vector : size;
  clr_step_combine(&making, lot->count * (elements + own), 0, lot->count * clr_at_most(lanes, elements + own));
}

static void fold_step(const struct clr_list *list, const struct clr_lot *lot, cl_ulong apart, struct clred_step *step) {
  cl_ulong radix = list->shape->fold.radix, before = clr_ceil_divide(lot->present, apart);
  cl_ulong nodes = clr_ceil_divide(before, radix);
  struct clr_making making = begin_lot(list, lot, nodes, step, "fold");
  struct round round = round_of(list, lot, apart), written = round_of(list, lot, apart * radix);
  access_nodes(&making, lot, &round, true);
  access_nodes(&making, lot, &written, false);
  clr_step_combine(&making, lot->count * (before - nodes), 0, lot->count * (before / 2));
  snprintf(step->name, sizeof step->name, "fold %llu", (unsigned long long)(apart * radix));
}

// Returns how many nodes the stacks of all groups hold in the end.
static cl_ulong stacked(const struct clr_list *list) {
  cl_ulong others = list->groups - 1;
  return others * clr_ones(list->turns) + clr_ones(list->all_turns - others * list->turns);
}

// One work-item of each group keeps the nodes of its turns on a stack.
static void push_step(const struct clr_list *list, struct clred_step *step) {
  const struct clr_lot all = {.count = list->all_turns, .present = 1};
  struct clr_making making = begin_lot(list, &all, 1, step, "push");
  cl_ulong carries = list->all_turns - stacked(list);
  clr_step_alone(&making, 2 * list->all_turns + carries);
  clr_step_combine(&making, carries, 0, list->groups);
  step->depth = clr_levels(list->turns);
}

// --- Steps of all lots ---

static cl_ulong depth_of_load(const struct clr_list *list) {
  const struct clr_shape *shape = list->shape;
  cl_ulong own = list->exact ? clr_ceil_divide(list->lots[0].present, shape->group_size) : 0;
  cl_ulong n = list->n, lanes = clr_fixed_lanes(shape, n);
  cl_ulong in_lane = clr_at_most(clr_ceil_divide(n, shape->in_order ? 1 : shape->lanes), shape->rows);
  return own + (list->columns ? in_lane - 1 + clr_levels(clr_at_most(lanes, shape->vector)) : 0);
}

static void loads(const struct clr_list *list, struct clred_step *step) {
  struct clred_step other;
  load_step(list, &list->lots[0], step);
  for (unsigned i = 1; i < list->count; i++) {
    load_step(list, &list->lots[i], &other);
    clr_step_join(step, &other);
  }
  step->depth = depth_of_load(list);
  step->barriers = list->turns - 1;
}

static void folds(const struct clr_list *list, cl_ulong apart, struct clred_step *step) {
  const struct clr_lot of_items = {.count = list->groups, .present = list->shape->group_size};
  const struct clr_lot *lots = list->exact ? &of_items : list->lots;
  cl_ulong nodes = clr_ceil_divide(lots[0].present, apart);
  struct clred_step other;
  fold_step(list, &lots[0], apart, step);
  for (unsigned i = 1; i < list->count && !list->exact; i++) {
    fold_step(list, &lots[i], apart, &other);
    clr_step_join(step, &other);
  }
  step->depth = clr_levels(clr_at_most(nodes, list->shape->fold.radix));
  step->barriers = list->turns;
}

// All work-items read the result.
static void node_step(const struct clr_list *list, struct clred_step *step) {
  cl_ulong size = list->shape->group_size;
  const struct clr_lot all = {.count = list->groups, .present = size};
  struct clr_making making = begin_lot(list, &all, size, step, "node");
  clr_step_local(&making, clr_access_each(&making.crew), 0, 0);
  step->barriers = 1;
}

// Describes step *index of a list. Otherwise subtracts the number of its steps from *index and returns false.
static bool list_step(const struct clr_list *list, unsigned *index, struct clred_step *step) {
  unsigned rounds = 0;
  if (*index == 0) {
    loads(list, step);
    return true;
  }
  cl_ulong nodes = list->exact ? list->shape->group_size : list->shape->fold.nodes;
  for (cl_ulong apart = 1; apart < nodes; apart *= list->shape->fold.radix)
    if (++rounds == *index) {
      folds(list, apart, step);
      return true;
    }
  if (*index == rounds + 1) {
    (list->exact ? node_step : push_step)(list, step);
    return true;
  }
  *index -= rounds + 2;
  return false;
}

// ---------------------------------------------------------------- The launch

static struct clr_making begin_leaders(const struct clr_list *list, struct clred_step *step, const char *name) {
  const struct clr_crew crew = {.groups = list->groups, .full = 1, .last = 1, .apart = 1};
  return clr_step_begin(step, list->shape, list->pass, crew, "%s", name);
}

// Groups that poll hand their partials over in cells, one for each word of a state.
static void hand_over(const struct clr_making *making) {
  const cl_ulong cell = 8, word = 4;
  struct clr_access each = clr_access_each(&making->crew);
  if (!making->shape->fold.handover_words) {
    clr_step_publish(making, each, making->pass->target, 1);
    clr_step_count_groups(making);
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

// One work-item of each group folds its stack, or has the group's node already.
static void end_step(const struct clr_list *list, struct clred_step *step) {
  bool elements = list->columns, finishes = elements && list->shape->finish == CLR_FINISH_LAST_GROUP;
  bool alone = !elements || (list->groups == 1 && list->shape->finish != CLR_FINISH_HOST);
  struct clr_making making = begin_leaders(list, step, alone ? "result" : "partials");
  if (!list->exact) {
    clr_step_alone(&making, stacked(list));
    clr_step_combine(&making, stacked(list) - list->groups, 0, list->groups);
    step->barriers = list->turns;
  }
  if (finishes)
    clr_step_alone(&making, list->groups * (alone ? 1 : 2));  // the flag
  // Whether elements are read again depends on the data.
  if (elements && list->shape->fold.finds)
    step->global_accesses = step->requests = step->lines = CLR_UNKNOWN;
  if (alone)
    clr_step_result(&making);
  else if (finishes)
    hand_over(&making);
  else
    clr_step_scratch(&making, clr_access_each(&making.crew), list->pass->target, 1, 1);
}

bool clr_wide_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step) {
  bool elements = pass->kernel == CLR_KERNEL_ELEMENTS, finishes = elements && shape->finish == CLR_FINISH_LAST_GROUP;
  struct clr_list list =
    elements ? clr_list_of_columns(shape, pass, extent->count) : clr_list_of_states(shape, pass, pass->count, false);
  bool begins = finishes && shape->fold.handover_words && pass->groups > 1 && !shape->resets_alone;
  if (begins && index-- == 0) {
    struct clr_making making = begin_leaders(&list, step, "begin");
    clr_step_count_groups(&making);
    return true;
  }
  if (list_step(&list, &index, step))
    return true;
  if (index == 0)
    end_step(&list, step);
  else if (finishes && index == 1)
    clr_step_flag(step, shape, pass, list.groups);
  if (index <= finishes)
    return true;
  if (!finishes || pass->groups == 1)
    return false;
  index -= 2;
  list = clr_list_of_states(shape, pass, pass->groups, true);
  if (list_step(&list, &index, step))
    return true;
  if (index == 0)
    end_step(&list, step);
  return index == 0;
}
