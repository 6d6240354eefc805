// Cuts elements into shares.
#include "partial/partial.h"

#include <stdlib.h>
#include <string.h>

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
  const cl_ulong unit = tile * clr_power_of_two_below(count / tile / of->parts / units_a_share);
  const cl_ulong units = clr_ceil_divide(count, unit);
  const double before = weight_before(of, part), total = weight_before(of, of->parts);
  if (part >= of->parts || before >= total)
    return count;
  return clr_at_most(clr_multiply((cl_ulong)((double)units * (before / total)), unit), count);
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

// --- Cuts by measured speeds ---

// The seconds of `count` elements on the parts that have a weight. One thread of the host begins and joins the folds of
// all devices, so their starts add up.
static double seconds_of(const struct clr_speeds *of, const double *weights, cl_ulong count) {
  double starts = 0, speed = 0;
  for (size_t i = 0; i < of->parts; i++) {
    starts += weights[i] > 0 ? of->starts[i] : 0;
    speed += weights[i];
  }
  return starts + (double)count / speed;
}

// The part that is fastest alone.
static size_t fastest(const struct clr_speeds *of, double *weights, cl_ulong count, double *least) {
  size_t best = of->parts;
  for (size_t i = 0; i < of->parts; i++) {
    weights[i] = of->speeds[i];
    const double seconds = seconds_of(of, weights, count);
    weights[i] = 0;
    if (of->speeds[i] > 0 && (best == of->parts || seconds < *least)) {
      best = i;
      *least = seconds;
    }
  }
  return best;
}

// Chooses the part with the least starts[i] / speeds[i] among those without a weight, and gives it a weight. Returns
// false if there is none.
static bool add_part(const struct clr_speeds *of, double *weights) {
  size_t best = of->parts;
  for (size_t i = 0; i < of->parts; i++)
    if (!(weights[i] > 0) && of->speeds[i] > 0 &&
        (best == of->parts || of->starts[i] / of->speeds[i] < of->starts[best] / of->speeds[best]))
      best = i;
  if (best < of->parts)
    weights[best] = of->speeds[best];
  return best < of->parts;
}

// Chooses the parts that are done first: one part alone, or those with the least starts for their speeds.
static void choose(const struct clr_speeds *of, double *weights, cl_ulong count) {
  double least = 0;
  size_t chosen = 0;
  const size_t alone = fastest(of, weights, count, &least);
  for (size_t parts = 1; add_part(of, weights); parts++) {
    const double seconds = seconds_of(of, weights, count);
    chosen = seconds < least ? parts : chosen;
    least = seconds < least ? seconds : least;
  }
  memset(weights, 0, of->parts * sizeof *weights);
  for (size_t i = 0; i < chosen; i++)
    add_part(of, weights);
  if (!chosen)
    weights[alone] = of->speeds[alone];
}

cl_int clr_share_by_speed(const clred_plan *plan, cl_ulong count, const struct clr_speeds *of, cl_ulong *first,
                          cl_ulong *share, struct clr_status *status) {
  struct clr_share_of weighted = {of->parts, of->part, NULL};
  cl_int err = check(plan, &weighted, status);
  if (!err)
    err = check_numbers("speeds", of->parts, of->speeds, status);
  for (size_t i = 0; i < of->parts && !err; i++)
    if (!(of->starts[i] >= 0 && of->starts[i] <= 1e300))
      err = clr_fail(status, CLRED_INVALID_ARGUMENT, "starts[%zu] is %g; give seconds from 0 on", i, of->starts[i]);
  double *weights = err ? NULL : calloc(of->parts, sizeof *weights);
  if (!err && !weights)
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu weights", of->parts);
  if (err)
    return err;
  choose(of, weights, count);
  weighted.weights = weights;
  *first = begin_of(plan, count, &weighted, of->part);
  *share = begin_of(plan, count, &weighted, of->part + 1) - *first;
  free(weights);
  return CL_SUCCESS;
}
