// Checks of a call, before anything is enqueued.
#pragma once

#include "call/call.h"
#include "opencl/buffer_check.h"

// A call that is being checked.
struct clr_check {
  const clred_plan *plan;
  const clred_call *call;
  struct clr_extent extent;
  cl_ulong reach;  // elements from the first to the last one that the call reads
  struct clr_status *status;
};

// The call's extent, with defaults filled in.
struct clr_extent clr_extent_of(const clred_plan *plan, const clred_call *call);

// Return the number of elements, or of results, from the first one that a call reads or writes to the last one.
cl_ulong clr_elements_reached(const struct clr_extent *extent);
cl_ulong clr_results_reached(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent);

// Returns the stride of a scan's results, in results.
cl_ulong clr_out_stride(const clred_plan *plan, const clred_call *call);

// Checks what needs no buffer: the kind of plan, the number of elements, the queue.
cl_int clr_check_terms(const struct clr_check *check, const struct clr_request *request);

// Fails if a parameter of the operator is missing.
cl_int clr_check_parameters(const struct clr_operation *operation, const void *const *given, struct clr_status *status);

// Fails if results of rows or columns would overlap. Rows may overlap in the input, but not in the output.
cl_int clr_check_rows_apart(const struct clr_check *check);

// Checks everything that the request names: it must exist, belong to the plan, and be large enough.
cl_int clr_check_request(const clred_plan *plan, const struct clr_request *request, const struct clr_extent *extent,
                         struct clr_status *status);
