// Elements and further inputs of every width, loaded in words (cl/common/loads.clh), with aligned and unaligned
// offsets. EMULATES_PTX makes all devices load like this. NVIDIA's devices need no emulation and also pass hints to the
// cache.

#include "support/fixture.h"

#define COUNT 40001
#define WIDTHS 4

static const char *const types[] = {"uchar", "short", "int", "float", "long", "double"};

// An input of each width. The operator multiplies the values, so exchanged values change the result.
static const clred_operand inputs[WIDTHS] = {
  {"one", "char", 1}, {"two", "ushort", 2}, {"four", "uint", 4}, {"eight", "double", 8}};
#define LIFT \
  "TO(long, x) * TO(long, one) + TO(long, two) * TO(long, eight) * 3 + TO(long, x) * TO(long, four) * 5 + TO(long, " \
  "two) * TO(long, x)"

static cl_long value_at(int which, cl_ulong i) {
  return (cl_long)(i * (2 * (cl_ulong)which + 7919) % 101);
}

static cl_mem buffer_of(const char *name, int which) {
  const clred_type type = clred_type_from_name(name);
  void *bytes = claim(COUNT * oracle_size(type));
  for (cl_ulong i = 0; i < COUNT; i++)
    oracle_put(type, bytes, i, (long double)value_at(which, i));
  return fixture_buffer(bytes, COUNT * oracle_size(type));
}

static cl_long expected_of(cl_ulong first, const cl_ulong *firsts, cl_ulong count) {
  cl_long sum = 0;
  for (cl_ulong i = 0; i < count; i++) {
    cl_long x = value_at(0, first + i), in[WIDTHS];
    for (int j = 0; j < WIDTHS; j++)
      in[j] = value_at(j + 1, firsts[j] + i);
    sum += x * in[0] + 3 * in[1] * in[3] + 5 * x * in[2] + in[1] * x;
  }
  return sum;
}

struct read {
  clred_plan *plan;
  cl_mem in, further[WIDTHS];
};

static void check_sum(const struct read *read, cl_ulong first, cl_ulong apart, cl_ulong count) {
  const cl_ulong firsts[WIDTHS] = {apart, 2 * apart, 3 * apart, 4 * apart};
  cl_long result = 0;
  RUN(read->plan, .in = read->in, .in_offset = first, .inputs = read->further, .input_offsets = firsts, .count = count,
      .result = &result);
  cl_long expected = expected_of(first, firsts, count);
  ck_assert_msg(result == expected, "%" PRIu64 " from %" PRIu64 ", inputs %" PRIu64 " apart: %" PRId64 ", not %" PRId64,
                (uint64_t)count, (uint64_t)first, (uint64_t)apart, (int64_t)result, (int64_t)expected);
}

static void check_sums(const struct read *read) {
  static const cl_ulong counts[] = {0, 1, 2, 3, 1023, 1024, 1025, 4096, 39000, COUNT - 64};
  for (size_t i = 0; i < COUNT_OF(counts); i++) {
    check_sum(read, 0, 0, counts[i]);
    check_sum(read, 16, 16, counts[i]);
    check_sum(read, 1, 0, counts[i]);
    check_sum(read, 0, 1, counts[i]);
  }
}

TEST_CASE("tests", NULL, fixture_close);

TEST_ROWS(widths_side_by_side, types) {
  const clred_operator sum = OPERATOR(.name = "sum_of_widths", .element = types[_i], .state = "long", .identity = "0",
                                      .lift = LIFT, .combine = "a + b", .inputs = inputs, .input_count = WIDTHS,
                                      .commutative = CL_TRUE, .elementwise = CL_TRUE);
  fixture_open_assuming("cpu=0,compute_units=132");
  struct read read = {.plan = PLAN(.custom = &sum, .strategy = "wide"), .in = buffer_of(types[_i], 0)};
  for (int j = 0; j < WIDTHS; j++)
    read.further[j] = buffer_of(inputs[j].type, j + 1);
  check_sums(&read);
}
