// Folds states and elements of a partial, and lowers states.
#include "partial/partial.h"

#include "host/values.h"

static const struct clr_operation *operation_of(const clred_partial *partial) {
  return &partial->plan->problem.operation;
}

cl_int clr_partial_fold_states(const clred_partial *partial, void *states, cl_ulong count, struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(operation_of(partial)))
    return clr_partial_fold_states_on_device(partial, states, count, status);
  const struct clr_states all = {operation_of(partial), states, count};
  clr_tree_doubling(&all, 0, count);
  return CL_SUCCESS;
}

cl_int clr_partial_fold_tile(const clred_partial *partial, const void *const *sources, cl_ulong first, cl_ulong count,
                             void *state, struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(operation_of(partial)))
    return clr_partial_fold_tile_on_device(partial, sources, first, count, state, status);
  const struct clr_values values = {.operation = operation_of(partial),
                                    .elements = sources[0],
                                    .count = count,
                                    .stride = 1,
                                    .inputs = sources + 1,
                                    .parameters = partial->parameters,
                                    .first = first};
  struct clr_pairs pairs;
  clr_pairs_begin(&pairs, operation_of(partial), 1);
  partial->plan->strategy->reduce.fold(&partial->plan->shape, &values, &pairs);
  clr_pairs_root(&pairs, state);
  return CL_SUCCESS;
}

cl_int clr_partial_lower(const clred_partial *partial, const void *state, void *result, struct clr_status *status) {
  union clr_room identity;
  if (!clr_partial_is_joined_on_host(operation_of(partial)))
    return clr_partial_lower_on_device(partial, state, result, status);
  clr_state_identity(operation_of(partial), &identity);
  clr_state_lower(operation_of(partial), state ? state : &identity, result);
  return CL_SUCCESS;
}
