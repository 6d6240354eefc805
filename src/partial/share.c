// Cuts elements into shares.
#include "partial/partial.h"

#include "base/arithmetic.h"

// --- Cuts in the ratio of weights ---

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

static cl_int check(const clred_plan *plan, const struct clr_share_of *of, struct clr_status *status) {
  cl_int err = clr_partial_check(plan, status);
  if (!err && of->part >= of->parts)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "part is %zu, but there are %zu parts", of->part, of->parts);
  return err;
}

// The part with the greatest weight; the first of them.
static size_t greatest(const struct clr_share_of *of) {
  size_t most = 0;
  for (size_t i = 1; i < of->parts; i++)
    if (weight_of(of, i) > weight_of(of, most))
      most = i;
  return most;
}

cl_int clr_share(const clred_plan *plan, cl_ulong count, const struct clr_share_of *of, cl_ulong *first,
                 cl_ulong *share, struct clr_status *status) {
  cl_int err = check(plan, of, status);
  if (!err && of->weights)
    err = check_numbers("weights", of->parts, of->weights, status);
  if (err)
    return err;
  // One device folds up to this many bytes before another device could begin (docs/distributed.md).
  const cl_ulong few_bytes = 128u << 20;
  if (clr_multiply(count, clr_operand_bytes(&plan->problem.operation)) <= few_bytes) {
    *first = of->part > greatest(of) ? count : 0;
    *share = of->part == greatest(of) ? count : 0;
    return CL_SUCCESS;
  }
  *first = begin_of(plan, count, of, of->part);
  *share = begin_of(plan, count, of, of->part + 1) - *first;
  return CL_SUCCESS;
}
