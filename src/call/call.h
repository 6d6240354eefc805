// One call of a plan: checked, enqueued pass by pass, and its results delivered.
#pragma once

#include "plan/plan.h"

struct clr_request {
  // The kind of plan that the function of the API accepts.
  enum { CLR_FOR_ANY, CLR_FOR_REDUCTIONS, CLR_FOR_SCANS, CLR_FOR_SELECTIONS, CLR_FOR_HISTOGRAMS } purpose;
  cl_command_queue queue;
  clred_call call;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event *event;       // gets the event of the result; may be NULL
  bool warms;            // a call of the library itself: it does not become the plan's latest call
  cl_ulong first_index;  // for a scan that is a part of a longer scan: the index of its first element
  cl_event *first;       // if the plan profiles, gets the event of the first launch, retained; may be NULL
};

// --- enqueue.c ---
// Checks the request and enqueues it.
cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status);

// For a call without results: enqueues a marker if the request wants an event.
cl_int clr_enqueue_nothing(const struct clr_request *request, struct clr_status *status);

// Returns CLRED_OVERFLOW if `result` (complete) marks that a sum of `count` elements overflowed.
cl_int clr_check_overflow(const clred_plan *plan, const void *result, cl_ulong count, struct clr_status *status);

// --- check.c ---
// The names of further inputs in messages: "inputs[0]", ...
extern const char *const clr_input_names[];

// Implements clred_call_along_axis.
cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis);
