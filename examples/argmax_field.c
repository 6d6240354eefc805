// The index of the element with the largest field, in an array of structs. The preamble declares the struct for the
// device; the library compares its size with the host's when it makes the plan. The first of equal values wins, so the
// result does not depend on the order of combination.
#include "device.h"

enum { COUNT = 10000 };

struct reading {
  cl_int station;
  cl_float temperature;
  cl_float humidity;
};

struct warmest {
  cl_float temperature;
  cl_uint where;
};

static const clred_operator warmest = {
  .name = "warmest",
  .preamble = "typedef struct { int station; float temperature; float humidity; } reading;",
  .element = "reading",
  .element_size = sizeof(struct reading),
  .state = "{ float temperature; uint where; }",
  .state_size = sizeof(struct warmest),
  .identity = "{ -INFINITY, UINT_MAX }",
  .lift = "MAKE(x.temperature, (uint)index)",
  .combine = "PICK(b.temperature > a.temperature || (b.temperature == a.temperature && b.where < a.where), b, a)",
  .commutative = CL_TRUE,
};

static void fill(struct reading *readings) {
  for (int i = 0; i < COUNT; i++)
    readings[i] = (struct reading){.station = 1000 + i, .temperature = (float)(37 * i % 1009) / 32, .humidity = 99};
}

int main(void) {
  static struct reading readings[COUNT];
  const clred_problem problem = {.custom = &warmest};
  struct device device;
  struct warmest found = {0};
  clred_plan *plan = NULL;
  fill(readings);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  if (!err)
    err = clred_plan_run_host(device.queue, plan, &(clred_host_call){.in = readings, .count = COUNT, .out = &found});
  if (!err && found.where < COUNT)
    printf("station %d: %g degrees\n", readings[found.where].station, found.temperature);
  clred_plan_release(plan);
  return device_close(&device, err);
}
