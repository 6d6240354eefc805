// Finds ranks among sorted keys on the host.
#include "quantile/search.h"

cl_int clr_fail_changed(struct clr_quantile_run *run) {
  return clr_fail(run->status, CLRED_WRONG_RESULT, "the elements changed while a quantile was computed");
}

size_t clr_sorted_place(const struct clr_ranked *sorted, size_t count, cl_ulong key) {
  size_t first = 0;
  while (count > 0) {
    size_t half = count / 2;
    bool is_below = sorted[first + half].key < key;
    first = is_below ? first + half + 1 : first;
    count = is_below ? count - half - 1 : half;
  }
  return first;
}

static bool find_target(const clred_quantile *quantile, size_t count, struct clr_target *target) {
  const struct clr_ranked *sorted = quantile->ranked[0];
  size_t begin = clr_sorted_place(sorted, count, target->low);
  if (target->rank - target->below >= count - begin)
    return false;
  cl_ulong key = sorted[begin + (size_t)(target->rank - target->below)].key;
  size_t first = clr_sorted_place(sorted, count, key);
  size_t behind = key == quantile->ordering.most ? count : clr_sorted_place(sorted, count, key + 1);
  target->below += first - begin;
  target->inside = behind - first;
  target->low = target->high = key;
  target->found = true;
  return true;
}

cl_int clr_find_targets(struct clr_quantile_run *run, size_t count) {
  clred_quantile *quantile = run->quantile;
  for (size_t i = 0; i < quantile->target_count; i++)
    if (!quantile->targets[i].found && !find_target(quantile, count, &quantile->targets[i]))
      return clr_fail_changed(run);
  return CL_SUCCESS;
}
