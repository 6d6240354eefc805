#include <stdlib.h>
#include <string.h>

#include "api/plan.h"
#include "host/values.h"

// Enough that every work-item of two groups has something to do, whatever the strategy reads at once.
static cl_ulong trial_count(const clred_plan *plan)
{
  cl_ulong count = 2 * 64 * plan->shape.group_size + 3;
  return count < plan->shape.count_max ? count : plan->shape.count_max;
}

static void fill(const clred_plan *plan, unsigned char *elements, cl_ulong first, cl_ulong count, unsigned char byte)
{
  size_t size = plan->problem.operation.element.size;
  memset(elements + first * size, byte, (size_t)count * size);
}

// Part by part: what lies between them is anything.
static bool same_parts(const struct clr_operation *operation, const union clr_room *a, const union clr_room *b)
{
  for (size_t i = 0; i < operation->part_count; i++) {
    struct clr_element element;
    size_t offset = operation->parts[i].offset;
    clr_element_make(operation->parts[i].type, &element);
    if (memcmp(a->bytes + offset, b->bytes + offset, element.size))
      return false;
  }
  return true;
}

static cl_int run_and_compare(clred_plan *plan, cl_command_queue queue, cl_mem in, const void *elements, cl_ulong count,
                              struct clr_status *status)
{
  union clr_room got, expected;
  size_t bytes = (size_t)count * plan->problem.operation.element.size;
  // Further inputs see the same elements.
  const cl_mem inputs[CLR_INPUTS_MAX] = {in, in, in, in, in, in, in, in};
  const void *const host_inputs[CLR_INPUTS_MAX] = {elements, elements, elements, elements,
                                                   elements, elements, elements, elements};
  const clred_host_call reference = {elements, host_inputs, NULL, count};
  const struct clr_request request = {
    .queue = queue,
    .call = {.in = in, .inputs = inputs, .count = count, .stride = 1, .rows = 1, .columns = 1, .result = &got,
             .blocking = CL_TRUE}};
  cl_int err = clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, elements, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "the trial's elements");
  err = clr_enqueue(plan, &request, status);
  if (!err)
    err = clred_plan_reference_call(plan, &reference, &expected);
  if (err)
    return err;
  bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC && !plan->problem.operation.exact;
  if (!any_order && !same_parts(&plan->problem.operation, &got, &expected))
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
  size_t bytes = (size_t)count * plan->problem.operation.element.size;
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
