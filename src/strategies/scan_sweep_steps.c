// The analysis of the sweeps of a tile: cl/scan/sweep.clh.
#include "strategies/scan_tiles.h"

#include <stdio.h>

#define EIGHT 8

// On NVIDIA a sub-group sweeps, and its work-items wait for each other without a barrier of the group.
bool clr_scan_has_team(const struct clr_shape *shape) {
  const cl_ulong sub_group = 32;
  return shape->resets_alone && shape->group_size % sub_group == 0;
}

cl_ulong clr_scan_team(const struct clr_shape *shape) {
  const cl_ulong sub_group = 32;
  return clr_scan_has_team(shape) ? sub_group : shape->group_size;
}

// A level of nodes in local memory. If the team is a sub-group, it sweeps all nodes of the group, without a check.
struct level {
  cl_ulong width, begin, present;
};

static struct level level_of(const struct clr_tiles *it, cl_ulong number, cl_ulong present) {
  cl_ulong size = it->pass->group_size;
  struct level level = {size, 0, clr_scan_has_team(it->shape) ? size : present};
  for (; number > 0; number--) {
    level.begin += level.width;
    level.width = clr_ceil_divide(level.width, EIGHT);
    level.present = clr_ceil_divide(level.present, EIGHT);
  }
  return level;
}

static struct clr_making begin(const struct clr_tiles *it, struct clred_step *step, cl_ulong parents, const char *name,
                               cl_ulong level) {
  struct clr_making making = clr_tiles_begin(it, step, clr_at_most(parents, clr_scan_team(it->shape)), name);
  unsigned nodes = EIGHT;
  for (; level > 0; level--)
    nodes *= EIGHT;
  snprintf(step->name, sizeof step->name, "%s %u", name, nodes);
  return making;
}

static struct clr_access access_of(const struct clr_tiles *it, cl_ulong values, cl_ulong skip) {
  struct clr_access access = clr_tiles_access(it, values, skip);
  access.width = clr_scan_team(it->shape);
  return access;
}

// Accesses child number `child`, counted from 0, of each node that has this child.
static void access_child(const struct clr_making *making, const struct clr_tiles *it, const struct level *below,
                         cl_ulong child, cl_ulong at, cl_ulong skip) {
  cl_ulong nodes = clr_ceil_divide(clr_over(below->present, child), EIGHT);
  clr_step_local(making, access_of(it, nodes, skip), below->begin + at, EIGHT);
}

// Each node folds its children in adjacent pairs.
static void up(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong strips = clr_tiles_strips(it);
  struct level below = level_of(it, number, strips), above = level_of(it, number + 1, strips);
  struct clr_making making = begin(it, step, above.present, "up", number);
  for (cl_ulong child = 0; child < EIGHT; child++)
    access_child(&making, it, &below, child, child, 0);
  clr_step_local(&making, access_of(it, above.present, 0), above.begin, 1);
  clr_step_combine(&making, it->count * (below.present - above.present), CLR_UNKNOWN, it->count * (below.present / 2));
  step->barriers = number == 0 || !clr_scan_has_team(it->shape);
}

// Returns the operations of the down-sweep for a node with this number of children: own[] between its children,
// of_prefix[] with the prefix of the node.
static cl_ulong operations_down(cl_ulong children, bool has_prefix) {
  static const cl_ulong own[] = {0, 0, 0, 1, 2, 4, 5, 7, 8}, of_prefix[] = {0, 0, 1, 2, 2, 3, 3, 3, 3};
  return own[children] + (has_prefix ? of_prefix[children] : 0);
}

static cl_ulong at_once_down(cl_ulong children) {
  return children < 2 ? 0 : 1 + (children - 1) / 2;
}

// Each node replaces its children by their prefixes. The first node of a scan has no prefix.
static void down(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  cl_ulong needed = clr_at_most(clr_tiles_strips(it) + 1, it->pass->group_size), skip = it->prefixed ? 0 : 1;
  struct level below = level_of(it, number, needed), above = level_of(it, number + 1, needed);
  // A single child without a prefix stays as it is.
  cl_ulong parents = skip && below.present == 1 ? 0 : above.present;
  struct clr_making making = begin(it, step, parents, "down", number);
  clr_step_local(&making, access_of(it, above.present, skip), above.begin, 1);
  for (cl_ulong child = 0; child + 1 < EIGHT; child++)
    access_child(&making, it, &below, child + 1, child, 0);
  for (cl_ulong child = 0; child < EIGHT; child++)
    access_child(&making, it, &below, child, child, child == 0 ? skip : 0);
  cl_ulong full = below.present / EIGHT, rest = below.present % EIGHT, first = full ? EIGHT : rest;
  cl_ulong operations = full * operations_down(EIGHT, true) + operations_down(rest, true);
  operations -= skip * (operations_down(first, true) - operations_down(first, false));
  clr_step_combine(&making, it->count * operations, CLR_UNKNOWN,
                   it->count * (full * at_once_down(EIGHT) + at_once_down(rest)));
  step->barriers = !clr_scan_has_team(it->shape);
}

static cl_ulong levels_of(const struct clr_shape *shape) {
  cl_ulong levels = 0;
  for (cl_ulong width = shape->group_size; width > 1; width = clr_ceil_divide(width, EIGHT))
    levels++;
  return levels;
}

void clr_tiles_add_ups(const struct clr_shape *shape, struct clr_tile_steps *steps) {
  for (cl_ulong level = 0; level < levels_of(shape); level++)
    clr_tiles_add(steps, up, level);
}

void clr_tiles_add_downs(const struct clr_shape *shape, struct clr_tile_steps *steps) {
  for (cl_ulong level = levels_of(shape); level-- > 0;)
    clr_tiles_add(steps, down, level);
}
