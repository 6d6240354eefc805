// Calls on host memory: buffers around it for the time of the call. Reductions are in host_reduce.c.
#include <stdint.h>

#include "stream/host.h"

cl_int clr_host_fail(clred_plan *plan, cl_int code, const char *call, const char *what) {
  struct clr_status status = {0};
  clr_fail_call(&status, code, call, what);
  return clr_runtime_fail(plan->runtime, &status);
}

cl_int clr_host_check_there(clred_plan *plan, const char *name, const void *memory) {
  struct clr_status status = {0};
  if (memory)
    return CL_SUCCESS;
  clr_fail(&status, CLRED_INVALID_ARGUMENT, "%s is NULL", name);
  return clr_runtime_fail(plan->runtime, &status);
}

cl_int clr_host_check_size(clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count) {
  struct clr_status status = {0};
  cl_ulong most = plan->runtime->facts.max_alloc / size;
  if (count <= most)
    return CL_SUCCESS;
  clr_fail(&status, CL_INVALID_BUFFER_SIZE, "%s: %llu %s are more than one buffer of the device holds: %llu", name,
           (unsigned long long)count, what, (unsigned long long)most);
  return clr_runtime_fail(plan->runtime, &status);
}

bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size) {
  return plan->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
}

cl_int clr_host_wrap(clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer) {
  cl_int err;
  // OpenCL has no const; the buffer is only read.
  union {
    const void *read;
    void *given;
  } place = {memory};
  *buffer =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                   bytes, place.given, &err);
  return err ? clr_host_fail(plan, err, "clCreateBuffer", "a buffer around the host's memory") : CL_SUCCESS;
}

// --- Scans ---

// The host's memory and the buffers around it.
struct wrapped {
  const void *in;
  void *out;
  cl_ulong count;
  size_t in_bytes, out_bytes;  // of out those that the call may write
  bool out_shared;
  cl_mem in_buffer, out_buffer;
};

static cl_int check_wrapped(clred_plan *plan, const struct wrapped *memory) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = clr_host_check_there(plan, "in", memory->in);
  if (!err)
    err = clr_host_check_there(plan, "out", memory->out);
  if (!err)
    err = clr_host_check_size(plan, "in", "elements", operation->element.size, memory->count);
  return err ? err : clr_host_check_size(plan, "out", "results", operation->result_size, memory->count);
}

static bool do_overlap(const struct wrapped *memory) {
  uintptr_t in = (uintptr_t)memory->in, out = (uintptr_t)memory->out;
  return in < out + memory->out_bytes && out < in + memory->in_bytes;
}

// OpenCL does not say what two buffers around the same memory hold, so elements are copied where results will be.
static cl_int wrap_both(clred_plan *plan, struct wrapped *memory) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = check_wrapped(plan, memory);
  if (err)
    return err;
  memory->in_bytes = (size_t)memory->count * operation->element.size;
  memory->out_bytes = (size_t)memory->count * operation->result_size;
  memory->out_shared = clr_host_is_shared(plan, memory->out, operation->result_size);
  bool in_shared = clr_host_is_shared(plan, memory->in, operation->element.size) && !do_overlap(memory);
  err = clr_host_wrap(plan, memory->in, memory->in_bytes, in_shared, &memory->in_buffer);
  if (err)
    return err;
  memory->out_buffer =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_WRITE | (memory->out_shared ? CL_MEM_USE_HOST_PTR : 0),
                   memory->out_bytes, memory->out_shared ? memory->out : NULL, &err);
  return err ? clr_host_fail(plan, err, "clCreateBuffer", "a buffer for the results") : CL_SUCCESS;
}

// What a device wrote to shared memory is the host's once it was mapped.
static cl_int fetch(cl_command_queue queue, clred_plan *plan, const struct wrapped *memory, size_t written,
                    const cl_event *scanned) {
  cl_int err;
  if (!memory->out_shared) {
    err = clEnqueueReadBuffer(queue, memory->out_buffer, CL_TRUE, 0, written, memory->out, 1, scanned, NULL);
    return err ? clr_host_fail(plan, err, "clEnqueueReadBuffer", "the results") : CL_SUCCESS;
  }
  void *mapped =
    clEnqueueMapBuffer(queue, memory->out_buffer, CL_TRUE, CL_MAP_READ, 0, written, 1, scanned, NULL, &err);
  if (err)
    return clr_host_fail(plan, err, "clEnqueueMapBuffer", "the results");
  err = clEnqueueUnmapMemObject(queue, memory->out_buffer, mapped, 0, NULL, NULL);
  if (err)
    return clr_host_fail(plan, err, "clEnqueueUnmapMemObject", "the results");
  err = clFinish(queue);
  return err ? clr_host_fail(plan, err, "clFinish", "the results") : CL_SUCCESS;
}

static cl_int scan_and_fetch(cl_command_queue queue, clred_plan *plan, const struct wrapped *memory) {
  cl_event scanned = NULL;
  cl_int err =
    clred_enqueue_scan(queue, plan, memory->in_buffer, memory->out_buffer, 0, 0, memory->count, 0, NULL, &scanned);
  if (!err)
    err = memory->count ? fetch(queue, plan, memory, memory->out_bytes, &scanned) : CL_SUCCESS;
  if (scanned)
    clReleaseEvent(scanned);
  return err;
}

// Of results nothing is read that was not written: what stands behind them is the caller's.
static cl_int select_and_fetch(cl_command_queue queue, clred_plan *plan, const struct wrapped *memory, cl_ulong *kept) {
  clred_outcome outcome = {0, 0};
  cl_event selected = NULL;
  cl_int err = clred_enqueue_select(queue, plan, memory->in_buffer, memory->out_buffer, CL_TRUE, 0, 0, memory->count,
                                    NULL, 0, &outcome, 0, NULL, &selected);
  if (!err && outcome.count)
    err = fetch(queue, plan, memory, (size_t)outcome.count * plan->problem.operation.result_size, &selected);
  if (selected)
    clReleaseEvent(selected);
  *kept = outcome.count;
  return err;
}

static cl_int call_wrapped(cl_command_queue queue, clred_plan *plan, struct wrapped *memory, cl_ulong *kept) {
  cl_int err = memory->count ? wrap_both(plan, memory) : CL_SUCCESS;
  if (!err)
    err = kept ? select_and_fetch(queue, plan, memory, kept) : scan_and_fetch(queue, plan, memory);
  // As above, and it may still be writing there.
  if (err && memory->out_buffer)
    clFinish(queue);
  if (memory->in_buffer)
    clReleaseMemObject(memory->in_buffer);
  if (memory->out_buffer)
    clReleaseMemObject(memory->out_buffer);
  return err;
}

cl_int clred_plan_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out) {
  struct wrapped memory = {.in = in, .out = out, .count = count};
  return plan ? call_wrapped(queue, plan, &memory, NULL) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_plan_select_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out,
                              cl_ulong *kept) {
  struct wrapped memory = {.in = in, .out = out, .count = count};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_host_check_there(plan, "kept", kept);
  return err ? err : call_wrapped(queue, plan, &memory, kept);
}

// --- Without a plan ---

// What is called, and where its results go, and of a selection their number.
struct host_call {
  enum { REDUCES, SCANS, SELECTS } does;
  const void *in;
  cl_ulong count;
  void *out;
  cl_ulong *kept;
};

static cl_int call_plan(cl_command_queue queue, clred_plan *plan, const struct host_call *call) {
  if (call->does == SELECTS)
    return clred_plan_select_host(queue, plan, call->in, call->count, call->out, call->kept);
  return call->does == SCANS ? clred_plan_scan_host(queue, plan, call->in, call->count, call->out)
                             : clred_plan_reduce_host(queue, plan, call->in, call->count, call->out);
}

static cl_int call_planless(clred_runtime *runtime, const clred_problem *problem, const struct host_call *call) {
  clred_plan *plan = NULL;
  cl_command_queue queue = NULL;
  cl_int err = runtime ? clred_plan_create(runtime, problem, &plan) : CLRED_INVALID_ARGUMENT;
  if (err)
    return err;
  queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    err = clr_host_fail(plan, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = call_plan(queue, plan, call);
  if (queue)
    clReleaseCommandQueue(queue);
  clred_plan_release(plan);
  return err;
}

cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                         void *result) {
  const clred_problem problem = {.type = type, .op = op};
  return call_planless(runtime, &problem, &(struct host_call){REDUCES, in, count, result, NULL});
}

cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const struct clred_histogram *histogram,
                            const void *in, cl_ulong count, cl_ulong *counts) {
  const clred_problem problem = {.type = type, .histogram = histogram};
  struct clr_status status = {0};
  if (runtime && !histogram) {
    clr_fail(&status, CLRED_INVALID_ARGUMENT, "histogram is NULL");
    return clr_runtime_fail(runtime, &status);
  }
  return call_planless(runtime, &problem, &(struct host_call){REDUCES, in, count, counts, NULL});
}

cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                       cl_ulong count, void *out) {
  const clred_problem problem = {.type = type, .op = op, .scan = scan};
  return call_planless(runtime, &problem, &(struct host_call){SCANS, in, count, out, NULL});
}

cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection, const void *in,
                         cl_ulong count, void *out, cl_ulong *kept) {
  const clred_problem problem = {.type = type, .selection = selection};
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  if (selection)
    return call_planless(runtime, &problem, &(struct host_call){SELECTS, in, count, out, kept});
  clr_fail(&status, CLRED_INVALID_ARGUMENT, "selection is NULL");
  return clr_runtime_fail(runtime, &status);
}
