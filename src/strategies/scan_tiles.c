// Steps of scans tile by tile: see scan_tiles.h.
#include "strategies/scan_tiles.h"

#include "base/arithmetic.h"

cl_ulong clr_tiles_count(const struct clr_tile_launch *launch) {
  return clr_ceil_divide(launch->values, launch->size);
}

static struct clr_tiles cut(const struct clr_tile_launch *launch, cl_ulong first, cl_ulong count, cl_ulong present) {
  return (struct clr_tiles){
    .launch = launch,
    .shape = launch->shape,
    .pass = launch->pass,
    .size = launch->size,
    .count = count,
    .first = first,
    .present = present,
    .prefixed = launch->chained && launch->first + first > 0,
    .is_last = first + 1 == clr_tiles_count(launch),
  };
}

void clr_tiles_step(const struct clr_tile_launch *launch, clr_tiles_do *describe, cl_ulong number,
                    struct clred_step *step) {
  cl_ulong others = clr_tiles_count(launch) - 1, size = launch->size;
  cl_ulong alike = others && launch->chained ? others - 1 : others;  // tiles like the one before the last
  const struct clr_tiles all[] = {
    cut(launch, 0, others - alike, size),
    cut(launch, others - alike, alike, size),
    cut(launch, others, 1, launch->values - others * size),
  };
  struct clred_step other;
  describe(&all[2], number, step);
  for (size_t i = 0; i < 2; i++)
    if (all[i].count) {
      describe(&all[i], number, &other);
      clr_step_join(step, &other);
      step->barriers = other.barriers > step->barriers ? other.barriers : step->barriers;
    }
  step->barriers *= launch->turns;
  // Some prefixes do not depend on all that was combined before, so the longest chain is shorter than all steps.
  step->depth = CLR_UNKNOWN;
}

struct clr_step_builder clr_tiles_begin(const struct clr_tiles *it, struct clred_step *step, cl_ulong items,
                                        const char *name) {
  const struct clr_active_items active = {.groups = it->count, .full = items, .last = items, .apart = 1};
  return clr_step_begin(step, it->shape, it->pass, active, "%s", name);
}

struct clr_access clr_tiles_access(const struct clr_tiles *it, cl_ulong values, cl_ulong skip) {
  return (struct clr_access){
    .groups = it->count, .full = values, .last = values, .width = it->pass->group_size, .skip = skip};
}

void clr_tiles_first_idle(const struct clr_tiles *it, struct clred_step *step) {
  cl_ulong width = clr_step_width(it->shape, it->pass);
  if (it->present > it->pass->group_size)
    return;
  step->active_work_items -= it->count;
  step->idle_work_items += it->count;
  if (width == 1 || it->present == 1)
    step->sub_groups -= it->count;
  if (it->present == 1)
    step->divergent_sub_groups -= width > 1 ? it->count : 0;
  else
    step->divergent_sub_groups += it->present >= width && width > 1 ? it->count : 0;
}

void clr_tiles_add(struct clr_tile_steps *steps, clr_tiles_do *describe, cl_ulong number) {
  steps->list[steps->count].describe = describe;
  steps->list[steps->count++].number = number;
}

bool clr_tiles_listed(const struct clr_tile_launch *launch, const struct clr_tile_steps *steps, unsigned index,
                      struct clred_step *step) {
  if (index >= steps->count)
    return false;
  clr_tiles_step(launch, steps->list[index].describe, steps->list[index].number, step);
  return true;
}
