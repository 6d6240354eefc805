// What drivers do not check: that queue, buffers and events belong together, and that ranges stay inside.
#ifndef CLR_OPENCL_BUFFER_CHECK_H
#define CLR_OPENCL_BUFFER_CHECK_H

#include "base/status.h"

cl_int clr_check_queue(cl_command_queue queue, cl_context context, cl_device_id device, struct clr_status *status);

// `name` is what the sentence calls the buffer.
cl_int clr_check_buffer(const char *name, cl_mem buffer, cl_context context, cl_ulong offset, cl_ulong count,
                        size_t element_size, struct clr_status *status);
cl_int clr_check_events(cl_uint count, const cl_event *events, cl_context context, struct clr_status *status);

#endif
