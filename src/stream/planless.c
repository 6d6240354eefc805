// Calls on host memory without a plan: they make a plan and a queue for one call.
#include "stream/host.h"

cl_int clr_run_host_planless(clred_runtime *runtime, const clred_problem *problem, const clred_host_call *call,
                             struct clr_status *status) {
  clred_plan *plan = NULL;
  cl_int err = clr_plan_make(runtime, problem, (struct clr_keeping){.indices = false}, &plan, status);
  if (err)
    return err;
  cl_command_queue queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    clr_fail_call(status, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = clr_run_host(queue, plan, call, status);
  if (queue)
    clReleaseCommandQueue(queue);
  clr_plan_release(plan);
  return err;
}
