// A queue with buffers and kernels for the library's own work: trials, probes, measurements.
#include "opencl/session.h"

static cl_int check(const struct clr_session *session, cl_int err, const char *call, struct clr_status *status) {
  return err ? clr_fail_call(status, err, call, session->purpose) : CL_SUCCESS;
}

cl_int clr_session_open(cl_context context, cl_device_id device, const char *purpose, struct clr_session *session,
                        struct clr_status *status) {
  cl_int err;
  *session = (struct clr_session){.context = context, .purpose = purpose};
  session->queue = clCreateCommandQueue(context, device, 0, &err);
  return check(session, err, "clCreateCommandQueue", status);
}

void clr_session_drop(struct clr_session *session) {
  while (session->buffer_count)
    clReleaseMemObject(session->buffers[--session->buffer_count]);
  while (session->kernel_count)
    clReleaseKernel(session->kernels[--session->kernel_count]);
}

void clr_session_close(struct clr_session *session) {
  clr_session_drop(session);
  if (session->queue)
    clReleaseCommandQueue(session->queue);
  *session = (struct clr_session){.context = NULL};
}

cl_int clr_buffer_make(cl_context context, cl_mem_flags flags, size_t bytes, const void *memory, const char *what,
                       cl_mem *buffer, struct clr_status *status) {
  cl_int err;
  union {
    const void *read;
    void *given;
  } place = {memory};
  *buffer = clCreateBuffer(context, flags, bytes, place.given, &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", what) : CL_SUCCESS;
}

cl_int clr_set_arguments(cl_kernel kernel, const struct clr_argument *arguments, size_t count, cl_uint *next) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < count && !err; i++)
    err = clSetKernelArg(kernel, (*next)++, arguments[i].size, arguments[i].value);
  return err;
}

cl_int clr_session_buffer(struct clr_session *session, size_t bytes, const void *contents, cl_mem *buffer,
                          struct clr_status *status) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
  *buffer = NULL;
  if (session->buffer_count == CLR_SESSION_BUFFERS)
    return check(session, CL_OUT_OF_HOST_MEMORY, "clCreateBuffer", status);
  cl_int err = clr_buffer_make(session->context, flags, bytes, contents, session->purpose, buffer, status);
  if (!err)
    session->buffers[session->buffer_count++] = *buffer;
  return err;
}

cl_int clr_session_kernel(struct clr_session *session, cl_program program, const char *name, cl_kernel *kernel,
                          struct clr_status *status) {
  cl_int err = CL_OUT_OF_HOST_MEMORY;
  *kernel = session->kernel_count < CLR_SESSION_KERNELS ? clCreateKernel(program, name, &err) : NULL;
  if (*kernel)
    session->kernels[session->kernel_count++] = *kernel;
  return check(session, err, "clCreateKernel", status);
}

cl_int clr_session_write(struct clr_session *session, cl_mem buffer, size_t bytes, const void *from,
                         struct clr_status *status) {
  cl_int err = clEnqueueWriteBuffer(session->queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL);
  return check(session, err, "clEnqueueWriteBuffer", status);
}

cl_int clr_session_read(struct clr_session *session, cl_mem buffer, size_t bytes, void *to, struct clr_status *status) {
  cl_int err = clEnqueueReadBuffer(session->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
  return check(session, err, "clEnqueueReadBuffer", status);
}

cl_int clr_session_launch(struct clr_session *session, cl_kernel kernel, size_t work_items, size_t group_size,
                          struct clr_status *status) {
  cl_int err = clEnqueueNDRangeKernel(session->queue, kernel, 1, NULL, &work_items, group_size ? &group_size : NULL, 0,
                                      NULL, NULL);
  if (err)
    return check(session, err, "clEnqueueNDRangeKernel", status);
  return check(session, clFinish(session->queue), "clFinish", status);
}
