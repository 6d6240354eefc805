// Scans and selections of host memory. Each call creates its buffers and releases them at the end. See host_reduce.c
// for reductions.
#include "stream/host.h"

#include "opencl/session.h"
#include "trial/trial.h"

// --- Scans and selections ---

cl_int clr_host_results_wrap(const clred_plan *plan, cl_ulong count, struct clr_host_results *results,
                             struct clr_status *status) {
  size_t size = plan->problem.operation.result_size;
  results->shared = clr_host_is_shared(plan, results->memory, size);
  return clr_buffer_make(plan->runtime->context, CL_MEM_READ_WRITE | (results->shared ? CL_MEM_USE_HOST_PTR : 0),
                         (size_t)count * size, results->shared ? results->memory : NULL, "a buffer for the results",
                         &results->buffer, status);
}

// The host sees results in shared memory only after mapping the buffer.
cl_int clr_host_results_fetch(cl_command_queue queue, const struct clr_host_results *results, size_t written,
                              const cl_event *scanned, struct clr_status *status) {
  // Waiting reports a scan that failed; PoCL 3.1 never ends a blocking command that waits for a failed event.
  cl_int err = clWaitForEvents(1, scanned);
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
static cl_int scan_and_fetch(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                             const struct clr_host_sources *sources, const struct clr_host_results *results,
                             struct clr_status *status) {
  clred_outcome outcome = {call->count, 0};
  cl_event scanned = NULL;
  struct clr_request request = {.queue = queue, .call = clr_host_call_on(sources, call), .event = &scanned};
  request.call.out = results->buffer;
  request.call.blocking = plan->problem.selects;
  request.call.outcome = plan->problem.selects ? &outcome : NULL;
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err && outcome.count)
    err = clr_host_results_fetch(queue, results, (size_t)outcome.count * plan->problem.operation.result_size, &scanned,
                                 status);
  clr_release_event(&scanned);
  if (!err && call->kept)
    *call->kept = outcome.count;
  return err;
}

static cl_int scan_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                        struct clr_host_sources *sources, struct clr_status *status) {
  struct clr_host_results results = {.memory = call->out};
  cl_int err = CL_SUCCESS;
  if (call->count) {
    err = clr_require(call->out, "out", status);
    if (!err)
      err = clr_host_sources_check(plan, call->count, sources, status);
    if (!err)
      err = clr_host_check_size(plan, "out", "results", plan->problem.operation.result_size, call->count, status);
    if (!err)
      err = clr_host_sources_wrap(plan, call->count, call->out,
                                  (size_t)call->count * plan->problem.operation.result_size, sources, status);
    if (!err)
      err = clr_host_results_wrap(plan, call->count, &results, status);
  }
  if (!err)
    err = scan_and_fetch(queue, plan, call, sources, &results, status);
  // After a failure, commands may still read and write the caller's memory; wait for them.
  if (err && results.buffer)
    clFinish(queue);
  clr_host_sources_release(sources);
  clr_release_buffers(&results.buffer, 1);
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
  struct clr_host_sources sources = {0};
  if (call->kept)
    *call->kept = 0;
  cl_int err = check_kept(plan, call, status);
  if (!err)
    err = clr_host_sources_take(plan, call, &sources, status);
  if (err)
    return err;
  return plan->problem.scan ? scan_host(queue, plan, call, &sources, status)
                            : clr_reduce_host(queue, plan, call, &sources, status);
}

// --- Without a plan ---

cl_int clr_run_host_planless(clred_runtime *runtime, const clred_problem *problem, const clred_host_call *call,
                             struct clr_status *status) {
  clred_plan *plan = NULL;
  cl_int err = clr_plan_make_tried(runtime, problem, &plan, status);
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
