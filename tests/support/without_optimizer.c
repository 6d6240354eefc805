// Exits with 0 if the first device gives the right result of a program built with -cl-opt-disable. CMake runs it in a
// process of its own, because some drivers crash. PoCL 7.1 does not find get_local_id in functions that its compiler
// did not inline.
#include <CL/cl.h>

#define ITEMS 8

static const char *const text = "uint item_from(__local uint *words, uint i)\n"
                                "{\n"
                                "  return words[(get_local_id(0) + i) % get_local_size(0)];\n"
                                "}\n"
                                "kernel void turn(__global uint *numbers)\n"
                                "{\n"
                                "  __local uint words[8];\n"
                                "  words[get_local_id(0)] = numbers[get_global_id(0)];\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "  numbers[get_global_id(0)] = item_from(words, 3);\n"
                                "}\n";

static cl_int launch(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem numbers) {
  const size_t items = ITEMS;
  cl_int err;
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
  if (!err)
    err = clBuildProgram(program, 1, &device, "-cl-opt-disable", NULL, NULL);
  cl_kernel kernel = err ? NULL : clCreateKernel(program, "turn", &err);
  if (!err)
    err = clSetKernelArg(kernel, 0, sizeof numbers, &numbers);
  return err ? err : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
}

int main(void) {
  cl_uint numbers[ITEMS], i;
  cl_platform_id platform;
  cl_device_id device;
  cl_int err;
  for (i = 0; i < ITEMS; i++)
    numbers[i] = 100 + i;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  cl_command_queue queue = err ? NULL : clCreateCommandQueue(context, device, 0, &err);
  cl_mem buffer = err ? NULL : clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &err);
  if (!err)
    err = launch(context, device, queue, buffer);
  if (!err)
    err = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL);
  for (i = 0; i < ITEMS && !err; i++)
    err = numbers[i] != 100 + (i + 3) % ITEMS;
  return err ? 1 : 0;
}
