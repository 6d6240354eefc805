// The public functions of clreduce_sort.h.
#include <stdint.h>
#include <stdlib.h>

#include "api/struct_versions.h"
#include "trial/trial.h"

cl_int clred_sorter_create_v(cl_uint header, clred_runtime *runtime, const clred_sort_problem *problem,
                             clred_sorter **sorter) {
  clred_sort_problem full;
  struct clr_status status = {0};
  if (sorter)
    *sorter = NULL;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(sorter, "sorter", &status);
  if (!err)
    err = clr_take_given(CLR_STRUCT_SORT_PROBLEM, header, "problem", problem, &full, &status);
  if (!err)
    err = clr_sorter_make_tried(runtime, &full, sorter, &status);
  return clr_runtime_keep(runtime, err, &status);
}

void clred_sorter_release(clred_sorter *sorter) {
  clr_sorter_release(sorter);
}

cl_int clred_sorter_warm(cl_command_queue queue, clred_sorter *sorter) {
  struct clr_status status = {0};
  return sorter ? clr_runtime_keep(sorter->runtime, clr_sorter_warm(queue, sorter, &status), &status)
                : CLRED_INVALID_ARGUMENT;
}

cl_int clred_sorter_inspect_v(cl_uint header, const clred_sorter *sorter, clred_sorter_info *info) {
  clred_sorter_info full;
  if (!sorter)
    return CLRED_INVALID_ARGUMENT;
  clr_sorter_inspect(sorter, &full);
  return clr_struct_export(CLR_STRUCT_SORTER_INFO, header, &full, 1, info);
}

cl_int clred_enqueue_sort_v(cl_uint header, cl_command_queue queue, clred_sorter *sorter, const clred_sort_call *call,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  struct clr_sort_request request = {
    .queue = queue, .waits = num_events_in_wait_list, .wait_list = event_wait_list, .event = event};
  struct clr_status status = {0};
  if (!sorter)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_SORT_CALL, header, "call", call, &request.call, &status);
  if (!err && sorter->problem.host_calls)
    err = clr_fail(&status, CLRED_INVALID_ARGUMENT,
                   "host_calls: this sorter is only for clred_sorter_run_host; make one without host_calls");
  if (!err)
    err = clr_enqueue_sort(sorter, &request, &status);
  return clr_runtime_keep(sorter->runtime, err, &status);
}

cl_int clred_sorter_run_host_v(cl_uint header, cl_command_queue queue, clred_sorter *sorter,
                               const clred_sort_host_call *call) {
  clred_sort_host_call full;
  struct clr_status status = {0};
  if (!sorter)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_SORT_HOST_CALL, header, "call", call, &full, &status);
  if (!err)
    err = clr_sorter_run_host(queue, sorter, &full, &status);
  return clr_runtime_keep(sorter->runtime, err, &status);
}

// --- Without a sorter ---

static cl_int run_planless(clred_runtime *runtime, clred_type type, clred_sort_form form,
                           const clred_sort_host_call *call) {
  const clred_sort_problem problem = {
    .type = type, .form = form, .count_max = call->count ? call->count : 1, .host_calls = CL_TRUE};
  struct clr_status status = {0};
  return clr_runtime_keep(runtime, clr_sort_host_planless(runtime, &problem, call, &status), &status);
}

cl_int clred_sort_host(clred_runtime *runtime, clred_type type, void *keys, cl_ulong count) {
  const clred_sort_host_call call = {.keys = keys, .count = count, .keys_out = keys};
  return runtime ? run_planless(runtime, type, CLRED_SORT_KEYS, &call) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_argsort_host(clred_runtime *runtime, clred_type type, const void *keys, cl_ulong count,
                          cl_ulong *indices) {
  const clred_sort_host_call call = {.keys = keys, .count = count, .values_out = indices};
  const struct clr_type *row = clr_type_row(type);
  const bool are_wide = count >> 32;
  struct clr_status status = {0};
  cl_int err = CL_SUCCESS;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  if (count)
    err = clr_require(indices, "indices", &status);
  if (!err && row && (uintptr_t)keys < (uintptr_t)(indices + count) &&
      (uintptr_t)indices < (uintptr_t)keys + count * row->size)
    err = clr_fail(&status, CLRED_INVALID_ARGUMENT, "indices overlaps keys; give memory that lies apart");
  if (err)
    return clr_runtime_keep(runtime, err, &status);
  err = run_planless(runtime, type, CLRED_SORT_INDICES, &call);
  // Indices of 32 bits fill the first half; the last one is widened first.
  for (cl_ulong i = count; i-- > 0 && !err && !are_wide;) {
    indices[i] = clr_bits_get((const unsigned char *)indices + i * sizeof(cl_uint), sizeof(cl_uint));
  }
  return err;
}
