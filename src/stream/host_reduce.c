// Reductions of host memory: through buffers that are released after the call, or through a stream if the data fit no
// buffer.
#include "stream/host.h"
#include "stream/stream.h"

static bool are_shared(const clred_plan *plan, const struct clr_host_sources *sources) {
  for (size_t i = 0; i < sources->count; i++)
    if (!clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]))
      return false;
  return true;
}

// True if there is so little data that a stream, which overlaps copying and reduction, is not faster than copying all
// of it first.
static bool are_little(const clred_plan *plan, cl_ulong count) {
  return clr_multiply(count, clr_operand_bytes(&plan->problem.operation)) <= 32u << 20;
}

static cl_int reduce_whole(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                           struct clr_host_sources *sources, struct clr_status *status) {
  cl_int err = clr_host_sources_check(plan, call->count, sources, status);
  if (!err)
    err = clr_host_sources_wrap(plan, call->count, NULL, 0, sources, status);
  struct clr_request request = {.queue = queue, .call = clr_host_call_on(sources, call)};
  request.call.result = call->out;
  request.call.blocking = CL_TRUE;
  if (!err)
    err = clr_enqueue(plan, &request, status);
  // After a failure, commands may still read the caller's memory; wait for them.
  if (err && sources->buffers[0])
    clFinish(queue);
  clr_host_sources_release(sources);
  return err;
}

static cl_int reduce_by_stream(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                               const struct clr_host_sources *sources, struct clr_status *status) {
  // Chunks in place cost no memory, so they are as large as a buffer can be.
  const clred_stream_options options = {.chunk = are_shared(plan, sources) ? CL_ULONG_MAX : 0,
                                        .parameters = call->parameters};
  clred_stream *stream = NULL;
  cl_int err = clr_stream_create(queue, plan, &options, &stream, status);
  if (!err)
    err = clr_stream_take(stream, sources->memory, call->count, true, status);
  if (!err)
    err = clr_stream_finish(stream, call->out, status);
  clr_stream_release(stream);
  return err;
}

cl_int clr_reduce_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                       struct clr_host_sources *sources, struct clr_status *status) {
  struct clr_status unused = {0};
  cl_int err = clr_require(call->out, "out", status);
  if (err)
    return err;
  bool streams = !call->initial && call->count <= plan->shape.count_max && !clr_stream_check(plan, &unused);
  bool fits = !clr_host_sources_check(plan, call->count, sources, &unused) && call->count <= plan->shape.count_most;
  if (!streams || (fits && (are_shared(plan, sources) || are_little(plan, call->count))))
    return reduce_whole(queue, plan, call, sources, status);
  return reduce_by_stream(queue, plan, call, sources, status);
}
