// The commands of a run, and the elements that they read, slice by slice.
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "opencl/buffer_check.h"
#include "opencl/session.h"
#include "quantile/commands.h"

static const char about[] = "a quantile";

static cl_int fail(struct clr_quantile_run *run, cl_int err, const char *call) {
  return clr_fail_call(run->status, err, call, about);
}

// ---------------------------------------------------------------- Commands

// Later commands wait for this event.
static void follow(struct clr_quantile_run *run, cl_event event) {
  if (run->last && run->last != run->begun)
    clReleaseEvent(run->last);
  run->last = event;
  run->waits = 1;
  run->wait_list = &run->last;
}

cl_int clr_run_put(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, const void *from) {
  cl_event event = NULL;
  cl_int err = clEnqueueWriteBuffer(run->queue, buffer, CL_FALSE, 0, bytes, from, run->waits, run->wait_list, &event);
  if (err)
    return fail(run, err, "clEnqueueWriteBuffer");
  follow(run, event);
  return CL_SUCCESS;
}

cl_int clr_run_take(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, void *to) {
  cl_int err = clEnqueueReadBuffer(run->queue, buffer, CL_TRUE, 0, bytes, to, run->waits, run->wait_list, NULL);
  return err ? fail(run, err, "clEnqueueReadBuffer") : CL_SUCCESS;
}

cl_int clr_run_launch(struct clr_quantile_run *run, enum clr_quantile_kernel which, cl_ulong groups,
                      const struct clr_argument *arguments, cl_uint count) {
  clred_quantile *quantile = run->quantile;
  const size_t group_size = (size_t)quantile->group_size, items = (size_t)groups * group_size;
  cl_event event = NULL;
  cl_uint next = 0;
  cl_int err = clr_set_arguments(quantile->kernels[which], arguments, count, &next);
  if (err)
    return fail(run, err, "clSetKernelArg");
  err = clEnqueueNDRangeKernel(run->queue, quantile->kernels[which], 1, NULL, &items, &group_size, run->waits,
                               run->wait_list, &event);
  if (err)
    return fail(run, err, "clEnqueueNDRangeKernel");
  quantile->launches++;
  if (!run->begun)
    run->begun = event;
  follow(run, event);
  return CL_SUCCESS;
}

cl_ulong clr_quantile_groups(const clred_quantile *quantile, cl_ulong count, size_t size) {
  const struct clr_facts *facts = &quantile->runtime->facts;
  const cl_ulong words = 4, run = 4096;
  cl_ulong tile = quantile->group_size * words * 16 / size;
  if (facts->cpu)
    return clr_clamp(clr_ceil_divide(count, run), 1, 256);
  return clr_clamp(clr_ceil_divide(count, tile), 1, 4 * facts->compute_units);
}

// ---------------------------------------------------------------- Elements

static cl_int wrap(struct clr_quantile_run *run, const unsigned char *memory, cl_ulong count, cl_mem *buffer) {
  const clred_quantile *quantile = run->quantile;
  size_t size = quantile->ordering.type->size;
  bool shared = quantile->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
  return clr_buffer_make(quantile->runtime->context,
                         CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR), (size_t)count * size,
                         memory, "a buffer for the elements", buffer, run->status);
}

static cl_int check(const clred_quantile *quantile, const struct clr_quantile_call *call, struct clr_status *status) {
  const clred_runtime *runtime = quantile->runtime;
  cl_int err = clr_check_queue(call->queue, runtime->context, runtime->device, status);
  if (!err)
    err = clr_check_events(call->waits, call->wait_list, runtime->context, status);
  if (err || call->memory)
    return err;
  const struct clr_range range =
    clr_range("in", call->in, call->in_offset, call->count, quantile->ordering.type->size, CL_MEM_WRITE_ONLY);
  return clr_check_range(&range, runtime->context, status);
}

cl_int clr_reading_open(struct clr_quantile_run *run, const struct clr_quantile_call *call) {
  const clred_quantile *quantile = run->quantile;
  cl_int err = check(quantile, call, run->status);
  if (err)
    return err;
  run->queue = call->queue;
  run->waits = call->waits;
  run->wait_list = call->wait_list;
  run->buffer = call->in;
  run->first = call->in_offset;
  run->count = run->held = call->count;
  run->memory = call->memory;
  if (!call->memory || call->count > quantile->runtime->facts.max_alloc / quantile->ordering.type->size)
    return CL_SUCCESS;
  err = wrap(run, call->memory, call->count, &run->buffer);
  run->owns_buffer = !err;
  run->memory = NULL;
  return err;
}

void clr_reading_close(struct clr_quantile_run *run) {
  // After a failure, commands may still use the caller's memory.
  if (run->last && run->status->code)
    clFinish(run->queue);
  if (run->last)
    clReleaseEvent(run->last);
  if (run->begun && run->begun != run->last)
    clReleaseEvent(run->begun);
  if (run->owns_buffer)
    clReleaseMemObject(run->buffer);
}

double clr_run_seconds(const struct clr_quantile_run *run) {
  cl_ulong start, end;
  if (!run->begun ||
      clGetEventProfilingInfo(run->begun, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS ||
      clGetEventProfilingInfo(run->last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS ||
      end <= start)
    return 0;
  return 1e-9 * (double)(end - start);
}

cl_int clr_slice_open(struct clr_quantile_run *run, cl_ulong at, cl_ulong end, struct clr_slice *slice) {
  const clred_quantile *quantile = run->quantile;
  const size_t size = quantile->ordering.type->size;
  *slice = (struct clr_slice){run->buffer, run->first + at, clr_min(end - at, quantile->slice), run->memory != NULL};
  if (!run->memory)
    return CL_SUCCESS;
  slice->first = 0;
  slice->count = clr_min(slice->count, quantile->runtime->facts.max_alloc / size);
  return wrap(run, run->memory + at * size, slice->count, &slice->buffer);
}

void clr_slice_close(struct clr_slice *slice) {
  if (slice->is_owned)
    clReleaseMemObject(slice->buffer);
}

// ---------------------------------------------------------------- Warming

// Arguments behind source, first and count. Without elements, only the table and the counts are read.
static cl_int warm_kernel(struct clr_quantile_run *run, enum clr_quantile_kernel which) {
  clred_quantile *quantile = run->quantile;
  const cl_ulong first = 0, count = 0, index = 0, key = 0;
  const cl_uint one = 1, none = 0;
  const struct clr_argument source[] = {CLR_ARGUMENT(quantile->candidates), CLR_ARGUMENT(first), CLR_ARGUMENT(count)};
  const struct clr_argument table = CLR_ARGUMENT(quantile->table), counts = CLR_ARGUMENT(quantile->counts),
                            keys = CLR_ARGUMENT(quantile->finalists), number = CLR_ARGUMENT(one),
                            nothing = CLR_ARGUMENT(none), last = {clr_quantile_key_size(quantile), &key},
                            place = CLR_ARGUMENT(index);
  const struct clr_argument sample[] = {keys}, bins[] = {table, number, number, number, counts},
                            gather[] = {table, number, keys, nothing, nothing, counts},
                            collect[] = {last, place, place, nothing, counts, keys, counts}, ties[] = {last, counts};
  const struct {
    const struct clr_argument *list;
    cl_uint count;
  } lists[CLR_QUANTILE_KERNELS] = {
    [CLR_QUANTILE_SAMPLE] = {sample, 1},      [CLR_QUANTILE_COUNT] = {bins, 5},
    [CLR_QUANTILE_COUNT_KEYS] = {bins, 5},    [CLR_QUANTILE_GATHER] = {gather, 6},
    [CLR_QUANTILE_GATHER_KEYS] = {gather, 6}, [CLR_QUANTILE_COLLECT] = {collect, 7},
    [CLR_QUANTILE_TIES] = {ties, 2},
  };
  struct clr_argument arguments[10];
  memcpy(arguments, source, sizeof source);
  memcpy(arguments + 3, lists[which].list, lists[which].count * sizeof *arguments);
  return clr_run_launch(run, which, 1, arguments, 3 + lists[which].count);
}

cl_int clr_quantile_warm(clred_quantile *quantile, cl_command_queue queue, struct clr_status *status) {
  static const cl_ulong table[3];
  struct clr_quantile_run run = {.quantile = quantile, .queue = queue, .status = status};
  cl_int err = clr_check_queue(queue, quantile->runtime->context, quantile->runtime->device, status);
  if (!err)
    err = clr_run_put(&run, quantile->table, sizeof table, table);
  for (int which = 0; which < CLR_QUANTILE_KERNELS && !err; which++)
    err = warm_kernel(&run, (enum clr_quantile_kernel)which);
  if (!err && (err = clFinish(queue)) != CL_SUCCESS)
    fail(&run, err, "clFinish");
  clr_reading_close(&run);
  return err;
}
