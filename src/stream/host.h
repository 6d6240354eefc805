// Calls on host memory: buffers around it for the time of the call, or a stream.
#ifndef CLR_API_HOST_H
#define CLR_API_HOST_H

#include "call/call.h"

// --- host_reduce.c ---
// As clred_plan_reduce_host_call.
cl_int clr_reduce_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, void *result,
                       struct clr_status *status);

// --- host.c ---
// As clred_plan_scan_host; with `kept` as clred_plan_select_host.
cl_int clr_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out,
                     cl_ulong *kept, struct clr_status *status);

// Whether the device may use a buffer around the memory: only where its elements are aligned.
bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size);

// A buffer that is only read: around the memory, or a copy.
cl_int clr_host_wrap(const clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer,
                     struct clr_status *status);

// What fits no buffer is refused before a driver is asked, because some accept anything.
cl_int clr_host_check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                           struct clr_status *status);

// --- planless.c ---
// A call that makes its own plan and queue.
struct clr_planless_call {
  enum { CLR_REDUCES, CLR_SCANS, CLR_SELECTS } does;
  const void *in;
  cl_ulong count;
  void *out;
  cl_ulong *kept;  // selections: gets the number of results
};
cl_int clr_call_planless(clred_runtime *runtime, const clred_problem *problem, const struct clr_planless_call *call,
                         struct clr_status *status);

#endif
