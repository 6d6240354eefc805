// Runs trials of an operator's laws on the device. laws.c makes the trials and checks their results.
#include <stdlib.h>

#include "base/arithmetic.h"
#include "laws/laws.h"

// Kernel arguments before the operator's own.
#define COMMON_ARGUMENTS 5

static const char purpose[] = "trying the laws of an operator";

static cl_int fail(struct clr_law_run *run, cl_int err, const char *call) {
  return clr_fail_call(run->status, err, call, purpose);
}

static cl_int make_buffers(struct clr_law_run *run, const struct clr_pool *pool) {
  const struct clr_operation *operation = run->operation;
  const struct {
    cl_mem *buffer;
    size_t size;
    const void *contents;
  } buffers[] = {
    {&run->triples, CLR_LAW_BATCH * sizeof(struct clr_triple), NULL},
    {&run->states, operation->state_size * CLR_LAW_BATCH * CLR_LAW_STATES, NULL},
    {&run->results, operation->result_size * CLR_LAW_BATCH * CLR_LAW_RESULTS, run->results_read},
    {&run->elements, CLR_POOL_SIZE * operation->element.size, pool->elements},
  };
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++)
    err = clr_session_buffer(&run->session, buffers[i].size, buffers[i].contents, buffers[i].buffer, run->status);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = clr_session_buffer(&run->session, CLR_POOL_SIZE * operation->input_sizes[i], pool->inputs[i], &run->inputs[i],
                             run->status);
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
  err = clr_session_open(runtime->context, runtime->device, purpose, &run->session, status);
  if (!err)
    err = clr_session_kernel(&run->session, built->program, "clred_laws", &run->kernel, status);
  if (err)
    return err;
  err = make_room(run);
  if (!err)
    err = make_buffers(run, pool);
  return err ? err : set_buffers(run);
}

void clr_law_run_close(struct clr_law_run *run) {
  clr_session_close(&run->session);
  free(run->states_read);
  free(run->results_read);
  *run = (struct clr_law_run){.operation = NULL};
}

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

// Returns the size of groups for the trials; 0: the driver chooses. With states of 1024 bytes a trial needs about 24
// KiB of private memory. PoCL has 8 MiB for all work-items of a group, but chooses groups of 512.
static size_t group_size_of(const struct clr_operation *operation) {
  const size_t small_state = 256, group_bytes = (size_t)1 << 20, states_a_trial = 64;
  return operation->state_size <= small_state
           ? 0
           : (size_t)clr_pow2_floor(group_bytes / (states_a_trial * operation->state_size));
}

cl_int clr_law_run_batch(struct clr_law_run *run, const struct clr_triple *triples, size_t count) {
  const struct clr_operation *operation = run->operation;
  const cl_uint trials = (cl_uint)count;
  cl_int err = clr_session_write(&run->session, run->triples, count * sizeof *triples, triples, run->status);
  if (!err && (err = clSetKernelArg(run->kernel, 1, sizeof trials, &trials)) != CL_SUCCESS)
    fail(run, err, "clSetKernelArg");
  if (!err)
    err = clr_session_launch(&run->session, run->kernel, CLR_LAW_BATCH, group_size_of(operation), run->status);
  if (!err)
    err = clr_session_read(&run->session, run->states, count * CLR_LAW_STATES * operation->state_size, run->states_read,
                           run->status);
  return err ? err
             : clr_session_read(&run->session, run->results, count * CLR_LAW_RESULTS * operation->result_size,
                                run->results_read, run->status);
}
