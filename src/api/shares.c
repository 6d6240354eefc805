// The public functions of clreduce_shares.h.
#include <stdlib.h>

#include "api/struct_versions.h"
#include "partial/partial.h"

// --- Shares ---

// Fails if one of two pointers of a call is NULL.
static cl_int require_both(const void *a, const char *a_name, const void *b, const char *b_name,
                           struct clr_status *status) {
  cl_int err = clr_require(a, a_name, status);
  return err ? err : clr_require(b, b_name, status);
}

cl_int clred_share_weighted(clred_plan *plan, cl_ulong count, size_t parts, const double *weights, size_t part,
                            cl_ulong *first, cl_ulong *share) {
  const struct clr_share_of of = {parts, part, weights};
  struct clr_status status = {0};
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = require_both(first, "first", share, "share", &status);
  if (!err)
    err = clr_share(plan, count, &of, first, share, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_share(clred_plan *plan, cl_ulong count, size_t parts, size_t part, cl_ulong *first, cl_ulong *share) {
  return clred_share_weighted(plan, count, parts, NULL, part, first, share);
}

// --- Calls on several devices ---

// Full copies of the shares and of their calls. Reductions leave `scan` and `before` NULL.
struct shares {
  clred_device_scan *shares;
  clred_call *calls;
  size_t count;
};

// If memory runs out, only the first share is known; its runtime gets the message.
static cl_int make_shares(struct shares *taken, size_t count, const clred_partial *first) {
  struct clr_status status = {0};
  *taken = (struct shares){calloc(count, sizeof *taken->shares), calloc(count, sizeof *taken->calls), 0};
  if (taken->shares && taken->calls) {
    taken->count = count;
    return CL_SUCCESS;
  }
  free(taken->shares);
  free(taken->calls);
  cl_int err = clr_fail(&status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu shares", count);
  return first ? clr_runtime_keep(first->plan->runtime, err, &status) : err;
}

static void take_call(cl_uint header, struct shares *taken, size_t index) {
  clred_device_scan *share = &taken->shares[index];
  if (!share->call)
    return;
  clr_take_one(CLR_STRUCT_CALL, header, share->call, 0, &taken->calls[index]);
  share->call = &taken->calls[index];
}

// The message goes to the runtime of every share, because the caller may ask any of them.
static cl_int keep_everywhere(const struct shares *taken, cl_int err, const struct clr_status *status) {
  for (size_t i = 0; i < taken->count; i++) {
    const clred_device_scan *share = &taken->shares[i];
    if (share->partial)
      clr_runtime_keep(share->partial->plan->runtime, err, status);
    if (share->scan)
      clr_runtime_keep(share->scan->runtime, err, status);
  }
  free(taken->shares);
  free(taken->calls);
  return err;
}

cl_int clred_devices_reduce_v(cl_uint header, const clred_device_share *shares, size_t count, void *result) {
  struct shares taken;
  clred_device_share share;
  struct clr_status status = {0};
  if (!shares || !count || !result || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  clr_take_one(CLR_STRUCT_DEVICE_SHARE, header, shares, 0, &share);
  cl_int err = make_shares(&taken, count, share.partial);
  if (err)
    return err;
  for (size_t i = 0; i < count; i++) {
    clr_take_one(CLR_STRUCT_DEVICE_SHARE, header, shares, i, &share);
    taken.shares[i] = (clred_device_scan){.queue = share.queue, .partial = share.partial, .call = share.call};
    take_call(header, &taken, i);
  }
  return keep_everywhere(&taken, clr_devices_reduce(taken.shares, count, result, &status), &status);
}

cl_int clred_devices_scan_v(cl_uint header, const clred_device_scan *shares, size_t count) {
  struct shares taken;
  clred_device_scan share;
  struct clr_status status = {0};
  if (!shares || !count || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  clr_take_one(CLR_STRUCT_DEVICE_SCAN, header, shares, 0, &share);
  cl_int err = make_shares(&taken, count, share.partial);
  if (err)
    return err;
  for (size_t i = 0; i < count; i++) {
    clr_take_one(CLR_STRUCT_DEVICE_SCAN, header, shares, i, &taken.shares[i]);
    take_call(header, &taken, i);
  }
  return keep_everywhere(&taken, clr_devices_scan(taken.shares, count, &status), &status);
}
