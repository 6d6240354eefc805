// Histograms: counts by hand, extreme edges, programs, choices. The program layouts has every strategy, type, number of
// bins and kind of edges.

#include "support/fixture.h"

// ---------------------------------------------------------------- By hand

TEST_CASE("host", fixture_open, fixture_close);

#define EQUAL(n, a, b) \
  { .bins = (n), .low = (a), .high = (b) }
static const double small_edges[] = {0, 0x1p-20, 1}, places[] = {0.5, 7.5, 1048577, 1048578};
static const cl_long longs[] = {CL_LONG_MIN, -5000000000000000001, -5000000000000000000, 0, 1};
static const cl_ulong ulongs[] = {0, 3, 4, 7, 10, 11};
static const cl_uchar bytes[] = {0, 19, 20, 99, 100, 101};
static const double doubles[] = {-1e308, -3e307, 3e307, 1.5e308, 1.6e308};
static const float floats[] = {0, 1e38f, 2e38f, 3e38f, -1};
static const cl_half halves[] = {0x0000, 0x000f, 0x0010, 0x3c00, 0x3c01};
static const float least_floats[] = {0, 2 * 0x1p-149f, 4 * 0x1p-149f, 7 * 0x1p-149f,
                                     8 * 0x1p-149f};  // a bin is 1.75 times as wide as the smallest float

// Edges may lie outside the range of the type, or so close or far apart that the first guess of a bin fails.
static const struct counting {
  clred_type type;
  clred_histogram histogram;
  const void *elements;
  cl_ulong count, counts[11];
} countings[] = {
  {CLRED_TYPE_LONG, EQUAL(2, -1e19, 0), longs, 5, {2, 2}},
  {CLRED_TYPE_LONG, EQUAL(4, 0, 1e20), longs, 5, {2}},
  {CLRED_TYPE_ULONG, EQUAL(11, -1, 10), ulongs, 6, {0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1}},
  {CLRED_TYPE_ULONG, EQUAL(3, 0, 10.5), ulongs, 6, {2, 1, 2}},
  {CLRED_TYPE_UCHAR, EQUAL(10, -100, 100), bytes, 6, {0, 0, 0, 0, 0, 2, 1, 0, 0, 2}},
  {CLRED_TYPE_DOUBLE, EQUAL(4, -1e308, 1.5e308), doubles, 5, {1, 1, 1, 1}},
  {CLRED_TYPE_DOUBLE, EQUAL(1, -1e308, 1.5e308), doubles, 5, {4}},
  {CLRED_TYPE_DOUBLE, EQUAL(1048577, 0, 1048577), places, 4, {1, 0, 0, 0, 0, 0, 0, 1}},
  {CLRED_TYPE_FLOAT, EQUAL(1, 0, 3e38f), floats, 5, {4}},
  {CLRED_TYPE_FLOAT, EQUAL(2, 0, 3e38f), floats, 5, {2, 2}},
  ROW(CLRED_TYPE_HALF, {.bins = 2, .edges = small_edges}, halves, 5,
      {2, 2}),  // the exponent of the middle edge is below the smallest one of half
  {CLRED_TYPE_FLOAT, EQUAL(4, 0, 7 * 0x1p-149), least_floats, 5, {1, 1, 1, 1}},
};

TEST_ROWS(bins_at_the_ends, countings) {
  const struct counting *row = &countings[_i];
  const cl_ulong bins = row->histogram.bins;
  if (row->type == CLRED_TYPE_DOUBLE && fixture_lacks_double("histograms of doubles"))
    return;
  cl_ulong *counts = claim(bins * sizeof *counts);
  clred_plan *plan = PLAN(.type = row->type, .histogram = &row->histogram, .strategy = "histogram_host_serial");
  RUN_HOST(plan, .in = row->elements, .count = row->count, .out = counts);
  for (cl_ulong k = 0; k < bins && k < 11; k++)
    ck_assert_msg(counts[k] == row->counts[k], "row %d, bin %llu: %llu", _i, (unsigned long long)k,
                  (unsigned long long)counts[k]);
}

// ---------------------------------------------------------------- Kernels

static const char *const strategies[] = {"histogram_atomic", "histogram_local", "histogram_chunked"};

TEST_CASE("kernels", fixture_open, fixture_close);

// A strategy builds one program for all numbers of bins whose counters fit local memory, or the array of a work-item.
static const struct changing {
  int strategy;
  clred_type type;
  uint64_t bins[5];
} changing[] = {
  {2, CLRED_TYPE_FLOAT, {2, 512, 1024, 1500, 4096}},
  {2, CLRED_TYPE_UCHAR, {2, 300}},
  {1, CLRED_TYPE_FLOAT, {2, 77, 512, 5000}},
};

TEST_ROWS(new_bins_need_no_program, changing) {
  static cl_ulong counts[5000];
  size_t programs = 0;
  cl_mem in = fixture_buffer(counts, sizeof counts);
  for (size_t i = 0; i < COUNT_OF(changing->bins) && changing[_i].bins[i]; i++) {
    const clred_histogram bins = {.bins = changing[_i].bins[i], .high = 100};
    clred_plan *plan =
      PLAN(.type = changing[_i].type, .histogram = &bins, .strategy = strategies[changing[_i].strategy]);
    RUN(plan, .in = in, .count = sizeof counts / 4, .result = counts);
    clred_runtime_info info;
    assert_ok(clred_runtime_inspect(under_test.runtime, &info));
    ck_assert_msg(!programs || info.builds + info.loads == programs, "%llu bins: %zu programs instead of %zu",
                  (unsigned long long)changing[_i].bins[i], info.builds + info.loads, programs);
    programs = info.builds + info.loads;
  }
}

// Bins that are narrower than the distance of small halves, and edges above all elements of the type.
static const struct extreme {
  clred_type type;
  clred_histogram bins;
} extremes[] = {
  {CLRED_TYPE_HALF, {.bins = 500, .high = 0x1p-18}},
  {CLRED_TYPE_HALF, {.bins = 64, .high = 0x1p-21}},
  {CLRED_TYPE_HALF, {.bins = 60, .high = 0x1p-21}},
  {CLRED_TYPE_SHORT, {.bins = 4, .low = -1, .high = 1e6}},
};

TEST_ROWS(extreme_edges, extremes) {
  enum { ELEMENTS = 1040, MOST_BINS = 500 };
  cl_ushort elements[ELEMENTS];
  cl_ulong got[MOST_BINS], expected[MOST_BINS];
  for (cl_ushort i = 0; i < ELEMENTS; i++)
    elements[i] = i % 65;
  cl_mem in = fixture_buffer(elements, sizeof elements);
  for (size_t i = 0; i < COUNT_OF(strategies); i++) {
    clred_plan *plan = PLAN(.type = extremes[_i].type, .histogram = &extremes[_i].bins, .strategy = strategies[i],
                            .count_max = ELEMENTS);
    REFERENCE(plan, .in = elements, .count = ELEMENTS, .out = expected);
    RUN(plan, .in = in, .count = ELEMENTS, .result = got);
    ck_assert_msg(memcmp(got, expected, (size_t)extremes[_i].bins.bins * sizeof *got) == 0, "%s", strategies[i]);
  }
}

TEST(what_is_chosen) {
  const clred_histogram histogram = {.bins = 4, .low = -1, .high = 1};
  const float elements[] = {-1, -0.5f, 0, -0.0f, 0.5f, 1, 2, -2};
  const cl_ulong expected[] = {1, 1, 2, 2};
  cl_ulong counts[4];
  double edge;
  assert_ok(clred_histogram_host(under_test.runtime, CLRED_TYPE_FLOAT, &histogram, elements, 8, counts));
  ck_assert_mem_eq(counts, expected, sizeof counts);
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &histogram);
  const clred_plan_info info = fixture_inspect(plan, 100);
  ck_assert_str_eq(info.strategy, device_fact(&under_test, "cpu", 0) ? "histogram_chunked" : "histogram_local");
  ck_assert_int_eq(info.result_type, CLRED_TYPE_ULONG);
  for (int i = 0; i <= 4; i++) {
    assert_ok(clred_plan_edge(plan, (cl_ulong)i, &edge));
    ck_assert(edge == -1 + 0.5 * i);
  }
  assert_invalid(clred_plan_edge(plan, 5, &edge));
}
