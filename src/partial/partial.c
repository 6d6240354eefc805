// Creates and releases partials.
#include "partial/partial.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "call/check.h"
#include "platform/platform.h"

cl_int clr_partial_check(const clred_plan *plan, struct clr_status *status) {
  const clred_layout layout = plan->problem.layout;
  if (plan->problem.scan && !plan->problem.selects)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "the plan scans; partials need its plan of clred_plan_create_scan_partials");
  if (!plan->strategy->reduce.fold)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "strategy %s makes no partials; wide and chunked do",
                    plan->strategy->name);
  if (layout != CLRED_LAYOUT_LINE && layout != CLRED_LAYOUT_STRIDED)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "a partial is of one line of elements; the plan has another layout");
  return clr_plan_check_program(plan, status);
}

// --- Memory ---

// Every array begins at a multiple of this, so states and elements of every type are aligned.
#define PLACE sizeof(cl_double16)

// States that a fold copies to the host, at most.
static cl_ulong staged_states(const clred_plan *plan) {
  return plan->shape.groups_max + CLR_PARTIAL_RUNS * CLR_PARTIAL_RATIO;
}

// Bytes for the results of a scan that the host writes: one result for each element of a tile, and one for the end of
// each run of tiles. There are at most 64 such ends, one for each bit of a tile's number.
static size_t result_bytes(const clred_partial *partial) {
  const cl_ulong ends = 64;
  return partial->plan->makes_nodes ? (size_t)(partial->tile + ends) * partial->plan->problem.operation.result_size : 0;
}

// Divides a block of memory: each array begins at `next`. If `base` is NULL, only the bytes are counted.
struct carving {
  unsigned char *base;
  size_t next;
};

static void *carve(struct carving *carving, size_t bytes) {
  unsigned char *place = carving->base ? carving->base + carving->next : NULL;
  carving->next += clr_round_up(bytes, PLACE);
  return place;
}

static void carve_tile(struct carving *carving, const clred_partial *partial, struct clr_incomplete_tile *tile) {
  for (size_t i = 0; i < partial->source_count; i++)
    tile->elements[i] = carve(carving, (size_t)partial->tile * partial->sizes[i]);
}

// The elements of incomplete tiles, then states, as in the scratch.
static void carve_landing(struct carving *carving, clred_partial *partial) {
  const size_t size = partial->plan->problem.operation.state_size;
  struct clr_pending *flight = &partial->flight;
  struct carving begun = {NULL, 0};
  carve_tile(&begun, partial, &flight->before);
  carve_tile(&begun, partial, &flight->after);
  partial->base = clr_ceil_divide(begun.next, size);
  flight->landing = carve(carving, (size_t)(partial->base + staged_states(partial->plan)) * size);
  begun = (struct carving){flight->landing, 0};
  carve_tile(&begun, partial, &flight->before);
  carve_tile(&begun, partial, &flight->after);
  flight->states = flight->landing ? flight->landing + (size_t)partial->base * size : NULL;
}

static void carve_parameters(struct carving *carving, clred_partial *partial, const void *const *given) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  for (size_t i = 0; i < operation->parameter_count; i++) {
    void *place = carve(carving, operation->parameter_sizes[i]);
    if (place)
      partial->parameters[i] = memcpy(place, given[i], operation->parameter_sizes[i]);
  }
}

static size_t carve_all(clred_partial *partial, void *base, const void *const *parameters) {
  const size_t size = partial->plan->problem.operation.state_size;
  struct carving carving = {base, 0};
  carve_tile(&carving, partial, &partial->head);
  carve_tile(&carving, partial, &partial->tail);
  carve_landing(&carving, partial);
  // One state more than nodes: the incomplete tile at the end becomes a state when the result is computed.
  partial->states = carve(&carving, (CLR_PARTIAL_NODES + 1) * size);
  partial->results = carve(&carving, result_bytes(partial));
  carve_parameters(&carving, partial, parameters);
  return carving.next;
}

static cl_int prepare(clred_partial *partial, const clred_partial_options *options, struct clr_status *status) {
  const clred_plan *plan = partial->plan;
  partial->first = options->first;
  partial->tile = plan->shape.rows * plan->shape.lanes;
  partial->any_order = clr_partial_is_of_any_order(&plan->problem.operation);
  partial->source_count = clr_source_sizes(&plan->problem.operation, partial->sizes);
  const size_t bytes = carve_all(partial, NULL, options->parameters);
  partial->memory = clr_aligned_alloc(PLACE, bytes);
  if (!partial->memory)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes of a partial", bytes);
  memset(partial->memory, 0, bytes);
  carve_all(partial, partial->memory, options->parameters);
  partial->fingerprint = clr_partial_fingerprint(plan, partial->parameters);
  partial->slot = calloc(1, sizeof *partial->slot);
  if (!partial->slot)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a partial's slot");
  cl_int err = clr_slot_make(plan, partial->base + staged_states(plan), partial->slot, status);
  return err ? err : clr_partial_open_device(partial, status);
}

// --- Create and release ---

cl_int clr_partial_create(clred_plan *plan, const clred_partial_options *options, clred_partial **partial,
                          struct clr_status *status) {
  cl_int err = clr_partial_check(plan, status);
  if (!err)
    err = clr_check_parameters(&plan->problem.operation, options->parameters, status);
  if (err)
    return err;
  clred_partial *made = calloc(1, sizeof *made);
  if (!made)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a partial");
  made->plan = plan;
  err = prepare(made, options, status);
  if (err)
    clr_partial_release(made);
  else
    *partial = made;
  return err;
}

// Also usable after a failure.
cl_int clr_partial_reset(clred_partial *partial, cl_ulong first, struct clr_status *status) {
  struct clr_pending *flight = &partial->flight;
  cl_int err = clr_finish_event(&flight->done, "the fold of a partial", status);
  clr_forget_events(&partial->slot->space.kept);
  flight->reads = NULL;
  flight->run_count = 0;
  clr_partial_empty(partial, first);
  partial->failed = CL_SUCCESS;
  return err;
}

void clr_partial_release(clred_partial *partial) {
  struct clr_status ignored;
  if (!partial)
    return;
  clr_partial_finish_scan(partial, &ignored);
  clr_finish_event(&partial->flight.done, "the fold of a partial", &ignored);
  if (partial->slot)
    clr_slot_discard(partial->slot);
  if (partial->queue)
    clReleaseCommandQueue(partial->queue);
  free(partial->slot);
  clr_aligned_free(partial->memory);
  free(partial);
}

// --- What every fold checks ---

static cl_int check_same_parameters(const clred_partial *partial, const void *const *given, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  for (size_t i = 0; given && i < operation->parameter_count; i++)
    if (given[i] && memcmp(given[i], partial->parameters[i], operation->parameter_sizes[i]) != 0)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "parameters[%zu] differs from that of the partial; leave it out",
                      i);
  return CL_SUCCESS;
}

static cl_int check_end(const clred_partial *partial, cl_ulong count, struct clr_status *status) {
  return count <= CL_ULONG_MAX - clr_partial_end(partial)
           ? CL_SUCCESS
           : clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "%llu elements after element %llu are more than 64 bits count",
                      (unsigned long long)count, (unsigned long long)clr_partial_end(partial));
}

cl_int clr_partial_check_fold(const clred_partial *partial, cl_ulong count, const void *const *parameters,
                              struct clr_status *status) {
  cl_int err = check_same_parameters(partial, parameters, status);
  return err ? err : check_end(partial, count, status);
}
