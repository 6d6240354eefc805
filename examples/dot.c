// A built-in operator with two inputs: the dot product of prices and quantities, from two buffers on the device.
#include "device.h"

int main(void) {
  const float prices[] = {19.5f, 4.25f, 100.0f, 0.75f, 12.5f}, quantities[] = {2, 4, 1, 8, 2};
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_DOT};
  struct device device;
  clred_plan *plan = NULL;
  float total = 0;
  cl_int err = device_open(&device);
  cl_mem x = device_copy(&device, prices, sizeof prices, &err);
  cl_mem y = device_copy(&device, quantities, sizeof quantities, &err);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  const clred_call call = {.in = x, .inputs = &y, .count = 5, .result = &total, .blocking = CL_TRUE};
  if (!err)
    err = clred_enqueue(device.queue, plan, &call, 0, NULL, NULL);
  if (!err)
    printf("total %g\n", total);
  clred_plan_release(plan);
  device_free(y);
  device_free(x);
  return device_close(&device, err);
}
