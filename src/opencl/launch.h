// Enqueues the passes of one call, one after another, on any queue. Knows kernels and buffers, no strategy.
#ifndef CLR_OPENCL_LAUNCH_H
#define CLR_OPENCL_LAUNCH_H

#include <stdbool.h>
#include <threads.h>

#include "base/status.h"
#include "planning/strategy.h"

// Arguments that every kernel takes, as they were set last.
#define CLR_COMMON_ARGUMENTS 14
struct clr_known_arguments {
  bool are_set;
  cl_ulong bits[CLR_COMMON_ARGUMENTS];
};

// Events that others wait for, kept until those are done: PoCL 3.1 ends the process where an event ends in an error
// that nobody holds. Of more than there is room for the oldest goes.
#define CLR_KEPT_EVENTS 64
struct clr_kept_events {
  cl_event events[CLR_KEPT_EVENTS];
  size_t count;
};
void clr_keep_event(struct clr_kept_events *kept, cl_event event);  // taken over; NULL: nothing to do
void clr_forget_events(struct clr_kept_events *kept);               // those that are over
void clr_await_events(struct clr_kept_events *kept);                // all, when they are over

// The operator's further inputs and its parameters, as the kernels take them.
struct clr_operands {
  size_t input_count;
  const cl_mem *inputs;
  const cl_ulong *input_offsets;  // NULL: all 0
  size_t parameter_count;
  const size_t *parameter_sizes;
  const void *const *parameters;
};

// Memory and kernels that a slot lends to a call.
struct clr_workspace {
  cl_kernel kernels[CLR_KERNELS];
  struct clr_known_arguments known[CLR_KERNELS];
  cl_mem scratch;
  cl_mem ticket;
  cl_mem result;              // for calls that read their result into host memory
  cl_mem outcome;             // for calls that give no buffer for it; NULL: the plan has none
  cl_mem offsets, run_count;  // of runs that another plan finds first; NULL: there are none
  void *partials;             // host memory, for finish host
  cl_uint tag;                // of the next launch on look-back's board; 0: the board must be cleared
  struct clr_kept_events kept;
};

// One call of a plan while it is enqueued: what was asked, of which plan, and the events so far.
struct clr_call {
  const clred_call *asked;  // its fields are used as they stand, but for those that have a field here
  const struct clr_problem *problem;
  const struct clr_strategy *strategy;
  const struct clr_shape *shape;
  struct clr_workspace *workspace;
  cl_command_queue queue;
  mtx_t *mapping;            // held while a map or an unmap is enqueued
  struct clr_extent extent;  // the asked one, with defaults filled in
  cl_mem out;                // the asked one, or the workspace's
  cl_ulong out_offset;
  cl_ulong out_stride;
  bool in_place;  // scans: results replace the elements
  struct clr_operands operands;
  cl_mem outcome;           // the asked one, or the workspace's
  cl_ulong outcome_offset;  // in outcomes
  clred_outcome found;      // the outcome of work on the host
  bool fills;               // the device fills buffers as it should
  cl_uint tag;              // of this call's launch on look-back's board
  // Events.
  bool in_order;  // the queue is
  cl_uint waits;  // events that the next pass waits for; after a launch, the launch's
  const cl_event *wait_list;
  cl_event first, last;  // of the call's launches; NULL before the first, and without events
  bool has_events;       // false: nothing needs them, the order of the queue is enough
  bool chains;           // each launch waits for the event of the one before: the queue has no order, or the first
                         // launch waits for events that may end in an error, which an order does not pass on
  bool keep_first;
  bool is_enqueued;  // some part of it
};

// Enqueues one launch behind the call's waits. With events `last` is set, so that whoever comes next can wait for it.
cl_int clr_launch(struct clr_call *call, const struct clr_pass *pass, struct clr_status *status);

// Clears the call's outcome on the device.
cl_int clr_clear_outcome(struct clr_call *call, struct clr_status *status);

// That what has this event did not end in an error: some drivers let what waits for it wait for ever.
cl_int clr_check_event(cl_event event, const char *what, struct clr_status *status);

// The same of the launch before, if the next one waits for its event.
cl_int clr_check_last(const struct clr_call *call, struct clr_status *status);

// Something else was enqueued for the call, from `first` (NULL: not wanted) to `last`: both are taken over.
void clr_call_goes_on(struct clr_call *call, cl_event first, cl_event last);

// Forgets the call's events, but those that the slot keeps.
void clr_call_release(struct clr_call *call);

#endif
