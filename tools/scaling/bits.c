// The bits of both devices beside those of one call on each device: built-in operators, an operator that does not
// commute, and a struct of 24 bytes; cut at whole tiles, within tiles, and with all elements on one device.
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENT_MOST 24  // bytes
#define RESULT_MOST 256

static const clred_operand shift = {.name = "shift", .type = "ulong", .size = sizeof(cl_ulong)};

static const clred_operator affine = {.name = "affine",
                                      .element = "ulong",
                                      .state = "{ ulong m; ulong c; }",
                                      .identity = "{ 1, 0 }",
                                      .lift = "MAKE(x | 1, shift)",
                                      .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)",
                                      .inputs = &shift,
                                      .input_count = 1};

static const clred_operator triples = {.name = "triples",
                                       .preamble = "typedef struct { ulong a, b, c; } triple;\n",
                                       .element = "triple",
                                       .state = "triple",
                                       .identity = "{ 1, 0, 1 }",
                                       .lift = "(triple){x.a | 1, x.b, x.c | 1}",
                                       .combine = "(triple){a.a * b.a, a.b * b.c + b.b, a.c * b.c}"};

static const struct pair_problem rows[] = {
  {"sum of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD}},
  {"sum of double", 8, {.type = CLRED_TYPE_DOUBLE, .op = CLRED_OP_ADD}},
  {"sum of int", 4, {.type = CLRED_TYPE_INT, .op = CLRED_OP_ADD}},
  {"mean of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MEAN}},
  {"var of double", 8, {.type = CLRED_TYPE_DOUBLE, .op = CLRED_OP_VAR}},
  {"norm2 of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_NORM2}},
  {"dot of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_DOT}},
  {"argmin of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMIN}},
  {"stats of float", 4, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_STATS}},
  {"affine maps", 8, {.custom = &affine}},
  {"24-byte struct", 24, {.custom = &triples}},
};
#define ROWS (sizeof rows / sizeof *rows)

// ---- Elements

// Bytes that are finite floats and doubles of moderate size, and any integers: the greatest byte of each 4 is small.
static void fill(unsigned char *bytes, size_t size) {
  cl_ulong state = 88172645463325252u;
  for (size_t i = 0; i < size; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    bytes[i] = (unsigned char)(i % 4 == 3 ? 0x3e | (state >> 32 & 0x81) : state >> 32);
  }
}

static cl_mem upload(const struct pair_device *device, unsigned char *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &err);
  if (!err)
    err = clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL);
  pair_check(device, err, "a buffer of elements");
  return buffer;
}

// ---- Comparisons

static void compare(struct pair_plans *plans, size_t row, cl_ulong count, struct pair_tally *tally) {
  unsigned char one[PAIR][RESULT_MOST] = {{0}}, both[RESULT_MOST] = {0};
  cl_ulong first, share;
  pair_check(&plans->pair->devices[0], clred_share(plans->plans[0], count, PAIR, 0, &first, &share), "clred_share");
  const cl_ulong cuts[] = {share, count / 2 / 1024 * 1024, count - count / 3, count / 7, 0, count, count ? 1 : 0};
  for (size_t i = 0; i < PAIR; i++)
    pair_reduce_on_one(plans, i, count, one[i]);
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    pair_reduce(plans, cuts[i], count, both);
    const bool is_right = memcmp(both, one[0], sizeof both) == 0 && memcmp(both, one[1], sizeof both) == 0;
    tally->right += is_right;
    tally->wrong += !is_right;
    if (!is_right)
      printf("wrong: %s, %llu elements cut at %llu\n", rows[row].name, (unsigned long long)count,
             (unsigned long long)cuts[i]);
  }
}

static void check_row(const struct pair *pair, size_t row, unsigned char *bytes, cl_ulong most,
                      struct pair_tally *tally) {
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, 3000017, ((cl_ulong)1 << 26) + 5};
  struct pair_plans plans;
  cl_mem buffers[PAIR];
  pair_plan(pair, &rows[row].problem, &plans);
  for (size_t i = 0; i < PAIR; i++) {
    buffers[i] = upload(&pair->devices[i], bytes, (size_t)most * rows[row].element);
    plans.calls[i] = (clred_call){.in = buffers[i], .inputs = &buffers[i]};
  }
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i] <= most)
      compare(&plans, row, counts[i], tally);
  pair_plan_release(&plans);
  for (size_t i = 0; i < PAIR; i++)
    clReleaseMemObject(buffers[i]);
}

size_t pair_check_bits(const struct pair *pair, int greatest) {
  const cl_ulong most = greatest >= 26 ? ((cl_ulong)1 << 26) + 5 : 3000017;
  struct pair_tally tally = {0, 0};
  unsigned char *bytes = malloc((size_t)most * ELEMENT_MOST);
  if (!bytes) {
    fprintf(stderr, "scaling_devices: out of memory for the elements\n");
    exit(1);
  }
  fill(bytes, (size_t)most * ELEMENT_MOST);
  for (size_t i = 0; i < ROWS; i++)
    check_row(pair, i, bytes, most, &tally);
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].problem.op != CLRED_OP_STATS)
      pair_check_scans(pair, &rows[i], bytes, &tally);
  free(bytes);
  printf("bits of both devices: %zu of %zu are those of one call on each device: %s\n", tally.right,
         tally.right + tally.wrong, tally.wrong ? "wrong" : "right");
  return tally.wrong;
}
