// One run: ranks, search, results.
#include <stdlib.h>
#include <string.h>

#include "quantile/quantile.h"

static int compare_ranks(const void *a, const void *b) {
  cl_ulong one = ((const struct clr_target *)a)->rank, other = ((const struct clr_target *)b)->rank;
  return one < other ? -1 : one > other;
}

// Sorts the targets and leaves each rank once.
static void settle(clred_quantile *quantile) {
  size_t kept = 0;
  qsort(quantile->targets, quantile->target_count, sizeof *quantile->targets, compare_ranks);
  for (size_t i = 0; i < quantile->target_count; i++)
    if (kept == 0 || quantile->targets[kept - 1].rank != quantile->targets[i].rank)
      quantile->targets[kept++] = quantile->targets[i];
  quantile->target_count = kept;
}

static void add_target(clred_quantile *quantile, cl_ulong rank, cl_ulong elements) {
  quantile->targets[quantile->target_count++] =
    (struct clr_target){.rank = rank, .high = clr_last_key(&quantile->ordering), .inside = elements};
}

static bool set_ranks(clred_quantile *quantile, cl_ulong count, cl_ulong nans) {
  const clred_quantile_problem *problem = &quantile->problem;
  const cl_ulong numbers = count - nans, chosen = clr_quantile_chosen(quantile);
  quantile->target_count = 0;
  if (problem->at && (numbers == 0 || (nans && problem->nan == CLRED_NAN_PROPAGATE)))
    return false;
  if (chosen && chosen <= numbers)
    add_target(quantile, chosen - 1, numbers);
  for (size_t i = 0; problem->at && i < problem->at_count; i++) {
    quantile->positions[i] = clr_position_of(problem->at[i], numbers, problem->interpolation);
    add_target(quantile, quantile->positions[i].lower, numbers);
    add_target(quantile, quantile->positions[i].higher, numbers);
  }
  settle(quantile);
  return quantile->target_count > 0;
}

static cl_ulong key_at(const clred_quantile *quantile, cl_ulong rank) {
  const struct clr_target *target = quantile->targets;
  while (target->rank != rank)
    target++;
  return target->low;
}

static void write_quantiles(const clred_quantile *quantile, unsigned char *results) {
  const clred_quantile_problem *problem = &quantile->problem;
  const struct clr_ordering *ordering = &quantile->ordering;
  for (size_t i = 0; i < problem->at_count; i++) {
    const struct clr_position *position = &quantile->positions[i];
    bool is_nan = quantile->target_count == 0;
    cl_ulong lower = is_nan ? clr_nan_key(ordering) : key_at(quantile, position->lower);
    cl_ulong higher = is_nan ? lower : key_at(quantile, position->higher);
    double between = clr_between(ordering, lower, higher, position->fraction);
    if (problem->interpolation == CLRED_INTERPOLATION_LINEAR)
      memcpy(results + i * sizeof between, &between, sizeof between);
    else
      clr_order_element(ordering, lower, results + i * ordering->type->size);
  }
}

static void write_chosen(const clred_quantile *quantile, unsigned char *results, cl_ulong *places) {
  const size_t size = quantile->ordering.type->size;
  for (size_t i = 0; i < clr_quantile_chosen(quantile); i++) {
    clr_bits_put(quantile->ranked[0][i].bits, size, results + i * size);
    if (places)
      places[i] = quantile->ranked[0][i].place;
  }
}

static cl_int fail_empty(const clred_quantile *quantile, struct clr_status *status) {
  return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s of 0 elements has no result%s",
                  quantile->problem.top      ? "top"
                  : quantile->problem.bottom ? "bottom"
                                             : "a quantile",
                  quantile->nans ? ": all are NaN" : "");
}

static cl_int check_chosen(const clred_quantile *quantile, cl_ulong numbers, struct clr_status *status) {
  cl_ulong chosen = clr_quantile_chosen(quantile);
  if (chosen <= numbers)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_OUT_OF_RANGE, "%s: %llu elements are asked for, there are %llu%s",
                  quantile->problem.top ? "top" : "bottom", (unsigned long long)chosen, (unsigned long long)numbers,
                  quantile->nans ? " without the NaNs" : "");
}

static cl_int check(const clred_quantile *quantile, const struct clr_quantile_call *call, struct clr_status *status) {
  const clred_quantile_problem *problem = &quantile->problem;
  if (call->places && problem->at)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "places: only top and bottom have them; give NULL");
  if (call->count == 0)
    return fail_empty(quantile, status);
  if (problem->count_max && call->count > problem->count_max)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu elements, count_max is %llu",
                    (unsigned long long)call->count, (unsigned long long)problem->count_max);
  return check_chosen(quantile, call->count, status);
}

static cl_int search_and_write(struct clr_quantile_run *run, const struct clr_quantile_call *call) {
  clred_quantile *quantile = run->quantile;
  cl_int err = clr_quantile_search(run, set_ranks);
  cl_ulong numbers = run->count - quantile->nans;
  if (err)
    return err;
  if (numbers == 0 && quantile->problem.nan == CLRED_NAN_IGNORE)
    return fail_empty(quantile, run->status);
  err = check_chosen(quantile, numbers, run->status);
  if (err)
    return err;
  if (quantile->problem.at) {
    write_quantiles(quantile, call->results);
    return CL_SUCCESS;
  }
  err = clr_quantile_choose(run, &quantile->targets[0]);
  if (!err)
    write_chosen(quantile, call->results, call->places);
  return err;
}

cl_int clr_quantile_run(clred_quantile *quantile, const struct clr_quantile_call *call, struct clr_status *status) {
  struct clr_quantile_run run = {.quantile = quantile, .status = status};
  quantile->readings = quantile->launches = quantile->nans = 0;
  quantile->seconds = 0;
  cl_int err = check(quantile, call, status);
  if (!err)
    err = clr_reading_open(&run, call);
  if (!err)
    err = search_and_write(&run, call);
  if (!err)
    quantile->seconds = clr_run_seconds(&run);
  clr_reading_close(&run);
  return err;
}
