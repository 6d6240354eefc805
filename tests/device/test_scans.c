// Scans: cases worked out by hand for the order, signs of zeros and NaNs; initial states of products; scans that wait
// for events.

#include "support/fixture.h"

#include <float.h>
#include <math.h>

static const char *const strategies[] = {
  "scan_wide", "scan_chunked", "scan_reduce_then_scan", "scan_blelloch", "scan_blelloch_recursive", "scan_host_serial"};

#define HAND 6

static const struct hand {
  clred_problem problem;
  unsigned count;
  union {
    cl_int ints[HAND];
    cl_uint words[HAND];  // the bits of floats
  } in;
  cl_ulong results[HAND];  // bits of results of 8 bytes, or of 4
  cl_ulong initial;
  bool starts;
} hand[] = {
#define INT_SUM OP(SUM, INT)
#define FLOAT(name) .type = CLRED_TYPE_FLOAT, .op = CLRED_OP_##name
#define INCLUSIVE SCAN(INCLUSIVE)
#define EXCLUSIVE SCAN(EXCLUSIVE)
#define MINUS_0 0x80000000u
#define NAN_BITS 0x7fc00000u
  {{INT_SUM, INCLUSIVE}, 5, {.ints = {3, 1, -4, 1, 5}}, {3, 4, 0, 1, 6}, 0, false},
  {{INT_SUM, EXCLUSIVE}, 5, {.ints = {3, 1, -4, 1, 5}}, {0, 3, 4, 0, 1}, 0, false},
  {{INT_SUM, EXCLUSIVE}, 5, {.ints = {3, 1, -4, 1, 5}}, {10, 13, 14, 10, 11}, 10, true},
  {{INT_SUM, INCLUSIVE, .reversed = CL_TRUE}, 5, {.ints = {3, 1, -4, 1, 5}}, {6, 3, 2, 6, 5}, 0, false},
  {{INT_SUM, EXCLUSIVE, .reversed = CL_TRUE}, 5, {.ints = {3, 1, -4, 1, 5}}, {3, 2, 6, 5, 0}, 0, false},
  // A zero that is the only element keeps its sign. The identity is +0.
  {{FLOAT(SUM), INCLUSIVE}, 3, {.words = {MINUS_0, MINUS_0, 0}}, {MINUS_0, MINUS_0, 0}, 0, false},
  {{FLOAT(SUM), EXCLUSIVE}, 3, {.words = {MINUS_0, MINUS_0, 0}}, {0, MINUS_0, MINUS_0}, 0, false},
  {{FLOAT(SUM), EXCLUSIVE}, 2, {.words = {MINUS_0, MINUS_0}}, {MINUS_0, MINUS_0}, MINUS_0, true},
  // NaNs in results are canonical, also those of an initial state or of a single element.
  {{FLOAT(SUM), INCLUSIVE}, 3, {.words = {0xffc12345u, 0, 0}}, {NAN_BITS, NAN_BITS, NAN_BITS}, 0, false},
  {{FLOAT(SUM), EXCLUSIVE}, 2, {.words = {0x3f800000u, 0xff812345u}}, {NAN_BITS, NAN_BITS}, 0xffc54321u, true},
  ROW({FLOAT(SUM), INCLUSIVE}, 3, {.words = {0x3f800000u, 0x7f800000u, 0xff800000u}},
      {0x3f800000u, 0x7f800000u, NAN_BITS}, 0, false),
  {{FLOAT(MIN), INCLUSIVE}, 4, {.words = {0, MINUS_0, 0, 0xffc00001u}}, {0, MINUS_0, MINUS_0, NAN_BITS}, 0, false},
  {{FLOAT(MIN), EXCLUSIVE}, 2, {.words = {0x3f800000u, 0}}, {0x7f800000u, 0x3f800000u}, 0, false},
  ROW({FLOAT(MIN), INCLUSIVE, .nan = CLRED_NAN_IGNORE}, 3, {.words = {0xffc00001u, 0x40000000u, NAN_BITS}},
      {0x7f800000u, 0x40000000u, 0x40000000u}, 0, false),
  ROW({FLOAT(MEAN), EXCLUSIVE}, 3, {.words = {0x3f800000u, 0x40400000u, 0}}, {NAN_BITS, 0x3f800000u, 0x40000000u}, 0,
      false),
};

static void check_hand(const struct hand *one, const char *strategy) {
  clred_problem problem = one->problem;
  unsigned char got[HAND * 8];
  problem.strategy = strategy;
  problem.count_max = HAND;
  clred_plan *plan = fixture_plan(&problem);
  memset(got, 0x5a, sizeof got);
  cl_mem in = fixture_buffer(&one->in, sizeof one->in), out = fixture_buffer(got, sizeof got);
  ENQUEUE(plan, .in = in, .count = one->count, .out = out, .initial = one->starts ? &one->initial : NULL);
  read_buffer(out, got, sizeof got);
  for (unsigned i = 0; i < one->count; i++) {
    const cl_ulong bits = oracle_load(got, fixture_inspect(plan, HAND).result_size, i);
    ck_assert_msg(bits == one->results[i], "case %u by %s: result %u is 0x%llx, not 0x%llx", (unsigned)(one - hand),
                  strategy, i, (unsigned long long)bits, (unsigned long long)one->results[i]);
  }
}

TEST_CASE("by hand", fixture_open, fixture_close);

TEST(by_hand) {
  for (size_t i = 0; i < COUNT_OF(hand); i++) {
    check_hand(&hand[i], "scan_host_serial");
    check_hand(&hand[i], strategies[i % 5]);
  }
}

// The elements are 2^24 and then ones. Floats above 2^24 are 2 apart, so a single one that is added to 2^24 is lost. So
// all ones of lane 0 are lost. The ones of another lane are added to each other first, and none is lost:
// P(16 g + r) = 2^24 + 16 (g - 1) + r, rounded to a multiple of 2, ties to a multiple of 4.
static float by_hand_of_ones(unsigned i) {
  const unsigned g = i / 16, r = i % 16, sum = g ? 16 * (g - 1) + r : 0;
  const unsigned down = sum / 2 * 2;
  return 16777216.0f + (float)(sum % 2 && down % 4 ? down + 2 : down);
}

#define ONES 300001  // several whole blocks of scan_chunked

TEST_EACH(order_by_hand, 0, 3) {
  static float elements[ONES], got[ONES];
  clred_problem problem = {FLOAT(SUM), INCLUSIVE, .strategy = strategies[_i], .group_size = _i == 1 ? 0 : 4};
  for (int i = 0; i < ONES; i++)
    elements[i] = i ? 1 : 16777216.0f;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_buffer(elements, sizeof elements), out = fixture_buffer(elements, sizeof elements);
  ENQUEUE(plan, .in = in, .count = ONES, .out = out);
  read_buffer(out, got, sizeof got);
  for (unsigned i = 0; i < ONES; i++)
    ck_assert_msg(got[i] == by_hand_of_ones(i + 1), "%s: P(%u) is %.1f, not %.1f", strategies[_i], i + 1,
                  (double)got[i], (double)by_hand_of_ones(i + 1));
}

// ---------------------------------------------------------------- Events

static const clred_problem problems[] = {
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_wide", .group_size = 4, .groups = 32},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_chunked"},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_reduce_then_scan", .group_size = 8},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_blelloch_recursive", .group_size = 32, .count_max = 20000},
};

TEST_CASE("queues", fixture_open, fixture_close);

// The second call reads the results of the first, and starts from its last result. Only events order them.
TEST_ROWS(one_call_behind_another, problems) {
  if (!fixture_has_user_events())
    return;
  const cl_command_queue_properties properties =
    fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
  clred_problem problem = problems[_i];
  cl_command_queue queue = fixture_queue(properties);
  const float numbers[4] = {1, 2, 3, 4}, nothing[4] = {-1, -1, -1, -1}, expected[4] = {11, 14, 20, 30};
  float got[4];
  cl_mem in = fixture_buffer(numbers, 16), middle = fixture_buffer(nothing, 16), out = fixture_buffer(nothing, 16);
  cl_event gate = fixture_user_event();
  problem.in_flight = 2;
  clred_plan *plan = fixture_plan(&problem);
  cl_event between = ENQUEUE_EVENT(queue, plan, gate, .in = in, .count = 4, .out = middle);
  cl_event end = ENQUEUE_EVENT(queue, plan, between, .in = middle, .count = 4, .out = out, .initial_buffer = middle,
                               .initial_offset = 3);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(1, &end));
  read_buffer(out, got, sizeof got);
  // The first call gives 1 3 6 10, and the second starts from 10.
  ck_assert_mem_eq(got, expected, sizeof got);
}

// ---------------------------------------------------------------- The initial state of products

// Powers of two whose products leave the range of float and come back, and those of double with 8 times the exponents.
static const int powers[] = {100, 100, -120, -80, -100, -110, 90, 120};
enum { POWERS = sizeof powers / sizeof *powers };

static const char *const product_scans[] = {"scan_chunked", "scan_wide", "scan_blelloch", "scan_reduce_then_scan",
                                            "scan_host_serial"};

static void check_floats(clred_plan *plan, float v, bool is_complex, bool on_device) {
  // A complex number has the parts v and -3; its factors are real.
  const clred_product_cfloat pair = {.re = v, .im = -3};
  const clred_product_float one = {v, 0};
  const size_t parts = is_complex ? 2 : 1, size = is_complex ? sizeof pair : sizeof one;
  float elements[2 * POWERS] = {0}, got[2 * POWERS];
  const void *start = is_complex ? (const void *)&pair : &one;
  for (size_t i = 0; i < POWERS; i++)
    elements[parts * i] = ldexpf(1, powers[i]);
  cl_mem in = fixture_buffer(elements, POWERS * parts * sizeof *elements);
  cl_mem out = fixture_buffer(got, POWERS * parts * sizeof *got);
  cl_mem state = on_device ? fixture_buffer(start, size) : NULL;
  ENQUEUE(plan, .in = in, .count = POWERS, .out = out, .initial = on_device ? NULL : start, .initial_buffer = state);
  read_buffer(out, got, POWERS * parts * sizeof *got);
  for (int i = 0, exponent = 0; i < POWERS; exponent += powers[i++])
    for (size_t part = 0; part < parts; part++) {
      const float expected = ldexpf(part ? pair.im : v, exponent), result = got[parts * (size_t)i + part];
      ck_assert_msg(result == expected && (is_complex || !signbit(result) == !signbit(expected)),
                    "%g: result %d is %g, not %g", (double)v, i, (double)result, (double)expected);
    }
}

static void check_doubles(clred_plan *plan, double v, bool on_device) {
  const clred_product_double start = {v, 0};
  double elements[POWERS], got[POWERS];
  for (size_t i = 0; i < POWERS; i++)
    elements[i] = ldexp(1, 8 * powers[i]);
  cl_mem in = fixture_buffer(elements, sizeof elements), out = fixture_buffer(got, sizeof got);
  cl_mem state = on_device ? fixture_buffer(&start, sizeof start) : NULL;
  ENQUEUE(plan, .in = in, .count = POWERS, .out = out, .initial = on_device ? NULL : &start, .initial_buffer = state);
  read_buffer(out, got, sizeof got);
  for (int i = 0, exponent = 0; i < POWERS; exponent += powers[i++])
    ck_assert_msg(got[i] == ldexp(v, 8 * exponent), "%g: result %d is %g", v, i, got[i]);
}

// {v, 0} is right for every v: also where v times the first product leaves the range. The struct has a state's size.
TEST_ROWS(initial_products, product_scans) {
  static const float numbers[] = {1.5f, FLT_MAX, -FLT_MAX, 0x1p-149f, FLT_MIN, 0x1p36f, -0x1p-61f, 0.0f, INFINITY};
  static const double doubles[] = {1.5, DBL_MAX, -0x1p-1074, DBL_MIN, 0x1p288, 0x1p-481, INFINITY};
  const bool on_host = strcmp(product_scans[_i], "scan_host_serial") == 0;
  for (int is_complex = 0; is_complex < 2; is_complex++) {
    clred_problem problem = {OP(PROD, FLOAT), SCAN(EXCLUSIVE), .strategy = product_scans[_i]};
    problem.type = is_complex ? CLRED_TYPE_CFLOAT : CLRED_TYPE_FLOAT;
    clred_plan *plan = fixture_plan(&problem);
    const clred_plan_info info = fixture_inspect(plan, 1);
    ck_assert_uint_eq(info.state_size, is_complex ? sizeof(clred_product_cfloat) : sizeof(clred_product_float));
    ck_assert_int_eq(info.state_type, problem.type);
    for (size_t i = 0; i < 2 * COUNT_OF(numbers); i++)
      if (!(is_complex && isinf(numbers[i / 2])) && !(on_host && i % 2))
        check_floats(plan, numbers[i / 2], is_complex, i % 2);
  }
  if (!device_has_fp64(&under_test))
    return;
  clred_plan *plan = fixture_plan(&(clred_problem){OP(PROD, DOUBLE), SCAN(EXCLUSIVE), .strategy = product_scans[_i]});
  ck_assert_uint_eq(fixture_inspect(plan, 1).state_size, sizeof(clred_product_double));
  for (size_t i = 0; i < 2 * COUNT_OF(doubles); i++)
    if (!(on_host && i % 2))
      check_doubles(plan, doubles[i / 2], i % 2);
}
