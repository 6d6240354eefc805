// Your own operator with a further input and a state of two numbers: the mean of marks, weighted by credits. The state
// has the sum of the weighted marks and the sum of the weights; lower divides them at the end. The texts use the words
// of docs/operators.md, so that vectors work, too (elementwise).
#include "device.h"

enum { COUNT = 100000 };

static const clred_operand credits = {.name = "credits", .type = "float", .size = sizeof(float)};
static const clred_operator weighted_mean = {
  .name = "weighted_mean",
  .element = "float",
  .state = "{ float sum; float weight; }",
  .result = "float",
  .identity = "{ 0, 0 }",
  .lift = "MAKE(x * credits, credits)",
  .combine = "MAKE(a.sum + b.sum, a.weight + b.weight)",
  .lower = "s.sum / s.weight",
  .inputs = &credits,
  .input_count = 1,
  .commutative = CL_TRUE,
  .elementwise = CL_TRUE,
};

// Marks repeat 1 to 5; each mark is its own weight. The mean is (1 + 4 + 9 + 16 + 25) / (1 + 2 + 3 + 4 + 5).
static void fill(float *marks, float *weights) {
  for (int i = 0; i < COUNT; i++)
    marks[i] = weights[i] = (float)(i % 5 + 1);
}

int main(void) {
  static float marks[COUNT], weights[COUNT];
  const clred_problem problem = {.custom = &weighted_mean};
  struct device device;
  clred_plan *plan = NULL;
  float mean = 0;
  fill(marks, weights);
  cl_int err = device_open(&device);
  cl_mem x = device_copy(&device, marks, sizeof marks, &err);
  cl_mem w = device_copy(&device, weights, sizeof weights, &err);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  const clred_call call = {.in = x, .inputs = &w, .count = COUNT, .result = &mean, .blocking = CL_TRUE};
  if (!err)
    err = clred_enqueue(device.queue, plan, &call, 0, NULL, NULL);
  if (!err)
    printf("weighted mean %.4f\n", mean);
  clred_plan_release(plan);
  device_free(w);
  device_free(x);
  return device_close(&device, err);
}
