// The cost of a process before any work: it opens the first device, a context and a queue, and does nothing else.
// tools/scripts/first-result.sh measures the tool against it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/fail.h"
#include "device/device_pick.h"

static int open_and_close(const struct device *device) {
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateContext", status, device->name);
  cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &status);
  if (status == CL_SUCCESS)
    clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clCreateCommandQueue", status, device->name);
}

// Picks the device as the tool does. An argument selects another device.
int main(int argc, char *argv[]) {
  struct device device;
  int code = device_pick(argc > 1 ? argv[1] : NULL, &device);
  return code == EXIT_DONE ? open_and_close(&device) : code;
}
