#include "strategies/whole_array.h"

#include <string.h>

unsigned clr_levels(cl_ulong n) {
  unsigned levels = 1;
  for (cl_ulong left = (n + 1) / 2; left > 1; left = (left + 1) / 2)
    levels++;
  return levels;
}

cl_ulong clr_scratch_of_pairs(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)shape;
  *bounded = false;
  return n / 2 + 1;
}

bool clr_mono_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  *pass = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS, .groups = 1, .group_size = shape->group_size, .count = n, .span = 1};
  return index == 0;
}

bool clr_many_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong stride,
                   cl_ulong items, cl_ulong requests) {
  struct clr_activity full = {.items = pass->group_size, .apart = 1}, last = full;
  last.items = items - (pass->groups - 1) * pass->group_size;
  clr_step_make(step, shape, pass, full, last, "stride %llu", (unsigned long long)stride);
  step->global_requests = requests;
  return true;
}

bool clr_mono_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass, unsigned index,
                   cl_ulong stride, cl_ulong pairs, cl_ulong requests) {
  struct clr_activity activity = {.items = pairs < pass->group_size ? pairs : pass->group_size, .apart = 1};
  clr_step_make(step, shape, pass, activity, activity, "stride %llu", (unsigned long long)stride);
  step->barriers = index > 0;
  step->global_requests = requests;
  return true;
}

bool clr_no_steps(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                  struct clred_step *step) {
  (void)shape, (void)n, (void)pass, (void)index, (void)step;
  return false;
}

cl_int clr_reference_in_order(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  (void)shape;
  clr_fold_elements(values, state);
  return CL_SUCCESS;
}

static cl_int root_of(struct clr_states *states, void *state) {
  memcpy(state, states->bytes, states->operation->state_size);
  clr_states_release(states);
  return CL_SUCCESS;
}

cl_int clr_reference_doubling(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  (void)shape;
  if (clr_states_lift(values, &states))
    return CL_OUT_OF_HOST_MEMORY;
  clr_tree_doubling(&states, 0, values->count);
  return root_of(&states, state);
}

cl_int clr_reference_top_down(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_states states;
  (void)shape;
  if (clr_states_lift(values, &states))
    return CL_OUT_OF_HOST_MEMORY;
  clr_tree_top_down(&states, values->count);
  return root_of(&states, state);
}
