// One sum over elements on two devices, each with a context of its own. The result has the bits of one call
// over all elements, for any number of devices and any shares. If there is only one device, it does everything.
#include <clreduce_shares.h>

#include "device.h"

#define COUNT 40000000u
#define DEVICES 2

// A device with a plan, and its share of the elements.
struct worker {
  struct device device;
  clred_plan *plan;
  clred_partial *partial;
  cl_mem elements;
  clred_call call;
};

static cl_int open_worker(struct worker *worker, cl_device_id id) {
  struct device *device = &worker->device;
  cl_int err;
  *device = (struct device){.id = id};
  device->context = clCreateContext(NULL, 1, &id, NULL, NULL, &err);
  if (!err)
    device->queue = clCreateCommandQueue(device->context, id, 0, &err);
  if (!err)
    err = clred_runtime_create(device->context, id, NULL, &device->runtime);
  if (!err)
    err =
      clred_plan_create(device->runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM}, &worker->plan);
  return err ? err : clred_partial_create(worker->plan, NULL, &worker->partial);
}

// Copies the device's share of the elements to the device.
static cl_int take_share(struct worker *worker, const float *values, size_t workers, size_t index) {
  cl_ulong first;
  cl_int err = clred_share(worker->plan, COUNT, workers, index, &first, &worker->call.count);
  if (!err && worker->call.count)
    worker->elements = device_copy(&worker->device, values + first, (size_t)worker->call.count * sizeof *values, &err);
  worker->call.in = worker->elements;
  return err;
}

static int close_worker(struct worker *worker, cl_int err) {
  device_free(worker->elements);
  clred_partial_release(worker->partial);
  clred_plan_release(worker->plan);
  return device_close(&worker->device, err);
}

int main(void) {
  static float values[COUNT];
  struct worker workers[DEVICES] = {{.plan = NULL}};
  clred_device_share shares[DEVICES];
  cl_platform_id platform;
  cl_device_id ids[DEVICES];
  cl_uint found = 0;
  float total = 0;
  int code = 0;
  for (size_t i = 0; i < COUNT; i++)
    values[i] = 1.0f / (float)(i + 1);
  cl_int err = clGetPlatformIDs(1, &platform, NULL);
  if (!err)
    err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, ids, &found);
  const size_t count = found < DEVICES ? found : DEVICES;
  for (size_t i = 0; i < count && !err; i++) {
    err = open_worker(&workers[i], ids[i]);
    if (!err)
      err = take_share(&workers[i], values, count, i);
    shares[i] = (clred_device_share){workers[i].device.queue, workers[i].partial, &workers[i].call};
  }
  if (!err)
    err = clred_devices_reduce(shares, count, &total);
  if (!err)
    printf("total %.9g\n", total);
  for (size_t i = 0; i < count; i++)
    code |= close_worker(&workers[i], err);
  return code | (err != CL_SUCCESS);
}
