// Calls of host memory. The host computes small ones (on_host.c). For others, each call creates its buffers and
// releases them at the end; a line that fits no buffer goes through a stream.
#include "stream/host.h"
#include "call/check.h"
#include "opencl/session.h"
#include "stream/stream.h"
#include "trial/trial.h"

// --- Reductions of a line ---

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

static cl_int reduce_line(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
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

// --- Results ---

// Results of fewer bytes are copied, because mapping a buffer waits for the device twice more.
enum { MAPPED = 1 << 20 };

cl_int clr_host_results_wrap(const clred_plan *plan, cl_ulong count, struct clr_host_results *results,
                             struct clr_status *status) {
  size_t size = plan->problem.operation.result_size;
  results->shared = (size_t)count * size >= MAPPED && clr_host_is_shared(plan, results->memory, size);
  const cl_mem_flags copies = results->has_gaps ? CL_MEM_COPY_HOST_PTR : 0;
  return clr_buffer_make(plan->runtime->context, CL_MEM_READ_WRITE | (results->shared ? CL_MEM_USE_HOST_PTR : copies),
                         (size_t)count * size, results->shared || copies ? results->memory : NULL,
                         "a buffer for the results", &results->buffer, status);
}

// Waits once. A read that waits for nothing but the queue's order ends also if the call failed.
static cl_int read_in_order(cl_command_queue queue, const struct clr_host_results *results, size_t written,
                            const cl_event *scanned, struct clr_status *status) {
  cl_int outcome = CL_COMPLETE;
  cl_int err = clEnqueueReadBuffer(queue, results->buffer, CL_FALSE, 0, written, results->memory, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the results");
  err = clFinish(queue);
  if (!err)
    err = clGetEventInfo(*scanned, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof outcome, &outcome, NULL);
  if (!err && outcome < 0)
    err = outcome;
  return err ? clr_fail_call(status, err, "clFinish", "the results") : CL_SUCCESS;
}

// The host sees results in shared memory only after mapping the buffer.
cl_int clr_host_results_fetch(cl_command_queue queue, const struct clr_host_results *results, size_t written,
                              const cl_event *scanned, struct clr_status *status) {
  bool in_order = false;
  cl_int err = clr_queue_is_in_order(queue, &in_order, status);
  if (err)
    return err;
  if (in_order && !results->shared)
    return read_in_order(queue, results, written, scanned, status);
  // Waiting reports a scan that failed; PoCL 3.1 never ends a blocking command that waits for a failed event.
  err = clWaitForEvents(1, scanned);
  if (err)
    return clr_fail_call(status, err, "clWaitForEvents", "the results");
  if (!results->shared) {
    err = clEnqueueReadBuffer(queue, results->buffer, CL_TRUE, 0, written, results->memory, 0, NULL, NULL);
    return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the results") : CL_SUCCESS;
  }
  void *mapped = clEnqueueMapBuffer(queue, results->buffer, CL_TRUE, CL_MAP_READ, 0, written, 0, NULL, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", "the results");
  err = clEnqueueUnmapMemObject(queue, results->buffer, mapped, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "the results");
  err = clFinish(queue);
  return err ? clr_fail_call(status, err, "clFinish", "the results") : CL_SUCCESS;
}

// Fetches only results that were written: a selection must not change the memory behind its last result.
static cl_int run_and_fetch(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                            const struct clr_host_sources *sources, cl_ulong reached,
                            const struct clr_host_results *results, struct clr_status *status) {
  clred_outcome outcome = {reached, 0};
  cl_event written = NULL;
  struct clr_request request = {.queue = queue, .call = clr_host_call_on(sources, call), .event = &written};
  request.call.out = results->buffer;
  request.call.blocking = plan->problem.selects;
  request.call.outcome = plan->problem.selects ? &outcome : NULL;
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err && outcome.count)
    err = clr_host_results_fetch(queue, results, (size_t)outcome.count * plan->problem.operation.result_size, &written,
                                 status);
  clr_release_event(&written);
  if (!err && call->kept)
    *call->kept = outcome.count;
  return err;
}

// Runs a call with any number of results. It reads `reach` elements.
static cl_int run_on_device(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                            const struct clr_extent *extent, struct clr_host_sources *sources,
                            struct clr_status *status) {
  const clred_call fields = clr_host_call_on(sources, call);
  const cl_ulong reach = clr_elements_reached(extent), reached = clr_results_reached(plan, &fields, extent);
  const size_t size = plan->problem.operation.result_size;
  struct clr_host_results results = {
    .memory = call->out,
    .has_gaps =
      plan->problem.scan && reached != clr_multiply(extent->count, clr_multiply(extent->rows, extent->columns))};
  cl_int err = CL_SUCCESS;
  if (reached) {
    err = clr_require(call->out, "out", status);
    if (!err)
      err = clr_host_sources_check(plan, reach, sources, status);
    if (!err)
      err = clr_host_check_size(plan, "out", "results", size, reached, status);
    if (!err)
      err = clr_host_sources_wrap(plan, reach, call->out, (size_t)reached * size, sources, status);
    if (!err)
      err = clr_host_results_wrap(plan, reached, &results, status);
  }
  if (!err)
    err = run_and_fetch(queue, plan, call, sources, reached, &results, status);
  // After a failure, commands may still read and write the caller's memory; wait for them.
  if (err && results.buffer)
    clFinish(queue);
  clr_host_sources_release(sources);
  clr_release_buffers(&results.buffer, 1);
  return err;
}

// --- Calls ---

static cl_int check_kept(const clred_plan *plan, const clred_host_call *call, struct clr_status *status) {
  if (plan->problem.segment_type)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "the plan has segments, keys or heads, which calls on host memory do not take; use clred_enqueue");
  if (plan->problem.selects)
    return clr_require(call->kept, "kept", status);
  return call->kept ? clr_fail(status, CLRED_INVALID_ARGUMENT, "kept: the plan is no selection; leave it out")
                    : CL_SUCCESS;
}

// Checks what the device's call would check.
static cl_int check_on_host(const struct clr_check *check, cl_command_queue queue, const clred_host_call *call) {
  const struct clr_request request = {.queue = queue, .call = *check->call};
  cl_int err = clr_check_terms(check, &request);
  if (!err && !check->plan->problem.scan && call->initial)
    err = clr_fail(check->status, CLRED_INVALID_ARGUMENT, "initial is for scans");
  if (!err && check->plan->problem.scan && check->reach)
    err = clr_check_rows_apart(check);
  return err;
}

// `is_done` becomes true if the host computed the call.
static cl_int try_on_host(const struct clr_check *check, cl_command_queue queue, const clred_host_call *call,
                          bool *is_done) {
  const clred_plan *plan = check->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  const cl_ulong reached = clr_results_reached(plan, check->call, &check->extent);
  *is_done = clr_host_computes(plan, &check->extent);
  if (*is_done && plan->problem.scan && check->reach)
    *is_done = !clr_host_do_overlap(call->in, (size_t)check->reach * operation->element.size, call->out,
                                    (size_t)reached * operation->result_size);
  if (!*is_done)
    return CL_SUCCESS;
  cl_int err = check_on_host(check, queue, call);
  if (!err && reached)
    err = clr_require(call->out, "out", check->status);
  if (!err)
    err = clr_host_compute(plan, call, &check->extent, check->status);
  return err || reached != 1 ? err : clr_check_overflow(plan, call->out, call->count, check->status);
}

cl_int clr_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, struct clr_status *status) {
  struct clr_host_sources sources = {0};
  const clred_call fields = clr_host_call_on(&sources, call);
  struct clr_check check = {plan, &fields, clr_extent_of(plan, &fields), 0, status};
  bool is_done = false;
  check.reach = clr_elements_reached(&check.extent);
  if (call->kept)
    *call->kept = 0;
  cl_int err = check_kept(plan, call, status);
  if (!err && check.reach)
    err = clr_host_sources_take(plan, call, &sources, status);
  if (!err)
    err = try_on_host(&check, queue, call, &is_done);
  if (err || is_done)
    return err;
  err = clr_plan_take_program(&plan, status);
  if (err)
    return err;
  const bool is_line = plan->problem.layout == CLRED_LAYOUT_LINE || plan->problem.histogram;
  return is_line && !plan->problem.scan ? reduce_line(queue, plan, call, &sources, status)
                                        : run_on_device(queue, plan, call, &check.extent, &sources, status);
}

// --- Without a plan ---

cl_int clr_run_host_planless(clred_runtime *runtime, const clred_problem *problem, const clred_host_call *call,
                             struct clr_status *status) {
  clred_plan *plan = NULL;
  clred_problem on_host = *problem;
  on_host.host_calls = CL_TRUE;
  cl_int err = clr_plan_make_tried(runtime, &on_host, &plan, status);
  if (err)
    return err;
  cl_command_queue queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    clr_fail_call(status, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = clr_run_host(queue, plan, call, status);
  if (queue)
    clReleaseCommandQueue(queue);
  clr_plan_release(plan);
  return err;
}
