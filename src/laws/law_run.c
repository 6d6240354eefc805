#include <stdlib.h>
#include <string.h>

#include "laws/laws.h"

// Arguments of the kernel before the operator's own.
#define COMMON_ARGUMENTS 5

static cl_int fail(struct clr_law_run *run, cl_int err, const char *call) {
  return clr_fail_call(run->status, err, call, "trying the laws of an operator");
}

// ---------------------------------------------------------------- What it holds

static cl_int make_buffer(struct clr_law_run *run, cl_context context, cl_mem_flags flags, size_t size, void *bytes,
                          cl_mem *buffer) {
  cl_int err = CL_SUCCESS;
  *buffer = clCreateBuffer(context, flags | (bytes ? CL_MEM_COPY_HOST_PTR : 0), size, bytes, &err);
  return err ? fail(run, err, "clCreateBuffer") : CL_SUCCESS;
}

static cl_int make_buffers(struct clr_law_run *run, cl_context context, const struct clr_pool *pool) {
  const struct clr_operation *operation = run->operation;
  const struct {
    cl_mem *buffer;
    cl_mem_flags flags;
    size_t size;
    void *bytes;
  } buffers[] = {
    {&run->triples, CL_MEM_READ_ONLY, CLR_LAW_BATCH * sizeof(struct clr_triple), NULL},
    {&run->states, CL_MEM_READ_WRITE, operation->state_size * CLR_LAW_BATCH * CLR_LAW_STATES, NULL},
    {&run->results, CL_MEM_READ_WRITE, operation->result_size * CLR_LAW_BATCH * CLR_LAW_RESULTS, run->results_read},
    {&run->elements, CL_MEM_READ_ONLY, CLR_POOL_SIZE * operation->element.size, pool->elements},
  };
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++)
    err = make_buffer(run, context, buffers[i].flags, buffers[i].size, buffers[i].bytes, buffers[i].buffer);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = make_buffer(run, context, CL_MEM_READ_ONLY, CLR_POOL_SIZE * operation->input_sizes[i], pool->inputs[i],
                      &run->inputs[i]);
  return err;
}

static cl_int set_buffers(struct clr_law_run *run) {
  const cl_mem common[COMMON_ARGUMENTS] = {run->triples, NULL, run->states, run->results, run->elements};
  cl_int err = CL_SUCCESS;
  for (cl_uint i = 0; i < COMMON_ARGUMENTS && !err; i++)
    if (common[i])
      err = clSetKernelArg(run->kernel, i, sizeof common[i], &common[i]);
  for (cl_uint i = 0; i < run->operation->input_count && !err; i++)
    err = clSetKernelArg(run->kernel, COMMON_ARGUMENTS + i, sizeof run->inputs[i], &run->inputs[i]);
  return err ? fail(run, err, "clSetKernelArg") : CL_SUCCESS;
}

static cl_int make_room(struct clr_law_run *run) {
  run->states_read = calloc((size_t)CLR_LAW_BATCH * CLR_LAW_STATES, run->operation->state_size);
  run->results_read = calloc((size_t)CLR_LAW_BATCH * CLR_LAW_RESULTS, run->operation->result_size);
  return run->states_read && run->results_read
           ? CL_SUCCESS
           : clr_fail(run->status, CL_OUT_OF_HOST_MEMORY, "out of memory while trying the laws of an operator");
}

cl_int clr_law_run_open(clred_runtime *runtime, const struct clr_operation *operation, const struct clr_pool *pool,
                        struct clr_law_run *run, struct clr_status *status) {
  struct clr_built *built = NULL;
  *run = (struct clr_law_run){.operation = operation, .status = status};
  cl_int err = clr_runtime_laws(runtime, operation, &built, status);
  if (err)
    return err;
  atomic_store(&built->launched, true);
  run->kernel = clCreateKernel(built->program, "clred_laws", &err);
  if (err)
    return fail(run, err, "clCreateKernel");
  run->queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    return fail(run, err, "clCreateCommandQueue");
  err = make_room(run);
  if (!err)
    err = make_buffers(run, runtime->context, pool);
  return err ? err : set_buffers(run);
}

void clr_law_run_close(struct clr_law_run *run) {
  const cl_mem common[] = {run->triples, run->states, run->results, run->elements};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    if (common[i])
      clReleaseMemObject(common[i]);
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++)
    if (run->inputs[i])
      clReleaseMemObject(run->inputs[i]);
  if (run->kernel)
    clReleaseKernel(run->kernel);
  if (run->queue)
    clReleaseCommandQueue(run->queue);
  free(run->states_read);
  free(run->results_read);
  *run = (struct clr_law_run){.operation = NULL};
}

// ---------------------------------------------------------------- Trials

cl_int clr_law_run_set_parameters(struct clr_law_run *run, int first, int step) {
  const struct clr_operation *operation = run->operation;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < operation->parameter_count && !err; i++) {
    struct clr_layout layout;
    clr_layout_parameter(operation, i, &layout);
    unsigned char *value = malloc(layout.size);
    if (!value)
      return clr_fail(run->status, CL_OUT_OF_HOST_MEMORY, "out of memory while trying the laws of an operator");
    clr_put_ramp(&layout, first + step * (int)i, step, value);
    err = clSetKernelArg(run->kernel, COMMON_ARGUMENTS + (cl_uint)(operation->input_count + i), layout.size, value);
    free(value);
  }
  return err ? fail(run, err, "clSetKernelArg") : CL_SUCCESS;
}

cl_int clr_law_run_batch(struct clr_law_run *run, const struct clr_triple *triples, size_t count) {
  const struct clr_operation *operation = run->operation;
  const size_t global_size = CLR_LAW_BATCH;
  const cl_uint trials = (cl_uint)count;
  cl_int err =
    clEnqueueWriteBuffer(run->queue, run->triples, CL_TRUE, 0, count * sizeof *triples, triples, 0, NULL, NULL);
  if (err)
    return fail(run, err, "clEnqueueWriteBuffer");
  err = clSetKernelArg(run->kernel, 1, sizeof trials, &trials);
  if (err)
    return fail(run, err, "clSetKernelArg");
  err = clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL, &global_size, NULL, 0, NULL, NULL);
  if (err)
    return fail(run, err, "clEnqueueNDRangeKernel");
  err = clEnqueueReadBuffer(run->queue, run->states, CL_TRUE, 0, count * CLR_LAW_STATES * operation->state_size,
                            run->states_read, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(run->queue, run->results, CL_TRUE, 0, count * CLR_LAW_RESULTS * operation->result_size,
                              run->results_read, 0, NULL, NULL);
  return err ? fail(run, err, "clEnqueueReadBuffer") : CL_SUCCESS;
}
