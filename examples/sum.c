// The smallest program: the sum of floats in host memory, on the first OpenCL device.
#include <clreduce.h>
#include <stdio.h>

static cl_int first_device(cl_device_id *device) {
  cl_platform_id platform;
  cl_int err = clGetPlatformIDs(1, &platform, NULL);
  return err ? err : clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL);
}

int main(void) {
  const float prices[] = {19.5f, 4.25f, 100.0f, 0.75f, 12.5f};
  const cl_ulong count = sizeof prices / sizeof *prices;
  cl_device_id device;
  clred_runtime *runtime = NULL;
  float total = 0;
  cl_int err = first_device(&device);
  cl_context context = err ? NULL : clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  if (!err)
    err = clred_runtime_create(context, device, NULL, &runtime);
  if (!err)
    err = clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, prices, count, &total);
  if (err)
    fprintf(stderr, "%s: %s\n", clred_status_name(err), clred_last_error(runtime));
  else
    printf("total %g\n", total);
  clred_runtime_release(runtime);
  if (context)
    clReleaseContext(context);
  return err != CL_SUCCESS;
}
