// A user's program, compiled in each way that the documentation names: it prints the sum of five floats by the first
// device, and the version of the library.
#include <clreduce.h>
#include <stdio.h>

int main(void) {
  const float prices[] = {19.5f, 4.25f, 100.0f, 0.75f, 12.5f};
  cl_platform_id platform;
  cl_device_id device;
  clred_runtime *runtime;
  float total = 0;
  int failed = 1;

  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return fprintf(stderr, "no OpenCL device\n"), 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  if (!clred_runtime_create(context, device, NULL, &runtime)) {
    failed = clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, prices, 5, &total) != 0;
    printf("total %g by libclreduce %s\n", total, clred_version());
    clred_runtime_release(runtime);
  }
  clReleaseContext(context);
  return failed;
}
