#include "opencl/host_work.h"

#include "host/trees.h"

static cl_int unmap(const struct clr_call *call, void *mapped, struct clr_status *status)
{
  cl_event unmapped;
  cl_int err = clEnqueueUnmapMemObject(call->queue, call->in, mapped, 0, NULL, &unmapped);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "in");
  err = clWaitForEvents(1, &unmapped);
  clReleaseEvent(unmapped);
  return err ? clr_fail_call(status, err, "clWaitForEvents", "unmapping in") : CL_SUCCESS;
}

static cl_int wait_for(const struct clr_call *call, struct clr_status *status)
{
  cl_int err = call->waits ? clWaitForEvents(call->waits, call->wait_list) : CL_SUCCESS;
  return err ? clr_fail_call(status, err, "clWaitForEvents", "the wait list") : CL_SUCCESS;
}

cl_int clr_walk_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *state, struct clr_status *status)
{
  size_t size = operation->element->size;
  cl_int err;
  operation->host->identity(state);
  if (pass->count == 0)
    return wait_for(call, status);
  void *mapped = clEnqueueMapBuffer(call->queue, call->in, CL_TRUE, CL_MAP_READ, (size_t)call->in_offset * size,
                                    (size_t)pass->count * size, call->waits, call->wait_list, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", "in");
  const struct clr_values values = {operation, mapped, pass->count};
  clr_fold_elements(&values, state);
  return unmap(call, mapped, status);
}

cl_int clr_fold_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *partials, void *state, struct clr_status *status)
{
  size_t size = operation->state->size;
  cl_int err = clEnqueueReadBuffer(call->queue, call->workspace->scratch, CL_TRUE, (size_t)pass->first * size,
                                   (size_t)pass->count * size, partials, call->waits, call->wait_list, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the partials");
  clr_fold_partials(operation, partials, pass->count, pass->pairs, state);
  return CL_SUCCESS;
}
