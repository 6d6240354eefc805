// Scans and selections of host memory. Each call creates buffers for the time of the call. See host_reduce.c for
// reductions.
#include "stream/host.h"

#include <stdint.h>

bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size) {
  return plan->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
}

// --- What a call reads ---

static cl_int take_source(const char *name, const void *memory, size_t size, struct clr_host_elements *sources,
                          struct clr_status *status) {
  sources->names[sources->count] = name;
  sources->memory[sources->count] = memory;
  sources->sizes[sources->count++] = size;
  return clr_require(memory, name, status);
}

static cl_int take_sources(const clred_plan *plan, const clred_host_call *call, struct clr_host_elements *sources,
                           struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  if (!call->count)
    return CL_SUCCESS;
  cl_int err = take_source("in", call->in, operation->element.size, sources, status);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = take_source(call->inputs ? clr_input_names[i] : "inputs", call->inputs ? call->inputs[i] : NULL,
                      operation->input_sizes[i], sources, status);
  return err;
}

// Drivers are not asked about a buffer that is too large, because some accept any size.
static cl_int check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                         struct clr_status *status) {
  cl_ulong most = plan->runtime->facts.max_alloc / size;
  if (count <= most)
    return CL_SUCCESS;
  return clr_fail(status, CL_INVALID_BUFFER_SIZE, "%s: %llu %s are more than one buffer of the device holds: %llu",
                  name, (unsigned long long)count, what, (unsigned long long)most);
}

cl_int clr_sources_check(const clred_plan *plan, cl_ulong count, const struct clr_host_elements *sources,
                         struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sources->count && !err; i++)
    err = check_size(plan, sources->names[i], "elements", sources->sizes[i], count, status);
  return err;
}

static bool do_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

static cl_int wrap(const clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer,
                   struct clr_status *status) {
  cl_int err;
  // OpenCL takes no pointer to const here. The buffer is only read.
  union {
    const void *read;
    void *given;
  } place = {memory};
  *buffer =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                   bytes, place.given, &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", "a buffer around the host's memory") : CL_SUCCESS;
}

cl_int clr_sources_wrap(const clred_plan *plan, cl_ulong count, const void *written, size_t written_bytes,
                        struct clr_host_elements *sources, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sources->count && !err; i++) {
    size_t bytes = (size_t)count * sources->sizes[i];
    bool shared = clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]) &&
                  !do_overlap(sources->memory[i], bytes, written, written_bytes);
    err = wrap(plan, sources->memory[i], bytes, shared, &sources->buffers[i], status);
  }
  return err;
}

void clr_sources_release(struct clr_host_elements *sources) {
  for (size_t i = 0; i < sources->count; i++)
    if (sources->buffers[i])
      clReleaseMemObject(sources->buffers[i]);
}

// --- Scans and selections ---

// The results in host memory, and the buffer for them.
struct results {
  void *memory;
  size_t bytes;  // that the call may write
  bool shared;
  cl_mem buffer;
};

static cl_int wrap_results(const clred_plan *plan, cl_ulong count, struct results *results, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  size_t size = plan->problem.operation.result_size;
  results->bytes = (size_t)count * size;
  results->shared = clr_host_is_shared(plan, results->memory, size);
  results->buffer =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_WRITE | (results->shared ? CL_MEM_USE_HOST_PTR : 0),
                   results->bytes, results->shared ? results->memory : NULL, &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", "a buffer for the results") : CL_SUCCESS;
}

// The host sees results in shared memory only after mapping the buffer.
static cl_int fetch(cl_command_queue queue, const struct results *results, size_t written, const cl_event *scanned,
                    struct clr_status *status) {
  cl_int err;
  if (!results->shared) {
    err = clEnqueueReadBuffer(queue, results->buffer, CL_TRUE, 0, written, results->memory, 1, scanned, NULL);
    return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the results") : CL_SUCCESS;
  }
  void *mapped = clEnqueueMapBuffer(queue, results->buffer, CL_TRUE, CL_MAP_READ, 0, written, 1, scanned, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", "the results");
  err = clEnqueueUnmapMemObject(queue, results->buffer, mapped, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "the results");
  err = clFinish(queue);
  return err ? clr_fail_call(status, err, "clFinish", "the results") : CL_SUCCESS;
}

// Only results that were written are fetched: a selection leaves the memory behind them as it is.
static cl_int scan_and_fetch(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                             const struct clr_host_elements *sources, const struct results *results,
                             struct clr_status *status) {
  clred_outcome outcome = {call->count, 0};
  cl_event scanned = NULL;
  const struct clr_request request = {
    .queue = queue,
    .call = {.in = sources->buffers[0],
             .inputs = sources->buffers + 1,
             .parameters = call->parameters,
             .count = call->count,
             .stride = 1,
             .rows = 1,
             .columns = 1,
             .out = results->buffer,
             .blocking = plan->problem.selects,
             .initial = call->initial,
             .outcome = plan->problem.selects ? &outcome : NULL},
    .event = &scanned,
  };
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err && outcome.count)
    err = fetch(queue, results, (size_t)outcome.count * plan->problem.operation.result_size, &scanned, status);
  if (scanned)
    clReleaseEvent(scanned);
  if (!err && call->kept)
    *call->kept = outcome.count;
  return err;
}

static cl_int scan_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                        struct clr_host_elements *sources, struct clr_status *status) {
  struct results results = {.memory = call->out};
  cl_int err = CL_SUCCESS;
  if (call->count) {
    err = clr_require(call->out, "out", status);
    if (!err)
      err = clr_sources_check(plan, call->count, sources, status);
    if (!err)
      err = check_size(plan, "out", "results", plan->problem.operation.result_size, call->count, status);
    if (!err)
      err = clr_sources_wrap(plan, call->count, call->out, (size_t)call->count * plan->problem.operation.result_size,
                             sources, status);
    if (!err)
      err = wrap_results(plan, call->count, &results, status);
  }
  if (!err)
    err = scan_and_fetch(queue, plan, call, sources, &results, status);
  // After a failure, commands may still read and write the caller's memory; wait for them.
  if (err && results.buffer)
    clFinish(queue);
  clr_sources_release(sources);
  if (results.buffer)
    clReleaseMemObject(results.buffer);
  return err;
}

// --- Calls ---

static cl_int check_kept(const clred_plan *plan, const clred_host_call *call, struct clr_status *status) {
  if (plan->problem.selects)
    return clr_require(call->kept, "kept", status);
  return call->kept ? clr_fail(status, CLRED_INVALID_ARGUMENT, "kept: the plan is no selection; leave it out")
                    : CL_SUCCESS;
}

cl_int clr_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, struct clr_status *status) {
  struct clr_host_elements sources = {0};
  if (call->kept)
    *call->kept = 0;
  cl_int err = check_kept(plan, call, status);
  if (!err)
    err = take_sources(plan, call, &sources, status);
  if (err)
    return err;
  return plan->problem.scan ? scan_host(queue, plan, call, &sources, status)
                            : clr_reduce_host(queue, plan, call, &sources, status);
}
