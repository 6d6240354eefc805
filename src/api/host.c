// Reductions of host memory: a buffer around it for the time of the call.
#include <stdint.h>

#include "api/plan.h"

static cl_int fail(clred_plan *plan, cl_int code, const char *call, const char *what)
{
  struct clr_status status = {0};
  clr_fail_call(&status, code, call, what);
  return clr_runtime_fail(plan->runtime, &status);
}

// Elements that fit no buffer are refused before a driver is asked, because some accept anything.
static cl_int check_size(clred_plan *plan, cl_ulong count)
{
  struct clr_status status = {0};
  cl_ulong most = plan->runtime->facts.max_alloc / plan->problem.operation.element.size;
  if (count <= most)
    return CL_SUCCESS;
  clr_fail(&status, CL_INVALID_BUFFER_SIZE, "in: %llu elements are more than one buffer of the device holds: %llu",
           (unsigned long long)count, (unsigned long long)most);
  return clr_runtime_fail(plan->runtime, &status);
}

static cl_int wrap(clred_plan *plan, const void *in, cl_ulong count, cl_mem *buffer)
{
  // A device may read elements of a wrapped buffer only where they are aligned.
  bool aligned = (uintptr_t)in % plan->problem.operation.element.size == 0;
  cl_mem_flags how = plan->runtime->facts.unified_memory && aligned ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
  cl_int err;
  // OpenCL has no const; the buffer is only read.
  union {
    const void *read;
    void       *given;
  } memory = {in};
  *buffer = clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY | how,
                           (size_t)count * plan->problem.operation.element.size, memory.given, &err);
  return err ? fail(plan, err, "clCreateBuffer", "a buffer around the host's memory") : CL_SUCCESS;
}

cl_int clred_plan_reduce_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *result)
{
  cl_mem buffer = NULL;
  cl_int err = CL_SUCCESS;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  if (count && !in) {
    struct clr_status status = {0};
    clr_fail(&status, CLRED_INVALID_ARGUMENT, "in is NULL");
    return clr_runtime_fail(plan->runtime, &status);
  }
  if (count && !(err = check_size(plan, count)))
    err = wrap(plan, in, count, &buffer);
  if (!err)
    err = clred_enqueue_reduce_read(queue, plan, buffer, CL_TRUE, 0, count, result, 0, NULL, NULL);
  // A call that failed half-way may still be reading the caller's memory.
  if (err && buffer)
    clFinish(queue);
  if (buffer)
    clReleaseMemObject(buffer);
  return err;
}

cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                         void *result)
{
  const clred_problem problem = {.type = type, .op = op};
  clred_plan *plan = NULL;
  cl_command_queue queue = NULL;
  cl_int err = clred_plan_create(runtime, &problem, &plan);
  if (err)
    return err;
  queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    err = fail(plan, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = clred_plan_reduce_host(queue, plan, in, count, result);
  if (queue)
    clReleaseCommandQueue(queue);
  clred_plan_release(plan);
  return err;
}
