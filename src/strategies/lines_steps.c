// The analysis of chunked. Each combination makes one value of two, so their number follows from the values and
// partials of a launch.
#include "strategies/lines_steps.h"

#include "planning/strategy.h"

// Returns the longest chain in which a launch folds elements.
static cl_ulong depth_of(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass) {
  cl_ulong lanes = clr_at_most(clr_fixed_lanes(shape, n), pass->span * shape->lanes);
  cl_ulong in_lane = clr_at_most(clr_ceil_divide(n, shape->in_order ? 1 : shape->lanes), shape->rows);
  return in_lane - 1 + clr_levels(lanes);
}

static struct clr_making begin_singles(const struct clr_shape *shape, const struct clr_pass *pass,
                                       struct clred_step *step, const char *name) {
  const struct clr_crew each = {.groups = pass->groups, .full = 1, .last = 1, .apart = 1};
  return clr_step_begin(step, shape, pass, each, "%s", name);
}

// Adds loads of `values` neighbouring elements from element `begin` on, `at_once` of them together.
static void load(const struct clr_making *making, cl_ulong begin, cl_ulong values, cl_ulong at_once) {
  const struct clr_shape *shape = making->shape;
  const struct clr_access access = {.groups = values >= at_once,
                                    .last = values / at_once,
                                    .width = 1,
                                    .size = shape->element_size * at_once,
                                    .holds = at_once,
                                    .base = begin * shape->element_size,
                                    .a_value = shape->element_size * at_once};
  for (cl_ulong input = 0; input <= shape->inputs; input++)
    clr_step_access(making, access);
  if (shape->strided || shape->inputs)
    making->step->lines = CLR_UNKNOWN;
}

// Work-items read tiles by vectors, but the last one element by element if it has a row that is not whole.
static void tiles_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass,
                       struct clred_step *step) {
  struct clr_making making = begin_singles(shape, pass, step, "tiles");
  cl_ulong rest = n % clr_fixed_tile(shape), singly = rest % shape->lanes ? rest : 0;
  load(&making, 0, n - singly, clr_at_most(shape->vector, shape->loads.together));
  load(&making, n - singly, singly, 1);
  clr_step_combine(&making, n - pass->groups, depth_of(shape, n, pass), clr_fixed_lanes(shape, n));
}

static void nodes_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  struct clr_making making = begin_singles(shape, pass, step, "nodes");
  const struct clr_access all = {.groups = 1, .last = pass->count, .width = 1};
  clr_step_scratch(&making, all, pass->first, 0, 1);
  clr_step_combine(&making, pass->count - 1, clr_levels(pass->count), pass->count / 2);
}

static void end_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  const struct clr_crew crew = {.groups = pass->groups, .full = 1, .last = 1, .apart = 1};
  const struct clr_making making = {shape, pass, crew, step};
  if (pass->groups == 1 && shape->finish != CLR_FINISH_HOST)
    clr_step_result(&making);
  else if (shape->finish == CLR_FINISH_LAST_GROUP)
    clr_step_publish(&making, clr_access_each(&crew), pass->target, 1);
  else
    clr_step_scratch(&making, clr_access_each(&crew), pass->target, 1, 1);
}

// Each work-item takes a ticket. The last one reads all nodes and writes the result.
static void partials_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  struct clr_making making = begin_singles(shape, pass, step, "partials");
  struct clr_access ticket = clr_access_each(&making.crew), all = {.groups = 1, .last = pass->groups, .width = 1};
  ticket.size = sizeof(cl_uint);
  ticket.last += !shape->resets_alone;
  ticket.width = 1;
  clr_step_access(&making, ticket);
  clr_step_publish(&making, all, pass->target, 0);
  clr_step_combine(&making, pass->groups - 1, clr_levels(pass->groups), pass->groups / 2);
  clr_step_result(&making);
}

bool clr_chunked_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                      unsigned index, struct clred_step *step) {
  bool elements = pass->kernel == CLR_KERNEL_ELEMENTS;
  if (index > 1 || (index == 1 && !(elements && shape->finish == CLR_FINISH_LAST_GROUP && pass->groups > 1)))
    return false;
  if (index == 1)
    partials_step(shape, pass, step);
  else if (elements)
    tiles_step(shape, extent->count, pass, step);
  else
    nodes_step(shape, pass, step);
  if (index == 0)
    end_step(shape, pass, step);
  return true;
}
