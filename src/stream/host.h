// Calls on host memory: through buffers that live as long as the call, or through a stream. src/api calls these.
#ifndef CLR_API_HOST_H
#define CLR_API_HOST_H

#include "call/call.h"

// --- host_reduce.c ---
// Implements clred_plan_reduce_host_call.
cl_int clr_reduce_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, void *result,
                       struct clr_status *status);

// --- host.c ---
// Implements clred_plan_scan_host; with `kept`, clred_plan_select_host.
cl_int clr_scan_host(cl_command_queue queue, clred_plan *plan, const void *in, cl_ulong count, void *out,
                     cl_ulong *kept, struct clr_status *status);

// True if the device may use a buffer around this memory: its elements must be aligned.
bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size);

// Creates a buffer that kernels only read: around the memory if `shared`, otherwise with a copy of it.
cl_int clr_host_wrap(const clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer,
                     struct clr_status *status);

// Refuses data larger than a buffer can be. We check before creating one, because some drivers accept any size.
cl_int clr_host_check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                           struct clr_status *status);

// --- planless.c ---
// A call that makes its own plan and queue.
struct clr_planless_call {
  enum { CLR_REDUCES, CLR_SCANS, CLR_SELECTS } does;
  const void *in;
  cl_ulong count;
  void *out;
  cl_ulong *kept;  // for selections: receives the number of kept elements
};
cl_int clr_call_planless(clred_runtime *runtime, const clred_problem *problem, const struct clr_planless_call *call,
                         struct clr_status *status);

#endif
