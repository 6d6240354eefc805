// Host memory that a call reads, and the buffers around it that exist during the call.
#include <stdint.h>

#include "opencl/session.h"
#include "stream/host.h"

bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size) {
  return plan->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
}

static cl_int take_source(const char *name, const void *memory, size_t size, struct clr_host_sources *sources,
                          struct clr_status *status) {
  sources->names[sources->count] = name;
  sources->memory[sources->count] = memory;
  sources->sizes[sources->count++] = size;
  return clr_require(memory, name, status);
}

cl_int clr_host_sources_take(const clred_plan *plan, const clred_host_call *call, struct clr_host_sources *sources,
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

cl_int clr_host_check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                           struct clr_status *status) {
  cl_ulong most = plan->runtime->facts.max_alloc / size;
  if (count <= most)
    return CL_SUCCESS;
  return clr_fail(status, CL_INVALID_BUFFER_SIZE, "%s: %llu %s are more than one buffer of the device holds: %llu",
                  name, (unsigned long long)count, what, (unsigned long long)most);
}

cl_int clr_host_sources_check(const clred_plan *plan, cl_ulong count, const struct clr_host_sources *sources,
                              struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sources->count && !err; i++)
    err = clr_host_check_size(plan, sources->names[i], "elements", sources->sizes[i], count, status);
  return err;
}

bool clr_host_do_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

cl_int clr_host_sources_wrap(const clred_plan *plan, cl_ulong count, const void *written, size_t written_bytes,
                             struct clr_host_sources *sources, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sources->count && !err; i++) {
    size_t bytes = (size_t)count * sources->sizes[i];
    bool shared = clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]) &&
                  !clr_host_do_overlap(sources->memory[i], bytes, written, written_bytes);
    err =
      clr_buffer_make(plan->runtime->context, CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                      bytes, sources->memory[i], "a buffer around the host's memory", &sources->buffers[i], status);
  }
  return err;
}

void clr_host_sources_release(struct clr_host_sources *sources) {
  clr_release_buffers(sources->buffers, sources->count);
}

clred_call clr_host_call_on(const struct clr_host_sources *sources, const clred_host_call *call) {
  return (clred_call){.in = sources->buffers[0],
                      .inputs = sources->buffers + 1,
                      .parameters = call->parameters,
                      .count = call->count,
                      .stride = call->stride,
                      .rows = call->rows,
                      .row_stride = call->row_stride,
                      .columns = call->columns,
                      .initial = call->initial};
}
