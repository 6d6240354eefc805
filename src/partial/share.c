// Cuts elements into shares.
#include "partial/partial.h"

#include "base/arithmetic.h"

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

// Returns where share `part` begins. Share number `parts` begins at the end. The unit is a run of tiles at least as
// long as the nodes that a device folds, so no device has to cut one. Facts of devices play no part, because all
// devices must cut alike.
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
  // At most so many bytes take less time on one device than another device takes to begin (docs/distributed.md).
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
