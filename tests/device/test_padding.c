// Padding bytes of results are 0 in every kind of call, so programs may compare results byte by byte. All bits of the
// memory are 1 before each call.

#include "support/fixture.h"

#include "support/callbacks.h"

#define COUNT 3000
#define ROW_LENGTH 1000
#define MOST 64  // bytes of a result

// ---------------------------------------------------------------- User-defined operators

struct listed {
  cl_uchar first;
  cl_uint sum;
  cl_uchar last;
};

struct inner {
  cl_ushort count;
  cl_uint sum;
};

struct nested {
  struct inner inner[2];
  cl_uchar flag;
  cl_double mean;
};

IDENTITY(sum, cl_uint, 0)
LIFT(sum, cl_float, cl_uint, (cl_uint)x)
COMBINE(sum, cl_uint, a + b)

// The callbacks write other values to the padding. The library must replace them by zeros.
static void lower_list(const void *state, void *result, void *user_data) {
  const cl_uint sum = *(const cl_uint *)state;
  struct listed *to = result;
  (void)user_data;
  memset(result, 0xaa, sizeof *to);
  to->first = (cl_uchar)sum, to->sum = sum, to->last = (cl_uchar)(sum >> 8);
}

static void lower_nested(const void *state, void *result, void *user_data) {
  const cl_uint sum = *(const cl_uint *)state;
  struct nested *to = result;
  (void)user_data;
  memset(result, 0xaa, sizeof *to);
  to->inner[0].count = (cl_ushort)sum, to->inner[0].sum = sum;
  to->inner[1].count = 7, to->inner[1].sum = ~sum;
  to->flag = 1, to->mean = sum / 4.0;
}

static const clred_host_operator list_on_host = {sum_identity, sum_lift, sum_combine, lower_list, NULL};
static const clred_host_operator nested_on_host = {sum_identity, sum_lift, sum_combine, lower_nested, NULL};

static const clred_operator list =
  OPERATOR(.name = "list", .element = "float", .state = "uint", .result = "{ uchar first; uint sum; uchar last; }",
           .identity = "0", .lift = "(uint)x", .combine = "a + b", .lower = "GIVE((uchar)s, s, (uchar)(s >> 8))",
           .commutative = CL_TRUE, .host = &list_on_host);

static const clred_operator structs =
  OPERATOR(.name = "structs",
           .preamble = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                       "typedef struct { ushort count; uint sum; } inner;\n"
                       "typedef struct { inner parts[2]; uchar flag; double mean; } nested;\n",
           .element = "float", .state = "uint", .result = "nested", .identity = "0", .lift = "(uint)x",
           .combine = "a + b", .lower = "{ nested r = {{{(ushort)s, s}, {7, ~s}}, 1, s / 4.0}; return r; }",
           .commutative = CL_TRUE, .host = &nested_on_host);

// ---------------------------------------------------------------- Problems

static const struct subject {
  clred_problem problem;
  size_t size;
  unsigned padding[4][2];  // first byte, and the byte after the last
} subjects[] = {
  {{OP(ARGMAX, FLOAT)}, 16, {{12, 16}}},
  {{OP(ARGMINMAX, FLOAT)}, 32, {{4, 8}, {20, 24}}},
  {{OP(PROD, UINT), .overflow = CLRED_OVERFLOW_DETECT}, 16, {{12, 16}}},
  {{.custom = &list}, sizeof(struct listed), {{1, 4}, {9, 12}}},
  {{.custom = &structs}, sizeof(struct nested), {{2, 4}, {10, 12}, {17, 24}}},
};

static struct {
  const struct subject *subject;
  float *elements;
  cl_mem in;
} of;

static bool begin(int index) {
  of.subject = &subjects[index];
  if (of.subject->problem.custom == &structs && fixture_lacks_double("structs"))
    return false;
  of.elements = claim(COUNT * sizeof *of.elements);
  of.in = fixture_numbers(COUNT);
  for (size_t i = 0; i < COUNT; i++)
    of.elements[i] = (float)(i % 97 + 1);
  return true;
}

static clred_plan *plan_by(const char *strategy, clred_layout layout, clred_scan scan) {
  clred_problem problem = of.subject->problem;
  problem.strategy = strategy, problem.layout = layout, problem.scan = scan;
  clred_plan *plan = fixture_plan(&problem);
  ck_assert_uint_eq(fixture_inspect(plan, COUNT).result_size, of.subject->size);
  return plan;
}

static void check_zeros(const unsigned char *result, const char *what) {
  for (size_t p = 0; p < 4; p++)
    for (unsigned i = of.subject->padding[p][0]; i < of.subject->padding[p][1]; i++)
      ck_assert_msg(result[i] == 0, "%s: byte %u is %02x", what, i, result[i]);
}

static void check_same(const unsigned char *result, const unsigned char *expected, const char *what) {
  check_zeros(result, what);
  ck_assert_msg(memcmp(result, expected, of.subject->size) == 0, "%s is another result", what);
}

static void expect(clred_plan *plan, const float *elements, cl_ulong count, unsigned char *expected) {
  memset(expected, 0xff, MOST);
  REFERENCE(plan, .in = elements, .count = count, .out = expected);
  check_zeros(expected, "the reference");
}

// A call that returns CLRED_OVERFLOW has a result, too.
static void check_done(cl_int status) {
  ck_assert_msg(status == CL_SUCCESS || status == CLRED_OVERFLOW, "%s", clred_status_name(status));
}

static void check_line(const char *strategy) {
  unsigned char expected[MOST], result[MOST];
  clred_plan *plan = plan_by(strategy, CLRED_LAYOUT_LINE, CLRED_SCAN_NONE);
  memset(result, 0xff, sizeof result);
  cl_mem out = fixture_buffer(result, sizeof result);
  expect(plan, of.elements, COUNT, expected);
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, of.in, out, 0, 0, COUNT, 0, NULL, NULL));
  read_buffer(out, result, of.subject->size);
  check_same(result, expected, strategy);
  memset(result, 0xff, sizeof result);
  check_done(clred_enqueue(under_test.queue, plan,
                           &(clred_call){.in = of.in, .count = COUNT, .result = result, .blocking = CL_TRUE}, 0, NULL,
                           NULL));
  check_same(result, expected, "host memory");
  // The result of no elements is made by other code.
  assert_ok(clred_enqueue_reduce(under_test.queue, plan, of.in, out, 0, 0, 0, 0, NULL, NULL));
  read_buffer(out, result, of.subject->size);
  check_zeros(result, "no elements");
}

TEST_CASE("bytes", fixture_open, fixture_close);

TEST_ROWS(one_result, subjects) {
  if (!begin(_i))
    return;
  check_line("wide");
  check_line("chunked");
  check_line("host_serial");
}

TEST_ROWS(streams_have_the_bytes_of_a_call, subjects) {
  unsigned char expected[MOST], result[MOST];
  if (!begin(_i))
    return;
  clred_plan *plan = plan_by("chunked", CLRED_LAYOUT_LINE, CLRED_SCAN_NONE);
  expect(plan, of.elements, COUNT, expected);
  for (cl_bool on_host = 0; on_host < 2; on_host++) {
    clred_stream *stream = STREAM(plan, .chunk = 1024, .on_host = on_host);
    assert_ok(clred_stream_push(stream, of.elements, NULL, COUNT));
    memset(result, 0xff, sizeof result);
    check_done(clred_stream_finish(stream, result));
    check_same(result, expected, "a stream");
  }
}

TEST_ROWS(several_results, subjects) {
  unsigned char expected[MOST], results[3][MOST];
  if (!begin(_i))
    return;
  clred_plan *plan = plan_by("rows_chunked", CLRED_LAYOUT_ROWS, CLRED_SCAN_NONE);
  memset(results, 0xff, sizeof results);
  cl_mem out = fixture_buffer(results, sizeof results);
  ENQUEUE(plan, .in = of.in, .count = ROW_LENGTH, .rows = 3, .out = out);
  read_buffer(out, results, 3 * of.subject->size);
  for (size_t row = 0; row < 3; row++) {
    expect(plan, of.elements + row * ROW_LENGTH, ROW_LENGTH, expected);
    check_same((unsigned char *)results + row * of.subject->size, expected, "a row");
  }
}

static void check_scan(const char *strategy) {
  const size_t bytes = COUNT * of.subject->size;
  unsigned char *expected = claim(bytes), *results = claim(bytes);
  clred_plan *plan = plan_by(strategy, CLRED_LAYOUT_LINE, CLRED_SCAN_INCLUSIVE);
  memset(results, 0xff, bytes), memset(expected, 0xff, bytes);
  cl_mem out = fixture_buffer(results, bytes);
  assert_ok(clred_enqueue_scan(under_test.queue, plan, of.in, out, 0, 0, COUNT, 0, NULL, NULL));
  read_buffer(out, results, bytes);
  REFERENCE(plan, .in = of.elements, .count = COUNT, .out = expected);
  for (size_t i = 0; i < COUNT; i++)
    check_same(results + i * of.subject->size, expected + i * of.subject->size, strategy);
}

TEST_ROWS(scans, subjects) {
  if (!begin(_i))
    return;
  check_scan("scan_chunked");
  check_scan("scan_wide");
  check_scan("scan_host_serial");
}
