#include "opencl/host_work.h"

#include "host/selections.h"
#include "host/trees.h"

// The call's buffers in host memory: the elements first, then the operator's further inputs, and a scan's results last.
struct mapped {
  cl_mem buffers[CLR_INPUTS_MAX + 2];
  void *memory[CLR_INPUTS_MAX + 2];
  size_t count;
};

static cl_int unmap_one(const struct clr_call *call, cl_mem buffer, void *memory, struct clr_status *status) {
  cl_event unmapped;
  mtx_lock(call->mapping);
  cl_int err = clEnqueueUnmapMemObject(call->queue, buffer, memory, 0, NULL, &unmapped);
  mtx_unlock(call->mapping);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "in");
  err = clWaitForEvents(1, &unmapped);
  clReleaseEvent(unmapped);
  return err ? clr_fail_call(status, err, "clWaitForEvents", "unmapping in") : CL_SUCCESS;
}

// All of them, whatever comes of one; the first failure is told.
static cl_int unmap(const struct clr_call *call, struct mapped *mapped, struct clr_status *status) {
  struct clr_status later;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < mapped->count; i++) {
    cl_int failed = unmap_one(call, mapped->buffers[i], mapped->memory[i], err ? &later : status);
    err = err ? err : failed;
  }
  return err;
}

// Waited for by itself: that an event ended in an error is then told by the call that waits, in every driver.
static cl_int wait_for(struct clr_call *call, struct clr_status *status) {
  cl_int err = call->waits ? clWaitForEvents(call->waits, call->wait_list) : CL_SUCCESS;
  call->waits = 0;
  call->wait_list = NULL;
  return err ? clr_fail_call(status, err, "clWaitForEvents", "the wait list") : CL_SUCCESS;
}

// PoCL 3.1 gives no memory, and no error, where two threads enqueue maps of one buffer at once. They are enqueued one
// after another, and waited for without the lock.
static cl_int map_one(struct clr_call *call, cl_mem buffer, cl_map_flags how, size_t offset, size_t bytes,
                      struct mapped *mapped, struct clr_status *status) {
  cl_int err;
  cl_event is_there = NULL;
  mtx_lock(call->mapping);
  void *memory = clEnqueueMapBuffer(call->queue, buffer, CL_FALSE, how, offset, bytes, call->waits, call->wait_list,
                                    &is_there, &err);
  mtx_unlock(call->mapping);
  if (!err && !memory)
    err = CL_MAP_FAILURE;
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", how & CL_MAP_WRITE ? "out" : "in");
  mapped->buffers[mapped->count] = buffer;
  mapped->memory[mapped->count++] = memory;
  err = clWaitForEvents(1, &is_there);
  clReleaseEvent(is_there);
  return err ? clr_fail_call(status, err, "clWaitForEvents", how & CL_MAP_WRITE ? "mapping out" : "mapping in")
             : CL_SUCCESS;
}

static cl_int map_all(struct clr_call *call, const struct clr_operation *operation, struct mapped *mapped,
                      struct clr_status *status) {
  const struct clr_operands *operands = &call->operands;
  size_t elements = (size_t)((call->extent.count - 1) * call->extent.stride + 1), size = operation->element.size;
  cl_int err = wait_for(call, status);
  if (!err)
    err = map_one(call, call->in, CL_MAP_READ | (call->scan.in_place ? CL_MAP_WRITE : 0),
                  (size_t)call->in_offset * size, elements * size, mapped, status);
  for (size_t i = 0; i < operands->input_count && !err; i++) {
    size_t offset = (size_t)(operands->input_offsets ? operands->input_offsets[i] : 0);
    size = operation->input_sizes[i];
    err = map_one(call, operands->inputs[i], CL_MAP_READ, offset * size, elements * size, mapped, status);
  }
  return err;
}

cl_int clr_walk_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *state, struct clr_status *status) {
  struct mapped mapped = {.count = 0};
  clr_state_identity(operation, state);
  if (pass->count == 0)
    return wait_for(call, status);
  cl_int err = map_all(call, operation, &mapped, status);
  if (!err) {
    const struct clr_values values = {operation,
                                      mapped.memory[0],
                                      pass->count,
                                      call->extent.stride,
                                      (const void *const *)(mapped.memory + 1),
                                      call->operands.parameters,
                                      0};
    clr_fold_elements(&values, state);
  }
  struct clr_status second = {0};
  cl_int unmapped = unmap(call, &mapped, err ? &second : status);
  return err ? err : unmapped;
}

static cl_int map_results(struct clr_call *call, const struct clr_operation *operation, struct mapped *mapped,
                          struct clr_status *status) {
  size_t size = operation->result_size, results = (size_t)((call->extent.count - 1) * call->scan.out_stride + 1);
  return map_one(call, call->out, CL_MAP_READ | CL_MAP_WRITE, (size_t)call->out_offset * size, results * size, mapped,
                 status);
}

// The scan, or the selection, over memory that is mapped.
static void scan_mapped(struct clr_call *call, const struct mapped *mapped, const struct clr_values *values,
                        struct clr_scan *scan) {
  const struct clr_custom *custom = values->operation->custom;
  scan->results = mapped->memory[call->scan.in_place ? 0 : mapped->count - 1];
  scan->stride = call->scan.out_stride;
  scan->start = call->scan.start;
  if (custom && custom->keeping.keeps)
    call->outcome.made.count = clr_select_in_order(values, scan->results);
  else
    clr_scan_in_order(scan, values);
}

cl_int clr_scan_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        struct clr_scan scan, struct clr_status *status) {
  struct mapped mapped = {.count = 0};
  cl_int err = map_all(call, operation, &mapped, status);
  if (!err && !call->scan.in_place)
    err = map_results(call, operation, &mapped, status);
  if (!err) {
    const struct clr_values values = {operation,
                                      mapped.memory[0],
                                      pass->count,
                                      call->extent.stride,
                                      (const void *const *)(mapped.memory + 1),
                                      call->operands.parameters,
                                      0};
    scan_mapped(call, &mapped, &values, &scan);
  }
  struct clr_status second = {0};
  cl_int unmapped = unmap(call, &mapped, err ? &second : status);
  return err ? err : unmapped;
}

cl_int clr_count_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                         const struct clr_histogram *histogram, struct clr_status *status) {
  struct mapped mapped = {.count = 0};
  size_t size = sizeof(cl_ulong);
  cl_int err = pass->count ? map_all(call, operation, &mapped, status) : wait_for(call, status);
  if (!err && !call->counts)
    err = map_one(call, call->out, CL_MAP_READ | CL_MAP_WRITE, (size_t)call->out_offset * size,
                  (size_t)histogram->bins * size, &mapped, status);
  if (!err)
    clr_count_elements(histogram, operation->element.row, pass->count ? mapped.memory[0] : NULL, pass->count,
                       call->counts ? call->counts : mapped.memory[mapped.count - 1]);
  struct clr_status second = {0};
  cl_int unmapped = unmap(call, &mapped, err ? &second : status);
  return err ? err : unmapped;
}

cl_int clr_fold_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *partials, void *state, struct clr_status *status) {
  size_t size = operation->state_size;
  cl_int err = wait_for(call, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(call->queue, call->workspace->scratch, CL_TRUE, (size_t)pass->first * size,
                            (size_t)pass->count * size, partials, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the partials");
  clr_fold_partials(operation, partials, pass->count, pass->pairs, state);
  return CL_SUCCESS;
}
