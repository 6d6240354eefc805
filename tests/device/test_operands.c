// What user-defined operators take beside their elements: further inputs, parameters, and callbacks on the host. The
// program layouts has operators that use the index of an element.

#include "support/callbacks.h"
#include "support/fixture.h"
#include "support/operators.h"
#include "support/ways.h"

struct window {
  cl_int low, high;
};

static const clred_operand weights[] = {{"weight", "int", sizeof(cl_int)}, {"bonus", "half", sizeof(cl_half)}};
static const clred_operand settings[] = {{"scale", "long", sizeof(cl_long)}, {"kept", "window", sizeof(struct window)}};

// How often each callback is called.
struct tally {
  unsigned lifted, combined, lowered;
};

static cl_long lift_one(cl_int x, cl_ulong index, const void *const *in, const void *const *given,
                        struct tally *tally) {
  cl_int weight;
  cl_float bonus;  // callbacks get storage types as floats
  cl_long scale;
  struct window kept;
  memcpy(&weight, in[0], sizeof weight);
  memcpy(&bonus, in[1], sizeof bonus);
  memcpy(&scale, given[0], sizeof scale);
  memcpy(&kept, given[1], sizeof kept);
  if (tally)
    tally->lifted++;
  return x < kept.low || x > kept.high ? 0 : (cl_long)x * weight * scale + (cl_long)bonus + (cl_long)index;
}

static cl_long combine_two(cl_long a, cl_long b, struct tally *tally) {
  if (tally)
    tally->combined++;
  return a + b;
}

static void tally_lower(const void *state, void *result, void *user_data) {
  struct tally *tally = user_data;
  memcpy(result, state, sizeof(cl_long));
  if (tally)
    tally->lowered++;
}

IDENTITY(tally, cl_long, 0)
LIFT(tally, cl_int, cl_long, lift_one(x, index, inputs, parameters, user_data))
COMBINE(tally, cl_long, combine_two(a, b, user_data))
static clred_host_operator tally_host = {tally_identity, tally_lift, tally_combine, tally_lower, NULL};

static const clred_operator scaled =
  OPERATOR(.name = "scaled", .preamble = "typedef struct { int low, high; } window;", .element = "int", .state = "long",
           .identity = "0",
           .lift = "x < kept.low || x > kept.high ? (long)0 : (long)x * weight * scale + (long)bonus + (long)index",
           .combine = "a + b", .inputs = weights, .input_count = 2, .parameters = settings, .parameter_count = 2,
           .commutative = CL_TRUE, .host = &tally_host);

#define NUMBERS 5000

// The data of calls of `scaled`: elements, weights, bonuses, and the values of its parameters.
static struct given {
  cl_int elements[NUMBERS], weights[NUMBERS];
  cl_half bonuses[NUMBERS];
  cl_float bonus_values[NUMBERS];
  cl_long scale;
  struct window kept;
  cl_mem in, further[2];
  const void *values[2];
} given;

static void open_with_numbers(void) {
  fixture_open();
  for (int i = 0; i < NUMBERS; i++) {
    given.elements[i] = (i * 7919) % 2001 - 1000;
    given.weights[i] = (i * 31) % 17 - 8;
    given.bonuses[i] = (cl_half)(i % 3 ? (15 + i % 7) << 10 : 0);
    given.bonus_values[i] = (cl_float)(i % 3 ? 1 << i % 7 : 0);
  }
  given.scale = 3;
  given.kept = (struct window){-900, 800};
  given.in = fixture_buffer(given.elements, sizeof given.elements);
  given.further[0] = fixture_buffer(given.weights, sizeof given.weights);
  given.further[1] = fixture_buffer(given.bonuses, sizeof given.bonuses);
  given.values[0] = &given.scale;
  given.values[1] = &given.kept;
  tally_host.user_data = NULL;
}

static cl_long expected_of(cl_ulong first, const cl_ulong *firsts, cl_ulong count) {
  cl_long sum = 0;
  for (cl_ulong i = 0; i < count; i++) {
    const void *in[2] = {&given.weights[firsts[0] + i], &given.bonus_values[firsts[1] + i]};
    sum += lift_one(given.elements[first + i], i, in, given.values, NULL);
  }
  return sum;
}

static clred_call call_of(cl_ulong first, const cl_ulong *firsts, cl_ulong count, cl_long *result) {
  return (clred_call)CALL(.in = given.in, .in_offset = first, .inputs = given.further, .input_offsets = firsts,
                          .parameters = given.values, .count = count, .result = result, .blocking = CL_TRUE);
}

static void check_given(clred_plan *plan, cl_ulong first, cl_ulong first_weight, cl_ulong first_bonus, cl_ulong count) {
  const cl_ulong firsts[2] = {first_weight, first_bonus};
  cl_long result = 0;
  const clred_call call = call_of(first, firsts, count, &result);
  fixture_call(plan, &call, CL_SUCCESS, "");
  const cl_long expected = expected_of(first, firsts, count);
  ck_assert_msg(result == expected, "%" PRIu64 " from %" PRIu64 ", weights from %" PRIu64 ": %" PRId64 ", not %" PRId64,
                (uint64_t)count, (uint64_t)first, (uint64_t)first_weight, (int64_t)result, (int64_t)expected);
}

TEST_CASE("operands", open_with_numbers, fixture_close);

// Each input has its offset. Another value of a parameter needs no new program.
TEST(inputs_and_parameters) {
  struct way way;
  for (int w = 0; way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&scaled, &way);
    if (is_atomic(&way) && !has_atomics_of(8))
      continue;
    clred_plan *plan = fixture_plan(&problem);
    const size_t builds = runtime_info(under_test.runtime).builds;
    check_given(plan, 0, 0, 0, NUMBERS);
    check_given(plan, 3, 1, 18, 4000);
    for (int i = 0; i < 20; i++) {
      given.scale = i - 7;
      given.kept = (struct window){-50 * i, 300 + i};
      check_given(plan, 5, 0, (cl_ulong)i, 999);
    }
    check_given(plan, 17, 16, 1, 1);
    check_given(plan, 17, 16, 1, 0);
    ck_assert_uint_eq(runtime_info(under_test.runtime).builds, builds);
  }
}

// Parameters are read before the call returns, even if the work is done later.
TEST(parameters_are_read_at_once) {
  clred_plan *plan = PLAN(.custom = &scaled, .in_flight = 3);
  const cl_ulong firsts[2] = {0, 0};
  cl_long results[8] = {0}, expected[8];
  cl_mem out = fixture_buffer(results, sizeof results);
  for (cl_ulong i = 0; i < 8; i++) {
    given.scale = (cl_long)i + 1;
    expected[i] = expected_of(0, firsts, NUMBERS);
    clred_call call = call_of(0, firsts, NUMBERS, NULL);
    call.out = out;
    call.out_offset = i;
    call.blocking = CL_FALSE;
    fixture_call(plan, &call, CL_SUCCESS, "");
    given.scale = 1000000;
  }
  read_buffer(out, results, sizeof results);
  for (int i = 0; i < 8; i++)
    ck_assert_int_eq(results[i], expected[i]);
}

#define UNTOUCHED (-7777)

TEST(inputs_and_parameters_are_checked) {
  static const cl_ulong none[2] = {0, 0}, high[2] = {0, 1}, wrapping[2] = {CL_ULONG_MAX, 0};
  const cl_mem missing[2] = {given.further[0], NULL};
  const void *unsaid[2] = {&given.scale, NULL};
  const struct {
    const cl_mem *inputs;
    const cl_ulong *offsets;
    const void *const *parameters;
    cl_ulong count;
    cl_int status;
    const char *word;
  } rows[] = {
    {NULL, none, given.values, NUMBERS, CLRED_INVALID_ARGUMENT, "inputs"},
    {missing, none, given.values, NUMBERS, CLRED_INVALID_ARGUMENT, "inputs[1]"},
    {given.further, none, NULL, NUMBERS, CLRED_INVALID_ARGUMENT, "scale"},
    {given.further, none, unsaid, NUMBERS, CLRED_INVALID_ARGUMENT, "kept"},
    {given.further, high, given.values, NUMBERS, CLRED_OUT_OF_RANGE, "inputs[1]"},
    {given.further, wrapping, given.values, 2, CLRED_OUT_OF_RANGE, "inputs[0]"},
    {NULL, NULL, NULL, 9, CLRED_INVALID_ARGUMENT, ""},
  };
  clred_plan *plan = PLAN(.custom = &scaled);
  cl_long result = UNTOUCHED;
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    REFUSED_CALL(plan, rows[i].status, rows[i].word, .in = given.in, .inputs = rows[i].inputs,
                 .input_offsets = rows[i].offsets, .parameters = rows[i].parameters, .count = rows[i].count,
                 .result = &result, .blocking = CL_TRUE);
    ck_assert_int_eq(result, UNTOUCHED);
  }
  const clred_host_call call = {.in = given.elements, .count = 9, .out = &result};
  assert_invalid(clred_plan_run_host(under_test.queue, plan, &call));
  assert_invalid(clred_plan_reference(plan, &call));
  ck_assert_int_eq(result, UNTOUCHED);
}

// Makes `count` operands of ulong with the names letter0, letter1, ..., and appends "+ 2 * letter0 + 3 * letter1 ..."
// to `lift`.
static void name_operands(clred_operand *operands, char (*names)[8], size_t count, char letter, char *lift,
                          size_t size) {
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(lift);
    snprintf(names[i], sizeof names[i], "%c%u", letter, (unsigned)i % 100);
    operands[i] = (clred_operand){names[i], "ulong", sizeof(cl_ulong)};
    snprintf(lift + length, size - length, " + %zu * %s", i + 2, names[i]);
  }
}

// The largest numbers: 8 inputs and 16 parameters.
TEST(as_many_operands_as_there_may_be) {
  char names[24][8], lift[1000] = "x";
  clred_operand many[8], more[16];
  cl_mem buffers[8];
  cl_ulong values[16], numbers[100], expected = 0, result = 0;
  const void *pointers[16];
  name_operands(many, names, 8, 'i', lift, sizeof lift);
  name_operands(more, names + 8, 16, 'p', lift, sizeof lift);
  const clred_operator op =
    OPERATOR(.name = "many", .element = "ulong", .state = "ulong", .identity = "0", .lift = lift, .combine = "a + b",
             .inputs = many, .input_count = 8, .parameters = more, .parameter_count = 16, .commutative = CL_TRUE,
             .elementwise = CL_TRUE);
  for (cl_ulong k = 0; k < 9; k++) {
    for (cl_ulong i = 0; i < 100; i++)
      numbers[i] = (i + 1) << (6 * k);
    for (cl_ulong i = 0; i < 100; i++)
      expected += (k < 8 ? k + 2 : 1) * numbers[i];
    if (k < 8)
      buffers[k] = fixture_buffer(numbers, sizeof numbers);
  }
  cl_mem in = fixture_buffer(numbers, sizeof numbers);
  for (cl_ulong k = 0; k < 16; k++) {
    values[k] = 1000 * (k + 1);
    pointers[k] = &values[k];
    expected += 100 * (k + 2) * values[k];
  }
  clred_plan *plan = PLAN(.custom = &op);
  RUN(plan, .in = in, .inputs = buffers, .parameters = pointers, .count = 100, .result = &result);
  ck_assert_uint_eq(result, expected);
}

// Storage types are read as floats. A bfloat16 is the upper half of a float.
TEST_EACH(storage_types_are_lifted_as_floats, 0, 2) {
  static const clred_operand half = {"h", "half", sizeof(cl_half)};
  const clred_operator op =
    OPERATOR(.name = "storage", .element = "bfloat16", .element_size = 2, .state = "float", .identity = "0",
             .lift = _i ? "x * h" : "{ float product = x * h; return product; }", .combine = "a + b", .inputs = &half,
             .input_count = 1, .commutative = CL_TRUE, .elementwise = _i ? CL_TRUE : CL_FALSE);
  cl_ushort elements[2000];
  cl_half halves[2000];
  float expected = 0, result = 0;
  for (int i = 0; i < 2000; i++) {
    const float value = (float)(i % 100);  // 7 bits: exact in a bfloat16
    cl_uint bits;
    memcpy(&bits, &value, sizeof bits);
    elements[i] = (cl_ushort)(bits >> 16);
    halves[i] = (cl_half)((15 + i % 3) << 10);  // 1, 2, 4
    expected += value * (float)(1 << i % 3);
  }
  cl_mem in = fixture_buffer(elements, sizeof elements), h = fixture_buffer(halves, sizeof halves);
  clred_plan *plan = PLAN(.custom = &op);
  RUN(plan, .in = in, .inputs = &h, .count = 2000, .result = &result);
  ck_assert_float_eq(result, expected);
}

// ---------------------------------------------------------------- On the host

static const char *const host_ways[] = {"host_serial+",          "wide+host",     "chunked+host",
                                        "local_sequential+host", "hand_off+host", "persistent+host"};

TEST_CASE("host", open_with_numbers, fixture_close);

TEST_ROWS(host_callbacks_are_used, host_ways) {
  struct tally tally = {0, 0, 0};
  const struct way way = way_named(host_ways[_i]);
  const clred_problem problem = problem_for(&scaled, &way);
  tally_host.user_data = &tally;
  clred_plan *plan = fixture_plan(&problem);
  check_given(plan, 3, 1, 18, 4000);
  ck_assert_uint_eq(tally.lifted, _i == 0 ? 4000 : 0);
  ck_assert_uint_eq(tally.lowered, 1);
  if (_i == 0)
    ck_assert_uint_ge(tally.combined, 3999);
  check_given(plan, 0, 0, 0, 0);
  ck_assert_uint_eq(tally.lowered, 2);
}

TEST_ROWS(no_host_callbacks_no_host_work, host_ways) {
  const struct way way = way_named(host_ways[_i]);
  clred_operator op = scaled;
  const clred_problem problem = problem_for(&op, &way);
  op.host = NULL;
  check_applies(way.strategy, &problem, CLRED_NO_HOST_OPERATOR, "scaled");
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
  fixture_refused_plan(&problem, CLRED_NO_HOST_OPERATOR, "scaled");
  check_said(_i == 0 ? "host_serial" : "host");
}

// The library chooses no finish that needs callbacks if the operator has none.
TEST(no_host_callbacks_needed) {
  clred_strategy_info info;
  clred_operator op = scaled;
  op.host = NULL;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++) {
    clred_problem problem = {.custom = &op, .strategy = info.name, .count_max = NUMBERS};
    if (!reduces_lines(&info) || strcmp(info.name, "host_serial") == 0 ||
        (strcmp(info.name, "atomic") == 0 && !has_atomics_of(8)))
      continue;
    clred_plan *plan = fixture_plan(&problem);
    check_given(plan, 1, 2, 3, 4900);
  }
}
