// Cuts the lists that wide folds into lots: see wide_lists.h.
#include "strategies/wide_lists.h"

cl_ulong clr_columns_a_tile(const struct clr_shape *shape) {
  return shape->lanes / shape->vector;
}

static void add_lot(struct clr_list *list, cl_ulong count, cl_ulong first, cl_ulong present) {
  if (count && present && list->count < CLR_LOTS_MAX)
    list->lots[list->count++] = (struct clr_lot){count, first, present};
  list->all_turns += present ? count : 0;
}

// Cuts the nodes from `first` to `end` into lots. Lots with nodes from `alike` on differ, so they stand alone.
static void cut_list(struct clr_list *list, cl_ulong first, cl_ulong end, cl_ulong alike) {
  cl_ulong size = list->size, whole = alike > first ? (alike - first) / size : 0;
  whole = clr_at_most(whole, (end - first) / size);
  add_lot(list, whole, first, size);
  for (cl_ulong at = first + whole * size; at < end; at += size)
    add_lot(list, 1, at, clr_at_most(end - at, size));
}

struct clr_list clr_list_of_columns(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong n) {
  struct clr_list list = {.shape = shape, .pass = pass, .n = n, .columns = true, .groups = pass->groups};
  cl_ulong each = pass->span * clr_columns_a_tile(shape), begin = (pass->groups - 1) * each;
  cl_ulong all = n / clr_fixed_tile(shape) * clr_columns_a_tile(shape), rest = n % clr_fixed_tile(shape);
  list.exact = shape->fold.exact;
  list.size = list.exact ? each : clr_at_most(each, shape->fold.nodes);
  add_lot(&list, begin / list.size, 0, list.size);
  cut_list(&list, begin, all + clr_ceil_divide(clr_fixed_lanes(shape, rest), shape->vector), all);
  list.turns = pass->groups > 1 ? clr_ceil_divide(each, list.size) : list.all_turns;
  return list;
}

struct clr_list clr_list_of_states(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong count,
                                   bool handed_over) {
  struct clr_list list = {.shape = shape, .pass = pass, .handed_over = handed_over, .groups = 1};
  list.exact = handed_over && shape->fold.exact;
  list.size = list.exact ? count : shape->fold.nodes;
  cut_list(&list, 0, count, count);
  list.turns = list.all_turns;
  return list;
}
