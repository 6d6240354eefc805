// The public functions of clreduce_quantile.h.
#include "quantile/quantile.h"
#include "api/struct_versions.h"
#include "trial/trial.h"

cl_int clred_quantile_create_v(cl_uint header, clred_runtime *runtime, const clred_quantile_problem *problem,
                               clred_quantile **quantile) {
  clred_quantile_problem full;
  struct clr_status status = {0};
  if (quantile)
    *quantile = NULL;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(problem, "problem", &status);
  if (!err)
    err = clr_require(quantile, "quantile", &status);
  if (!err)
    err = clr_struct_import(CLR_STRUCT_QUANTILE_PROBLEM, header, problem, &full, &status);
  if (!err)
    err = clr_quantile_make_tried(runtime, &full, quantile, &status);
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_quantile_warm(cl_command_queue queue, clred_quantile *quantile) {
  struct clr_status status = {0};
  return quantile ? clr_runtime_keep(quantile->runtime, clr_quantile_warm(quantile, queue, &status), &status)
                  : CLRED_INVALID_ARGUMENT;
}

void clred_quantile_release(clred_quantile *quantile) {
  clr_quantile_release(quantile);
}

cl_int clred_quantile_inspect_v(cl_uint header, const clred_quantile *quantile, clred_quantile_info *info) {
  clred_quantile_info full;
  if (!quantile)
    return CLRED_INVALID_ARGUMENT;
  clr_quantile_inspect(quantile, &full);
  return clr_struct_export(CLR_STRUCT_QUANTILE_INFO, header, &full, 1, info);
}

static cl_int run(clred_quantile *quantile, const struct clr_quantile_call *call) {
  struct clr_status status = {0};
  cl_int err = clr_require(call->results, "results", &status);
  if (!err)
    err = clr_quantile_run(quantile, call, &status);
  return clr_runtime_keep(quantile->runtime, err, &status);
}

cl_int clred_quantile_run(cl_command_queue queue, clred_quantile *quantile, cl_mem in, cl_ulong in_offset,
                          cl_ulong count, void *results, cl_ulong *places, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list) {
  const struct clr_quantile_call call = {.queue = queue,
                                         .in = in,
                                         .in_offset = in_offset,
                                         .count = count,
                                         .results = results,
                                         .places = places,
                                         .waits = num_events_in_wait_list,
                                         .wait_list = event_wait_list};
  return quantile ? run(quantile, &call) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_quantile_run_host(cl_command_queue queue, clred_quantile *quantile, const void *in, cl_ulong count,
                               void *results, cl_ulong *places) {
  const struct clr_quantile_call call = {
    .queue = queue, .memory = in, .count = count, .results = results, .places = places};
  struct clr_status status = {0};
  if (!quantile)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = count ? clr_require(in, "in", &status) : CL_SUCCESS;
  return err ? clr_runtime_keep(quantile->runtime, err, &status) : run(quantile, &call);
}
