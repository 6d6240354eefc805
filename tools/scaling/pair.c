// Opens two devices and runs reductions over both of them.
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>

void pair_check(const struct pair_device *device, cl_int status, const char *what) {
  if (!status)
    return;
  fprintf(stderr, "scaling_devices: %s: %s: %s %s\n", device->name, what, clred_status_name(status),
          device->runtime ? clred_last_error(device->runtime) : "");
  exit(1);
}

// ---- Devices

#define DEVICES_MOST 64

// Appends the devices of this type, of all platforms.
static size_t list_devices(cl_device_type type, cl_device_id *ids) {
  cl_platform_id platforms[16];
  cl_uint platform_count = 0, more = 0;
  size_t count = 0;
  if (clGetPlatformIDs(16, platforms, &platform_count))
    return 0;
  for (cl_uint i = 0; i < platform_count && i < 16 && count < DEVICES_MOST; i++)
    if (!clGetDeviceIDs(platforms[i], type, (cl_uint)(DEVICES_MOST - count), ids + count, &more))
      count += more < DEVICES_MOST - count ? more : DEVICES_MOST - count;
  return count;
}

static void open_device(struct pair_device *device) {
  cl_int err;
  clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof device->name - 1, device->name, NULL);
  device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
  pair_check(device, err, "clCreateContext");
  device->queue = clCreateCommandQueue(device->context, device->id, 0, &err);
  pair_check(device, err, "clCreateCommandQueue");
  pair_check(device, clred_runtime_create(device->context, device->id, NULL, &device->runtime), "clred_runtime_create");
}

void pair_open(struct pair *pair) {
  cl_device_id ids[DEVICES_MOST];
  if (list_devices(CL_DEVICE_TYPE_GPU, ids) < PAIR && list_devices(CL_DEVICE_TYPE_ALL, ids) < PAIR) {
    fprintf(stderr, "scaling_devices: there are fewer than two devices\n");
    exit(2);
  }
  for (size_t i = 0; i < PAIR; i++) {
    pair->devices[i] = (struct pair_device){.id = ids[i]};
    open_device(&pair->devices[i]);
    printf("device %zu: %s\n", i, pair->devices[i].name);
  }
}

void pair_close(struct pair *pair) {
  for (size_t i = 0; i < PAIR; i++) {
    clred_runtime_release(pair->devices[i].runtime);
    clReleaseCommandQueue(pair->devices[i].queue);
    clReleaseContext(pair->devices[i].context);
  }
}

// ---- Problems

void pair_plan(const struct pair *pair, const clred_problem *problem, struct pair_plans *made) {
  *made = (struct pair_plans){.pair = pair};
  for (size_t i = 0; i < PAIR; i++) {
    const struct pair_device *device = &pair->devices[i];
    pair_check(device, clred_plan_create(device->runtime, problem, &made->plans[i]), "clred_plan_create");
    pair_check(device, clred_partial_create(made->plans[i], NULL, &made->partials[i]), "clred_partial_create");
  }
}

void pair_plan_release(struct pair_plans *plans) {
  for (size_t i = 0; i < PAIR; i++) {
    clred_partial_release(plans->partials[i]);
    clred_plan_release(plans->plans[i]);
  }
}

void pair_reduce(struct pair_plans *plans, cl_ulong cut, cl_ulong count, void *result) {
  const cl_ulong offsets[] = {cut, cut, cut};
  clred_call calls[PAIR];
  clred_device_share shares[PAIR];
  for (size_t i = 0; i < PAIR; i++) {
    calls[i] = plans->calls[i];
    calls[i].in_offset = i ? cut : 0;
    calls[i].input_offsets = i ? offsets : NULL;
    calls[i].count = i ? count - cut : cut;
    shares[i] = (clred_device_share){plans->pair->devices[i].queue, plans->partials[i], &calls[i]};
  }
  pair_check(&plans->pair->devices[0], clred_devices_reduce(shares, PAIR, result), "clred_devices_reduce");
}

void pair_reduce_on_one(struct pair_plans *plans, size_t device, cl_ulong count, void *result) {
  const struct pair_device *on = &plans->pair->devices[device];
  clred_call call = plans->calls[device];
  call.count = count;
  call.result = result;
  call.blocking = CL_TRUE;
  pair_check(on, clred_enqueue(on->queue, plans->plans[device], &call, 0, NULL, NULL), "clred_enqueue");
}

// ---- Elements

// NVIDIA's driver 580 fills buffers above 4 GiB wrongly, so a kernel writes the numbers. Its launches have at most 2^28
// work-items.
static const char *const source = "kernel void numbers(global float *to, ulong from) {\n"
                                  "  const ulong i = from + get_global_id(0);\n"
                                  "  uint x = (uint)i * 2654435761u ^ (uint)(i >> 32) * 40503u;\n"
                                  "  x = (x ^ x >> 15) * 2246822519u;\n"
                                  "  to[i] = (float)((x ^ x >> 13) >> 8) * 0x1p-24f - 0.5f;\n"
                                  "}\n";

static cl_kernel make_kernel(const struct pair_device *device) {
  const char *text = source;
  cl_int err;
  cl_program program = clCreateProgramWithSource(device->context, 1, &text, NULL, &err);
  pair_check(device, err, "clCreateProgramWithSource");
  pair_check(device, clBuildProgram(program, 1, &device->id, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "numbers", &err);
  pair_check(device, err, "clCreateKernel");
  clReleaseProgram(program);
  return kernel;
}

cl_mem pair_floats(const struct pair_device *device, cl_ulong count) {
  const cl_ulong launch = (cl_ulong)1 << 28;
  cl_kernel kernel = make_kernel(device);
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)count * sizeof(float), NULL, &err);
  pair_check(device, err, "clCreateBuffer");
  for (cl_ulong from = 0; from < count; from += launch) {
    const size_t items = (size_t)(count - from < launch ? count - from : launch);
    err = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (!err)
      err = clSetKernelArg(kernel, 1, sizeof from, &from);
    if (!err)
      err = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    pair_check(device, err, "clEnqueueNDRangeKernel");
  }
  pair_check(device, clFinish(device->queue), "clFinish");
  clReleaseKernel(kernel);
  return buffer;
}
