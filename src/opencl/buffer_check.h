// What drivers do not check: that queue, buffers and events belong together, and that ranges stay inside.
#ifndef CLR_OPENCL_BUFFER_CHECK_H
#define CLR_OPENCL_BUFFER_CHECK_H

#include "base/status.h"

cl_int clr_check_queue(cl_command_queue queue, cl_context context, cl_device_id device, struct clr_status *status);

// Elements a call touches in a buffer.
struct clr_range {
  const char  *name;        // what the sentence calls it
  cl_mem       buffer;
  cl_ulong     offset, count;
  size_t       element_size;
  cl_mem_flags forbidden;   // of the buffer, for what the call does with it
};
cl_int clr_check_range(const struct clr_range *range, cl_context context, struct clr_status *status);

cl_int clr_check_events(cl_uint count, const cl_event *events, cl_context context, struct clr_status *status);

#endif
