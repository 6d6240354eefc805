// Reductions of host memory: through buffers that live as long as the call, or through a stream if the data fit no
// buffer.
#include "stream/host.h"
#include "stream/stream.h"

// The arrays that a call reads.
struct sources {
  size_t count;
  const char *names[CLR_SOURCES_MAX];
  const void *memory[CLR_SOURCES_MAX];
  size_t sizes[CLR_SOURCES_MAX];
  cl_mem buffers[CLR_SOURCES_MAX];
  bool shared;     // the device may use all of them in place
  cl_ulong bytes;  // bytes of one element in all arrays together
};

static cl_int take_source(clred_plan *plan, const char *name, const void *memory, size_t size, struct sources *sources,
                          struct clr_status *status) {
  sources->names[sources->count] = name;
  sources->memory[sources->count] = memory;
  sources->sizes[sources->count++] = size;
  sources->shared = sources->shared && clr_host_is_shared(plan, memory, size);
  sources->bytes += size;
  return clr_require(memory, name, status);
}

static cl_int take_sources(clred_plan *plan, const clred_host_call *call, struct sources *sources,
                           struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  *sources = (struct sources){.shared = true};
  if (!call->count)
    return CL_SUCCESS;
  cl_int err = take_source(plan, "in", call->in, operation->element.size, sources, status);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = take_source(plan, call->inputs ? clr_input_names[i] : "inputs", call->inputs ? call->inputs[i] : NULL,
                      operation->input_sizes[i], sources, status);
  return err;
}

static bool fits(const clred_plan *plan, const struct sources *sources, cl_ulong count) {
  for (size_t i = 0; i < sources->count; i++)
    if (count > plan->runtime->facts.max_alloc / sources->sizes[i])
      return false;
  return true;
}

// True if copying all data before the reduction is no slower than a stream, which overlaps the two.
static bool is_little(const struct sources *sources, cl_ulong count) {
  return clr_multiply(count, sources->bytes) <= 32u << 20;
}

static cl_int reduce_whole(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                           struct sources *sources, void *result, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sources->count && !err; i++)
    err = clr_host_check_size(plan, sources->names[i], "elements", sources->sizes[i], call->count, status);
  for (size_t i = 0; i < sources->count && !err; i++)
    err = clr_host_wrap(plan, sources->memory[i], (size_t)call->count * sources->sizes[i],
                        clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]), &sources->buffers[i], status);
  const struct clr_request request = {
    .purpose = CLR_FOR_REDUCTIONS,
    .queue = queue,
    .call = {.in = sources->buffers[0],
             .inputs = sources->buffers + 1,
             .parameters = call->parameters,
             .count = call->count,
             .stride = 1,
             .rows = 1,
             .columns = 1,
             .initial = call->initial,
             .result = result,
             .blocking = CL_TRUE},
  };
  if (!err)
    err = clr_enqueue(plan, &request, status);
  // After a failure, commands may still read the caller's memory; wait for them.
  if (err && sources->buffers[0])
    clFinish(queue);
  for (size_t i = 0; i < sources->count; i++)
    if (sources->buffers[i])
      clReleaseMemObject(sources->buffers[i]);
  return err;
}

static cl_int reduce_by_stream(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                               const struct sources *sources, void *result, struct clr_status *status) {
  // In place, chunks need no memory of their own, so they are as large as a buffer can be.
  const clred_stream_options options = {.chunk = sources->shared ? CL_ULONG_MAX : 0, .parameters = call->parameters};
  clred_stream *stream = NULL;
  cl_int err = clr_stream_create(queue, plan, &options, &stream, status);
  if (!err)
    err = clr_stream_take(stream, sources->memory, call->count, true, status);
  if (!err)
    err = clr_stream_finish(stream, result, status);
  clr_stream_release(stream);
  return err;
}

cl_int clr_reduce_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, void *result,
                       struct clr_status *status) {
  struct sources sources;
  struct clr_status unused = {0};
  cl_int err = clr_require(result, "result", status);
  if (!err)
    err = take_sources(plan, call, &sources, status);
  if (err)
    return err;
  bool streams = !call->initial && call->count <= plan->shape.count_max && !clr_stream_check(plan, &unused);
  bool is_short = fits(plan, &sources, call->count) && call->count <= plan->shape.count_most;
  if (!streams || (is_short && (sources.shared || is_little(&sources, call->count))))
    return reduce_whole(queue, plan, call, &sources, result, status);
  return reduce_by_stream(queue, plan, call, &sources, result, status);
}
