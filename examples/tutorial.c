// The program of docs/tutorial.md: the mean of a buffer of floats, with the first OpenCL device.
#include <clreduce.h>
#include <stdio.h>

enum { COUNT = 1000000 };

static float marks[COUNT];

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  cl_mem buffer = NULL;
  float mean = 0;
  cl_int err;

  // 1. A device, a context and a queue. Your program may have these already.
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
    fprintf(stderr, "no OpenCL device\n");
    return 1;
  }
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  cl_command_queue queue = err ? NULL : clCreateCommandQueue(context, device, 0, &err);

  // 2. Elements in a buffer.
  for (int i = 0; i < COUNT; i++)
    marks[i] = (float)(i % 7);
  if (!err)
    buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof marks, marks, &err);

  // 3. A runtime: one for each device. It builds and keeps programs.
  if (!err)
    err = clred_runtime_create(context, device, NULL, &runtime);

  // 4. A plan: what to compute. This is the slow step; make it once.
  if (!err)
    err = clred_plan_create(runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MEAN}, &plan);

  // 5. A call: which elements. Make as many as you like. This one waits for the result.
  if (!err)
    err = clred_enqueue(queue, plan, &(clred_call){.in = buffer, .count = COUNT, .result = &mean, .blocking = CL_TRUE},
                        0, NULL, NULL);
  if (err)
    fprintf(stderr, "%s: %s\n", clred_status_name(err), clred_last_error(runtime));
  else
    printf("mean %.7g\n", mean);

  // 6. Release in the opposite order.
  clred_plan_release(plan);
  clred_runtime_release(runtime);
  if (buffer)
    clReleaseMemObject(buffer);
  if (queue)
    clReleaseCommandQueue(queue);
  if (context)
    clReleaseContext(context);
  return err != CL_SUCCESS;
}
