// A product that does not commute: the ray-transfer matrix of a row of lenses. Light passes element 0 first, so combine
// puts b on the left. Elements, states and the result have the same struct. Without `commutative` the library combines
// them in order.
#include "device.h"
#include <math.h>

enum { COUNT = 10000 };

struct matrix {
  cl_float a, b, c, d;
};

static const clred_operator chain = {
  .name = "matrix_chain",
  .preamble =
    "typedef struct { float a, b, c, d; } matrix;\n"
    "matrix times(matrix p, matrix q)\n"
    "{\n"
    "  matrix r = {p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d};\n"
    "  return r;\n"
    "}\n",
  .element = "matrix",
  .state = "matrix",
  .element_size = sizeof(struct matrix),
  .identity = "{ 1, 0, 0, 1 }",
  .combine = "times(b, a)",
};

// A lens of focal length f behind a gap of one metre: (1 0; -1/f 1) (1 1; 0 1). Every third lens is stronger.
static struct matrix lens(int index) {
  const float power = index % 3 == 0 ? 0.75f : 0.5f;
  return (struct matrix){1, 1, -power, 1 - power};
}

static struct matrix times(struct matrix p, struct matrix q) {
  return (struct matrix){p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d};
}

// Products of floats round differently in another order, so the two differ by the rounding of 10000 products.
static int is_near(struct matrix p, struct matrix q) {
  const float bound = 0.001f;
  return fabsf(p.a - q.a) < bound && fabsf(p.b - q.b) < bound && fabsf(p.c - q.c) < bound && fabsf(p.d - q.d) < bound;
}

int main(void) {
  static struct matrix lenses[COUNT];
  const clred_problem problem = {.custom = &chain};
  struct device device;
  struct matrix expected = {1, 0, 0, 1}, product = {0};
  clred_plan *plan = NULL;
  for (int i = 0; i < COUNT; i++) {
    lenses[i] = lens(i);
    expected = times(lenses[i], expected);
  }
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  if (!err)
    err = clred_plan_run_host(device.queue, plan, &(clred_host_call){.in = lenses, .count = COUNT, .out = &product});
  if (!err)
    printf("product (%.3f %.3f; %.3f %.3f), by a loop (%.3f %.3f; %.3f %.3f)\n", product.a, product.b, product.c,
           product.d, expected.a, expected.b, expected.c, expected.d);
  clred_plan_release(plan);
  return device_close(&device, err) || !is_near(product, expected);
}
