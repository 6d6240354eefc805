#include "strategies/fixed_order.h"

#include <string.h>

cl_int clr_fixed_fit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_max,
                     struct clr_shape *shape, struct clr_status *status)
{
  const cl_ulong most = 1u << 20;
  if (problem->groups > most)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "groups: %llu is above %llu",
                    (unsigned long long)problem->groups, (unsigned long long)most);
  shape->groups_max = problem->groups ? problem->groups : groups_max;
  if (!*problem->finish)
    shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_RELAUNCH;
  return CL_SUCCESS;
}

cl_ulong clr_fixed_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded)
{
  (void)n;
  *bounded = true;
  return shape->groups_max;
}

static cl_ulong tiles(const struct clr_shape *shape, cl_ulong n)
{
  return clr_ceil_divide(n, shape->rows * shape->lanes);
}

// Tiles a group takes: the smallest power of two with which the groups are enough.
static cl_ulong span(const struct clr_shape *shape, cl_ulong n)
{
  return clr_power_of_two_above(clr_ceil_divide(tiles(shape, n), shape->groups_max));
}

cl_ulong clr_fixed_elements(const struct clr_shape *shape, cl_ulong n)
{
  return clr_ceil_divide(span(shape, n) * shape->rows * shape->lanes, shape->group_size);
}

bool clr_fixed_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass)
{
  struct clr_pass fold = {
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(tiles(shape, n), span(shape, n)),
    .group_size = shape->group_size,
    .count = n,
    .span = span(shape, n),
  };
  *pass = fold;
  if (index == 0)
    return true;
  if (shape->finish == CLR_FINISH_HOST)
    *pass = (struct clr_pass){.kind = CLR_PASS_FOLD_ON_HOST, .count = fold.groups, .pairs = true};
  else
    *pass = (struct clr_pass){
      .kernel = CLR_KERNEL_STATES, .groups = 1, .group_size = shape->group_size, .count = fold.groups};
  bool relaunches = shape->finish == CLR_FINISH_RELAUNCH && fold.groups > 1;
  return index == 1 && (relaunches || shape->finish == CLR_FINISH_HOST);
}

// wide folds its nodes eight at a time, turn by turn; chunked has no barrier.
static cl_ulong barriers(const struct clr_shape *shape, const struct clr_pass *pass)
{
  bool reads_elements = pass->kernel == CLR_KERNEL_ELEMENTS;
  cl_ulong columns = reads_elements ? pass->span * (shape->lanes / shape->vector) : pass->count, rounds = 0;
  for (cl_ulong apart = 1; apart < shape->nodes; apart *= 8)
    rounds++;
  return shape->nodes ? clr_ceil_divide(columns, shape->nodes) * (rounds + 1) : 0;
}

bool clr_fixed_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                    struct clred_step *step)
{
  struct clr_activity all = {.items = pass->group_size, .apart = 1};
  (void)n;
  if (index > 0)
    return index == 1 && clr_step_partials(step, shape, pass, 1);
  clr_step_make(step, shape, pass, all, all, pass->kernel == CLR_KERNEL_ELEMENTS ? "tiles" : "nodes");
  step->global_requests = pass->count;
  step->barriers = barriers(shape, pass);
  return true;
}

// The lanes of all tiles as one list, in adjacent pairs.
cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state)
{
  struct clr_pairs pairs = {.operation = values->operation};
  _Alignas(16) unsigned char lane_state[CLR_STATE_SIZE_MAX], lifted[CLR_STATE_SIZE_MAX];
  cl_ulong lanes = shape->lanes, tile_size = shape->rows * lanes;
  for (cl_ulong tile = 0; tile < values->count; tile += tile_size) {
    cl_ulong end = values->count - tile < tile_size ? values->count : tile + tile_size;
    for (cl_ulong lane = tile; lane < tile + lanes && lane < end; lane++) {
      clr_lift(values, lane, lane_state);
      for (cl_ulong i = lane + lanes; i < end; i += lanes) {
        clr_lift(values, i, lifted);
        values->operation->host->combine(lane_state, lifted);
      }
      clr_pairs_push(&pairs, lane_state);
    }
  }
  clr_pairs_root(&pairs, state);
  return CL_SUCCESS;
}
