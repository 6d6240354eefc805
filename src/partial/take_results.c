// Adds the results of a complete fold to the partial.
#include "partial/partial.h"

#include <string.h>

// Stride 0: repeats the one element that was read.
static void repeat(const clred_partial *partial, struct clr_incomplete_tile *tile) {
  for (size_t i = 0; i < partial->source_count; i++)
    for (cl_ulong j = 1; j < tile->count; j++)
      memcpy(tile->elements[i] + (size_t)j * partial->sizes[i], tile->elements[i], partial->sizes[i]);
}

// Takes the nodes of a run, after joining them to the largest nodes that they contain.
static cl_int take_run(clred_partial *partial, const struct clr_node_run *run, unsigned char *states,
                       struct clr_status *status) {
  const size_t size = partial->plan->problem.operation.state_size;
  cl_int err = CL_SUCCESS;
  for (cl_ulong done = 0; done < run->count && !err;) {
    const cl_ulong place = (run->tile >> run->level) + done, left = run->count - done;
    unsigned more = 0;
    while (!(place >> more & 1) && 2ull << more <= left)
      more++;
    err = clr_partial_fold_states(partial, states + (size_t)done * size, 1ull << more, status);
    if (!err)
      err = clr_partial_take_node(partial, (struct clr_node){place << run->level, run->level + more},
                                  states + (size_t)done * size, status);
    done += 1ull << more;
  }
  return err;
}

static cl_int take_flight(clred_partial *partial, struct clr_status *status) {
  struct clr_pending *flight = &partial->flight;
  unsigned char *states = flight->states;
  if (flight->repeats) {
    repeat(partial, &flight->before);
    repeat(partial, &flight->after);
  }
  cl_int err =
    clr_partial_take_elements(partial, (const void *const *)flight->before.elements, flight->before.count, status);
  for (size_t i = 0; i < flight->run_count && !err; i++) {
    err = take_run(partial, &flight->runs[i], states, status);
    states += (size_t)flight->runs[i].count * partial->plan->problem.operation.state_size;
  }
  return err ? err
             : clr_partial_take_elements(partial, (const void *const *)flight->after.elements, flight->after.count,
                                         status);
}

cl_int clr_partial_read_landing(const clred_partial *partial, cl_command_queue queue, cl_bool blocking, cl_uint waits,
                                const cl_event *wait_list, cl_event *read, struct clr_status *status) {
  const struct clr_pending *flight = &partial->flight;
  cl_int err = clEnqueueReadBuffer(queue, partial->slot->space.scratch, blocking, flight->from, flight->bytes,
                                   flight->landing + flight->from, waits, wait_list, read);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the states of a partial") : CL_SUCCESS;
}

// A read in an in-order queue waits for the commands before it.
static cl_int wait(const clred_partial *partial, struct clr_status *status) {
  const struct clr_pending *flight = &partial->flight;
  bool in_order = false;
  cl_int err = flight->reads ? clr_queue_is_in_order(flight->reads, &in_order, status) : CL_SUCCESS;
  if (err)
    return err;
  err = in_order ? CL_SUCCESS : clWaitForEvents(1, &flight->done);
  if (err)
    return clr_fail_call(status, err, "clWaitForEvents", "the fold of a partial");
  return flight->reads ? clr_partial_read_landing(partial, flight->reads, CL_TRUE, 0, NULL, NULL, status) : CL_SUCCESS;
}

cl_int clr_partial_take_results(clred_partial *partial, struct clr_status *status) {
  struct clr_pending *flight = &partial->flight;
  if (partial->failed)
    return clr_fail(status, partial->failed, "the partial failed before");
  if (!flight->done)
    return CL_SUCCESS;
  cl_int err = wait(partial, status);
  clReleaseEvent(flight->done);
  flight->done = NULL;
  flight->reads = NULL;
  if (!err)
    err = take_flight(partial, status);
  atomic_store(&partial->plan->built->launched, true);
  partial->failed = err;
  return err;
}
