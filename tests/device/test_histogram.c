// Histograms by every strategy: types, numbers of bins, kinds of edges, offsets, and devices that lack something.

#include "support/fixture.h"

#include "support/bins.h"

#define LONGEST 20011
#define MARGIN 8

// ---------------------------------------------------------------- One plan

struct trial {
  struct bins bins;
  clred_plan *plan;
  cl_mem in;
  unsigned char *elements;  // LONGEST + MARGIN of them
  uint64_t *expected, *got;
  char name[160];
};

static void open_trial(struct trial *trial, const clred_problem *problem, clred_type type, uint64_t bins,
                       enum bins_kind kind) {
  snprintf(trial->name, sizeof trial->name, "%s %s bins %llu kind %d", problem->strategy ? problem->strategy : "auto",
           type_name(type), (unsigned long long)bins, (int)kind);
  clred_problem asked = *problem;
  asked.type = type;
  asked.histogram = &trial->bins.given;
  random_state random = random_seed(bins + 7 * (uint64_t)type);
  trial->elements = claim((LONGEST + MARGIN) * trial->bins.size);
  trial->expected = claim((size_t)bins * sizeof *trial->expected);
  trial->got = claim((size_t)bins * sizeof *trial->got);
  bins_fill(&trial->bins, trial->elements, LONGEST + MARGIN, &random);
  trial->plan = fixture_plan(&asked);
  trial->in = fixture_buffer(trial->elements, (LONGEST + MARGIN) * trial->bins.size);
}

static void compare(const struct trial *trial, uint64_t offset, uint64_t count) {
  bins_count(&trial->bins, trial->elements + offset * trial->bins.size, count, trial->expected);
  for (uint64_t bin = 0; bin < trial->bins.given.bins; bin++)
    ck_assert_msg(trial->got[bin] == trial->expected[bin], "%s: %llu elements from %llu: bin %llu has %llu, not %llu",
                  trial->name, (unsigned long long)count, (unsigned long long)offset, (unsigned long long)bin,
                  (unsigned long long)trial->got[bin], (unsigned long long)trial->expected[bin]);
}

static void count_into_buffer(const struct trial *trial, uint64_t offset, uint64_t count, uint64_t out_offset) {
  const size_t bytes = (size_t)trial->bins.given.bins * sizeof(cl_ulong), at = (size_t)out_offset * sizeof(cl_ulong);
  struct image out = fixture_image(at + bytes + 24);
  ENQUEUE(trial->plan, .in = count ? trial->in : NULL, .in_offset = offset, .count = count, .out = out.mem,
          .out_offset = out_offset);
  take_image(&out, at, bytes, trial->got, trial->name);
  compare(trial, offset, count);
}

static void check_sizes(const struct trial *trial) {
  static const uint64_t sizes[] = {0, 1, 2, 3, 17, 251, 4095, 4097, 8191, LONGEST};
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    count_into_buffer(trial, i % 4, sizes[i], i % 3);
}

// A result in host memory, elements in host memory, and the reference.
static void check_host(const struct trial *trial) {
  RUN(trial->plan, .in = trial->in, .in_offset = 3, .count = 2053, .result = trial->got);
  compare(trial, 3, 2053);
  RUN_HOST(trial->plan, .in = trial->elements, .count = 1021, .out = trial->got);
  compare(trial, 0, 1021);
  REFERENCE(trial->plan, .in = trial->elements, .count = 2003, .out = trial->got);
  compare(trial, 0, 2003);
}

static void check_alike(struct trial *trial) {
  const size_t size = trial->bins.size, bytes = LONGEST * size;
  for (size_t i = 1; i < LONGEST; i++)
    memcpy(trial->elements + i * size, trial->bins.elements + trial->bins.given.bins / 2 * size, size);
  write_buffer(trial->in, trial->elements, bytes);
  count_into_buffer(trial, 1, LONGEST - 1, 0);
}

static bool is_on_host(const clred_problem *problem) {
  return problem->strategy && strcmp(problem->strategy, "histogram_host_serial") == 0;
}

static void check(const clred_problem *problem, clred_type type, uint64_t bins, enum bins_kind kind) {
  struct trial trial;
  if (!bins_make(&trial.bins, type, bins, kind))
    return;
  open_trial(&trial, problem, type, bins, kind);
  check_host(&trial);
  if (is_on_host(problem)) {
    count_into_buffer(&trial, 1, 251, 1);
    count_into_buffer(&trial, 0, 0, 0);
  } else {
    check_sizes(&trial);
    check_alike(&trial);
  }
}

static bool has_value(clred_type type) {
  return type != CLRED_TYPE_DOUBLE || device_has_fp64(&under_test);
}

// ---------------------------------------------------------------- Every type and kind of edges, without a kernel

TEST_CASE("host", fixture_open, fixture_close);

TEST_EACH(on_the_host, 0, BINS_KINDS) {
  static const uint64_t counts[] = {1, 2, 255, 256, 257, 1000};
  const clred_problem problem = {.strategy = "histogram_host_serial"};
  for (clred_type type = CLRED_TYPE_CHAR; type <= CLRED_TYPE_BFLOAT16; type++)
    for (size_t i = 0; i < COUNT_OF(counts); i++)
      check(&problem, type, counts[i], (enum bins_kind)_i);
}

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
                                     8 * 0x1p-149f};  // a bin is 1.75 times as wide as the least float

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
      {2, 2}),  // the middle edge has an exponent below the least one
  {CLRED_TYPE_FLOAT, EQUAL(4, 0, 7 * 0x1p-149), least_floats, 5, {1, 1, 1, 1}},
};

TEST_ROWS(bins_at_the_ends, countings) {
  const struct counting *row = &countings[_i];
  const cl_ulong bins = row->histogram.bins;
  if (!has_value(row->type))
    return;
  cl_ulong *counts = claim(bins * sizeof *counts);
  clred_plan *plan = PLAN(.type = row->type, .histogram = &row->histogram, .strategy = "histogram_host_serial");
  RUN_HOST(plan, .in = row->elements, .count = row->count, .out = counts);
  for (cl_ulong k = 0; k < bins && k < 11; k++)
    ck_assert_msg(counts[k] == row->counts[k], "row %d, bin %llu: %llu", _i, (unsigned long long)k,
                  (unsigned long long)counts[k]);
}

// ---------------------------------------------------------------- Kernels

static const struct row {
  clred_type type;
  uint64_t bins;
  enum bins_kind kind;
} rows[] = {
  {CLRED_TYPE_UCHAR, 256, BINS_EQUAL},  {CLRED_TYPE_CHAR, 1000, BINS_FRACTION},
  {CLRED_TYPE_SHORT, 257, BINS_EDGES},  {CLRED_TYPE_INT, 255, BINS_EQUAL},
  {CLRED_TYPE_ULONG, 1000, BINS_EQUAL}, {CLRED_TYPE_LONG, 2, BINS_EDGE_ELEMENTS},
  {CLRED_TYPE_FLOAT, 1000, BINS_EQUAL}, {CLRED_TYPE_DOUBLE, 256, BINS_EQUAL},
  {CLRED_TYPE_HALF, 257, BINS_EQUAL},   {CLRED_TYPE_BFLOAT16, 1, BINS_EDGES},
};

static const char *const strategies[] = {"histogram_atomic", "histogram_local", "histogram_chunked"};

static void check_row(int index, const struct row *row) {
  const clred_problem problem = {.strategy = strategies[index]};
  if (has_value(row->type))
    check(&problem, row->type, row->bins, row->kind);
}

TEST_CASE("kernels", fixture_open, fixture_close);

TEST_EACH(by_kernels, 0, 3) {
  // The strategies differ in their loops only. `lacks` has more rows for histogram_local.
  static const int firsts[] = {0, 1, 0}, steps[] = {5, 2, 2};
  for (int i = firsts[_i]; i < (int)COUNT_OF(rows); i += steps[_i])
    check_row(_i, &rows[i]);
}

// No local memory holds the counters of so many bins.
TEST(many_bins) {
  check_row(2, &(struct row){CLRED_TYPE_INT, 70000, BINS_EQUAL});
}

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
  size_t programs = 0;
  for (size_t i = 0; i < COUNT_OF(changing->bins) && changing[_i].bins[i]; i++) {
    check_row(changing[_i].strategy, &(struct row){changing[_i].type, changing[_i].bins[i], BINS_EQUAL});
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

// Group size and number of groups set by hand.
TEST(numbers_set_by_hand) {
  const clred_problem local = {.strategy = "histogram_local", .group_size = 4, .groups = 3};
  const clred_problem chunked = {.strategy = "histogram_chunked", .groups = 5};
  check(&local, CLRED_TYPE_USHORT, 300, BINS_EQUAL);
  check(&chunked, CLRED_TYPE_UINT, 300, BINS_EQUAL);
}

// ---------------------------------------------------------------- Devices that lack something

static const struct lack {
  const char *assume;
  int strategy;
  struct row row;
} lacks[] = {
  {"cpu=0,int64_atomics=0", 1, {CLRED_TYPE_UCHAR, 100, BINS_EQUAL}},
  {"cpu=0,local_mem_size=2048", 1, {CLRED_TYPE_UCHAR, 256, BINS_EDGES}},   // one copy; edges are used only at the end
  {"cpu=0,local_mem_size=2048", 1, {CLRED_TYPE_FLOAT, 400, BINS_EQUAL}},   // counters, but no edges
  {"cpu=0,local_mem_size=2048", 1, {CLRED_TYPE_SHORT, 1000, BINS_EQUAL}},  // three turns
  {"cpu=0,local_mem_size=2048,int64_atomics=0", 1, {CLRED_TYPE_UINT, 1500, BINS_EDGES}},
  {"cpu=0,local_mem_size=512", 1, {CLRED_TYPE_CHAR, 256, BINS_EQUAL}},                    // too little for all values
  {"cpu=0,local_mem_size=2048,int64_atomics=0", 1, {CLRED_TYPE_INT, 70000, BINS_EQUAL}},  // straight to global memory
};

TEST_CASE("lacking", fixture_open, fixture_close);

TEST_ROWS(lacking, lacks) {
  const struct lack *lack = &lacks[_i];
  fixture_reopen(lack->assume);
  check_row(lack->strategy, &lack->row);
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
