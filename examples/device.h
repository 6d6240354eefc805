// The first and the last steps of the examples: the first OpenCL device, a context, a queue and a runtime.
#ifndef CLREDUCE_EXAMPLES_DEVICE_H
#define CLREDUCE_EXAMPLES_DEVICE_H

#include <clreduce.h>
#include <stdio.h>

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
};

static inline cl_int device_open(struct device *device) {
  cl_platform_id platform;
  *device = (struct device){0};
  cl_int err = clGetPlatformIDs(1, &platform, NULL);
  if (!err)
    err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL);
  if (!err)
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
  if (!err)
    device->queue = clCreateCommandQueue(device->context, device->id, 0, &err);
  if (!err)
    err = clred_runtime_create(device->context, device->id, NULL, &device->runtime);
  return err;
}

// Prints the error if there was one, and releases everything that exists. Returns the exit code of main.
static inline int device_close(struct device *device, cl_int err) {
  if (err)
    fprintf(stderr, "%s: %s\n", clred_status_name(err),
            device->runtime ? clred_last_error(device->runtime) : "no runtime");
  clred_runtime_release(device->runtime);
  if (device->queue)
    clReleaseCommandQueue(device->queue);
  if (device->context)
    clReleaseContext(device->context);
  return err != CL_SUCCESS;
}

// A buffer with a copy of these bytes, or NULL. Does nothing if an earlier step failed.
static inline cl_mem device_copy(struct device *device, const void *bytes, size_t size, cl_int *err) {
  if (*err)
    return NULL;
  // OpenCL only reads from the pointer, although its parameter is not const.
  union {
    const void *from;
    void *to;
  } host = {bytes};
  return clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, host.to, err);
}

static inline void device_free(cl_mem buffer) {
  if (buffer)
    clReleaseMemObject(buffer);
}

#endif
