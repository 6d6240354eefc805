// Histograms that are refused: wrong bins and edges, problems that contradict them, and calls with the wrong plan or
// memory. Each has its status and a sentence that names the culprit.

#include "support/fixture.h"

#include <math.h>

static const double falling[] = {0, 2, 1}, equal[] = {0, 1, 1}, with_nan[] = {0, NAN, 1}, endless[] = {0, 1, INFINITY};
static const double near[] = {1, 1 + 0x1p-40, 2}, large[] = {0, 1, 1e5}, three[] = {0, 1, 2};
static const float low_float = 0, endless_float = INFINITY;
static const cl_long longs[] = {5, 5, 6}, low_long = 7, high_long = 7;

#define EQUAL(n, a, b) \
  { .bins = (n), .low = (a), .high = (b) }
#define UNEQUAL(...) \
  { .bins = 2, .edges = __VA_ARGS__ }

static const struct refusal {
  clred_problem problem;
  clred_histogram histogram;
  cl_int status;
  const char *word;  // the sentence must contain this word
} refusals[] = {
  {{.type = CLRED_TYPE_INT}, EQUAL(0, 0, 1), CLRED_INVALID_PROBLEM, "bins is 0"},
  {{.type = CLRED_TYPE_INT}, EQUAL(((cl_ulong)1 << 31) + 1, 0, 1), CLRED_INVALID_PROBLEM, "2147483649 is above"},
  {{.type = CLRED_TYPE_INT}, {.bins = 3}, CLRED_INVALID_PROBLEM, "low 0 is not below high 0"},
  {{.type = CLRED_TYPE_INT}, EQUAL(3, 4, 2), CLRED_INVALID_PROBLEM, "low 4 is not below high 2"},
  {{.type = CLRED_TYPE_FLOAT}, EQUAL(3, NAN, 2), CLRED_INVALID_PROBLEM, "low is not finite"},
  {{.type = CLRED_TYPE_FLOAT}, EQUAL(3, 0, INFINITY), CLRED_INVALID_PROBLEM, "high is not finite"},
  {{.type = CLRED_TYPE_HALF}, EQUAL(3, 0, 1e5), CLRED_INVALID_PROBLEM, "high 100000 is no finite half"},
  {{.type = CLRED_TYPE_FLOAT}, EQUAL(3, 1, 1 + 0x1p-40), CLRED_INVALID_PROBLEM, "are the same float"},
  {{.type = CLRED_TYPE_UCHAR}, EQUAL(3, 300, 400), CLRED_INVALID_PROBLEM, "no uchar lies between"},
  {{.type = CLRED_TYPE_INT}, EQUAL(3, 0.25, 0.75), CLRED_INVALID_PROBLEM, "no int lies between"},
  {{.type = CLRED_TYPE_INT}, UNEQUAL(falling), CLRED_INVALID_PROBLEM, "edges[2] is not above edges[1]"},
  {{.type = CLRED_TYPE_DOUBLE}, UNEQUAL(equal), CLRED_INVALID_PROBLEM, "edges[2] is not above edges[1]"},
  {{.type = CLRED_TYPE_INT}, UNEQUAL(with_nan), CLRED_INVALID_PROBLEM, "edges[1] is not finite"},
  {{.type = CLRED_TYPE_FLOAT}, UNEQUAL(endless), CLRED_INVALID_PROBLEM, "edges[2] is not finite"},
  {{.type = CLRED_TYPE_FLOAT}, UNEQUAL(near), CLRED_INVALID_PROBLEM, "edges[0] and edges[1] are the same float"},
  {{.type = CLRED_TYPE_HALF}, UNEQUAL(large), CLRED_INVALID_PROBLEM, "edges[2], 100000, is no finite half"},
  ROW({.type = CLRED_TYPE_LONG}, {.bins = 2, .edge_elements = longs}, CLRED_INVALID_PROBLEM,
      "edge_elements[1] is not above"),
  {{.type = CLRED_TYPE_LONG}, {.bins = 2, .edge_elements = longs, .edges = three}, CLRED_INVALID_PROBLEM, "both given"},
  {{.type = CLRED_TYPE_LONG}, {.bins = 2, .low_element = &low_long}, CLRED_INVALID_PROBLEM, "without high_element"},
  ROW({.type = CLRED_TYPE_LONG}, {.bins = 2, .low_element = &low_long, .high_element = &high_long},
      CLRED_INVALID_PROBLEM, "low 7 is not below high 7"),
  ROW({.type = CLRED_TYPE_LONG}, {.bins = 2, .low_element = &low_long, .high_element = &high_long, .low = 1},
      CLRED_INVALID_PROBLEM, "together with low_element"),
  ROW({.type = CLRED_TYPE_LONG}, {.bins = 2, .edge_elements = longs, .low_element = &low_long}, CLRED_INVALID_PROBLEM,
      "edges are given together"),
  {{.type = CLRED_TYPE_LONG}, {.bins = 2, .high_element = &high_long}, CLRED_INVALID_PROBLEM, "high_element"},
  ROW({.type = CLRED_TYPE_FLOAT}, {.bins = 2, .low_element = &low_float, .high_element = &endless_float},
      CLRED_INVALID_PROBLEM, "high is not finite"),
  {{.type = CLRED_TYPE_HALF}, EQUAL(3, -1e5, 0), CLRED_INVALID_PROBLEM, "low -100000 is no finite half"},
  {{.type = CLRED_TYPE_UCHAR}, EQUAL(3, 300.5, 400.5), CLRED_INVALID_PROBLEM, "no uchar lies between"},
  {{.type = CLRED_TYPE_UCHAR}, EQUAL(3, -5.5, -3.5), CLRED_INVALID_PROBLEM, "no uchar lies between"},
  {{.type = CLRED_TYPE_UCHAR}, EQUAL(3, -5, -3), CLRED_INVALID_PROBLEM, "no uchar lies between"},
  ROW({.type = CLRED_TYPE_INT}, {.bins = 2, .edges = three, .high = 1}, CLRED_INVALID_PROBLEM,
      "together with low and high"),
  {{.type = CLRED_TYPE_CFLOAT}, EQUAL(3, 0, 1), CLRED_OPERATOR_TYPE, "cfloat"},
  {{.type = CLRED_VECTOR(CLRED_TYPE_INT, 4)}, EQUAL(3, 0, 1), CLRED_OPERATOR_TYPE, "int4"},
  {{.type = (clred_type)99}, EQUAL(3, 0, 1), CLRED_INVALID_PROBLEM, "99"},
  {{OP(SUM, INT)}, EQUAL(3, 0, 1), CLRED_INVALID_PROBLEM, "op is given together"},
  {{.type = CLRED_TYPE_INT, SCAN(INCLUSIVE)}, EQUAL(3, 0, 1), CLRED_INVALID_PROBLEM, "scan is given together"},
  {{.type = CLRED_TYPE_INT, .indices = CL_TRUE}, EQUAL(3, 0, 1), CLRED_INVALID_PROBLEM, "indices is given together"},
  {{.type = CLRED_TYPE_INT, .nan = CLRED_NAN_IGNORE}, EQUAL(3, 0, 1), CLRED_INVALID_PROBLEM, "nan is given together"},
  {{.type = CLRED_TYPE_INT, LAYOUT(STRIDED)}, EQUAL(3, 0, 1), CLRED_STRATEGY_REFUSED, "layout"},
  ROW({.type = CLRED_TYPE_INT, .strategy = "wide"}, EQUAL(3, 0, 1), CLRED_STRATEGY_REFUSED,
      "wide reduces, but the problem is a histogram"),
  {{.type = CLRED_TYPE_INT, .strategy = "scan_chunked"}, EQUAL(3, 0, 1), CLRED_STRATEGY_REFUSED, "scan_chunked scans"},
  ROW({.type = CLRED_TYPE_INT, .strategy = "histogram_local", .finish = "host"}, EQUAL(3, 0, 1), CLRED_STRATEGY_REFUSED,
      "finish"),
  ROW({.type = CLRED_TYPE_INT, .strategy = "histogram_local", .groups = (1 << 20) + 1}, EQUAL(3, 0, 1),
      CLRED_INVALID_PROBLEM, "1048577"),
  ROW({.type = CLRED_TYPE_INT, .strategy = "histogram_chunked", .group_size = 2}, EQUAL(3, 0, 1),
      CLRED_STRATEGY_REFUSED, "group_size"),
};

TEST_CASE("problems", fixture_open, fixture_close);

TEST(refused_problems) {
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    clred_problem problem = refusals[i].problem;
    problem.histogram = &refusals[i].histogram;
    fixture_refused_plan(&problem, refusals[i].status, refusals[i].word);
  }
}

TEST(refused_without_a_histogram) {
  const clred_problem problem = {OP(SUM, INT), .strategy = "histogram_local"};
  fixture_refused_plan(&problem, CLRED_STRATEGY_REFUSED,
                       "histogram_local counts in bins, but the problem is a reduction");
}

#define COUNTS 16

TEST_CASE("calls", fixture_open, fixture_close);

// The plan runs on the host. The library makes all checks before it runs.
TEST(refused_calls) {
  const clred_histogram histogram = EQUAL(COUNTS, 0, 16);
  const cl_ulong zeros[2 * COUNTS] = {0};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &histogram, .strategy = "histogram_host_serial"),
             *sum = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  cl_mem in = fixture_numbers(64), out = fixture_buffer(zeros, sizeof zeros);
  cl_ulong got[2 * COUNTS];
  refused_naming(clred_enqueue_scan(under_test.queue, sum, in, out, 0, 0, 64, 0, NULL, NULL), "the plan reduces");
  refused_naming(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, 64, 0, NULL, NULL),
                 "give it to clred_enqueue");
  refused_naming(clred_enqueue_scan(under_test.queue, plan, in, out, 0, 0, 64, 0, NULL, NULL),
                 "the plan counts in bins");
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "out", .in = in, .count = 64, .out = out, .out_offset = COUNTS + 1);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "in: ", .in = in, .in_offset = 1, .count = 64, .out = out);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "out overlaps in", .in = out, .count = 4, .out = out);
  read_buffer(out, got, sizeof got);
  ck_assert_mem_eq(got, zeros, sizeof zeros);
  // Another part of the same buffer is allowed.
  ENQUEUE(plan, .in = out, .count = 2 * COUNTS, .out = out, .out_offset = COUNTS);
}

// The edges of so many bins are not even computed.
TEST(more_bins_than_memory) {
  const clred_histogram few = EQUAL(1000, 0, 1), many = EQUAL(1001, 0, 1), most = EQUAL((cl_ulong)1 << 31, 0, 1);
  fixture_reopen("global_mem_size=104000");
  PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &few, .strategy = "histogram_host_serial");
  REFUSED_PLAN(CLRED_STRATEGY_REFUSED, "bins 1001 is too many: each needs up to 52 bytes", .type = CLRED_TYPE_FLOAT,
               .histogram = &many);
  check_said("give at most 1000");
  REFUSED_PLAN(CLRED_STRATEGY_REFUSED, "give at most 684", .type = CLRED_TYPE_FLOAT, .histogram = &many,
               .in_flight = 3);
  REFUSED_PLAN(CLRED_STRATEGY_REFUSED, "give at most 1000", .type = CLRED_TYPE_UCHAR, .histogram = &most);
  fixture_reopen("max_alloc=8000");
  REFUSED_PLAN(CLRED_STRATEGY_REFUSED, "give at most 1000", .type = CLRED_TYPE_FLOAT, .histogram = &many);
}

TEST(without_double) {
  const clred_histogram histogram = EQUAL(4, 0, 1);
  fixture_reopen("fp64=0");
  REFUSED_PLAN(CLRED_TYPE_NOT_SUPPORTED, "", .type = CLRED_TYPE_DOUBLE, .histogram = &histogram,
               .strategy = "histogram_local");
}
