// Histograms: counts by hand, extreme edges, programs, choices, weights, axes. The program layouts has every strategy,
// type, number of bins and kind of edges.

#include <float.h>
#include <math.h>

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

// ---------------------------------------------------------------- Weights and axes

TEST_CASE("weights", fixture_open, fixture_close);

static const char *const weighted[] = {"histogram_cells", "histogram_host_serial"};

// One axis of three bins: [0, 1), [1, 2), [2, 3]. The last two samples have no bin.
static const float seven[] = {0, 0.5f, 1, 1.5f, 3, NAN, 4};
#define INF INFINITY
#define OF(name) CLRED_TYPE_##name
static const struct weighing {
  clred_type type;
  union {
    float floats[7];
    double doubles[7];
    cl_char chars[7];
    cl_ulong ulongs[7];
    cl_ushort halves[7];
  } weights, sums;
} weighings[] = {
  {OF(FLOAT), {{1e30f, -1e30f, 1, 2, 4, 8, 16}}, {{0, 3, 4}}},
  {OF(FLOAT), {{-0.0f, -0.0f, INF, 1, INF, 8, 16}}, {{0, INF, INF}}},
  {OF(FLOAT), {{INF, -INF, -INF, 1, NAN, 8, 16}}, {{NAN, -INF, NAN}}},
  {OF(FLOAT), {{FLT_MAX, FLT_MAX, 0x1p-149f, 0, -0x1p-149f, NAN, NAN}}, {{INF, 0x1p-149f, -0x1p-149f}}},
  {OF(FLOAT), {{0x1p24f, 1, 0x1p24f, 3, -FLT_MAX}}, {{0x1p24f, 0x1p24f + 4, -FLT_MAX}}},
  {OF(DOUBLE), {.doubles = {1e300, 1e-300, 0x1p53, 1, 0x1p-1074, NAN}}, {.doubles = {1e300, 0x1p53, 0x1p-1074}}},
  {OF(DOUBLE), {.doubles = {DBL_MAX, -DBL_MAX, 1e30, -1, -INF, NAN, 1}}, {.doubles = {0, 1e30, -INF}}},
  {OF(DOUBLE), {.doubles = {0x1.0000000000001p118, -1}}, {.doubles = {0x1.0000000000001p118}}},
  {OF(CHAR), {.chars = {-128, -128, 127, 1, -1, 5, 6}}, {.ulongs = {(cl_ulong)-256, 128, (cl_ulong)-1}}},
  {OF(ULONG), {.ulongs = {CL_ULONG_MAX, 3, (cl_ulong)1 << 63, 1, 7}}, {.ulongs = {2, ((cl_ulong)1 << 63) + 1, 7}}},
  {OF(HALF), {.halves = {0x3c00, 0x0001, 0xc000, 0x7c00, 0xfbff}}, {{1 + 0x1p-24f, INF, -65504}}},
  {OF(BFLOAT16), {.halves = {0x3f80, 0x0001, 0xc000, 0xc000, 0x7fc0}}, {{1, -4, NAN}}},
};

TEST_ROWS(weights_by_hand, weighings) {
  const struct weighing *row = &weighings[_i];
  const clred_histogram bins = {.bins = 3, .high = 3, .weight_type = row->type};
  cl_mem weights = fixture_buffer(&row->weights, sizeof row->weights), in = fixture_buffer(seven, sizeof seven);
  clred_type result;
  assert_ok(clred_result_type(CLRED_OP_SUM, row->type, &result));
  for (size_t i = 0; i < COUNT_OF(weighted); i++) {
    unsigned char sums[3 * sizeof(double)];
    clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &bins, .strategy = weighted[i]);
    const clred_plan_info info = fixture_inspect(plan, 7);
    ck_assert_int_eq(info.result_type, result);
    RUN(plan, .in = in, .inputs = &weights, .count = 7, .result = sums);
    ck_assert_msg(memcmp(sums, &row->sums, 3 * info.result_size) == 0, "row %d by %s", _i, weighted[i]);
  }
}

// Weights are whole multiples of 2^-20, so 64-bit integers have their exact sums.
enum { LENGTH_MAX = 70001, SIDE = 7 };
static float samples[3][LENGTH_MAX], float_weights[LENGTH_MAX];
static double double_weights[LENGTH_MAX];
static cl_int int_weights[LENGTH_MAX];
static cl_long scaled[LENGTH_MAX], exact[SIDE * SIDE * SIDE];
static const void *const weights_of[] = {float_weights, double_weights, int_weights, int_weights};
static const clred_type weight_types[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_INT, CLRED_TYPE_NONE};

// Samples from -1 to SIDE: about one in eight is in no bin. Or all samples in one bin.
static void fill_samples(bool in_one_bin) {
  cl_uint random = 5;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < LENGTH_MAX; i++) {
      random = random * 1664525 + 1013904223;
      samples[axis][i] = in_one_bin ? 4.5f : (float)(random >> 16) / 65536 * (SIDE + 1) - 1;
    }
  for (int i = 0; i < LENGTH_MAX; i++) {
    random = random * 1664525 + 1013904223;
    scaled[i] = (cl_long)((random >> 20) + 1) * (random & 1024 ? 1 : -1) * ((cl_long)1 << (random >> 12 & 31));
    float_weights[i] = (float)scaled[i] * 0x1p-20f;
    double_weights[i] = (double)scaled[i] * 0x1p-20;
    int_weights[i] = (cl_int)random;
  }
}

// The bin is the integer part of a sample, because all bins have the width 1.
static void sum_exactly(int axes, int kind, cl_ulong first, cl_ulong count) {
  memset(exact, 0, sizeof exact);
  for (cl_ulong i = first; i < first + count; i++) {
    cl_ulong bin = 0, inside = 1;
    for (int axis = 0; axis < axes; axis++) {
      inside &= samples[axis][i] >= 0;
      bin = bin * SIDE + (cl_ulong)samples[axis][i];
    }
    if (inside)
      exact[bin] += kind == 3 ? 1 : kind == 2 ? int_weights[i] : scaled[i];
  }
}

static void check_sums(int axes, int kind, const void *got, const char *what) {
  const int results = axes == 1 ? SIDE : axes == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE;
  for (int k = 0; k < results; k++) {
    const double expected = kind == 0 ? (double)((float)exact[k] * 0x1p-20f) : (double)exact[k] * 0x1p-20;
    const double number = kind == 0 ? (double)((const float *)got)[k] : ((const double *)got)[k];
    ck_assert_msg(kind < 2 ? number == expected : ((const cl_long *)got)[k] == exact[k], "%s, %d axes, bin %d: %a, %a",
                  what, axes, k, number, expected);
  }
}

// One call, from the second element on: by buffers with offsets, so that nothing is aligned, and by host memory.
static void check_weights(clred_plan *plan, int axes, int kind, cl_ulong count, const char *what) {
  static double got[SIDE * SIDE * SIDE];
  const cl_ulong first = count < LENGTH_MAX, offsets[] = {first, first, first};
  const cl_ulong size = kind == 1 ? sizeof(double) : sizeof(float);
  cl_mem buffers[4], in = fixture_buffer(samples[0], sizeof samples[0]);
  const void *memory[4];
  int inputs = 0;
  for (; inputs < axes - 1; inputs++) {
    buffers[inputs] = fixture_buffer(samples[inputs + 1], sizeof samples[0]);
    memory[inputs] = samples[inputs + 1] + first;
  }
  buffers[inputs] = fixture_buffer(weights_of[kind], LENGTH_MAX * size);
  memory[inputs] = (const unsigned char *)weights_of[kind] + first * size;
  sum_exactly(axes, kind, first, count);
  RUN(plan, .in = in, .in_offset = first, .inputs = buffers, .input_offsets = offsets, .count = count, .result = got);
  check_sums(axes, kind, got, what);
  RUN_HOST(plan, .in = samples[0] + first, .inputs = memory, .count = count, .out = got);
  check_sums(axes, kind, got, what);
  REFERENCE(plan, .in = samples[0] + first, .inputs = memory, .count = count, .out = got);
  check_sums(axes, kind, got, what);
}

static clred_plan *plan_of(int axes, int kind) {
  const clred_histogram third = {.bins = SIDE, .high = SIDE},
                        second = {.bins = SIDE, .high = SIDE, .next = axes > 2 ? &third : NULL};
  const clred_type type = weight_types[kind];
  const clred_histogram bins = {SIDE, 0, SIDE, NULL, NULL, NULL, NULL, type, axes > 1 ? &second : NULL};
  return PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &bins, .strategy = axes > 1 || kind < 3 ? NULL : weighted[0]);
}

static const cl_ulong lengths[] = {0, 1, 63, 64, 65, 1000, LENGTH_MAX};

TEST_EACH(weights_of_every_length, 0, 12) {
  const int axes = 1 + _i % 3, kind = _i / 3;
  clred_plan *plan = plan_of(axes, kind);
  for (int in_one_bin = 0; in_one_bin < 2; in_one_bin++) {
    fill_samples(in_one_bin);
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
      check_weights(plan, axes, kind, lengths[i], in_one_bin ? "one bin" : "random");
  }
}

// Without 64-bit atomics two 32-bit atomics add to a cell. Without any, the host computes.
static const char *const without[] = {"int64_atomics=0", "cpu=0,int64_atomics=0", "atomics=0", "cpu=0"};

TEST_EACH(weights_without_atomics, 0, 4) {
  fixture_reopen(without[_i]);
  fill_samples(false);
  check_weights(plan_of(2, 1), 2, 1, 1000, without[_i]);
  check_weights(plan_of(1, 0), 1, 0, LENGTH_MAX, without[_i]);
}

TEST(weights_have_the_same_bits_1000_times) {
  float first[SIDE * SIDE], got[SIDE * SIDE];
  clred_plan *plan = plan_of(2, 0);
  fill_samples(false);
  for (int i = 0; i < 3000; i++)
    float_weights[i] = ldexpf(float_weights[i], (i * 37) % 97 - 48);
  cl_mem in = fixture_buffer(samples[0], 12000),
         inputs[] = {fixture_buffer(samples[1], 12000), fixture_buffer(float_weights, 12000)};
  for (int i = 0; i < 1000; i++) {
    RUN(plan, .in = in, .inputs = inputs, .count = 3000, .result = i ? got : first);
    ck_assert(i == 0 || memcmp(got, first, sizeof got) == 0);
  }
}

TEST(edges_of_all_axes) {
  const double edges[] = {0, 1, 5, 6};
  const clred_histogram second = {.bins = 3, .edges = edges}, bins = {.bins = 2, .high = 4, .next = &second};
  const float x[] = {0, 2, 3, 4, 1}, y[] = {0.5f, 1, 5, 0, 7};
  const cl_ulong expected[] = {1, 0, 0, 1, 1, 1};
  const double all[] = {0, 2, 4, 0, 1, 5, 6};
  const void *const inputs[] = {y};
  cl_ulong counts[6];
  double edge;
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .histogram = &bins);
  ck_assert_str_eq(fixture_inspect(plan, 5).strategy, "histogram_cells");
  RUN_HOST(plan, .in = x, .inputs = inputs, .count = 5, .out = counts);
  ck_assert_mem_eq(counts, expected, sizeof counts);
  for (cl_ulong i = 0; i < 7; i++) {
    assert_ok(clred_plan_edge(plan, i, &edge));
    ck_assert(edge == all[i]);
  }
  assert_invalid(clred_plan_edge(plan, 7, &edge));
  refused_naming(clred_histogram_host(under_test.runtime, CLRED_TYPE_FLOAT, &bins, x, 5, counts), "next needs inputs");
}
