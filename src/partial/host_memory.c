// Folds elements in host memory, by the device or by the host.
#include "partial/partial.h"

#include "base/arithmetic.h"
#include "host/values.h"

// Settles the partial, checks the call and takes its memory.
static cl_int check_host_call(clred_partial *partial, const clred_host_call *call, struct clr_host_sources *sources,
                              struct clr_status *status) {
  cl_int err = clr_partial_take_results(partial, status);
  if (!err && partial->plan->problem.layout != CLRED_LAYOUT_LINE)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "host memory is a line of neighbours; the plan has layout STRIDED");
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
      most = clr_min(most, (32u << 20) / clr_operand_bytes(operation));
  return clr_min(most, plan->shape.count_max);
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
    err = clr_partial_fold(partial, &request, true, status);
  if (!err)
    err = clr_partial_take_results(partial, status);
  clr_host_sources_release(&sources);
  return err;
}

cl_int clr_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call,
                        struct clr_status *status) {
  struct clr_host_sources sources = {0};
  cl_int err = check_host_call(partial, call, &sources, status);
  const cl_ulong piece = err ? 0 : piece_of(partial, &sources);
  for (cl_ulong done = 0; done < call->count && !err; done += piece) {
    err = push_piece(queue, partial, sources, done, clr_min(piece, call->count - done), status);
    if (err && done)
      partial->failed = err;
  }
  return err;
}
