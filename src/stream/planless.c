// Calls on host memory without a plan: they make a plan and a queue for one call.
#include "stream/host.h"

static cl_int call_plan(cl_command_queue queue, clred_plan *plan, const struct clr_planless_call *call,
                        struct clr_status *status) {
  const clred_host_call reduction = {.in = call->in, .count = call->count};
  if (call->does == CLR_REDUCES)
    return clr_reduce_host(queue, plan, &reduction, call->out, status);
  cl_int err = call->does == CLR_SELECTS ? clr_require(call->kept, "kept", status) : CL_SUCCESS;
  return err ? err : clr_scan_host(queue, plan, call->in, call->count, call->out, call->kept, status);
}

cl_int clr_call_planless(clred_runtime *runtime, const clred_problem *problem, const struct clr_planless_call *call,
                         struct clr_status *status) {
  clred_plan *plan = NULL;
  cl_int err = clr_plan_make(runtime, problem, (struct clr_keeping){.indices = false}, &plan, status);
  if (err)
    return err;
  cl_command_queue queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    clr_fail_call(status, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = call_plan(queue, plan, call, status);
  if (queue)
    clReleaseCommandQueue(queue);
  clr_plan_release(plan);
  return err;
}
