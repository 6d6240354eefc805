// The public functions of partials.
#include "partial/partial.h"
#include "api/struct_versions.h"
#include "trial/trial.h"

static cl_int keep(const clred_partial *partial, cl_int err, const struct clr_status *status) {
  return clr_runtime_keep(partial->plan->runtime, err, status);
}

cl_int clred_partial_create_v(cl_uint header, clred_plan *plan, const clred_partial_options *options,
                              clred_partial **partial) {
  clred_partial_options full;
  struct clr_status status = {0};
  if (partial)
    *partial = NULL;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(partial, "partial", &status);
  if (!err)
    err = clr_struct_import(CLR_STRUCT_PARTIAL_OPTIONS, header, options, &full, &status);
  if (!err)
    err = clr_partial_create(plan, &full, partial, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

void clred_partial_release(clred_partial *partial) {
  clr_partial_release(partial);
}

cl_int clred_partial_fold_v(cl_uint header, cl_command_queue queue, clred_partial *partial, const clred_call *call,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  struct clr_request request = {
    .queue = queue, .waits = num_events_in_wait_list, .wait_list = event_wait_list, .event = event};
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_CALL, header, "call", call, &request.call, &status);
  if (!err)
    err = clr_partial_fold(partial, &request, false, &status);
  return keep(partial, err, &status);
}

cl_int clred_partial_fold_host_v(cl_uint header, clred_partial *partial, const clred_host_call *call) {
  clred_host_call full;
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_HOST_CALL, header, "call", call, &full, &status);
  if (!err)
    err = clr_partial_fold_host(partial, &full, &status);
  return keep(partial, err, &status);
}

cl_int clred_partial_push_v(cl_uint header, cl_command_queue queue, clred_partial *partial,
                            const clred_host_call *call) {
  clred_host_call full;
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_given(CLR_STRUCT_HOST_CALL, header, "call", call, &full, &status);
  if (!err)
    err = clr_partial_push(queue, partial, &full, &status);
  return keep(partial, err, &status);
}

cl_int clred_partial_reset(clred_partial *partial, cl_ulong first) {
  struct clr_status status = {0};
  return partial ? keep(partial, clr_partial_reset(partial, first, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_partial_join(clred_partial *left, clred_partial *right) {
  struct clr_status status = {0};
  if (!left || !right)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = left == right ? clr_fail(&status, CLRED_PARTIAL_GAP,
                                        "left and right are the same partial; give one with other elements")
                             : clr_partial_take_results(left, &status);
  if (!err)
    err = clr_partial_take_results(right, &status);
  if (!err)
    err = clr_partial_join(left, right, &status);
  return keep(left, err, &status);
}

cl_int clred_partial_result(clred_partial *partial, void *result) {
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(result, "result", &status);
  if (!err)
    err = clr_partial_take_results(partial, &status);
  if (!err)
    err = clr_partial_result(partial, result, &status);
  return keep(partial, err, &status);
}

size_t clred_partial_bytes(const clred_plan *plan) {
  return plan ? clr_partial_bytes(plan) : 0;
}

cl_int clred_partial_pack(clred_partial *partial, void *bytes, size_t room, size_t *size) {
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(size, "size", &status);
  if (!err)
    err = clr_partial_take_results(partial, &status);
  if (!err)
    err = clr_partial_pack(partial, bytes, room, size, &status);
  return keep(partial, err, &status);
}

cl_int clred_partial_unpack(clred_plan *plan, const void *bytes, size_t size, clred_partial **partial) {
  struct clr_status status = {0};
  if (partial)
    *partial = NULL;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(partial, "partial", &status);
  if (!err)
    err = clr_require(bytes, "bytes", &status);
  if (!err)
    err = clr_partial_unpack(plan, bytes, size, partial, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_partial_read(clred_partial *partial, const void *bytes, size_t size) {
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(bytes, "bytes", &status);
  if (!err)
    err = clr_partial_read(partial, bytes, size, &status);
  return keep(partial, err, &status);
}

clred_plan *clred_partial_plan(const clred_partial *partial) {
  return partial ? partial->plan : NULL;
}

cl_ulong clred_partial_tile(const clred_plan *plan) {
  struct clr_status unused = {0};
  return plan && !clr_partial_check(plan, &unused) ? plan->shape.rows * plan->shape.lanes : 0;
}

cl_ulong clred_partial_fingerprint(const clred_plan *plan, char *name, size_t size) {
  char text[80] = "";
  if (plan)
    clr_partial_describe(plan, text, sizeof text);
  clr_text_copy(text, name, size);
  return plan ? clr_partial_fingerprint(plan, NULL) : 0;
}

cl_int clred_partial_inspect_v(cl_uint header, clred_partial *partial, clred_partial_info *info) {
  struct clr_status status = {0};
  if (!partial || !info || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_partial_take_results(partial, &status);
  const clred_partial_info full = {.first = partial->first,
                                   .count = partial->count,
                                   .nodes = partial->node_count,
                                   .elements = partial->head.count + partial->tail.count,
                                   .fingerprint = partial->fingerprint};
  clr_struct_export(CLR_STRUCT_PARTIAL_INFO, header, &full, 1, info);
  return keep(partial, err, &status);
}

// --- Scans ---

cl_int clred_plan_create_scan_partials(clred_plan *scan, clred_plan **folds) {
  struct clr_status status = {0};
  if (folds)
    *folds = NULL;
  if (!scan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(folds, "folds", &status);
  if (!err)
    err = clr_plan_make_nodes_tried(scan, folds, &status);
  return clr_runtime_keep(scan->runtime, err, &status);
}

static cl_int settle_both(clred_partial *before, clred_partial *mine, struct clr_status *status) {
  if (before == mine)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "before and mine are the same partial; before has the elements before those of mine");
  cl_int err = clr_partial_take_results(before, status);
  return err ? err : clr_partial_take_results(mine, status);
}

cl_int clred_partial_scan_v(cl_uint header, cl_command_queue queue, clred_plan *scan, clred_partial *before,
                            clred_partial *mine, const clred_call *call, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event) {
  struct clr_request request = {.purpose = CLR_FOR_SCANS,
                                .queue = queue,
                                .waits = num_events_in_wait_list,
                                .wait_list = event_wait_list,
                                .event = event};
  struct clr_status status = {0};
  if (!scan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(before, "before", &status);
  if (!err)
    err = clr_require(mine, "mine", &status);
  if (!err)
    err = clr_take_given(CLR_STRUCT_CALL, header, "call", call, &request.call, &status);
  if (!err)
    err = settle_both(before, mine, &status);
  if (!err)
    err = clr_partial_scan(scan, before, mine, &request, &status);
  return clr_runtime_keep(scan->runtime, err, &status);
}
