// The public calls on host memory, with a plan and without one.
#include "stream/host.h"
#include "api/struct_versions.h"

cl_int clred_plan_run_host_v(cl_uint header, cl_command_queue queue, clred_plan *plan, const clred_host_call *call) {
  clred_host_call full;
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_HOST_CALL, header, "call", call, &full, &status);
  if (!err)
    err = clr_run_host(queue, plan, &full, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

// --- Without a plan ---

// `needed` is the argument with the name `name`; fails if it is NULL.
static cl_int run_planless(clred_runtime *runtime, const clred_problem *problem, const void *needed, const char *name,
                           const clred_host_call *call) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(needed, name, &status);
  if (!err)
    err = clr_run_host_planless(runtime, problem, call, &status);
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_reduce_host(clred_runtime *runtime, clred_type type, clred_op op, const void *in, cl_ulong count,
                         void *result) {
  const clred_problem problem = {.type = type, .op = op};
  const clred_host_call call = {.in = in, .count = count, .out = result};
  return run_planless(runtime, &problem, result, "result", &call);
}

cl_int clred_scan_host(clred_runtime *runtime, clred_type type, clred_op op, clred_scan scan, const void *in,
                       cl_ulong count, void *out) {
  const clred_problem problem = {.type = type, .op = op, .scan = scan};
  const clred_host_call call = {.in = in, .count = count, .out = out};
  struct clr_status status = {0};
  if (!runtime || scan)
    return run_planless(runtime, &problem, &problem, "problem", &call);
  clr_fail(&status, CLRED_INVALID_ARGUMENT,
           "scan: CLRED_SCAN_NONE is no scan; give CLRED_SCAN_INCLUSIVE or CLRED_SCAN_EXCLUSIVE");
  return clr_runtime_keep(runtime, CLRED_INVALID_ARGUMENT, &status);
}

// Runs a problem. The problem's own struct has all fields of this library. The structs that the problem points to have
// the sizes of the header with which the caller was compiled.
static cl_int run_taken(cl_uint header, clred_runtime *runtime, struct clr_problem_taken *taken, const void *needed,
                        const char *name, const clred_host_call *call) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_parts(header, taken, &status);
  if (!err && (taken->histogram[0].weight_type || taken->histogram[0].next))
    err =
      clr_fail(&status, CLRED_INVALID_ARGUMENT, "histogram: %s needs inputs; make a plan and call clred_plan_run_host",
               taken->histogram[0].next ? "next" : "weight_type");
  return err ? clr_runtime_keep(runtime, err, &status) : run_planless(runtime, &taken->problem, needed, name, call);
}

cl_int clred_select_host_v(cl_uint header, clred_runtime *runtime, clred_type type, const clred_selection *selection,
                           const void *in, cl_ulong count, void *out, cl_ulong *kept) {
  struct clr_problem_taken taken = {.problem = {.type = type, .selection = selection}};
  const clred_host_call call = {.in = in, .count = count, .out = out, .kept = kept};
  return run_taken(header, runtime, &taken, selection, "selection", &call);
}

cl_int clred_histogram_host_v(cl_uint header, clred_runtime *runtime, clred_type type, const clred_histogram *histogram,
                              const void *in, cl_ulong count, cl_ulong *counts) {
  struct clr_problem_taken taken = {.problem = {.type = type, .histogram = histogram}};
  const clred_host_call call = {.in = in, .count = count, .out = counts};
  return run_taken(header, runtime, &taken, histogram, "histogram", &call);
}
