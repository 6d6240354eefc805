// Offsets and counts above 32 bits, as far as the device's buffers reach. Tests that cannot run print that they are
// skipped.

#include "support/fixture.h"

#define FOUR_GIB ((uint64_t)1 << 32)

static uint64_t largest_buffer(void) {
  cl_ulong size = 0;
  clGetDeviceInfo(under_test.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof size, &size, NULL);
  return size;
}

// A buffer of bytes. If the device has no room for it, the function prints this and returns NULL.
static cl_mem large_buffer(const char *what, uint64_t size) {
  char why[160];
  cl_int err = CL_INVALID_BUFFER_SIZE;
  cl_mem buffer = NULL;
  if (size <= largest_buffer())
    buffer = clCreateBuffer(under_test.context, CL_MEM_READ_WRITE, (size_t)size, NULL, &err);
  if (err == CL_SUCCESS)
    return OWN(buffer);
  snprintf(why, sizeof why, "it needs a buffer of %" PRIu64 " bytes, and the device's largest has %" PRIu64, size,
           largest_buffer());
  fixture_skip(what, why);
  return NULL;
}

static const clred_problem problems[] = {
  {OP(ADD, CHAR), .strategy = "wide"},
  {OP(ADD, CHAR), .strategy = "local_sequential", .count_max = 2 * FOUR_GIB},
  {OP(ADD, CHAR), .strategy = "persistent", .count_max = 2 * FOUR_GIB},
  {OP(ADD, CHAR), .strategy = "chunked"},
  {OP(ADD, CHAR), .strategy = "persistent_interleaved", .count_max = 2 * FOUR_GIB},
};

// Sums 3 chars at an offset. Neighbours that are read by mistake change the sum.
static void check_at(clred_plan *plan, cl_mem in, uint64_t offset) {
  const cl_char around[5] = {100, 1, -2, 4, 100};
  cl_long result = 0;
  assert_ok(
    clEnqueueWriteBuffer(under_test.queue, in, CL_TRUE, (size_t)(offset - 1), sizeof around, around, 0, NULL, NULL));
  RUN(plan, .in = in, .in_offset = offset, .count = 3, .result = &result);
  ck_assert_msg(result == 3, "offset %" PRIu64 ": %" PRId64, offset, (int64_t)result);
}

TEST_CASE("offsets", fixture_open, fixture_close);

TEST_ROWS(offsets_around_32_bits, problems) {
  cl_mem in = large_buffer("offsets around 2^32", FOUR_GIB + 4096);
  if (!in)
    return;
  clred_plan *plan = fixture_plan(&problems[_i]);
  check_at(plan, in, FOUR_GIB - 4);
  check_at(plan, in, FOUR_GIB - 1);
  check_at(plan, in, FOUR_GIB);
  check_at(plan, in, FOUR_GIB + 4000);
}

// The end of the device's largest buffer, for the largest addresses.
TEST_ROWS(offsets_at_the_end_of_the_largest_buffer, problems) {
  const uint64_t size = largest_buffer() < 2 * FOUR_GIB ? largest_buffer() : 2 * FOUR_GIB;
  cl_mem in = large_buffer("offsets at the end of the largest buffer", size);
  if (!in)
    return;
  clred_plan *plan = fixture_plan(&problems[_i]);
  check_at(plan, in, size - 4);
  check_at(plan, in, size / 2 + 1);
}

TEST_CASE("counts", fixture_open, fixture_close);

// wide and chunked. The others need half a minute each on a CPU.
TEST_STEPS(counts_above_32_bits, 0, (int)COUNT_OF(problems), 3) {
  const uint64_t count = FOUR_GIB + 12345;
  cl_long result = 0;
  cl_mem in = large_buffer("counts above 2^32", count + 1);
  if (!in)
    return;
  clred_plan *plan = fixture_plan(&problems[_i]);
  assert_ok(device_write_ones(&under_test, in, count + 1));
  RUN(plan, .in = in, .in_offset = 1, .count = count, .result = &result);
  ck_assert_msg((uint64_t)result == count, "%" PRId64 ", not %" PRIu64, (int64_t)result, count);
}

// A plan's numbers for this count can be checked without so much memory: all groups together must reach the last
// element.
TEST_EACH(numbers_of_a_huge_count, 0, 2) {
  const uint64_t count = ((uint64_t)1 << 40) + 1;
  clred_problem problem = {OP(ADD, CHAR), .strategy = "wide"};
  problem.strategy = _i ? "chunked" : "wide";
  clred_plan *plan = fixture_plan(&problem);
  const clred_plan_info info = fixture_inspect(plan, count);
  ck_assert_uint_gt(info.groups, 0);
  ck_assert_msg((long double)info.groups * (long double)info.group_size * (long double)info.elements >=
                  (long double)count,
                "%" PRIu64 " groups of %" PRIu64 " work-items with %" PRIu64 " elements each", (uint64_t)info.groups,
                (uint64_t)info.group_size, (uint64_t)info.elements);
}
