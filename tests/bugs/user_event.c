// A launch waits for a user event, and the host then completes the event. PoCL 3.1's driver without threads
// (POCL_DEVICES=basic) runs the launch within clSetUserEventStatus, waits there for a lock that it holds, and never
// returns.

#include <CL/cl.h>
#include <stdio.h>
#include <unistd.h>

#define PATIENCE 10  // seconds

static const char *const text = "kernel void add_one(global uint *number) { number[0] += 1; }";

static cl_int launch_behind(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem number,
                            cl_event gate, cl_event *done) {
  const size_t one = 1;
  cl_int err;
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
  if (!err)
    err = clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel = err ? NULL : clCreateKernel(program, "add_one", &err);
  if (!err)
    err = clSetKernelArg(kernel, 0, sizeof number, &number);
  if (!err)
    err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 1, &gate, done);
  return err ? err : clFlush(queue);
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_uint value = 1;
  cl_event done = NULL;
  cl_int err;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem number = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, NULL);
  cl_event gate = clCreateUserEvent(context, NULL);
  err = launch_behind(context, device, queue, number, gate, &done);
  puts("user_event: a driver that does not return is ended, without a word");
  fflush(stdout);
  alarm(PATIENCE);
  if (!err)
    err = clSetUserEventStatus(gate, CL_COMPLETE);
  if (!err)
    err = clEnqueueReadBuffer(queue, number, CL_TRUE, 0, sizeof value, &value, 1, &done, NULL);
  printf("user_event: %s\n", err || value != 2 ? "WRONG" : "right");
  return err || value != 2;
}
