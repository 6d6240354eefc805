// Folds states and elements of a partial, and lowers states. The host does this if the operator has host callbacks.
// Otherwise the partial's device does, and the partial makes a queue for it.
#include "host/values.h"
#include "opencl/session.h"
#include "partial/partial.h"
#include "stream/stream.h"

static const struct clr_operation *operation_of(const clred_partial *partial) {
  return &partial->plan->problem.operation;
}

// --- On the device ---

struct clr_call clr_partial_call(const clred_partial *partial, cl_command_queue queue, const clred_call *asked) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  return (struct clr_call){
    .asked = asked,
    .problem = &partial->plan->problem,
    .strategy = partial->plan->strategy,
    .shape = &partial->plan->shape,
    .queue = queue,
    .workspace = &partial->slot->space,
    .out = partial->slot->space.result,
    .extent = {.stride = partial->plan->problem.layout == CLRED_LAYOUT_STRIDED ? asked->stride : 1, .columns = 1},
    .operands = {.input_count = operation->input_count,
                 .inputs = asked->inputs,
                 .input_offsets = asked->input_offsets,
                 .parameter_count = operation->parameter_count,
                 .parameter_sizes = operation->parameter_sizes,
                 .parameters = partial->parameters},
  };
}

cl_int clr_partial_open_device(clred_partial *partial, struct clr_status *status) {
  const clred_runtime *runtime = partial->plan->runtime;
  cl_int err;
  if (clr_partial_is_joined_on_host(&partial->plan->problem.operation))
    return CL_SUCCESS;
  partial->queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    return clr_fail_call(status, err, "clCreateCommandQueue", "a queue for joining partials");
  return clr_folding_kernel(partial->plan, partial->slot, &partial->folding, status);
}

// Launches the pass and reads what it left in `buffer`.
static cl_int launch_and_read(const clred_partial *partial, struct clr_call *call, const struct clr_pass *pass,
                              cl_mem buffer, size_t bytes, void *to, struct clr_status *status) {
  cl_int err = clr_launch(call, pass, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(partial->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "a state of a partial") : CL_SUCCESS;
}

static cl_int write_states(const clred_partial *partial, const void *states, cl_ulong first, cl_ulong count,
                           struct clr_status *status) {
  const size_t size = partial->plan->problem.operation.state_size;
  cl_int err = clEnqueueWriteBuffer(partial->queue, partial->slot->space.scratch, CL_TRUE, (size_t)first * size,
                                    (size_t)count * size, states, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueWriteBuffer", "states of a partial") : CL_SUCCESS;
}

// Place 0 of scratch is for the node. The states that are folded into it are written from place 1 on.
static cl_int fold_states_on_device(const clred_partial *partial, void *states, cl_ulong count,
                                    struct clr_status *status) {
  static const clred_call nothing = {.stride = 1};
  struct clr_call call = clr_partial_call(partial, partial->queue, &nothing);
  const struct clr_pass pass = {.kernel = CLR_KERNEL_STATES,
                                .groups = 1,
                                .group_size = partial->plan->shape.group_size,
                                .first = 1,
                                .count = count};
  cl_int err = write_states(partial, states, 1, count, status);
  if (!err)
    err = launch_and_read(partial, &call, &pass, partial->slot->space.scratch,
                          partial->plan->problem.operation.state_size, states, status);
  if (!err && partial->folding)
    atomic_store(&partial->folding->launched, true);
  return err;
}

static cl_int fold_tile_on_device(const clred_partial *partial, const void *const *sources, cl_ulong first,
                                  cl_ulong count, void *state, struct clr_status *status) {
  const clred_plan *plan = partial->plan;
  cl_mem buffers[CLR_SOURCES_MAX] = {NULL};
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < partial->source_count && !err; i++)
    err = clr_buffer_make(plan->runtime->context, CL_MEM_COPY_HOST_PTR, (size_t)count * partial->sizes[i], sources[i],
                          "the elements of a tile", &buffers[i], status);
  const clred_call asked = {.in = buffers[0], .inputs = buffers + 1, .count = count, .stride = 1};
  struct clr_call call = clr_partial_call(partial, partial->queue, &asked);
  const struct clr_pass pass = {.kernel = CLR_KERNEL_ELEMENTS,
                                .groups = 1,
                                .group_size = plan->shape.group_size,
                                .count = first + count,
                                .span = 1,
                                .work = first / partial->tile};
  if (!err)
    err = launch_and_read(partial, &call, &pass, partial->slot->space.scratch, plan->problem.operation.state_size,
                          state, status);
  clr_release_buffers(buffers, partial->source_count);
  return err;
}

static cl_int lower_on_device(const clred_partial *partial, const void *state, void *result,
                              struct clr_status *status) {
  static const clred_call nothing = {.stride = 1};
  struct clr_call call = clr_partial_call(partial, partial->queue, &nothing);
  const struct clr_pass pass = {.kernel = CLR_KERNEL_DELIVER, .groups = 1, .group_size = 1, .count = 1, .span = 1};
  if (!state)
    return clr_reduce_nothing(partial->plan, partial->queue, partial->parameters, result, status);
  cl_int err = write_states(partial, state, 0, 1, status);
  return err ? err
             : launch_and_read(partial, &call, &pass, partial->slot->space.result,
                               partial->plan->problem.operation.result_size, result, status);
}

// --- On the host, or on the device ---

cl_int clr_partial_fold_states(const clred_partial *partial, void *states, cl_ulong count, struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(operation_of(partial)))
    return fold_states_on_device(partial, states, count, status);
  const struct clr_states all = {operation_of(partial), states, count};
  clr_tree_doubling(&all, 0, count);
  return CL_SUCCESS;
}

cl_int clr_partial_fold_tile(const clred_partial *partial, const void *const *sources, cl_ulong first, cl_ulong count,
                             void *state, struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(operation_of(partial)))
    return fold_tile_on_device(partial, sources, first, count, state, status);
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
    return lower_on_device(partial, state, result, status);
  clr_state_identity(operation_of(partial), &identity);
  clr_state_lower(operation_of(partial), state ? state : &identity, result);
  return CL_SUCCESS;
}
