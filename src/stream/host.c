// Scans and selections of host memory. Each call creates buffers for the time of the call. See host_reduce.c for
// reductions.
#include <stdint.h>

#include "stream/host.h"

cl_int clr_host_check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                           struct clr_status *status) {
  cl_ulong most = plan->runtime->facts.max_alloc / size;
  if (count <= most)
    return CL_SUCCESS;
  return clr_fail(status, CL_INVALID_BUFFER_SIZE, "%s: %llu %s are more than one buffer of the device holds: %llu",
                  name, (unsigned long long)count, what, (unsigned long long)most);
}

bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size) {
  return plan->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
}

cl_int clr_host_wrap(const clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer,
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

// The host's memory and the buffers that the call creates for it.
struct wrapped {
  const void *in;
  void *out;
  cl_ulong count;
  size_t in_bytes, out_bytes;  // out_bytes: the part of out that the call may write
  bool out_shared;
  cl_mem in_buffer, out_buffer;
};

static cl_int check_wrapped(const clred_plan *plan, const struct wrapped *memory, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = clr_require(memory->in, "in", status);
  if (!err)
    err = clr_require(memory->out, "out", status);
  if (!err)
    err = clr_host_check_size(plan, "in", "elements", operation->element.size, memory->count, status);
  return err ? err : clr_host_check_size(plan, "out", "results", operation->result_size, memory->count, status);
}

static bool do_overlap(const struct wrapped *memory) {
  uintptr_t in = (uintptr_t)memory->in, out = (uintptr_t)memory->out;
  return in < out + memory->out_bytes && out < in + memory->in_bytes;
}

// OpenCL does not define what two buffers around the same memory contain. So if `in` overlaps `out`, its elements are
// copied.
static cl_int wrap_both(const clred_plan *plan, struct wrapped *memory, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = check_wrapped(plan, memory, status);
  if (err)
    return err;
  memory->in_bytes = (size_t)memory->count * operation->element.size;
  memory->out_bytes = (size_t)memory->count * operation->result_size;
  memory->out_shared = clr_host_is_shared(plan, memory->out, operation->result_size);
  bool in_shared = clr_host_is_shared(plan, memory->in, operation->element.size) && !do_overlap(memory);
  err = clr_host_wrap(plan, memory->in, memory->in_bytes, in_shared, &memory->in_buffer, status);
  if (err)
    return err;
  memory->out_buffer =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_WRITE | (memory->out_shared ? CL_MEM_USE_HOST_PTR : 0),
                   memory->out_bytes, memory->out_shared ? memory->out : NULL, &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", "a buffer for the results") : CL_SUCCESS;
}

// The host sees results in shared memory only after mapping the buffer.
static cl_int fetch(cl_command_queue queue, const struct wrapped *memory, size_t written, const cl_event *scanned,
                    struct clr_status *status) {
  cl_int err;
  if (!memory->out_shared) {
    err = clEnqueueReadBuffer(queue, memory->out_buffer, CL_TRUE, 0, written, memory->out, 1, scanned, NULL);
    return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the results") : CL_SUCCESS;
  }
  void *mapped =
    clEnqueueMapBuffer(queue, memory->out_buffer, CL_TRUE, CL_MAP_READ, 0, written, 1, scanned, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", "the results");
  err = clEnqueueUnmapMemObject(queue, memory->out_buffer, mapped, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "the results");
  err = clFinish(queue);
  return err ? clr_fail_call(status, err, "clFinish", "the results") : CL_SUCCESS;
}

static cl_int scan_and_fetch(cl_command_queue queue, clred_plan *plan, const struct wrapped *memory,
                             struct clr_status *status) {
  cl_event scanned = NULL;
  const struct clr_request request = {
    .purpose = CLR_FOR_SCANS,
    .queue = queue,
    .call = {.in = memory->in_buffer, .out = memory->out_buffer, .count = memory->count, .stride = 1},
    .event = &scanned,
  };
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err && memory->count)
    err = fetch(queue, memory, memory->out_bytes, &scanned, status);
  if (scanned)
    clReleaseEvent(scanned);
  return err;
}

// Reads back the kept elements only: the memory after them belongs to the caller.
static cl_int select_and_fetch(cl_command_queue queue, clred_plan *plan, const struct wrapped *memory, cl_ulong *kept,
                               struct clr_status *status) {
  clred_outcome outcome = {0, 0};
  cl_event selected = NULL;
  const struct clr_request request = {
    .purpose = CLR_FOR_SELECTIONS,
    .queue = queue,
    .call = {.in = memory->in_buffer,
             .out = memory->out_buffer,
             .count = memory->count,
             .stride = 1,
             .blocking = CL_TRUE,
             .outcome = &outcome},
    .event = &selected,
  };
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err && outcome.count)
    err = fetch(queue, memory, (size_t)outcome.count * plan->problem.operation.result_size, &selected, status);
  if (selected)
    clReleaseEvent(selected);
  *kept = outcome.count;
  return err;
}

cl_int clr_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out,
                     cl_ulong *kept, struct clr_status *status) {
  struct wrapped memory = {.in = in, .out = out, .count = count};
  cl_int err = count ? wrap_both(plan, &memory, status) : CL_SUCCESS;
  if (!err)
    err = kept ? select_and_fetch(queue, plan, &memory, kept, status) : scan_and_fetch(queue, plan, &memory, status);
  // After a failure, commands may still read and write the caller's memory; wait for them.
  if (err && memory.out_buffer)
    clFinish(queue);
  if (memory.in_buffer)
    clReleaseMemObject(memory.in_buffer);
  if (memory.out_buffer)
    clReleaseMemObject(memory.out_buffer);
  return err;
}
