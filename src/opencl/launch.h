// Enqueues a call: launch.c enqueues single launches on any queue, passes.c runs all passes of a call. Both files know
// kernels and buffers, but no strategy by name.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "planning/strategy.h"
#include "platform/platform.h"

// The values that the common arguments of a kernel had in its last launch.
#define CLR_COMMON_ARGUMENTS 14
struct clr_known_arguments {
  bool are_set;
  cl_ulong bits[CLR_COMMON_ARGUMENTS];
};

// Keeps events until they complete. PoCL 3.1 ends the process if an event fails and no one holds a reference to it. If
// the list is full, the oldest event is released.
#define CLR_KEPT_EVENTS 64
struct clr_kept_events {
  cl_event events[CLR_KEPT_EVENTS];
  size_t count;
};
void clr_keep_event(struct clr_kept_events *kept, cl_event event);  // takes ownership; does nothing with NULL
void clr_forget_events(struct clr_kept_events *kept);               // releases the completed ones
void clr_wait_for_events(struct clr_kept_events *kept);             // waits for all and releases them

// Release what exists, and set it to NULL.
void clr_release_event(cl_event *event);
void clr_release_buffers(cl_mem *buffers, size_t count);

// Waits for the event, if there is one, and releases it. `what` is for the message: "the result".
cl_int clr_finish_event(cl_event *event, const char *what, struct clr_status *status);

// The operator's further inputs and its parameters, in the form that kernels take.
struct clr_operands {
  size_t input_count;
  const cl_mem *inputs;
  const cl_ulong *input_offsets;  // NULL: all offsets are 0
  size_t parameter_count;
  const size_t *parameter_sizes;
  const void *const *parameters;
  size_t local_bytes;  // bytes of local memory, the last argument of kernels over elements; 0: no such argument
};

// Memory and kernels that a slot provides for a call.
struct clr_workspace {
  cl_kernel kernels[CLR_KERNELS];
  struct clr_known_arguments known[CLR_KERNELS];
  cl_mem scratch;
  cl_mem ticket;
  cl_mem result;              // for calls that read their result into host memory
  cl_mem outcome;             // used if the call has no outcome buffer; NULL if the plan has no outcome
  cl_mem offsets, run_count;  // offsets of runs, written by another plan; NULL if there are none
  void *partials;             // host memory, for finish host and for sums of weights on the host
  cl_uint tag;                // the next launch's tag in look-back's tile status array; 0: clear it first
  struct clr_kept_events kept;
};

// One call of a plan while it is enqueued: the request, the plan's parts, and the events so far.
struct clr_call {
  const clred_call *asked;  // the request; if a field exists below, too, the one below is used
  const struct clr_problem *problem;
  const struct clr_strategy *strategy;
  const struct clr_shape *shape;
  struct clr_workspace *workspace;
  cl_command_queue queue;
  clr_mutex *mapping;        // locked while a map or an unmap is enqueued
  struct clr_extent extent;  // the call's extent, with defaults filled in
  cl_mem out;                // the call's buffer, or the workspace's
  cl_ulong out_offset;
  cl_ulong out_stride;
  bool in_place;         // for scans: results replace the elements
  cl_ulong first_index;  // for scans: the index of the first element
  struct clr_operands operands;
  cl_mem outcome;           // the call's buffer, or the workspace's
  cl_ulong outcome_offset;  // unit: outcomes
  clred_outcome found;      // the outcome of work on the host
  bool fills;               // clEnqueueFillBuffer works (fact fills)
  cl_uint tag;              // this call's tag in look-back's tile status array
  // Events.
  bool in_order;  // the queue is in order
  cl_uint waits;  // events that the next pass waits for: the wait list, then the last launch
  const cl_event *wait_list;
  cl_event first, last;  // events of the first and last launch; NULL before the first, or if the call has no events
  bool has_events;       // false: no later command needs them, because the queue's order is enough
  bool chains;           // each launch waits for the event of the one before. Needed on an out-of-order queue, and if
                         // the wait list may contain events that fail: the order of a queue does not pass on errors
  bool keep_first;
  bool is_enqueued;  // at least one command was enqueued
};

// Enqueues one launch after the call's waits. If the call has events, `last` becomes the launch's event.
cl_int clr_launch(struct clr_call *call, const struct clr_pass *pass, struct clr_status *status);

// Clears the call's outcome on the device.
cl_int clr_clear_outcome(struct clr_call *call, struct clr_status *status);

// Fails if the command of this event failed. With some drivers, commands that wait for a failed event never run.
cl_int clr_check_event(cl_event event, const char *what, struct clr_status *status);

// Checks the previous launch in the same way, if the next launch waits for its event.
cl_int clr_check_last(const struct clr_call *call, struct clr_status *status);

// Adds other commands to the call: the events from `first` (may be NULL) to `last`. Takes ownership of both.
void clr_call_continue(struct clr_call *call, cl_event first, cl_event last);

// Releases the call's events, except those that the slot keeps.
void clr_call_release(struct clr_call *call);

// --- passes.c ---
// True if the call writes no results. Such a call still writes the outcome, if the plan has one.
bool clr_writes_nothing(const struct clr_problem *problem, const struct clr_strategy *strategy,
                        const struct clr_extent *extent);

// Runs all passes. If the last pass runs on the host, `on_host` becomes true, the call has waited for it, and `result`
// (room for one) holds the result of a reduction.
cl_int clr_run_passes(struct clr_call *call, void *result, bool *on_host, struct clr_status *status);
