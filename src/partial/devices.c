// Shares of several devices, and their reduction.
#include "partial/partial.h"

#include <string.h>

#include "base/arithmetic.h"

// --- Shares ---

static cl_int check_weights(size_t parts, const double *weights, double *total, struct clr_status *status) {
  const double most = 1e300;
  *total = 0;
  for (size_t i = 0; i < parts; i++) {
    const double weight = weights ? weights[i] : 1;
    if (!(weight >= 0 && weight <= most))
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "weights[%zu] is %g; give a number from 0 on", i, weight);
    *total += weight;
  }
  return *total > 0 && *total <= most
           ? CL_SUCCESS
           : clr_fail(status, CLRED_INVALID_ARGUMENT, "weights: their sum is %g; give a positive one", *total);
}

// Returns where share `part` begins. Share number `parts` begins at the end. Shares begin at multiples of a unit: a run
// of tiles, at least as long as the node that a group folds, so that no node is cut. The unit does not depend on facts
// of the device, because all devices must compute the same shares.
static cl_ulong begin_of(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, double total,
                         size_t part) {
  const cl_ulong units_a_share = 256, tile = plan->shape.rows * plan->shape.lanes;
  const cl_ulong unit = tile * clr_power_of_two_below(count / tile / of->parts / units_a_share);
  const cl_ulong units = clr_ceil_divide(count, unit);
  double before = 0;
  for (size_t i = 0; i < part; i++)
    before += of->weights ? of->weights[i] : 1;
  if (part >= of->parts || before >= total)
    return count;
  return clr_at_most(clr_multiply((cl_ulong)((double)units * (before / total)), unit), count);
}

// The part with the greatest weight; the first of them.
static size_t greatest(const struct clr_share_of *of) {
  size_t most = 0;
  for (size_t i = 1; of->weights && i < of->parts; i++)
    if (of->weights[i] > of->weights[most])
      most = i;
  return most;
}

cl_int clr_share(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, cl_ulong *first,
                 cl_ulong *share, struct clr_status *status) {
  double total = 0;
  cl_int err = clr_partial_check(plan, status);
  if (!err && of->part >= of->parts)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "part is %zu, but there are %zu parts", of->part, of->parts);
  if (!err)
    err = check_weights(of->parts, of->weights, &total, status);
  if (err)
    return err;
  // One device folds up to this many bytes before another device could begin (docs/distributed.md).
  const cl_ulong few_bytes = 64u << 20;
  if (clr_multiply(count, clr_operand_bytes(&plan->problem.operation)) <= few_bytes) {
    const bool takes_all = of->part == greatest(of);
    *first = of->part > greatest(of) ? count : 0;
    *share = takes_all ? count : 0;
    return CL_SUCCESS;
  }
  *first = begin_of(plan, count, of, total, of->part);
  *share = begin_of(plan, count, of, total, of->part + 1) - *first;
  return CL_SUCCESS;
}

// --- The reduction ---

static cl_int check_share(const clred_device_share *shares, size_t index, struct clr_status *status) {
  const struct {
    const char *name;
    bool is_there;
  } fields[] = {{"queue", shares[index].queue != NULL},
                {"partial", shares[index].partial != NULL},
                {"call", shares[index].call != NULL}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (!fields[i].is_there)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "shares[%zu].%s is NULL", index, fields[i].name);
  for (size_t i = 0; i < index; i++)
    if (shares[i].partial->plan->runtime->device == shares[index].partial->plan->runtime->device)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "shares[%zu] and shares[%zu] are on the same device; join them",
                      i, index);
  return CL_SUCCESS;
}

// Puts the device before the sentence of a failure.
static cl_int name_device(const clred_device_share *shares, size_t index, cl_int err, struct clr_status *status) {
  char sentence[CLR_SENTENCE_SIZE], name[128] = "unknown device";
  if (!err)
    return CL_SUCCESS;
  memcpy(sentence, status->sentence, sizeof sentence);
  clGetDeviceInfo(shares[index].partial->plan->runtime->device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  return clr_fail(status, err, "shares[%zu], %s: %.300s", index, name, sentence);
}

static cl_int enqueue_all(const clred_device_share *shares, size_t count, struct clr_status *status) {
  cl_ulong first = 0;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++) {
    const struct clr_request request = {.queue = shares[i].queue, .call = *shares[i].call};
    // An error of an earlier fold has no meaning any more.
    clr_partial_reset(shares[i].partial, first, &(struct clr_status){0});
    err = clr_partial_fold(shares[i].partial, &request, status);
    err = name_device(shares, i, err, status);
    first = clr_add(first, shares[i].call->count);
  }
  return err;
}

// Waits for all devices, even if one failed. Returns the first failure.
static cl_int settle_all(const clred_device_share *shares, size_t count, cl_int err, struct clr_status *status) {
  struct clr_status later;
  for (size_t i = 0; i < count; i++) {
    cl_int failed = clr_partial_settle(shares[i].partial, err ? &later : status);
    if (!err)
      err = name_device(shares, i, failed, status);
  }
  return err;
}

cl_int clr_devices_reduce(const clred_device_share *shares, size_t count, void *result, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++)
    err = check_share(shares, i, status);
  if (err)
    return err;
  err = settle_all(shares, count, enqueue_all(shares, count, status), status);
  for (size_t i = 1; i < count && !err; i++)
    err = name_device(shares, i, clr_partial_join(shares[0].partial, shares[i].partial, status), status);
  return err ? err : clr_partial_result(shares[0].partial, result, status);
}
