// Arrays of several dimensions as calls.
#include "plan/plan.h"

cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis) {
  const cl_uint most_dimensions = 8;
  cl_ulong before = 1, after = 1;
  if (dimensions < 1 || dimensions > most_dimensions || axis >= dimensions)
    return CLRED_INVALID_ARGUMENT;
  for (cl_uint i = 0; i < axis; i++)
    before = clr_multiply(before, shape[i]);
  for (cl_uint i = axis + 1; i < dimensions; i++)
    after = clr_multiply(after, shape[i]);
  call->count = shape[axis];
  call->stride = after;
  call->rows = before;
  call->row_stride = clr_multiply(shape[axis], after);
  call->columns = after;
  *layout = after == 1 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_COLUMNS;
  return CL_SUCCESS;
}
