// The public functions of partials.
#include "partial/partial.h"
#include "api/growth.h"

#include <stdlib.h>

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
    err = clr_take(CLR_STRUCT_PARTIAL_OPTIONS, header, options, &full, &status);
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
  cl_int err = clr_require(call, "call", &status);
  if (!err)
    err = clr_take(CLR_STRUCT_CALL, header, call, &request.call, &status);
  if (!err)
    err = clr_partial_fold(partial, &request, &status);
  return keep(partial, err, &status);
}

cl_int clred_partial_fold_host_v(cl_uint header, clred_partial *partial, const clred_host_call *call) {
  clred_host_call full;
  struct clr_status status = {0};
  if (!partial)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(call, "call", &status);
  if (!err)
    err = clr_take(CLR_STRUCT_HOST_CALL, header, call, &full, &status);
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
  cl_int err = clr_require(call, "call", &status);
  if (!err)
    err = clr_take(CLR_STRUCT_HOST_CALL, header, call, &full, &status);
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
  cl_int err = left == right
                 ? clr_fail(&status, CLRED_PARTIAL_GAP, "left and right are the same partial; give its neighbour")
                 : clr_partial_settle(left, &status);
  if (!err)
    err = clr_partial_settle(right, &status);
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
    err = clr_partial_settle(partial, &status);
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
    err = clr_partial_settle(partial, &status);
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
  cl_int err = clr_partial_settle(partial, &status);
  const clred_partial_info full = {.first = partial->first,
                                   .count = partial->count,
                                   .nodes = partial->node_count,
                                   .elements = partial->head.count + partial->tail.count,
                                   .fingerprint = partial->fingerprint};
  clr_give(CLR_STRUCT_PARTIAL_INFO, header, &full, 1, info);
  return keep(partial, err, &status);
}

// --- Scans ---

cl_int clred_plan_create_folds(clred_plan *scan, clred_plan **folds) {
  struct clr_status status = {0};
  if (folds)
    *folds = NULL;
  if (!scan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(folds, "folds", &status);
  if (!err)
    err = clr_plan_make_nodes(scan, folds, &status);
  return clr_runtime_keep(scan->runtime, err, &status);
}

static cl_int settle_both(clred_partial *before, clred_partial *mine, struct clr_status *status) {
  if (before == mine)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "before and mine are the same partial; before has the elements before those of mine");
  cl_int err = clr_partial_settle(before, status);
  return err ? err : clr_partial_settle(mine, status);
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
    err = clr_require(call, "call", &status);
  if (!err)
    err = clr_take(CLR_STRUCT_CALL, header, call, &request.call, &status);
  if (!err)
    err = settle_both(before, mine, &status);
  if (!err)
    err = clr_partial_scan(scan, before, mine, &request, &status);
  return clr_runtime_keep(scan->runtime, err, &status);
}

// --- Several devices ---

cl_int clred_share_weighted(clred_plan *plan, cl_ulong count, size_t parts, const double *weights, size_t part,
                            cl_ulong *first, cl_ulong *share) {
  const struct clr_share_of of = {parts, part, weights};
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(first, "first", &status);
  if (!err)
    err = clr_require(share, "share", &status);
  if (!err)
    err = clr_share(plan, count, &of, first, share, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_share(clred_plan *plan, cl_ulong count, size_t parts, size_t part, cl_ulong *first, cl_ulong *share) {
  return clred_share_weighted(plan, count, parts, NULL, part, first, share);
}

// Full copies of the shares and of their calls.
struct shares {
  clred_device_share *shares;
  clred_call *calls;
};

static cl_int take_shares(cl_uint header, const clred_device_share *theirs, size_t count, struct shares *taken,
                          struct clr_status *status) {
  taken->shares = calloc(count, sizeof *taken->shares);
  taken->calls = calloc(count, sizeof *taken->calls);
  if (!taken->shares || !taken->calls)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu shares", count);
  for (size_t i = 0; i < count; i++) {
    clred_device_share *share = &taken->shares[i];
    clr_take_one(CLR_STRUCT_DEVICE_SHARE, header, theirs, i, share);
    if (share->call) {
      clr_take_one(CLR_STRUCT_CALL, header, share->call, 0, &taken->calls[i]);
      share->call = &taken->calls[i];
    }
  }
  return CL_SUCCESS;
}

// The sentence goes to the runtime of every share, because the caller may ask any of them.
static cl_int keep_everywhere(const struct shares *taken, size_t count, cl_int err, const struct clr_status *status) {
  for (size_t i = 0; i < count; i++)
    if (taken->shares && taken->shares[i].partial)
      keep(taken->shares[i].partial, err, status);
  return err;
}

cl_int clred_devices_reduce_v(cl_uint header, const clred_device_share *shares, size_t count, void *result) {
  struct shares taken = {NULL, NULL};
  struct clr_status status = {0};
  if (!shares || !count || !result || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = take_shares(header, shares, count, &taken, &status);
  if (!err)
    err = clr_devices_reduce(taken.shares, count, result, &status);
  keep_everywhere(&taken, count, err, &status);
  free(taken.shares);
  free(taken.calls);
  return err;
}
