// An operator with a parameter: how many readings are above each of 1000 thresholds. Each call passes its own value, so
// one program serves all of them.
#include "device.h"

enum { COUNT = 1000 };

static const clred_operand threshold = {.name = "threshold", .type = "float", .size = sizeof(float)};
static const clred_operator count_above = {
  .name = "count_above",
  .element = "float",
  .state = "ulong",
  .identity = "0",
  .lift = "TO(ulong, FLAG(x > threshold))",
  .combine = "a + b",
  .parameters = &threshold,
  .parameter_count = 1,
  .commutative = CL_TRUE,
  .elementwise = CL_TRUE,
};

// The readings are 0.5, 1.5, 2.5, ... COUNT - t of them are above the threshold t.
static cl_int count_all(struct device *device, clred_plan *plan, cl_mem readings, int *wrong) {
  cl_int err = CL_SUCCESS;
  for (int t = 0; t < COUNT && !err; t++) {
    const float value = (float)t;
    const void *parameters[] = {&value};
    cl_ulong above = 0;
    const clred_call call = {
      .in = readings, .parameters = parameters, .count = COUNT, .result = &above, .blocking = CL_TRUE};
    err = clred_enqueue(device->queue, plan, &call, 0, NULL, NULL);
    *wrong += above != (cl_ulong)(COUNT - t);
  }
  return err;
}

int main(void) {
  const clred_problem problem = {.custom = &count_above};
  struct device device;
  float numbers[COUNT];
  clred_runtime_info before = {0}, after = {0};
  int wrong = 0;
  clred_plan *plan = NULL;
  for (int i = 0; i < COUNT; i++)
    numbers[i] = (float)i + 0.5f;
  cl_int err = device_open(&device);
  cl_mem readings = device_copy(&device, numbers, sizeof numbers, &err);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  if (!err) {
    clred_runtime_inspect(device.runtime, &before);
    err = count_all(&device, plan, readings, &wrong);
    clred_runtime_inspect(device.runtime, &after);
  }
  if (!err)
    printf("programs built: %zu, and after 1000 thresholds: %zu; wrong counts: %d\n", before.builds, after.builds,
           wrong);
  clred_plan_release(plan);
  device_free(readings);
  return device_close(&device, err) || wrong || after.builds != before.builds;
}
