// chains: operators that do not commute, in order, over 2^26 + 3 elements: maps x -> scale x + shift and 2 x 2 matrices
// of integers modulo 2^32, so that every bit counts; the bracket-matching monoid; a polynomial hash. Each runs with the
// strategy that auto chooses, with wide and with chunked.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/device.h"
#include "support/random.h"

#define COUNT (((size_t)1 << 26) + 3)

struct quad {
  cl_uint v[4];
};

typedef void append(struct quad *state, cl_uchar x);

static void append_map(struct quad *state, cl_uchar x) {
  const cl_uint scale = 2u * x + 1, shift = x;
  *state = (struct quad){{state->v[0] * scale, state->v[1] * scale + shift, 0, 0}};
}

static void append_matrix(struct quad *state, cl_uchar x) {
  const struct quad m = *state, n = {{x, 1, 1, x ^ 5u}};
  *state = (struct quad){{m.v[0] * n.v[0] + m.v[1] * n.v[2], m.v[0] * n.v[1] + m.v[1] * n.v[3],
                          m.v[2] * n.v[0] + m.v[3] * n.v[2], m.v[2] * n.v[1] + m.v[3] * n.v[3]}};
}

// The state: unmatched closing brackets, then unmatched opening ones.
static void append_bracket(struct quad *state, cl_uchar x) {
  if (x % 2)
    state->v[1]++;
  else if (state->v[1])
    state->v[1]--;
  else
    state->v[0]++;
}

static void append_letter(struct quad *state, cl_uchar x) {
  *state = (struct quad){{state->v[0] * 16777619u, state->v[1] * 16777619u + x, 0, 0}};
}

static const struct chain {
  clred_operator op;
  struct quad identity;
  append *append;
} chains[] = {
  ROW(OPERATOR(.name = "maps", .element = "uchar", .state = "{ uint scale; uint shift; }", .identity = "{ 1, 0 }",
               .lift = "MAKE(TO(uint, x) * 2u + 1u, TO(uint, x))",
               .combine = "MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)", .elementwise = CL_TRUE),
      {{1, 0, 0, 0}}, append_map),
  ROW(OPERATOR(.name = "matrices", .element = "uchar", .state = "uint4", .identity = "(uint4)(1, 0, 0, 1)",
               .lift = "(uint4)(x, 1, 1, x ^ 5u)",
               .combine =
                 "(uint4)(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w)"),
      {{1, 0, 0, 1}}, append_matrix),
  ROW(OPERATOR(.name = "brackets", .element = "uchar", .state = "{ uint closing; uint opening; }",
               .identity = "{ 0, 0 }", .lift = "MAKE(1u - (x & 1u), x & 1u)",
               .combine = "{ uint pairs = min(a.opening, b.closing);\n"
                          "  return MAKE(a.closing + b.closing - pairs, a.opening + b.opening - pairs); }"),
      {{0, 0, 0, 0}}, append_bracket),
  ROW(OPERATOR(.name = "hash", .element = "uchar", .state = "{ uint power; uint value; }", .identity = "{ 1, 0 }",
               .lift = "MAKE(UNIT(uint, 16777619u), TO(uint, x))",
               .combine = "MAKE(a.power * b.power, a.value * b.power + b.value)", .elementwise = CL_TRUE),
      {{1, 0, 0, 0}}, append_letter),
};

static const char *const strategies[] = {"auto", "wide", "chunked"};

static bool check(struct device *device, const struct chain *chain, const char *strategy, cl_mem in,
                  const struct quad *expected) {
  const clred_problem problem = {.custom = &chain->op, .strategy = strategy};
  struct quad got = {{0, 0, 0, 0}};
  clred_plan *plan = NULL;
  const clred_call call = {.in = in, .count = COUNT, .result = &got, .blocking = CL_TRUE};
  cl_int err = clred_plan_create(device->runtime, &problem, &plan);
  if (!err)
    err = clred_enqueue(device->queue, plan, &call, 0, NULL, NULL);
  clred_plan_release(plan);
  const bool right = !err && memcmp(&got, expected, sizeof got) == 0;
  printf("%s: %s by %s %s\n", right ? "right" : "FAILED", chain->op.name, strategy,
         err ? clred_last_error(device->runtime) : "");
  fflush(stdout);
  return right;
}

static unsigned check_all(struct device *device, const cl_uchar *elements, cl_mem in) {
  unsigned failed = 0;
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    struct quad expected = chains[i].identity;
    for (size_t j = 0; j < COUNT; j++)
      chains[i].append(&expected, elements[j]);
    for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++)
      failed += !check(device, &chains[i], strategies[s], in, &expected);
  }
  return failed;
}

int main(void) {
  struct device device;
  const char *trouble = device_open(&device);
  cl_uchar *elements = malloc(COUNT);
  random_state random = random_seed(26);
  unsigned failed = 1;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; elements && i < COUNT; i++)
    elements[i] = (cl_uchar)(random_word(&random) >> 17);
  if (trouble || !elements) {
    printf("FAILED: %s\n", trouble ? trouble : "out of memory");
  } else {
    cl_mem in = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, COUNT, elements, &err);
    printf("device: %s\n", device.name);
    if (!err)
      failed = check_all(&device, elements, in);
    if (in)
      clReleaseMemObject(in);
  }
  free(elements);
  device_close(&device);
  return failed != 0;
}
