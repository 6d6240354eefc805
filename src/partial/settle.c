// Takes what a fold has brought into the partial, and folds elements in host memory.
#include "partial/partial.h"

#include <string.h>

#include "base/arithmetic.h"
#include "host/values.h"

// --- What every fold checks ---

static cl_int check_parameters(const clred_partial *partial, const void *const *given, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  for (size_t i = 0; given && i < operation->parameter_count; i++)
    if (given[i] && memcmp(given[i], partial->parameters[i], operation->parameter_sizes[i]) != 0)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "parameters[%zu] differs from that of the partial; leave it out",
                      i);
  return CL_SUCCESS;
}

static cl_int check_end(const clred_partial *partial, cl_ulong count, struct clr_status *status) {
  return count <= CL_ULONG_MAX - partial->first - partial->count
           ? CL_SUCCESS
           : clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "%llu elements after element %llu are more than 64 bits count",
                      (unsigned long long)count, (unsigned long long)(partial->first + partial->count));
}

cl_int clr_partial_check_fold(const clred_partial *partial, cl_ulong count, const void *const *parameters,
                              struct clr_status *status) {
  cl_int err = check_parameters(partial, parameters, status);
  return err ? err : check_end(partial, count, status);
}

// --- What a fold has brought ---

// Stride 0: repeats the one element that was read.
static void repeat(const clred_partial *partial, struct clr_begun_tile *tile) {
  for (size_t i = 0; i < partial->source_count; i++)
    for (cl_ulong j = 1; j < tile->count; j++)
      memcpy(tile->elements[i] + (size_t)j * partial->sizes[i], tile->elements[i], partial->sizes[i]);
}

// Takes the nodes of a run, after joining them to the largest nodes that they contain.
static cl_int take_run(clred_partial *partial, const struct clr_node_run *run, unsigned char *states,
                       struct clr_status *status) {
  const size_t size = partial->plan->problem.operation.state_size;
  cl_int err = CL_SUCCESS;
  for (cl_ulong done = 0; done < run->count && !err;) {
    const cl_ulong place = (run->tile >> run->level) + done, left = run->count - done;
    unsigned more = 0;
    while (!(place >> more & 1) && 2ull << more <= left)
      more++;
    err = clr_partial_fold_states(partial, states + (size_t)done * size, 1ull << more, status);
    if (!err)
      err = clr_partial_take_node(partial, (struct clr_node){place << run->level, run->level + more},
                                  states + (size_t)done * size, status);
    done += 1ull << more;
  }
  return err;
}

static cl_int take_flight(clred_partial *partial, struct clr_status *status) {
  struct clr_flight *flight = &partial->flight;
  unsigned char *states = flight->states;
  if (flight->repeats) {
    repeat(partial, &flight->before);
    repeat(partial, &flight->after);
  }
  cl_int err =
    clr_partial_take_elements(partial, (const void *const *)flight->before.elements, flight->before.count, status);
  for (size_t i = 0; i < flight->run_count && !err; i++) {
    err = take_run(partial, &flight->runs[i], states, status);
    states += (size_t)flight->runs[i].count * partial->plan->problem.operation.state_size;
  }
  return err ? err
             : clr_partial_take_elements(partial, (const void *const *)flight->after.elements, flight->after.count,
                                         status);
}

cl_int clr_partial_settle(clred_partial *partial, struct clr_status *status) {
  struct clr_flight *flight = &partial->flight;
  if (partial->failed)
    return clr_fail(status, partial->failed, "the partial failed before");
  if (!flight->done)
    return CL_SUCCESS;
  cl_int err = clWaitForEvents(1, &flight->done);
  clReleaseEvent(flight->done);
  flight->done = NULL;
  if (err)
    clr_fail_call(status, err, "clWaitForEvents", "the fold of a partial");
  else
    err = take_flight(partial, status);
  atomic_store(&partial->plan->built->launched, true);
  partial->failed = err;
  return err;
}

// --- Elements in host memory ---

// Settles the partial, checks the call and takes its memory.
static cl_int check_host_call(clred_partial *partial, const clred_host_call *call, struct clr_host_sources *sources,
                              struct clr_status *status) {
  cl_int err = clr_partial_settle(partial, status);
  if (!err && (call->initial || call->out || call->kept))
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: the partial keeps what is folded; leave it out",
                   call->initial ? "initial"
                   : call->out   ? "out"
                                 : "kept");
  if (!err)
    err = clr_partial_check_fold(partial, call->count, call->parameters, status);
  return err ? err : clr_host_sources_take(partial->plan, call, sources, status);
}

cl_int clr_partial_fold_host(clred_partial *partial, const clred_host_call *call, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  struct clr_host_sources sources = {0};
  cl_int err = check_host_call(partial, call, &sources, status);
  if (!err && !clr_has_host(operation))
    err = clr_fail(status, CLRED_NO_HOST_OPERATOR, "%s has no host callbacks, so the host cannot fold its elements",
                   operation->name);
  return err ? err : clr_partial_take_elements(partial, sources.memory, call->count, status);
}

// The elements of a piece: as many as one buffer holds, or 32 MiB if they are copied.
static cl_ulong piece_of(const clred_partial *partial, const struct clr_host_sources *sources) {
  const clred_plan *plan = partial->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  cl_ulong most = plan->runtime->facts.max_alloc / clr_largest_operand(operation);
  for (size_t i = 0; i < sources->count; i++)
    if (!clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]))
      most = clr_at_most(most, (32u << 20) / clr_operand_bytes(operation));
  return clr_at_most(most, plan->shape.count_max);
}

// Folds one piece on the device and waits for it, because its buffers are released.
static cl_int push_piece(cl_command_queue queue, clred_partial *partial, struct clr_host_sources sources, cl_ulong done,
                         cl_ulong count, struct clr_status *status) {
  for (size_t i = 0; i < sources.count; i++)
    sources.memory[i] = (const unsigned char *)sources.memory[i] + (size_t)done * sources.sizes[i];
  cl_int err = clr_host_sources_wrap(partial->plan, count, NULL, 0, &sources, status);
  const struct clr_request request = {
    .queue = queue, .call = {.in = sources.buffers[0], .inputs = sources.buffers + 1, .count = count, .stride = 1}};
  if (!err)
    err = clr_partial_fold(partial, &request, status);
  if (!err)
    err = clr_partial_settle(partial, status);
  clr_host_sources_release(&sources);
  return err;
}

cl_int clr_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call,
                        struct clr_status *status) {
  struct clr_host_sources sources = {0};
  cl_int err = check_host_call(partial, call, &sources, status);
  const cl_ulong piece = err ? 0 : piece_of(partial, &sources);
  for (cl_ulong done = 0; done < call->count && !err; done += piece)
    err = push_piece(queue, partial, sources, done, clr_at_most(piece, call->count - done), status);
  return err;
}
