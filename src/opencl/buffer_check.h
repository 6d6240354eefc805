// What drivers do not check: that queue, buffers and events belong together, and that ranges stay inside.
#ifndef CLR_OPENCL_BUFFER_CHECK_H
#define CLR_OPENCL_BUFFER_CHECK_H

#include <stdbool.h>

#include "base/status.h"

cl_int clr_check_queue(cl_command_queue queue, cl_context context, cl_device_id device, struct clr_status *status);

// Elements a call touches in a buffer.
struct clr_range {
  const char *name;  // what the sentence calls it
  cl_mem buffer;
  cl_ulong offset, count;
  size_t element_size;
  cl_mem_flags forbidden;  // of the buffer, for what the call does with it
};
cl_int clr_check_range(const struct clr_range *range, cl_context context, struct clr_status *status);

cl_int clr_check_events(cl_uint count, const cl_event *events, cl_context context, struct clr_status *status);

// Bytes of memory: of a sub-buffer, those of the buffer it is part of.
struct clr_region {
  cl_mem memory;
  cl_ulong begin, end;
};

cl_int clr_find_region(const struct clr_range *range, struct clr_region *region, struct clr_status *status);
bool clr_do_overlap(const struct clr_region *a, const struct clr_region *b);

// That results do not lie where the call reads or writes something else.
cl_int clr_check_apart(const struct clr_range *out, const struct clr_range *other, struct clr_status *status);

#endif
