// clred_call_along_axis: describes a reduction along one axis of an array as a call.
#include "call/call.h"

// True if 64 bits can count the elements. Lengths of 0 are skipped: the product of the other lengths must fit, too.
static bool fits(cl_uint dimensions, const cl_ulong *shape) {
  cl_ulong product = 1;
  for (cl_uint i = 0; i < dimensions; i++) {
    if (shape[i] && product > CL_ULONG_MAX / shape[i])
      return false;
    product *= shape[i] ? shape[i] : 1;
  }
  return true;
}

cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis) {
  const cl_uint most_dimensions = 8;
  cl_ulong before = 1, after = 1;
  if (dimensions < 1 || dimensions > most_dimensions || axis >= dimensions || !fits(dimensions, shape))
    return CLRED_INVALID_ARGUMENT;
  for (cl_uint i = 0; i < axis; i++)
    before *= shape[i];
  for (cl_uint i = axis + 1; i < dimensions; i++)
    after *= shape[i];
  call->count = shape[axis];
  call->stride = after;
  call->rows = before;
  call->row_stride = shape[axis] * after;
  call->columns = after;
  *layout = after == 1 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_COLUMNS;
  return CL_SUCCESS;
}
