// A queue, buffers and kernels for the library's own work: trials of plans, probes of devices, measurements. Calls of
// users do not use it. Every function waits until its command has finished.
#pragma once

#include "base/status.h"

#define CLR_SESSION_BUFFERS 16
#define CLR_SESSION_KERNELS 4

// Creates a buffer. OpenCL takes `memory` without const; flags say whether it is copied or used. `what` is for
// messages.
cl_int clr_buffer_make(cl_context context, cl_mem_flags flags, size_t bytes, const void *memory, const char *what,
                       cl_mem *buffer, struct clr_status *status);

struct clr_argument {
  size_t size;
  const void *value;
};
#define CLR_ARGUMENT(value) \
  { sizeof(value), &(value) }

// Sets arguments from number *next on and advances *next.
cl_int clr_set_arguments(cl_kernel kernel, const struct clr_argument *arguments, size_t count, cl_uint *next);

struct clr_session {
  cl_context context;
  cl_command_queue queue;
  cl_mem buffers[CLR_SESSION_BUFFERS];
  size_t buffer_count;
  cl_kernel kernels[CLR_SESSION_KERNELS];
  size_t kernel_count;
  const char *purpose;  // for messages: "a trial of a program"
};

// Close the session also if this function fails, or a later one.
cl_int clr_session_open(cl_context context, cl_device_id device, const char *purpose, struct clr_session *session,
                        struct clr_status *status);
void clr_session_close(struct clr_session *session);

// Creates a buffer that kernels may read and write; the session releases it. `contents` may be NULL.
cl_int clr_session_buffer(struct clr_session *session, size_t bytes, const void *contents, cl_mem *buffer,
                          struct clr_status *status);

// Creates a kernel of a built program; the session releases it.
cl_int clr_session_kernel(struct clr_session *session, cl_program program, const char *name, cl_kernel *kernel,
                          struct clr_status *status);

// Releases the buffers and kernels before the session ends.
void clr_session_drop(struct clr_session *session);

cl_int clr_session_write(struct clr_session *session, cl_mem buffer, size_t bytes, const void *from,
                         struct clr_status *status);
cl_int clr_session_read(struct clr_session *session, cl_mem buffer, size_t bytes, void *to, struct clr_status *status);

// Launches a kernel with its arguments set. If `group_size` is 0, the driver chooses it.
cl_int clr_session_launch(struct clr_session *session, cl_kernel kernel, size_t work_items, size_t group_size,
                          struct clr_status *status);
