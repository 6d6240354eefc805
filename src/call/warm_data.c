// The data for warming a plan: every element, key and parameter is 1, because operators may divide by them.
#include <stdlib.h>
#include <string.h>

#include "call/warm.h"
#include "host/samples.h"
#include "opencl/session.h"
#include "plan/slots.h"

cl_ulong clr_warm_results(const clred_plan *plan, cl_ulong elements, cl_ulong rows) {
  if (plan->problem.selects)
    return elements + plan->problem.custom->keeping.ends;
  return plan->problem.scan ? elements : clr_multiply(rows, clr_values_per_result(&plan->problem));
}

static cl_int upload(struct clr_warming *warming, void *values, size_t bytes, cl_mem *buffer,
                     struct clr_status *status) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  if (!values)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes while warming a plan", bytes);
  return clr_buffer_make(warming->plan->runtime->context, flags, bytes, values, "warming a plan", buffer, status);
}

static cl_int make_buffer(struct clr_warming *warming, const void *value, size_t size, cl_ulong count, cl_mem *buffer,
                          struct clr_status *status) {
  const size_t bytes = size * (size_t)(count ? count : 1);
  unsigned char *values = malloc(bytes);
  for (size_t at = 0; values && at < bytes; at += size)
    memcpy(values + at, value, size);
  cl_int err = upload(warming, values, bytes, buffer, status);
  free(values);
  return err;
}

static cl_int make_elements(struct clr_warming *warming, struct clr_status *status) {
  const struct clr_operation *operation = &warming->plan->problem.operation;
  unsigned char one[CLR_STATE_SIZE_MAX];
  struct clr_layout layout;
  clr_layout_element(operation, &layout);
  clr_put_edge(&layout, 0, one);
  cl_int err = make_buffer(warming, one, operation->element.size, warming->elements, &warming->in, status);
  for (size_t i = 0; i < operation->input_count && !err; i++) {
    clr_layout_input(operation, i, &layout);
    clr_put_edge(&layout, 0, one);
    err = make_buffer(warming, one, operation->input_sizes[i], warming->elements, &warming->inputs[i], status);
  }
  for (size_t i = 0; i < operation->parameter_count && !err; i++) {
    clr_layout_parameter(operation, i, &layout);
    clr_put_edge(&layout, 0, warming->parameters[i]);
  }
  return err;
}

cl_int clr_warm_data(struct clr_warming *warming, struct clr_status *status) {
  const struct clr_problem *problem = &warming->plan->problem;
  static const unsigned char zeros[CLR_STATE_SIZE_MAX], ones[sizeof(cl_ulong)] = {1, 1, 1, 1, 1, 1, 1, 1};
  const cl_ulong results = clr_warm_results(warming->plan, warming->elements, warming->rows);
  cl_int err = make_elements(warming, status);
  if (!err)
    err = make_buffer(warming, zeros, problem->operation.result_size, results, &warming->out, status);
  // One flag or key for each element.
  if (!err && problem->layout > CLRED_LAYOUT_SEGMENTS)
    err = make_buffer(warming, ones, sizeof ones, warming->elements, &warming->segments, status);
  return err;
}

void clr_warm_release(struct clr_warming *warming) {
  clr_release_buffers(&warming->in, 1);
  clr_release_buffers(&warming->out, 1);
  clr_release_buffers(&warming->segments, 1);
  clr_release_buffers(warming->inputs, CLR_INPUTS_MAX);
}

// All segments have one length, except the last.
cl_int clr_warm_offsets(struct clr_warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const size_t size = warming->plan->problem.segment_type->size, bytes = (size_t)(extent->rows + 1) * size;
  unsigned char *offsets = malloc(bytes);
  for (cl_ulong i = 0; offsets && i <= extent->rows; i++)
    clr_bits_put(i == extent->rows ? extent->count : extent->count / extent->rows * i, size, offsets + i * size);
  cl_int err = upload(warming, offsets, bytes, &warming->segments, status);
  free(offsets);
  return err;
}
