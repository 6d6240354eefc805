// The public calls on host memory, with a plan and without one.
#include "stream/host.h"

cl_int clred_plan_reduce_host_call(cl_command_queue queue, clred_plan *plan, const clred_host_call *call,
                                   void *result) {
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(call, "call", &status);
  if (!err)
    err = clr_reduce_host(queue, plan, call, result, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_plan_reduce_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *result) {
  const clred_host_call call = {.in = in, .count = count};
  return clred_plan_reduce_host_call(queue, plan, &call, result);
}

cl_int clred_plan_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out) {
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  return clr_runtime_keep(plan->runtime, clr_scan_host(queue, plan, in, count, out, NULL, &status), &status);
}

cl_int clred_plan_select_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out,
                              cl_ulong *kept) {
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(kept, "kept", &status);
  if (!err)
    err = clr_scan_host(queue, plan, in, count, out, kept, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

// --- Without a plan ---

// `needed`, which has this name, is what the problem is made of.
static cl_int call_planless(clred_runtime *runtime, const clred_problem *problem, const void *needed, const char *name,
                            const struct clr_planless_call *call) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(needed, name, &status);
  if (!err)
    err = clr_call_planless(runtime, problem, call, &status);
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                         void *result) {
  const clred_problem problem = {.type = type, .op = op};
  const struct clr_planless_call call = {CLR_REDUCES, in, count, result, NULL};
  return call_planless(runtime, &problem, &problem, "problem", &call);
}

cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                       cl_ulong count, void *out) {
  const clred_problem problem = {.type = type, .op = op, .scan = scan};
  const struct clr_planless_call call = {CLR_SCANS, in, count, out, NULL};
  return call_planless(runtime, &problem, &problem, "problem", &call);
}

cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const struct clred_histogram *histogram,
                            const void *in, cl_ulong count, cl_ulong *counts) {
  const clred_problem problem = {.type = type, .histogram = histogram};
  const struct clr_planless_call call = {CLR_REDUCES, in, count, counts, NULL};
  return call_planless(runtime, &problem, histogram, "histogram", &call);
}

cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection, const void *in,
                         cl_ulong count, void *out, cl_ulong *kept) {
  const clred_problem problem = {.type = type, .selection = selection};
  const struct clr_planless_call call = {CLR_SELECTS, in, count, out, kept};
  return call_planless(runtime, &problem, selection, "selection", &call);
}
