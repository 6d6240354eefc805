#include <stdlib.h>
#include <string.h>

#include "api/plan.h"

// Enough that every work-item of two groups has something to do, whatever the strategy reads at once.
static cl_ulong trial_count(const clred_plan *plan)
{
  cl_ulong count = 2 * 64 * plan->shape.group_size + 3;
  return count < plan->shape.count_max ? count : plan->shape.count_max;
}

static void fill(const clred_plan *plan, unsigned char *elements, cl_ulong first, cl_ulong count, unsigned char byte)
{
  size_t size = plan->problem.operation.element->size;
  memset(elements + first * size, byte, (size_t)count * size);
}

static cl_int run_and_compare(clred_plan *plan, cl_command_queue queue, cl_mem in, const void *elements, cl_ulong count,
                              struct clr_status *status)
{
  unsigned char got[CLR_STATE_SIZE_MAX], expected[CLR_STATE_SIZE_MAX];
  size_t bytes = (size_t)count * plan->problem.operation.element->size;
  const struct clr_request request = {.queue = queue, .in = in, .count = count, .result = got, .blocking = CL_TRUE};
  cl_int err = clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, elements, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "the trial's elements");
  err = clr_enqueue(plan, &request, status);
  if (!err)
    err = clred_plan_reference(plan, elements, count, expected);
  if (err)
    return err;
  bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC && !plan->problem.operation.exact;
  if (!any_order && memcmp(got, expected, plan->problem.operation.state->size))
    return clr_fail(status, CLRED_WRONG_RESULT,
                    "%s with group_size %llu, above the driver's hint %llu, gave a wrong result in a trial",
                    plan->strategy->name, (unsigned long long)plan->shape.group_size,
                    (unsigned long long)plan->kernel_limit);
  return CL_SUCCESS;
}

// One element that differs from all others decides the result of a min, an all or an any, and shows in a sum; so it is put
// where groups begin and end, once as the greater and once as the smaller.
static cl_int run_trials(clred_plan *plan, cl_command_queue queue, cl_mem in, unsigned char *elements, cl_ulong count,
                         struct clr_status *status)
{
  cl_ulong size = plan->shape.group_size;
  const cl_ulong places[] = {0, 1, size / 2, size - 1, size, 64 * size - 1, 64 * size, count / 2, count - 1};
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < 2 * sizeof places / sizeof *places && !err; i++) {
    unsigned char common = i % 2 ? 0x3f : 0, other = i % 2 ? 0 : 0x3f;
    fill(plan, elements, 0, count, common);
    fill(plan, elements, places[i / 2] < count ? places[i / 2] : 0, 1, other);
    err = run_and_compare(plan, queue, in, elements, count, status);
  }
  return err;
}

cl_int clr_trial(clred_plan *plan, struct clr_status *status)
{
  cl_ulong count = trial_count(plan);
  size_t bytes = (size_t)count * plan->problem.operation.element->size;
  unsigned char *elements = malloc(bytes);
  cl_mem in = NULL;
  cl_command_queue queue = NULL;
  cl_int err = elements ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (!err)
    queue = clCreateCommandQueue(plan->runtime->context, plan->runtime->device, 0, &err);
  if (!err)
    in = clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY, bytes, NULL, &err);
  if (err)
    clr_fail_call(status, err, "clCreateBuffer", "a trial of the group size");
  // As few groups as have neighbours, so that each has all its work-items busy.
  cl_ulong groups_max = plan->shape.groups_max;
  plan->shape.groups_max = groups_max > 2 ? 2 : groups_max;
  if (!err)
    err = run_trials(plan, queue, in, elements, count, status);
  plan->shape.groups_max = groups_max;
  if (in)
    clReleaseMemObject(in);
  if (queue)
    clReleaseCommandQueue(queue);
  free(elements);
  return err;
}
