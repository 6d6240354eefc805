// Verifies what drivers do not check: that the queue, buffers and events of a call belong together, and that ranges are
// inside buffers.
#pragma once

#include <stdbool.h>

#include "base/status.h"

cl_int clr_queue_is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status);
cl_int clr_check_queue(cl_command_queue queue, cl_context context, cl_device_id device, struct clr_status *status);

// The elements that a call reads or writes in a buffer.
struct clr_range {
  const char *name;  // the buffer's name in messages
  cl_mem buffer;
  cl_ulong offset, count;
  size_t element_size;
  cl_mem_flags forbidden;  // buffer flags that forbid what the call does
};
static inline struct clr_range clr_range(const char *name, cl_mem buffer, cl_ulong offset, cl_ulong count,
                                         size_t element_size, cl_mem_flags forbidden) {
  return (struct clr_range){name, buffer, offset, count, element_size, forbidden};
}
cl_int clr_check_range(const struct clr_range *range, cl_context context, struct clr_status *status);

cl_int clr_check_events(cl_uint count, const cl_event *events, cl_context context, struct clr_status *status);

// A range of bytes. For a sub-buffer: the range in its parent buffer.
struct clr_region {
  cl_mem memory;
  cl_ulong begin, end;
};

cl_int clr_find_region(const struct clr_range *range, struct clr_region *region, struct clr_status *status);
bool clr_do_overlap(const struct clr_region *a, const struct clr_region *b);

// Fails if the results overlap something else that the call reads or writes.
cl_int clr_check_apart(const struct clr_range *out, const struct clr_range *other, struct clr_status *status);
