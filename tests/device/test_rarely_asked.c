// Rare cases: bins at the limits of number formats, unusual texts of operators, images in place of buffers, calls above
// a device's limit on loops, and tuning with little memory.

#include "support/fixture.h"

#include <math.h>

// ---------------------------------------------------------------- Bins

#define EQUAL(n, a, b) \
  { .bins = (n), .low = (a), .high = (b) }
static const double zero = 0, endless = INFINITY, small_edges[] = {0, 0x1p-20, 1},
                    places[] = {0.5, 7.5, 1048577, 1048578};
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

static bool lacks(clred_type type) {
  if (type != CLRED_TYPE_DOUBLE || device_has_fp64(&under_test))
    return false;
  fixture_skip("doubles", "the device has none");
  return true;
}

TEST_CASE("calls", fixture_open, fixture_close);

TEST_ROWS(bins_at_the_ends, countings) {
  const struct counting *row = &countings[_i];
  const cl_ulong bins = row->histogram.bins;
  if (lacks(row->type))
    return;
  cl_ulong *counts = claim(bins * sizeof *counts);
  clred_plan *plan = PLAN(.type = row->type, .histogram = &row->histogram, .strategy = "histogram_host_serial");
  RUN_HOST(plan, .in = row->elements, .count = row->count, .out = counts);
  for (cl_ulong k = 0; k < bins && k < 11; k++)
    ck_assert_msg(counts[k] == row->counts[k], "row %d, bin %llu: %llu", _i, (unsigned long long)k,
                  (unsigned long long)counts[k]);
}

// ---------------------------------------------------------------- Operators

static const clred_operand scale = {.name = "scale", .type = "int", .size = sizeof(cl_int)};
static const clred_operator scaled =
  OPERATOR(.name = "own", .element = "int", .state = "int", .identity = "0", .lift = "x * scale", .combine = "a + b",
           .parameters = &scale, .parameter_count = 1);
static const clred_operator unsized =
  OPERATOR(.name = "own", .preamble = "typedef struct { int value, other; } both;", .element = "both", .state = "int",
           .identity = "0", .lift = "x.value", .combine = "a + b");
static const clred_operator pairs =
  OPERATOR(.name = "own",
           .preamble = "typedef struct { int value, other; } pair;\n"
                       "pair pair_of(int v, int o)\n{\n  pair p;\n  p.value = v;\n  p.other = o;\n  return p;\n}\n",
           .element = "int", .state = "pair", .identity = "{ 0, 0 }", .lift = "pair_of(x, 1)",
           .combine = "pair_of(a.value + b.value, a.other + b.other)", .commutative = CL_TRUE);

#define STATE(text) \
  { .name = "own", .element = "float", .identity = "{ 0 }", .lift = "MAKE(x)", .combine = "a", .state = (text) }
static const clred_operator wrong_lists[] = {STATE("{ float2 x; }"), STATE("{ half x; }"), STATE("{ nothing x; }"),
                                             STATE("{ float 1; }"), STATE("{ float x;")};
static const clred_histogram both = {.bins = 2, .high_element = &endless, .low = 1};
static const clred_histogram up_to_infinity = {.bins = 2, .low_element = &zero, .high_element = &endless};
#define WRONG(i) \
  { {.custom = &wrong_lists[i]}, CLRED_OPERATOR_TEXT, "state", CLRED_TYPE_NONE }
#define DETECT .type = CLRED_TYPE_INT, .overflow = CLRED_OVERFLOW_DETECT

static const struct answer {
  clred_problem problem;
  cl_int status;
  const char *word;
  clred_type needs;
} answers[] = {
  ROW({.type = CLRED_TYPE_DOUBLE, .histogram = &both}, CLRED_INVALID_PROBLEM, "together with high_element",
      CLRED_TYPE_DOUBLE),
  ROW({.type = CLRED_TYPE_DOUBLE, .histogram = &up_to_infinity}, CLRED_INVALID_PROBLEM, "high is not finite",
      CLRED_TYPE_DOUBLE),
  WRONG(0),
  WRONG(1),
  WRONG(2),
  WRONG(3),
  WRONG(4),
  {{.custom = &unsized}, CLRED_INVALID_PROBLEM, "element_size", CLRED_TYPE_NONE},
  // These cannot detect overflow: stats does not check its sum, the sum of a mean has a wider type, and a floating
  // state does not wrap.
  {{DETECT, .op = CLRED_OP_STATS}, CLRED_OPERATOR_TYPE, "stats of int cannot detect it", CLRED_TYPE_DOUBLE},
  {{DETECT, .op = CLRED_OP_MEAN}, CLRED_OPERATOR_TYPE, "mean of int cannot detect it", CLRED_TYPE_DOUBLE},
  ROW({DETECT, .op = CLRED_OP_SUM, .state = CLRED_TYPE_DOUBLE}, CLRED_OPERATOR_TYPE,
      "sum of int in double cannot detect it", CLRED_TYPE_DOUBLE),
};

TEST_ROWS(problems_are_answered, answers) {
  if (lacks(answers[_i].needs))
    return;
  check_applies("wide", &answers[_i].problem, answers[_i].status, answers[_i].word);
}

static const clred_operator commented[] = {
  {.name = "own", .element = "int", .state = "int", .identity = "0", .combine = "/* sum */ { return a + b; }"},
  OPERATOR(.name = "own", .element = "int", .state = "int", .identity = "0",
           .combine = "// sum\n  /* of both */\n{ return a + b; }"),
};
static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};

TEST_ROWS(pieces_behind_comments, commented) {
  cl_int sum = -1;
  clred_plan *plan = PLAN(.custom = &commented[_i], .strategy = "chunked");
  RUN_HOST(plan, .in = numbers, .count = 6, .out = &sum);
  ck_assert_int_eq(sum, 7);
}

// If the compiler's error is in no piece, the sentence has the operator's name and the compiler's words.
TEST(complaints_of_no_piece) {
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  const clred_options options = {.build_options = "-D__kernel=nonsense"};
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &options, &runtime));
  assert_status(clred_plan_create(runtime, &(clred_problem){.custom = &pairs}, &plan), CLRED_OPERATOR_TEXT);
  check_sentence(clred_last_error(runtime), "operator 'own'");
  assert_status(clred_plan_create(runtime, &(clred_problem){OP(SUM, FLOAT)}, &plan), CL_BUILD_PROGRAM_FAILURE);
  clred_runtime_release(runtime);
}

TEST(operands_that_lack_or_are_too_many) {
  cl_long sum = -1, result = -1;
  const void *none[1] = {NULL};
  const clred_host_call call = {.in = numbers, .count = 4, .out = &result};
  const clred_stream_options options = {.parameters = none};
  clred_stream *stream = NULL;
  clred_plan *plan = PLAN(.custom = &scaled, .strategy = "chunked");
  clred_plan *dot = PLAN(OP(DOT, INT), .strategy = "host_serial");
  clred_plan *bounded = PLAN(OP(SUM, INT), .strategy = "chunked", .count_max = 5);
  assert_invalid(clred_plan_reference(plan, &(clred_host_call){.in = numbers, .count = 4, .out = &sum}));
  assert_invalid(clred_plan_reference(dot, &call));
  refused_naming(clred_stream_create(under_test.queue, plan, &options, &stream), "parameters[0] is NULL");
  assert_status(
    clred_plan_run_host(under_test.queue, bounded, &(clred_host_call){.in = numbers, .count = 6, .out = &result}),
    CLRED_COUNT_ABOVE_MAXIMUM);
  ck_assert_msg(sum == -1 && result == -1, "a refused call wrote its result");
}

// Results that are larger than elements would overwrite elements that were not read yet.
TEST(results_that_outgrow_elements) {
  cl_mem memory = fixture_numbers(64);
  clred_plan *plan = PLAN(.custom = &pairs, SCAN(INCLUSIVE), .in_place = CL_TRUE);
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "overwrite another element", .in = memory, .count = 16, .out = memory);
}

// ---------------------------------------------------------------- Calls

TEST(no_buffer_and_no_count_of_events) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  const cl_event none[1] = {NULL};
  cl_int err, result = -1;
  cl_mem in = fixture_buffer(numbers, sizeof numbers);
  clred_plan *plan = PLAN(OP(MAX, INT), .strategy = "host_serial");
  refused_naming(clred_enqueue(under_test.queue, plan,
                               &(clred_call){.in = in, .count = 4, .result = &result, .blocking = CL_TRUE}, 0, none,
                               NULL),
                 "is given while");
  in = clCreateImage(under_test.context, CL_MEM_READ_ONLY, &format, &desc, NULL, &err);
  if (in) {
    REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "in is no buffer", .in = in, .count = 4, .result = &result,
                 .blocking = CL_TRUE);
    RELEASE(in);
  } else {
    fixture_skip("an image for elements", "the device makes none");
  }
  ck_assert_int_eq(result, -1);
}

// A call that still waits has no time, whatever the driver reports.
TEST(time_of_a_call_that_waits) {
  float result = -1;
  double seconds = -1;
  if (!fixture_has_user_events()) {
    fixture_skip("a call that waits", "the device has no user events");
    return;
  }
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  cl_event gate = fixture_user_event();
  cl_mem in = fixture_numbers(1000);
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "chunked", .profile = CL_TRUE);
  assert_ok(clred_enqueue(queue, plan, &(clred_call){.in = in, .count = 1000, .result = &result}, 1, &gate, NULL));
  assert_status(clred_plan_seconds(plan, &seconds), CL_PROFILING_INFO_NOT_AVAILABLE);
  ck_assert(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS);
  assert_ok(clred_plan_seconds(plan, &seconds));
  ck_assert_float_eq(result, fixture_sum(0, 1000));
}

// Host memory goes through a stream if it has more elements than loops may run, or if copying all of it first would
// take long.
static const struct {
  const char *assume;
  size_t count;
  cl_int inspected;
} lengths[] = {{"loop_trips=20000", (size_t)1 << 24, CLRED_COUNT_ABOVE_MAXIMUM},
               {"unified_memory=0", (size_t)33 << 20, CL_SUCCESS}};

TEST_ROWS(more_than_a_call_takes, lengths) {
  cl_ulong result = 0;
  const size_t count = lengths[_i].count;
  fixture_reopen(lengths[_i].assume);
  cl_uchar *ones = memset(claim(count), 1, count);
  clred_plan *plan = PLAN(OP(SUM, UCHAR), .strategy = "chunked", .groups = 64);
  clred_plan_info info;
  fixture_inspect(plan, 4096);
  assert_status(clred_plan_inspect(plan, count, &info), lengths[_i].inspected);
  RUN_HOST(plan, .in = ones, .count = count, .out = &result);
  ck_assert_uint_eq(result, count);
}

// ---------------------------------------------------------------- Tuning with little memory

static cl_bool stop(double done, void *user_data) {
  (void)done, (void)user_data;
  return CL_TRUE;
}

#define TUNE(max) \
  { OP(SUM, FLOAT), .strategy = "chunked", .count_max = (max) }
static const struct {
  const char *assume;
  clred_problem problem;
  cl_int status;
  cl_ulong measured;  // elements of a call; 0: not looked at
} tunings[] = {
  {"cpu=0,global_mem_size=0,max_alloc=1048576", TUNE(0), CL_SUCCESS, 0},
  {"max_alloc=65536", TUNE(5000), CL_SUCCESS, 4096},
  {"global_mem_size=16", TUNE(0), CL_OUT_OF_RESOURCES, 0},
  // If the parts of a result are unknown, tuning compares its bytes.
  {"", {.custom = &pairs, .strategy = "chunked", .count_max = 5000}, CL_SUCCESS, 5000},
};

TEST_ROWS(tuning_with_little_memory, tunings) {
  clred_tuned tuned[CLRED_TUNED_MAX] = {{0}};
  const clred_tune_options options = {.seconds = 0.2, .progress = tunings[_i].problem.custom ? NULL : stop};
  fixture_reopen(tunings[_i].assume);
  assert_status(clred_tune(under_test.runtime, &tunings[_i].problem, &options, tuned, NULL), tunings[_i].status);
  ck_assert(!tunings[_i].measured || tuned[0].count == tunings[_i].measured);
  check_said(tunings[_i].status ? "no memory for elements" : "");
}
