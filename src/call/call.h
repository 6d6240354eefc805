// One call of a plan: checked, enqueued pass by pass, and its results delivered.
#ifndef CLR_CALL_CALL_H
#define CLR_CALL_CALL_H

#include "plan/plan.h"

struct clr_request {
  // Plans that the call is for.
  enum { CLR_FOR_ANY, CLR_FOR_REDUCTIONS, CLR_FOR_SCANS, CLR_FOR_SELECTIONS, CLR_FOR_HISTOGRAMS } purpose;
  cl_command_queue queue;
  clred_call call;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event *event;  // gets the event of the result; NULL: not wanted
  bool warms;       // the call is the library's own: the plan's latest call stays what it was
  cl_event *first;  // gets the event of the first launch, retained, if the plan profiles; NULL: not wanted
};

// --- enqueue.c ---
// Checks the request and enqueues it.
cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status);

cl_int clr_queue_is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status);

// --- warm.c ---
// Launches each kernel in every form that a driver may compile at a first launch, and waits for the last.
cl_int clr_plan_warm(cl_command_queue queue, clred_plan *plan, struct clr_status *status);

// --- deliver.c ---
// CLRED_OVERFLOW if the result, which is complete, says that a sum of `count` elements left its range.
cl_int clr_check_overflow(const clred_plan *plan, const void *result, cl_ulong count, struct clr_status *status);

// --- check_in.c ---
// "inputs[0]", ...
extern const char *const clr_input_names[];

// --- axis.c ---
// As clred_call_along_axis.
cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis);

#endif
