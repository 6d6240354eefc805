// large: offsets and counts above 2^32. With a stride of 0 all elements of a call are the same one, so no memory is
// needed. If the device can make a buffer of so many bytes, the program also checks their sum and the index of one
// element above 2^32, in a line and in rows. It reads a few elements at the end of the device's largest buffer.

#include <inttypes.h>
#include <stdio.h>

#include "support/device.h"

#define FOUR_GIB ((uint64_t)1 << 32)
#define COUNT (FOUR_GIB + 5)
#define PLACE (FOUR_GIB + 3)
#define ROWS 3  // COUNT is 3 x 1431655767

struct large {
  struct device device;
  unsigned failed;
};

static void report(struct large *large, const char *what, cl_int err, uint64_t got, uint64_t expected) {
  const bool right = err == CL_SUCCESS && got == expected;
  printf("%s: %s: %" PRIu64 "%s%s\n", right ? "right" : "FAILED", what, got, err ? ": " : "",
         err ? clred_last_error(large->device.runtime) : "");
  large->failed += !right;
  fflush(stdout);
}

// A problem, a call over `in`, and what one word of its results must be.
struct check {
  const char *what;
  clred_problem problem;
  clred_call call;
  size_t word;
  uint64_t expected;
};

static void run(struct large *large, cl_mem in, const struct check *check) {
  uint64_t results[2 * ROWS] = {0};
  clred_plan *plan = NULL;
  clred_call call = check->call;
  cl_int err = clred_plan_create(large->device.runtime, &check->problem, &plan);
  call.in = in;
  if (!err)
    call.out = clCreateBuffer(large->device.context, CL_MEM_READ_WRITE, sizeof results, NULL, &err);
  if (!err)
    err = clred_enqueue(large->device.queue, plan, &call, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(large->device.queue, call.out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL);
  report(large, check->what, err, results[check->word], check->expected);
  clred_plan_release(plan);
  if (call.out)
    clReleaseMemObject(call.out);
}

// ---------------------------------------------------------------- Without memory, and in a buffer

static const clred_operator farthest =
  OPERATOR(.name = "farthest", .element = "uchar", .state = "{ uint key; ulong index; }",
           .identity = "{ 0, ULONG_MAX }", .lift = "MAKE(index == 4294967299ul ? 9u : (uint)x, index)",
           .combine = "a.key > b.key || (a.key == b.key && a.index < b.index) ? a : b", .commutative = CL_TRUE);

static const struct check repeated[] = {
  {"sum by a stride of 0", {OP(SUM, UCHAR), LAYOUT(STRIDED)}, {.count = COUNT}, 0, COUNT},
  {"place by a stride of 0", {.custom = &farthest, LAYOUT(STRIDED)}, {.count = COUNT}, 1, PLACE},
};

// All elements are 1 but the one at PLACE, which is 9. The index is the first word of a place.
static const struct check in_buffer[] = {
  {"sum of a buffer", {OP(SUM, UCHAR)}, {.count = COUNT}, 0, COUNT + 8},
  {"wide", {OP(SUM, UCHAR), .strategy = "wide"}, {.in_offset = 1, .count = COUNT - 1}, 0, COUNT + 7},
  {"chunked", {OP(SUM, UCHAR), .strategy = "chunked"}, {.in_offset = 1, .count = COUNT - 1}, 0, COUNT + 7},
  {"place in a buffer", {OP(ARGMAX, UCHAR)}, {.count = COUNT}, 0, PLACE},
  {"place from an offset", {OP(ARGMAX, UCHAR)}, {.in_offset = PLACE - 1, .count = 3}, 0, 1},
  ROW("place in the last row", {OP(ARGMAX, UCHAR), LAYOUT(ROWS)}, {.count = COUNT / ROWS, .rows = ROWS}, 2 * (ROWS - 1),
      PLACE - (ROWS - 1) * (COUNT / ROWS)),
  {"place in the first row", {OP(ARGMAX, UCHAR), LAYOUT(ROWS)}, {.count = COUNT / ROWS, .rows = ROWS}, 0, 0},
};

// Returns NULL if the device cannot make the buffer, and prints this.
static cl_mem make_buffer(struct large *large, uint64_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(large->device.context, CL_MEM_READ_WRITE, (size_t)size, NULL, &err);
  if (err)
    printf("skipped: a buffer of %" PRIu64 " bytes: the device cannot make it (%s)\n", size, clred_status_name(err));
  return buffer;
}

static void check_buffer(struct large *large) {
  const cl_uchar nine = 9;
  cl_mem in = make_buffer(large, COUNT);
  if (!in)
    return;
  cl_int err = device_write_ones(&large->device, in, COUNT);
  if (!err)
    err = clEnqueueWriteBuffer(large->device.queue, in, CL_TRUE, PLACE, 1, &nine, 0, NULL, NULL);
  if (err)
    report(large, "the buffer is written", err, 0, 0);
  for (size_t i = 0; i < sizeof in_buffer / sizeof *in_buffer && !err; i++)
    run(large, in, &in_buffer[i]);
  clReleaseMemObject(in);
}

// ---------------------------------------------------------------- Offsets

static const clred_problem sums[] = {
  {OP(SUM, CHAR), .strategy = "wide"},
  {OP(SUM, CHAR), .strategy = "local_sequential", .count_max = 2 * FOUR_GIB},
  {OP(SUM, CHAR), .strategy = "persistent", .count_max = 2 * FOUR_GIB},
  {OP(SUM, CHAR), .strategy = "chunked"},
  {OP(SUM, CHAR), .strategy = "persistent_interleaved", .count_max = 2 * FOUR_GIB},
};

// Sums 3 chars at an offset. Neighbours that are read by mistake change the sum.
static void check_at(struct large *large, cl_mem in, uint64_t offset) {
  const cl_char around[5] = {100, 1, -2, 4, 100};
  const cl_int err =
    clEnqueueWriteBuffer(large->device.queue, in, CL_TRUE, (size_t)(offset - 1), sizeof around, around, 0, NULL, NULL);
  if (err)
    report(large, "the elements are written", err, 0, 0);
  for (size_t i = 0; i < sizeof sums / sizeof *sums && !err; i++) {
    char what[80];
    snprintf(what, sizeof what, "3 elements from %" PRIu64 " on by %s", offset, sums[i].strategy);
    run(large, in, &(struct check){what, sums[i], {.in_offset = offset, .count = 3}, 0, 3});
  }
}

// The end of the device's largest buffer, for the largest addresses, and places around 2^32.
static void check_offsets(struct large *large) {
  static const uint64_t around[] = {FOUR_GIB - 4, FOUR_GIB - 1, FOUR_GIB, FOUR_GIB + 4000};
  cl_ulong size = 0;
  clGetDeviceInfo(large->device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof size, &size, NULL);
  size = size < 2 * FOUR_GIB ? size : 2 * FOUR_GIB;
  cl_mem in = make_buffer(large, size);
  if (!in)
    return;
  check_at(large, in, size - 4);
  check_at(large, in, size / 2 + 1);
  for (size_t i = 0; i < 4 && size >= FOUR_GIB + 4096; i++)
    check_at(large, in, around[i]);
  clReleaseMemObject(in);
}

// The numbers of a plan can be checked without so much memory: all groups together must reach the last element.
static void check_numbers(struct large *large, const clred_problem *problem) {
  const uint64_t count = ((uint64_t)1 << 40) + 1;
  clred_plan_info info = {0};
  clred_plan *plan = NULL;
  cl_int err = clred_plan_create(large->device.runtime, problem, &plan);
  if (!err)
    err = clred_plan_inspect(plan, count, &info);
  const long double reached = (long double)info.groups * (long double)info.group_size * (long double)info.elements;
  report(large, "groups reach 2^40 elements", err, info.groups && reached >= (long double)count, 1);
  clred_plan_release(plan);
}

int main(void) {
  struct large large = {.failed = 0};
  const char *trouble = device_open(&large.device);
  cl_uchar one = 1;
  cl_int err = CL_SUCCESS;
  cl_mem in = NULL;
  if (!trouble)
    in = clCreateBuffer(large.device.context, CL_MEM_COPY_HOST_PTR, 1, &one, &err);
  if (trouble || err) {
    printf("FAILED: %s\n", trouble ? trouble : clred_status_name(err));
    device_close(&large.device);
    return 1;
  }
  printf("device: %s\n", large.device.name);
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++)
    run(&large, in, &repeated[i]);
  check_buffer(&large);
  check_offsets(&large);
  check_numbers(&large, &sums[0]);
  check_numbers(&large, &sums[3]);
  clReleaseMemObject(in);
  device_close(&large.device);
  return large.failed != 0;
}
