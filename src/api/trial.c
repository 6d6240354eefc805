#include <stdlib.h>
#include <string.h>

#include "api/plan.h"

// A little more than two full groups of anything, so that every work-item and every finish has something to do.
static cl_ulong trial_count(const clred_plan *plan)
{
  cl_ulong elements = plan->strategy->elements ? plan->strategy->elements(&plan->shape, 0) : 2;
  cl_ulong count = 2 * plan->shape.group_size * (elements ? elements : 2) + 3;
  return count < plan->shape.count_max ? count : plan->shape.count_max;
}

// Bytes that make small numbers of any type but the floating ones, and for those a spread of magnitudes.
static unsigned char *trial_elements(const clred_plan *plan, cl_ulong count)
{
  size_t size = plan->problem.operation.element->size, bytes = (size_t)count * size;
  unsigned char *elements = calloc(bytes, 1);
  for (size_t i = 0; elements && i < bytes; i++)
    elements[i] = (unsigned char)(i % size == size - 1 ? 0x3f : 37 * i + 11);
  return elements;
}

static cl_int run_and_compare(clred_plan *plan, cl_command_queue queue, cl_mem in, const void *elements, cl_ulong count,
                              struct clr_status *status)
{
  unsigned char got[CLR_STATE_SIZE_MAX], expected[CLR_STATE_SIZE_MAX];
  const struct clr_request request = {.queue = queue, .in = in, .count = count, .result = got, .blocking = CL_TRUE};
  cl_int err = clr_enqueue(plan, &request, status);
  if (!err)
    err = clred_plan_reference(plan, elements, count, expected);
  if (err)
    return err;
  bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC && !plan->problem.operation.exact;
  if (!any_order && memcmp(got, expected, plan->problem.operation.state->size))
    return clr_fail(status, CLRED_WRONG_RESULT, "%s with group_size %llu gave a wrong result in a trial",
                    plan->strategy->name, (unsigned long long)plan->shape.group_size);
  return CL_SUCCESS;
}

cl_int clr_trial(clred_plan *plan, struct clr_status *status)
{
  cl_ulong count = trial_count(plan);
  size_t bytes = (size_t)count * plan->problem.operation.element->size;
  unsigned char *elements = trial_elements(plan, count);
  cl_mem in = NULL;
  cl_command_queue queue = NULL;
  cl_int err = elements ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (!err)
    queue = clCreateCommandQueue(plan->runtime->context, plan->runtime->device, 0, &err);
  if (!err)
    in = clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, elements, &err);
  if (!err)
    err = run_and_compare(plan, queue, in, elements, count, status);
  if (in)
    clReleaseMemObject(in);
  if (queue)
    clReleaseCommandQueue(queue);
  free(elements);
  return err;
}
