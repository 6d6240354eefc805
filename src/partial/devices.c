// Cuts elements into shares, and reduces or scans shares that are on several devices.
#include "partial/partial.h"

#include <string.h>

#include "base/arithmetic.h"

static cl_int check_numbers(const char *name, size_t parts, const double *numbers, struct clr_status *status) {
  const double most = 1e300;
  double total = 0;
  for (size_t i = 0; i < parts; i++) {
    if (!(numbers[i] >= 0 && numbers[i] <= most))
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s[%zu] is %g; give a number from 0 on", name, i, numbers[i]);
    total += numbers[i];
  }
  return total > 0 && total <= most
           ? CL_SUCCESS
           : clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: their sum is %g; give a positive one", name, total);
}

static double weight_of(const struct clr_share_of *of, size_t part) {
  return of->weights ? of->weights[part] : 1;
}

// The sum of the weights of the parts before `part`.
static double weight_before(const struct clr_share_of *of, size_t part) {
  double before = 0;
  for (size_t i = 0; i < part; i++)
    before += weight_of(of, i);
  return before;
}

// Returns where share `part` begins. Share number `parts` begins at the end. Shares begin at multiples of a unit: a run
// of tiles, at least as long as the node that a group folds, so that no node is cut. The unit does not depend on facts
// of the device, because all devices must compute the same shares.
static cl_ulong begin_of(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, size_t part) {
  const cl_ulong units_a_share = 256, tile = plan->shape.rows * plan->shape.lanes;
  const cl_ulong unit = tile * clr_pow2_floor(count / tile / of->parts / units_a_share);
  const cl_ulong units = clr_ceil_divide(count, unit);
  const double before = weight_before(of, part), total = weight_before(of, of->parts);
  if (part >= of->parts || before >= total)
    return count;
  return clr_min(clr_multiply((cl_ulong)((double)units * (before / total)), unit), count);
}

static cl_int check_part(const clred_plan *plan, const struct clr_share_of *of, struct clr_status *status) {
  cl_int err = clr_partial_check(plan, status);
  if (!err && of->part >= of->parts)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "part is %zu, but there are %zu parts", of->part, of->parts);
  return err;
}

// Returns the part with the largest weight. If several have this weight, returns the first of them.
static size_t largest(const struct clr_share_of *of) {
  size_t most = 0;
  for (size_t i = 1; i < of->parts; i++)
    if (weight_of(of, i) > weight_of(of, most))
      most = i;
  return most;
}

cl_int clr_share(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, cl_ulong *first,
                 cl_ulong *share, struct clr_status *status) {
  cl_int err = check_part(plan, of, status);
  if (!err && of->weights)
    err = check_numbers("weights", of->parts, of->weights, status);
  if (err)
    return err;
  // One device folds up to this many bytes before another device could begin (docs/distributed.md).
  const cl_ulong few_bytes = 128u << 20;
  if (clr_multiply(count, clr_operand_bytes(&plan->problem.operation)) <= few_bytes) {
    *first = of->part > largest(of) ? count : 0;
    *share = of->part == largest(of) ? count : 0;
    return CL_SUCCESS;
  }
  *first = begin_of(plan, count, of, of->part);
  *share = begin_of(plan, count, of, of->part + 1) - *first;
  return CL_SUCCESS;
}

// --- Checks ---

// `scan` and `before` are for scans only.
static cl_int check_fields(const clred_device_scan *share, size_t index, bool scans, struct clr_status *status) {
  const struct {
    const char *name;
    bool has_value;
  } fields[] = {{"queue", share->queue != NULL},
                {"partial", share->partial != NULL},
                {"call", share->call != NULL},
                {"scan", !scans || share->scan != NULL},
                {"before", !scans || share->before != NULL}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (!fields[i].has_value)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "shares[%zu].%s is NULL", index, fields[i].name);
  return CL_SUCCESS;
}

static cl_device_id device_of(const clred_device_scan *share) {
  return share->partial->plan->runtime->device;
}

static cl_int check_scan(const clred_device_scan *share, size_t index, struct clr_status *status) {
  const cl_device_id device = device_of(share);
  const bool scan_is_apart = share->scan->runtime->device != device;
  if (scan_is_apart || share->before->plan->runtime->device != device)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "shares[%zu].%s is of another device than shares[%zu].partial",
                    index, scan_is_apart ? "scan" : "before", index);
  if (share->before == share->partial)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "shares[%zu]: before and partial are the same; create another partial", index);
  if (index && share->call->initial)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "shares[%zu].call->initial: only shares[0] begins with a state; leave it NULL", index);
  return CL_SUCCESS;
}

static cl_int check_share(const clred_device_scan *shares, size_t index, bool scans, struct clr_status *status) {
  cl_int err = check_fields(&shares[index], index, scans, status);
  if (!err && scans)
    err = check_scan(&shares[index], index, status);
  for (size_t i = 0; i < index && !err; i++)
    if (device_of(&shares[i]) == device_of(&shares[index]))
      err = clr_fail(status, CLRED_INVALID_ARGUMENT, "shares[%zu] and shares[%zu] are on the same device; join them", i,
                     index);
  return err;
}

static cl_int check_all(const clred_device_scan *shares, size_t count, bool scans, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++)
    err = check_share(shares, i, scans, status);
  return err;
}

// Puts the device before the message of a failure.
static cl_int name_device(const clred_device_scan *shares, size_t index, cl_int err, struct clr_status *status) {
  char message[CLR_MESSAGE_SIZE], name[128] = "unknown device";
  if (!err)
    return CL_SUCCESS;
  memcpy(message, status->message, sizeof message);
  clGetDeviceInfo(device_of(&shares[index]), CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  return clr_fail(status, err, "shares[%zu], %s: %.300s", index, name, message);
}

// --- Folds ---

// What a fold reads; for scans the results are left out.
static clred_call call_of_fold(const clred_call *call) {
  return (clred_call){.in = call->in,
                      .in_offset = call->in_offset,
                      .inputs = call->inputs,
                      .input_offsets = call->input_offsets,
                      .parameters = call->parameters,
                      .count = call->count,
                      .stride = call->stride};
}

static cl_int enqueue_folds(const clred_device_scan *shares, size_t count, bool scans, struct clr_status *status) {
  cl_ulong first = 0;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++) {
    const clred_call *call = shares[i].call;
    const struct clr_request request = {.queue = shares[i].queue, .call = scans ? call_of_fold(call) : *call};
    // An error of an earlier fold has no meaning any more.
    clr_partial_reset(shares[i].partial, first, &(struct clr_status){0});
    err = clr_partial_fold(shares[i].partial, &request, true, status);
    err = name_device(shares, i, err, status);
    first = clr_add(first, call->count);
  }
  return err;
}

// Waits for the folds or the scans of all devices, even if one failed. Returns the first failure.
static cl_int finish_all(const clred_device_scan *shares, size_t count, bool scans, cl_int err,
                         struct clr_status *status) {
  struct clr_status later;
  for (size_t i = 0; i < count; i++) {
    struct clr_status *to = err ? &later : status;
    cl_int failed =
      scans ? clr_partial_finish_scan(shares[i].before, to) : clr_partial_take_results(shares[i].partial, to);
    if (!err)
      err = name_device(shares, i, failed, status);
  }
  return err;
}

// --- The reduction ---

// The share that has all elements; `count` if there is none.
static size_t find_only(const clred_device_scan *shares, size_t count) {
  size_t only = count;
  for (size_t i = 0; i < count; i++)
    if (shares[i].call->count) {
      if (only < count)
        return count;
      only = i;
    }
  return only;
}

// One call on the device that has all elements is faster than a partial.
static cl_int reduce_one(const clred_device_scan *share, void *result, struct clr_status *status) {
  struct clr_request request = {.purpose = CLR_FOR_REDUCTIONS, .queue = share->queue, .call = *share->call};
  if (request.call.out || request.call.result)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: the result goes to the host; leave it out",
                    request.call.out ? "out" : "result");
  cl_int err = clr_partial_check_fold(share->partial, request.call.count, request.call.parameters, status);
  request.call.parameters = share->partial->parameters;
  request.call.result = result;
  request.call.blocking = CL_TRUE;
  return err ? err : clr_enqueue(share->partial->plan, &request, status);
}

static cl_int reduce_all(const clred_device_scan *shares, size_t count, void *result, struct clr_status *status) {
  cl_int err = finish_all(shares, count, false, enqueue_folds(shares, count, false, status), status);
  for (size_t i = 1; i < count && !err; i++)
    err = name_device(shares, i, clr_partial_join(shares[0].partial, shares[i].partial, status), status);
  if (err)
    return err;
  err = clr_partial_result(shares[0].partial, result, status);
  return err == CLRED_OVERFLOW ? err : name_device(shares, 0, err, status);
}

cl_int clr_devices_reduce(const clred_device_scan *shares, size_t count, void *result, struct clr_status *status) {
  cl_int err = check_all(shares, count, false, status);
  if (err)
    return err;
  const size_t only = find_only(shares, count);
  if (only == count || shares[only].partial->plan->makes_nodes)
    return reduce_all(shares, count, result, status);
  clr_partial_reset(shares[only].partial, 0, &(struct clr_status){0});
  err = reduce_one(&shares[only], result, status);
  return err == CLRED_OVERFLOW ? err : name_device(shares, only, err, status);
}

// --- The scan ---

// Joins what is before each share: for all shares before the first scan, because a scan appends to its `before`.
static cl_int join_before(const clred_device_scan *shares, size_t count, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++) {
    clr_partial_reset(shares[i].before, 0, &(struct clr_status){0});
    if (i)
      err = clr_partial_join(shares[i].before, shares[i - 1].before, status);
    if (i && !err)
      err = clr_partial_join(shares[i].before, shares[i - 1].partial, status);
    err = name_device(shares, i, err, status);
  }
  return err;
}

static cl_int enqueue_scans(const clred_device_scan *shares, size_t count, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++) {
    struct clr_request request = {.purpose = CLR_FOR_SCANS, .queue = shares[i].queue, .call = *shares[i].call};
    request.call.initial = shares[0].call->initial;
    err = clr_partial_scan(shares[i].scan, shares[i].before, shares[i].partial, &request, status);
    err = name_device(shares, i, err, status);
  }
  return err;
}

cl_int clr_devices_scan(const clred_device_scan *shares, size_t count, struct clr_status *status) {
  cl_int err = check_all(shares, count, true, status);
  if (!err)
    err = finish_all(shares, count, false, enqueue_folds(shares, count, true, status), status);
  if (!err)
    err = join_before(shares, count, status);
  if (!err)
    err = finish_all(shares, count, true, enqueue_scans(shares, count, status), status);
  return err;
}
