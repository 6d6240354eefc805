#include <stdlib.h>

#include "api/plan.h"

static cl_int make_kernels(const clred_plan *plan, cl_program program, struct clr_slot *slot, struct clr_status *status)
{
  for (int i = 0; i < CLR_KERNELS && program; i++) {
    char name[80];
    cl_int err;
    clr_source_entry(plan->strategy, (enum clr_kernel)i, name, sizeof name);
    slot->space.kernels[i] = clCreateKernel(program, name, &err);
    if (err)
      return clr_fail_call(status, err, "clCreateKernel", name);
  }
  return CL_SUCCESS;
}

static cl_int make_buffer(const clred_plan *plan, size_t bytes, void *contents, const char *what, cl_mem *buffer,
                          struct clr_status *status)
{
  cl_int err;
  *buffer = clCreateBuffer(plan->runtime->context, contents ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes, contents,
                           &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", what) : CL_SUCCESS;
}

static cl_int make_slot(const clred_plan *plan, cl_program program, struct clr_slot *slot, struct clr_status *status)
{
  size_t state_size = plan->problem.operation.state->size;
  size_t bytes = (size_t)(plan->shape.scratch ? plan->shape.scratch : 1) * state_size;
  cl_uint zero = 0;
  cl_int err = make_kernels(plan, program, slot, status);
  if (!err && program)
    err = make_buffer(plan, bytes, NULL, "scratch", &slot->space.scratch, status);
  if (!err && program)
    err = make_buffer(plan, sizeof zero, &zero, "the ticket", &slot->space.ticket, status);
  if (!err)
    err = make_buffer(plan, state_size, NULL, "the result", &slot->result, status);
  if (err || plan->shape.finish != CLR_FINISH_HOST)
    return err;
  slot->host_partials = malloc(bytes);
  return slot->host_partials ? CL_SUCCESS
                             : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes of partials", bytes);
}

cl_int clr_slots_create(clred_plan *plan, cl_program program, struct clr_status *status)
{
  cl_int err = CL_SUCCESS;
  plan->slots = calloc(plan->problem.in_flight, sizeof *plan->slots);
  if (!plan->slots)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %u slots", plan->problem.in_flight);
  for (cl_uint i = 0; i < plan->problem.in_flight && !err; i++)
    err = make_slot(plan, program, &plan->slots[i], status);
  return err;
}

static void release_event(cl_event *event)
{
  if (*event)
    clReleaseEvent(*event);
  *event = NULL;
}

static void release_buffer(cl_mem buffer)
{
  if (buffer)
    clReleaseMemObject(buffer);
}

static void release_slot(struct clr_slot *slot)
{
  if (slot->pending)
    clWaitForEvents(1, &slot->pending);
  release_event(&slot->pending);
  release_event(&slot->first);
  release_event(&slot->last);
  for (int i = 0; i < CLR_KERNELS; i++)
    if (slot->space.kernels[i])
      clReleaseKernel(slot->space.kernels[i]);
  release_buffer(slot->space.scratch);
  release_buffer(slot->space.ticket);
  release_buffer(slot->result);
  free(slot->host_partials);
}

void clr_slots_release(clred_plan *plan)
{
  for (cl_uint i = 0; plan->slots && i < plan->problem.in_flight; i++)
    release_slot(&plan->slots[i]);
  free(plan->slots);
  plan->slots = NULL;
}

// Done, or ended in an error: either way nothing of it runs any more.
static bool is_done(const struct clr_slot *slot)
{
  cl_int state = CL_QUEUED;
  if (!slot->pending)
    return true;
  cl_int err = clGetEventInfo(slot->pending, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  return !err && state <= CL_COMPLETE;
}

struct clr_slot *clr_slot_take(clred_plan *plan)
{
  cl_uint count = plan->problem.in_flight, chosen = plan->next;
  for (cl_uint i = 0; i < count; i++) {
    if (!is_done(&plan->slots[(plan->next + i) % count]))
      continue;
    chosen = (plan->next + i) % count;
    release_event(&plan->slots[chosen].pending);
    break;
  }
  release_event(&plan->slots[chosen].first);
  release_event(&plan->slots[chosen].last);
  plan->next = (chosen + 1) % count;
  plan->latest = chosen;
  return &plan->slots[chosen];
}
