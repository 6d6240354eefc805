#include "strategies/rows.h"

static cl_ulong at_least_one(cl_ulong value) {
  return value ? value : 1;
}

static cl_ulong tiles_of(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, shape->rows * shape->lanes);
}

cl_ulong clr_rows_lanes(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong tile = shape->rows * shape->lanes, rest = n % tile;
  cl_ulong in_last = shape->in_order ? clr_ceil_divide(rest, shape->rows) : rest < shape->lanes ? rest : shape->lanes;
  return n / tile * shape->lanes + in_last;
}

// Tiles a unit takes: a row is cut only where there are too few of them to keep the device busy.
static cl_ulong span_of(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong parts = at_least_one(shape->groups_max / at_least_one(shape->call_rows));
  return clr_power_of_two_above(clr_ceil_divide(tiles_of(shape, n), parts));
}

cl_ulong clr_rows_elements(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(span_of(shape, n) * shape->rows * shape->lanes, shape->group_size);
}

bool clr_rows_pass(const struct clr_shape *shape, cl_ulong n, unsigned index,
                   cl_ulong (*units_a_group)(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles),
                   struct clr_pass *pass) {
  cl_ulong span = span_of(shape, n), parts = clr_ceil_divide(tiles_of(shape, n), span);
  cl_ulong units = shape->call_rows * (index == 0 ? parts : 1);
  cl_ulong shared = index == 0 ? units_a_group(shape, units, span < tiles_of(shape, n) ? span : tiles_of(shape, n)) : 1;
  *pass = (struct clr_pass){
    .kernel = index == 0 ? CLR_KERNEL_ELEMENTS : CLR_KERNEL_STATES,
    .groups = clr_ceil_divide(units, shared),
    .group_size = shape->group_size,
    .count = index == 0 ? n : parts,
    .span = span,
    .work = shared,
  };
  return index == 0 || (index == 1 && parts > 1);
}

bool clr_rows_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                   struct clred_step *step) {
  struct clr_activity all = {.items = pass->group_size, .apart = 1};
  (void)n;
  clr_step_make(step, shape, pass, all, all, pass->kernel == CLR_KERNEL_ELEMENTS ? "units" : "partials");
  step->global_requests = clr_multiply(pass->count, clr_multiply(shape->call_rows, shape->call_columns));
  return index == 0;
}
