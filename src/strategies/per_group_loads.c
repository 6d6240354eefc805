// The analysis of how groups load values, and of what their work-items fold before the tree begins.
#include "strategies/per_group_steps.h"

#include <stdio.h>

void clr_group_places(const struct clr_step_builder *making, const struct clr_group_launch *it,
                      struct clr_access access, cl_ulong begin, cl_ulong value_stride) {
  if (it->in_global)
    clr_step_scratch(making, access, it->pass->work + begin, it->taken, value_stride);
  else
    clr_step_local(making, access, begin, value_stride);
}

static struct clr_step_builder begin_load(const struct clr_group_launch *it, struct clred_step *step,
                                          const char *name) {
  cl_ulong size = it->shape->group_size;
  const struct clr_active_items active = {
    .groups = it->pass->groups, .full = clr_min(it->taken, size), .last = clr_min(it->left, size), .apart = 1};
  return clr_step_begin(step, it->shape, it->pass, active, "%s", name);
}

// Returns an access to the values of each group, but to at most `most` of them.
static struct clr_access access_values(const struct clr_group_launch *it, cl_ulong most) {
  return (struct clr_access){.groups = it->pass->groups,
                             .full = clr_min(it->taken, most),
                             .last = clr_min(it->left, most),
                             .width = it->shape->group_size};
}

// Adds the operations by which work-items fold the values of a group until one value is left for each place of the
// tree.
static void fold_values(const struct clr_step_builder *making, const struct clr_group_launch *it) {
  cl_ulong others = it->pass->groups - 1, size = it->shape->group_size, places = it->places;
  cl_ulong full = clr_saturating_sub(it->taken, places), last = clr_saturating_sub(it->left, places);
  cl_ulong most = others ? it->taken : it->left;
  clr_step_combine(making, others * full + last, clr_ceil_divide(most, places) - 1,
                   others * clr_min(full, size) + clr_min(last, size));
}

// If values are not staged, work-items fold them while they load.
static void load_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, it->in_global ? "copy" : "load");
  cl_ulong held = it->staged ? it->taken : it->pairs ? it->shape->group_size : it->places;
  clr_step_load(&making, access_values(it, CL_ULONG_MAX), 0, it->taken, 1);
  clr_group_places(&making, it, access_values(it, held), 0, 1);
  if (!it->staged)
    fold_values(&making, it);
}

// Work-items fold the values that they copied, and keep one.
static void staged_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "fold");
  clr_step_local(&making, access_values(it, CL_ULONG_MAX), 0, 1);
  clr_step_local(&making, access_values(it, it->shape->group_size), 0, 1);
  fold_values(&making, it);
  snprintf(step->name, sizeof step->name, "%llu to 1", (unsigned long long)it->pass->span);
}

// In each round, each group loads the next G values of the source, until no values are left.
static void in_turn_step(const struct clr_group_launch *it, struct clred_step *step) {
  cl_ulong size = it->shape->group_size, n = it->pass->count, round = it->pass->groups * size;
  cl_ulong rounds = n / round, rest = n % round, groups = clr_ceil_divide(rest, size);
  struct clr_step_builder making = begin_load(it, step, "load");
  struct clr_access whole = {.groups = it->pass->groups, .full = size, .last = size, .times = rounds, .a_time = round};
  struct clr_access other = {.groups = groups, .full = size, .last = groups ? rest - (groups - 1) * size : 0};
  if (rounds)
    clr_step_load(&making, whole, 0, size, 1);
  clr_step_load(&making, other, rounds * round, size, 1);
  clr_step_local(&making, clr_access_each(&making.active), 0, 1);
  clr_step_combine(&making, clr_saturating_sub(n, round), clr_ceil_divide(n, round) - 1,
                   clr_min(clr_saturating_sub(n, round), round));
}

// --- Parts: a group loads neighbouring values, as many as local memory holds, and folds them before it loads more ---

// Returns how often a work-item fills its places to read `values` values. One place keeps what was folded before.
static cl_ulong fills_of(const struct clr_group_launch *it, cl_ulong values) {
  cl_ulong places = it->shape->fold.staged;
  return values <= places ? values > 0 : 1 + clr_ceil_divide(values - places, places - 1);
}

// Neighbouring groups: each reads `full` values, but the last of them reads `last` values. The first begins at value
// `begin`.
struct parts {
  cl_ulong groups, begin, full, last;
};

// Gives the parts of a launch: parts[0] has the longer parts, if there are any, parts[1] the others.
static void cut_parts(const struct clr_group_launch *it, struct parts parts[2]) {
  cl_ulong groups = it->pass->groups, load = it->taken;
  cl_ulong loads = clr_ceil_divide(it->pass->count, load), each = loads / groups * load, more = loads % groups;
  parts[0] = (struct parts){more, 0, each + load, each + load};
  parts[1] = (struct parts){groups - more, more * (each + load), each, it->left};
}

static void parts_load_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "load");
  struct parts parts[2];
  cut_parts(it, parts);
  for (size_t i = 0; i < 2; i++) {
    struct clr_access values = {
      .groups = parts[i].groups, .full = parts[i].full, .last = parts[i].last, .width = it->shape->group_size};
    clr_step_load(&making, values, parts[i].begin, parts[i].full, 1);
    clr_step_local(&making, values, 0, 1);
  }
}

// Adds what `groups` groups do with `values` values each. Each value is read once. Each fill ends with one write, and
// each fill after the first begins with one more read. Neighbouring work-items use neighbouring places, so there are no
// conflicts.
static void add_folds(const struct clr_step_builder *making, const struct clr_group_launch *it, cl_ulong groups,
                      cl_ulong values) {
  cl_ulong size = it->shape->group_size, active = clr_min(values, size), rest = values % size;
  cl_ulong fills = rest * fills_of(it, values / size + 1) + (size - rest) * fills_of(it, values / size);
  making->step->local_accesses += groups * (values + 2 * fills - active);
  clr_step_combine(making, groups * (values - active), 0, 0);
  making->step->operations_at_once += groups * clr_min(values - active, size);
}

static void parts_fold_step(const struct clr_group_launch *it, struct clred_step *step) {
  struct clr_step_builder making = begin_load(it, step, "fold");
  struct parts parts[2];
  cut_parts(it, parts);
  for (size_t i = 0; i < 2; i++)
    if (parts[i].groups) {
      add_folds(&making, it, parts[i].groups - 1, parts[i].full);
      add_folds(&making, it, 1, parts[i].last);
    }
  cl_ulong longest = parts[0].groups ? parts[0].full : it->pass->groups > 1 ? parts[1].full : it->left;
  step->depth = clr_ceil_divide(longest, it->shape->group_size) - 1;
  snprintf(step->name, sizeof step->name, "%llu to 1", (unsigned long long)it->pass->span);
}

bool clr_group_load_step(const struct clr_group_launch *it, unsigned index, struct clred_step *step) {
  if (index >= it->loads)
    return false;
  if (it->tree->in_parts)
    (index ? parts_fold_step : parts_load_step)(it, step);
  else if (it->tree->persistent)
    in_turn_step(it, step);
  else
    (index ? staged_step : load_step)(it, step);
  return true;
}
