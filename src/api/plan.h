// A plan and its slots.
#ifndef CLR_API_PLAN_H
#define CLR_API_PLAN_H

#include "api/runtime.h"
#include "opencl/launch.h"

// What one call in flight holds.
struct clr_slot {
  struct clr_workspace space;
  cl_mem               result;         // for calls whose result is read into host memory
  void                *host_partials;  // for finish host
  cl_event             pending;        // the end of its latest call; NULL if that is known to be done
  cl_command_queue     queue;          // of its latest call; compared, never used
  cl_event             first, last;    // launches of its latest call, kept for clred_plan_seconds
};

struct clred_plan {
  clred_runtime             *runtime;
  const struct clr_strategy *strategy;
  struct clr_problem         problem;
  struct clr_shape           shape;
  struct clr_slot           *slots;       // problem.in_flight of them
  cl_uint                    next;        // slot that a call waits for if none is free
  cl_uint                    latest;      // slot of the latest call
  bool                       launched;    // some call was made
  cl_ulong                   kernel_limit;  // what the driver says of the kernel's group size
  mtx_t                      lock;        // of the slots
};

// --- slots.c ---
cl_int clr_slots_create(clred_plan *plan, cl_program program, struct clr_status *status);
void clr_slots_release(clred_plan *plan);

// A slot for the next call: one that is done if there is any. With the plan's lock held.
struct clr_slot *clr_slot_take(clred_plan *plan);

// --- trial.c ---
// Runs the plan on a few elements whose result the host knows; CLRED_WRONG_RESULT if the device disagrees.
cl_int clr_trial(clred_plan *plan, struct clr_status *status);

// --- enqueue.c ---
struct clr_request {
  cl_command_queue queue;
  cl_mem           in, out;
  cl_ulong         in_offset, out_offset, count;
  void            *result;    // host memory instead of out
  cl_bool          blocking;
  cl_uint          waits;
  const cl_event  *wait_list;
  cl_event        *event;
};

// Checks the request and enqueues it.
cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status);

// --- inspect.c ---
const char *clr_plan_order(const clred_plan *plan);

#endif
