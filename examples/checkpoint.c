// A sum that stops halfway and goes on in another process, with the bits of one call over all elements. A partial is
// the checkpoint: it is packed into bytes, which a program would write to a file.
#include <clreduce_partial.h>
#include <stdlib.h>

#include "device.h"

#define COUNT 1000000u
#define HALFWAY 437777u  // anywhere: a partial need not end at a round number

// The first process: begins, and leaves its bytes.
static cl_int begin(struct device *device, clred_plan *plan, const float *values, void *bytes, size_t room,
                    size_t *size) {
  clred_partial *partial = NULL;
  cl_int err = clred_partial_create(plan, NULL, &partial);
  if (!err)
    err = clred_partial_push(device->queue, partial, &(clred_host_call){.in = values, .count = HALFWAY});
  if (!err)
    err = clred_partial_pack(partial, bytes, room, size);
  clred_partial_release(partial);
  return err;
}

// The second process: goes on from the bytes.
static cl_int go_on(struct device *device, clred_plan *plan, const float *values, const void *bytes, size_t size,
                    float *total) {
  clred_partial *partial = NULL;
  const clred_host_call rest = {.in = values + HALFWAY, .count = COUNT - HALFWAY};
  cl_int err = clred_partial_unpack(plan, bytes, size, &partial);
  if (!err)
    err = clred_partial_push(device->queue, partial, &rest);
  if (!err)
    err = clred_partial_result(partial, total);
  clred_partial_release(partial);
  return err;
}

int main(void) {
  static float values[COUNT];
  struct device device;
  clred_plan *plan = NULL;
  float total = 0, at_once = 0;
  size_t size = 0;
  for (size_t i = 0; i < COUNT; i++)
    values[i] = 1.0f / (float)(i + 1);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM}, &plan);
  const size_t room = clred_partial_bytes(plan);
  void *bytes = malloc(room ? room : 1);
  if (!err)
    err = begin(&device, plan, values, bytes, room, &size);
  if (!err)
    err = go_on(&device, plan, values, bytes, size, &total);
  if (!err)
    err = clred_reduce_host(device.runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, values, COUNT, &at_once);
  if (!err)
    printf("total %.9g, at once %.9g\n", total, at_once);
  free(bytes);
  clred_plan_release(plan);
  return device_close(&device, err);
}
