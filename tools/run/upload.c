// Copies inputs to the device.

#include <stdio.h>

#include "base/fail.h"
#include "run/run.h"

int run_check_size(const struct session *session, const struct input *input) {
  cl_ulong most = session_fact(session, "max_alloc", CL_ULONG_MAX);
  if (input->counted && input_bytes(input) > most)
    return fail(EXIT_WORK_FAILED,
                "the input has %llu bytes, one buffer of %s holds at most %llu; reduce can stream it, scan and select "
                "cannot: split the file",
                (unsigned long long)input_bytes(input), session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

static int upload_failed(const char *call, cl_int status, const struct input *input) {
  char about[64];
  snprintf(about, sizeof about, "the input, %llu bytes", (unsigned long long)input_bytes(input));
  return fail_opencl(call, status, about);
}

static int share(const struct session *session, const struct input *input, cl_mem *buffer) {
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (size_t)input_bytes(input),
                           input->data, &status);
  return status == CL_SUCCESS ? EXIT_DONE : upload_failed("clCreateBuffer", status, input);
}

static int copy(const struct session *session, const struct input *input, cl_mem *buffer) {
  size_t bytes = (size_t)input_bytes(input);
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  if (status != CL_SUCCESS)
    return upload_failed("clCreateBuffer", status, input);
  status = clEnqueueWriteBuffer(session->queue, *buffer, CL_TRUE, 0, bytes, input->data, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    return EXIT_DONE;
  clReleaseMemObject(*buffer);
  *buffer = NULL;
  return upload_failed("clEnqueueWriteBuffer", status, input);
}

int run_upload(const struct session *session, const struct input *input, cl_mem *buffer) {
  *buffer = NULL;
  if (input->count == 0)
    return EXIT_DONE;
  int code = run_check_size(session, input);
  if (code != EXIT_DONE)
    return code;
  bool shares = session_fact(session, "unified_memory", 0) != 0;
  return shares ? share(session, input, buffer) : copy(session, input, buffer);
}
