// Results of integers with the bits of an element, or 32: in every layout, by streams, in place, and what is refused.
// The expected results are sums in 64 bits by a loop, cut. The grid programs compare operators, types and strategies.

#include "support/lines.h"

#define ELEMENTS LINES_ELEMENTS

// Sums wrap in both types of results.
static const clred_problem sums[] = {
  {OP(SUM, SHORT), .result_bits = CLRED_RESULT_OWN},
  {OP(SUM, UCHAR), .result_bits = CLRED_RESULT_32},
};

static size_t result_size(const clred_problem *problem) {
  return problem->result_bits == CLRED_RESULT_OWN ? oracle_size(problem->type) : 4;
}

static cl_long element(const clred_problem *problem, cl_ulong i) {
  const cl_ulong bits = i * 2654435761u >> 7;
  return problem->type == CLRED_TYPE_SHORT ? (cl_short)bits : (cl_uchar)bits;
}

static void *make_elements(const clred_problem *problem) {
  const size_t size = oracle_size(problem->type);
  unsigned char *elements = claim(ELEMENTS * size);
  for (cl_ulong i = 0; i < ELEMENTS; i++)
    oracle_store(elements, size, i, (cl_ulong)element(problem, i));
  return elements;
}

// ---------------------------------------------------------------- Expected results

static void expect(const clred_problem *problem, const struct lines *lines, cl_long start, unsigned char *out) {
  const size_t size = result_size(problem);
  for (size_t l = 0; l < lines->count; l++) {
    const struct line line = lines->list[l];
    cl_ulong sum = (cl_ulong)start;
    for (cl_ulong i = 0; i < line.count; i++) {
      const cl_ulong at = line.first + (problem->reversed ? line.count - 1 - i : i) * line.step, before = sum;
      sum += (cl_ulong)element(problem, at);
      if (problem->scan)
        oracle_store(out, size, at, problem->scan == CLRED_SCAN_INCLUSIVE ? sum : before);
    }
    if (!problem->scan)
      oracle_store(out, size, l, sum);
  }
}

static void check_bytes(const clred_problem *problem, const unsigned char *got, const unsigned char *expected) {
  const size_t size = result_size(problem);
  for (size_t i = 0; i < ELEMENTS; i++)
    ck_assert_msg(memcmp(got + i * size, expected + i * size, size) == 0,
                  "layout %d, scan %d, results of %zu bytes: result %zu is 0x%llx, not 0x%llx", (int)problem->layout,
                  (int)problem->scan, size, i, (unsigned long long)oracle_load(got, size, i),
                  (unsigned long long)oracle_load(expected, size, i));
}

static void check_problem(const clred_problem *problem) {
  static struct lines lines;
  const size_t bytes = ELEMENTS * result_size(problem);
  const cl_short start = -30001;  // a state as wide as the result, also beside elements of uchar
  const cl_int wide_start = start;
  unsigned char *elements = make_elements(problem), *expected = claim(bytes), *got = claim(bytes);
  clred_plan *plan = fixture_plan(problem);
  clred_call call = lines_lay_out(problem->layout, &lines);
  memset(got, 0x5a, bytes);  // stays where no result belongs
  memcpy(expected, problem->in_place ? elements : got, bytes);
  expect(problem, &lines, problem->scan ? start : 0, expected);
  call.in = fixture_buffer(elements, ELEMENTS * oracle_size(problem->type));
  call.out = problem->in_place ? call.in : fixture_buffer(got, bytes);
  call.initial = !problem->scan ? NULL : result_size(problem) == 2 ? (const void *)&start : &wide_start;
  call.blocking = CL_TRUE;
  fixture_call(plan, &call, CL_SUCCESS, "");
  read_buffer(call.out, got, bytes);
  check_bytes(problem, got, expected);
}

TEST_CASE("layouts", NULL, fixture_close);

// For each layout, one test uses the device as it is, and one assumes a GPU. One of the two reduces, the other scans.
TEST_EACH(every_layout, 0, 2 * (CLRED_LAYOUT_KEYS + 1)) {
  clred_problem problem = lines_problem(sums[(_i / 4 + _i) % 2], (clred_layout)(_i / 2));
  if ((_i + _i / 2) % 2) {
    problem.scan = _i / 2 % 2 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
    problem.in_place = problem.result_bits == CLRED_RESULT_OWN;
    problem.reversed = _i / 2 % 3 == 1;
  }
  fixture_open_assuming(_i % 2 ? "cpu=0" : "");
  check_problem(&problem);
}

// ---------------------------------------------------------------- What a plan says, hosts, streams, lists

TEST_CASE("plans", fixture_open, fixture_close);

TEST(types_of_results_and_states) {
  static const struct {
    clred_op op;
    clred_type type, own, narrow, wide;
  } rows[] = {{CLRED_OP_SUM, CLRED_TYPE_CHAR, CLRED_TYPE_CHAR, CLRED_TYPE_INT, CLRED_TYPE_LONG},
              {CLRED_OP_SUMSQ, CLRED_TYPE_SHORT, CLRED_TYPE_USHORT, CLRED_TYPE_UINT, CLRED_TYPE_ULONG},
              {CLRED_OP_COUNT, CLRED_TYPE_UCHAR, CLRED_TYPE_UCHAR, CLRED_TYPE_UINT, CLRED_TYPE_ULONG}};
  for (size_t i = 0; i < 3 * COUNT_OF(rows); i++) {
    const clred_type types[] = {rows[i / 3].own, rows[i / 3].narrow, rows[i / 3].wide};
    clred_plan *plan = PLAN(.op = rows[i / 3].op, .type = rows[i / 3].type, .strategy = "host_serial",
                            .result_bits = (clred_result_bits)(CLRED_RESULT_OWN + i % 3));
    const clred_plan_info info = fixture_inspect(plan, 1);
    ck_assert_int_eq(info.result_type, types[i % 3]);
    ck_assert_int_eq(info.state_type, types[i % 3]);
    ck_assert_uint_eq(info.result_size, oracle_size(types[i % 3]));
  }
}

TEST(extremes_of_no_elements_are_the_ends_of_the_type) {
  clred_plan *plan = PLAN(OP(MIN, SHORT), .result_bits = CLRED_RESULT_OWN, .strategy = "chunked");
  cl_short results[2] = {0, 0};
  RUN_HOST(plan, .out = &results[0]);
  REFERENCE(plan, .out = &results[1]);
  ck_assert_int_eq(results[0], CL_SHRT_MAX);
  ck_assert_int_eq(results[1], CL_SHRT_MAX);
}

// 300 fits int and not uchar; -1 and the sum of 0 and 300 fit neither uchar nor char.
TEST(overflow_is_that_of_the_narrow_type) {
  const cl_uchar in[] = {200, 100, 0};
  struct {
    cl_uchar value;
    cl_uint overflow;
  } own = {0, 0};
  cl_uint wide[] = {0, 0};
  clred_plan *narrow = PLAN(OP(SUM, UCHAR), .overflow = CLRED_OVERFLOW_DETECT, .result_bits = CLRED_RESULT_OWN);
  clred_plan *other = PLAN(OP(SUM, UCHAR), .overflow = CLRED_OVERFLOW_DETECT, .result_bits = CLRED_RESULT_32);
  cl_int err = clred_plan_run_host(under_test.queue, narrow, &(clred_host_call){.in = in, .count = 3, .out = &own});
  assert_refused(err, CLRED_OVERFLOW, "does not fit the type of its result");
  ck_assert_uint_eq(own.value, 44);
  ck_assert_uint_eq(own.overflow, 1);
  RUN_HOST(other, .in = in, .count = 3, .out = wide);
  ck_assert_uint_eq(wide[0], 300);
  ck_assert_uint_eq(wide[1], 0);
}

TEST(streams_give_the_same_results) {
  for (size_t i = 0; i < COUNT_OF(sums); i++) {
    static struct lines lines;
    clred_problem scan = sums[i];
    unsigned char *elements = make_elements(&scan), *got = claim(4 * ELEMENTS), *expected = claim(4 * ELEMENTS);
    cl_ulong chunk = 1024;
    clred_scan_stream *prefixes = NULL;
    lines_lay_out(CLRED_LAYOUT_LINE, &lines);
    clred_plan *plan = fixture_plan(&scan);
    clred_stream *stream = STREAM(plan, .chunk = 1024);
    assert_ok(clred_stream_push(stream, elements, NULL, ELEMENTS));
    assert_ok(clred_stream_finish(stream, got));
    expect(&scan, &lines, 0, expected);
    check_bytes(&scan, got, expected);
    scan.scan = CLRED_SCAN_EXCLUSIVE;
    plan = fixture_plan(&scan);
    assert_ok(clred_scan_stream_create(under_test.queue, plan, &chunk, NULL, &prefixes));
    for (cl_ulong at = 0; at < ELEMENTS; at += chunk)
      assert_ok(clred_scan_stream_next(prefixes, elements + at * oracle_size(scan.type), NULL,
                                       ELEMENTS - at < chunk ? ELEMENTS - at : chunk, got + at * result_size(&scan)));
    expect(&scan, &lines, 0, expected);
    check_bytes(&scan, got, expected);
    clred_scan_stream_release(prefixes);
  }
}

TEST(a_list_has_narrow_parts) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_SUMSQ, CLRED_OP_COUNT};
  const cl_short in[] = {-300, 20000, 20000};
  cl_ushort got[] = {0, 0, 0, 0};  // the first two are cl_short
  clred_plan *plan = PLAN(.type = CLRED_TYPE_SHORT, .list = ops, .list_count = 4, .result_bits = CLRED_RESULT_OWN);
  RUN_HOST(plan, .in = in, .count = 3, .out = got);
  ck_assert_int_eq((cl_short)got[0], 39700 - 65536);
  ck_assert_int_eq((cl_short)got[1], -300);
  ck_assert_uint_eq(got[2], (90000 + 2 * 400000000u) % 65536);
  ck_assert_uint_eq(got[3], 3);
}
