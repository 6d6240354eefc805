// Enqueues the passes of one call, one after another, on any queue. Knows kernels and buffers, no strategy.
#ifndef CLR_OPENCL_LAUNCH_H
#define CLR_OPENCL_LAUNCH_H

#include <stdbool.h>
#include <threads.h>

#include "base/status.h"
#include "planning/pass.h"

// Arguments that every kernel takes, as they were set last.
#define CLR_COMMON_ARGUMENTS 14
struct clr_known_arguments {
  bool are_set;
  cl_ulong bits[CLR_COMMON_ARGUMENTS];
};

// What a slot lends to a call.
struct clr_workspace {
  cl_kernel kernels[CLR_KERNELS];
  struct clr_known_arguments known[CLR_KERNELS];
  cl_mem scratch;
  cl_mem ticket;
  cl_mem outcome;  // for calls that bring no buffer for it; NULL where plans have none
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

// What a scan's kernels take beside.
struct clr_scan_call {
  bool is_scan;
  bool in_place;  // results take the elements' places
  cl_ulong out_stride;
  cl_uint tag;  // of the next launch on the board of look-back
  size_t state_size;
  const void *start;  // a state; NULL: none, or on the device
  cl_mem start_buffer;
  cl_ulong start_index;
};

// Where a call's outcome goes, for plans that have one (cl/outcome.clh).
struct clr_outcome_call {
  bool is_there;
  cl_mem buffer;       // the caller's, or the slot's
  cl_ulong index;      // in outcomes
  bool fills;          // the device is to be trusted to fill buffers
  clred_outcome made;  // by host-side work
};

// Offsets of segments, for plans over them (cl/segments.clh).
struct clr_segments_call {
  bool is_there;
  cl_mem offsets;
  cl_ulong first;
  cl_mem counted;  // where the device says how many there are; NULL: the call does
  bool has_keys;
  cl_mem keys, keys_out;  // keys_out NULL: not wanted
  cl_ulong first_key, first_key_out;
};

struct clr_call {
  cl_command_queue queue;
  mtx_t *mapping;  // held while a map or its end is enqueued
  bool in_order;
  struct clr_workspace *workspace;
  cl_mem in, out;
  cl_ulong in_offset, out_offset;
  struct clr_extent extent;
  struct clr_operands operands;
  struct clr_scan_call scan;
  struct clr_outcome_call outcome;
  struct clr_segments_call segments;
  void *counts;  // host memory for a histogram's, if they do not go to `out`
  // Events the next pass waits for; after each launch, those of that launch.
  cl_uint waits;
  const cl_event *wait_list;
  cl_event first, last;          // of the call's launches; NULL before the first, and without events
  struct clr_kept_events *kept;  // of the slot
  bool has_events;               // false: nobody wants one, and the queue's order is all that is needed
  bool chains;  // each launch waits for the one before by its event: the queue has no order, or the first one
                // waits for events that may end in an error, which an order does not hand on
  bool keep_first;
  bool is_enqueued;  // anything of it
};

// Enqueues one launch behind the call's waits. With events `last` is set, so that whoever comes next can wait for it.
cl_int clr_launch(struct clr_call *call, const struct clr_pass *pass, struct clr_status *status);

// Clears the place of the call's outcome, as a launch of its own.
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
