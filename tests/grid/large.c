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

// `result` has at most 16 bytes.
static cl_int reduce(struct large *large, const clred_problem *problem, clred_call call, void *result) {
  clred_plan *plan = NULL;
  cl_int err = clred_plan_create(large->device.runtime, problem, &plan);
  call.result = result;
  call.blocking = CL_TRUE;
  if (!err)
    err = clred_enqueue(large->device.queue, plan, &call, 0, NULL, NULL);
  clred_plan_release(plan);
  return err;
}

// ---------------------------------------------------------------- Without memory

static const clred_operator farthest =
  OPERATOR(.name = "farthest", .element = "uchar", .state = "{ uint key; ulong index; }",
           .identity = "{ 0, ULONG_MAX }", .lift = "MAKE(index == 4294967299ul ? 9u : (uint)x, index)",
           .combine = "a.key > b.key || (a.key == b.key && a.index < b.index) ? a : b", .commutative = CL_TRUE);

static void check_repeated(struct large *large, cl_mem one) {
  const clred_problem sum = {OP(SUM, UCHAR), LAYOUT(STRIDED)};
  const clred_problem place = {.custom = &farthest, LAYOUT(STRIDED)};
  const clred_call call = {.in = one, .count = COUNT, .stride = 0};
  cl_ulong total = 0;
  clred_place_ulong found = {0, 0};
  cl_int err = reduce(large, &sum, call, &total);
  report(large, "sum by a stride of 0", err, total, COUNT);
  err = reduce(large, &place, call, &found);
  report(large, "place by a stride of 0", err, found.value, PLACE);
}

// ---------------------------------------------------------------- In a buffer

static cl_int write_elements(struct large *large, cl_mem in) {
  const cl_uchar nine = 9;
  const cl_int err = device_write_ones(&large->device, in, COUNT);
  return err ? err : clEnqueueWriteBuffer(large->device.queue, in, CL_TRUE, PLACE, 1, &nine, 0, NULL, NULL);
}

static void check_rows(struct large *large, cl_mem in) {
  const clred_problem problem = {OP(ARGMAX, UCHAR), LAYOUT(ROWS)};
  const uint64_t length = COUNT / ROWS;
  clred_place_ulong found[ROWS] = {{0, 0}};
  clred_plan *plan = NULL;
  cl_int err;
  cl_mem out = clCreateBuffer(large->device.context, CL_MEM_READ_WRITE, sizeof found, NULL, &err);
  const clred_call call = {.in = in, .count = length, .rows = ROWS, .out = out};
  if (!err)
    err = clred_plan_create(large->device.runtime, &problem, &plan);
  if (!err)
    err = clred_enqueue(large->device.queue, plan, &call, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(large->device.queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL);
  report(large, "place in the last row", err, found[ROWS - 1].index, PLACE - (ROWS - 1) * length);
  report(large, "place in the first row", err, found[0].index, 0);
  RELEASE(plan, out);
}

// Returns NULL if the device cannot make the buffer, and prints this.
static cl_mem make_buffer(struct large *large, uint64_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(large->device.context, CL_MEM_READ_WRITE, (size_t)size, NULL, &err);
  if (err)
    printf("skipped: a buffer of %" PRIu64 " bytes: the device cannot make it (%s)\n", size, clred_status_name(err));
  return buffer;
}

static void check_buffer(struct large *large) {
  static const char *const strategies[] = {"wide", "chunked"};
  const clred_problem sum = {OP(SUM, UCHAR)};
  const clred_problem place = {OP(ARGMAX, UCHAR)};
  cl_ulong total = 0;
  clred_place_ulong found = {0, 0};
  cl_mem in = make_buffer(large, COUNT);
  if (!in)
    return;
  cl_int err = write_elements(large, in);
  if (err) {
    printf("FAILED: the buffer is not written: %s\n", clred_status_name(err));
    large->failed++;
    clReleaseMemObject(in);
    return;
  }
  err = reduce(large, &sum, (clred_call){.in = in, .count = COUNT}, &total);
  report(large, "sum of a buffer", err, total, COUNT + 8);
  for (size_t i = 0; i < 2; i++) {
    const clred_problem by_name = {OP(SUM, UCHAR), .strategy = strategies[i]};
    err = reduce(large, &by_name, (clred_call){.in = in, .in_offset = 1, .count = COUNT - 1}, &total);
    report(large, strategies[i], err, total, COUNT + 7);
  }
  err = reduce(large, &place, (clred_call){.in = in, .count = COUNT}, &found);
  report(large, "place in a buffer", err, found.index, PLACE);
  err = reduce(large, &place, (clred_call){.in = in, .in_offset = PLACE - 1, .count = 3}, &found);
  report(large, "place from an offset", err, found.index, 1);
  check_rows(large, in);
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
  cl_int err =
    clEnqueueWriteBuffer(large->device.queue, in, CL_TRUE, (size_t)(offset - 1), sizeof around, around, 0, NULL, NULL);
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    char what[80];
    cl_long total = 0;
    snprintf(what, sizeof what, "3 elements from %" PRIu64 " on by %s", offset, sums[i].strategy);
    if (!err)
      err = reduce(large, &sums[i], (clred_call){.in = in, .in_offset = offset, .count = 3}, &total);
    report(large, what, err, (uint64_t)total, 3);
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
  check_repeated(&large, in);
  check_buffer(&large);
  check_offsets(&large);
  check_numbers(&large, &sums[0]);
  check_numbers(&large, &sums[3]);
  clReleaseMemObject(in);
  device_close(&large.device);
  return large.failed != 0;
}
