// Operators of callers: which strategies serve them, the sizes of states, parts of results, further inputs, parameters
// and callbacks, and the names in their texts. The program layouts compares results by every strategy.

#include "support/callbacks.h"
#include "support/fixture.h"
#include "support/operators.h"

// ---------------------------------------------------------------- Strategies

// Strategies that combine only neighbours, and the finishes with which they do; NULL: with each.
static bool keeps_order(const char *strategy, const char *finish) {
  static const char *const names[] = {"host_serial", "device_serial", "bottom_up", "bottom_up_mono", "wide", "chunked"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(strategy, names[i]) == 0)
      return true;
  return (strcmp(strategy, "local_interleaved") == 0 || strcmp(strategy, "global_interleaved") == 0) &&
         (strcmp(finish, "host") == 0 || strcmp(finish, "relaunch") == 0);
}

static bool has_atomics_of(size_t state) {
  return state == 4 || (state == 8 && device_fact(&under_test, "int64_atomics", 0));
}

// Each strategy with each of its finishes takes the operator, or says what it lacks: the order of an operator that does
// not commute, or atomics, which need a state of 4 or 8 bytes.
static void check_strategy(const clred_strategy_info *info, const char *finish, const struct sample *of, size_t state) {
  const clred_problem problem = {.custom = &of->op, .strategy = info->name, .finish = finish, .count_max = 1 << 20};
  const bool is_atomic = strcmp(info->name, "atomic") == 0 || (finish && strcmp(finish, "atomic") == 0);
  const bool permutes = !of->op.commutative && !keeps_order(info->name, finish);
  char bytes[40] = "";
  if (!permutes && is_atomic && !has_atomics_of(state))
    snprintf(bytes, sizeof bytes, "atomic|%zu", state);
  check_applies(info->name, &problem, permutes || *bytes ? CLRED_STRATEGY_REFUSED : CL_SUCCESS,
                permutes ? "does not commute" : bytes);
  if (permutes)
    check_applies(info->name, &problem, CLRED_STRATEGY_REFUSED, of->op.name);
}

static const struct {
  const char *sample;
  size_t state;
} served[] = {{"affine", 16}, {"moments", 24}, {"histogram", 200}, {"float3", 16}, {"uint_product", 4}, {"ends", 8}};

TEST_CASE("operators", fixture_open, fixture_close);

TEST(strategies_say_what_they_lack) {
  clred_strategy_info info;
  for (size_t i = 0; i < COUNT_OF(served); i++)
    for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
      for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++)
        check_strategy(&info, info.finishes[f], sample_named(served[i].sample), served[i].state);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
}

// ---------------------------------------------------------------- States and elements

// The largest states. `auto` chooses wide or chunked. The groups of local_sequential hold a state for each work-item.
TEST_EACH(state_of_1024_bytes, 0, 3) {
  static const char *const strategies[] = {"wide", "chunked", "local_sequential"};
  const clred_operator op =
    OPERATOR(.name = "largest", .preamble = "typedef struct { uint words[256]; } largest;", .element = "uint",
             .state = "largest", .result = "uint", .state_size = 1024, .identity = "{ { 0 } }",
             .lift = "{ largest one = { { 0 } }; one.words[x % 256] = x; return one; }",
             .combine = "{ for (int i = 0; i < 256; i++) a.words[i] += b.words[i]; return a; }",
             .lower = "{ uint sum = 0; for (int i = 0; i < 256; i++) sum += (i + 1) * s.words[i]; return sum; }",
             .commutative = CL_TRUE);
  cl_uint numbers[5000], expected = 0, result = 0;
  for (cl_uint i = 0; i < 5000; i++) {
    numbers[i] = i * 2654435761u;
    expected += (numbers[i] % 256 + 1) * numbers[i];
  }
  clred_plan *plan = PLAN(.custom = &op, .strategy = strategies[_i], .count_max = 5000);
  RUN_HOST(plan, .in = numbers, .count = 5000, .out = &result);
  ck_assert_uint_eq(result, expected);
}

// A plan reports the parts of a list, and only the size of a struct.
TEST(parts_of_results) {
  const clred_operator *ends = &sample_named("ends")->op, *moments = &sample_named("moments")->op;
  const clred_problem list = {.custom = ends}, structs = {.custom = moments};
  clred_plan_info info;
  clred_part part;
  clred_plan *plan = fixture_plan(&list);
  assert_ok(clred_plan_inspect(plan, 10, &info));
  ck_assert_uint_eq(info.parts, 2);
  ck_assert_uint_eq(info.result_size, 8);
  ck_assert_uint_eq(info.state_size, 8);
  ck_assert_uint_eq(info.element_size, 4);
  ck_assert_int_eq(info.result_type, CLRED_TYPE_NONE);
  assert_ok(clred_plan_part(plan, 1, &part));
  ck_assert_str_eq(part.name, "high");
  ck_assert_int_eq(part.type, CLRED_TYPE_UINT);
  ck_assert_uint_eq(part.offset, 4);
  assert_invalid(clred_plan_part(plan, 2, &part));
  plan = fixture_plan(&structs);
  assert_ok(clred_plan_inspect(plan, 10, &info));
  ck_assert_uint_eq(info.parts, 0);
  ck_assert_uint_eq(info.result_size, 24);
  ck_assert_uint_eq(info.state_size, 24);
  assert_invalid(clred_plan_part(plan, 0, &part));
}

// The named structs of clreduce.h have the layout of results.
TEST(structs_of_results) {
#define PLACED(name, member) \
  { #member, offsetof(name, member) }
#define ROWS_OF(kind, of) \
  {CLRED_OP_ARGMAX, kind, sizeof(clred_place_##of), 0, {PLACED(clred_place_##of, value)}}, \
    {CLRED_OP_MINMAX, kind, sizeof(clred_minmax_##of), 0, {PLACED(clred_minmax_##of, max)}}, \
    {CLRED_OP_ARGMINMAX, \
     kind, \
     sizeof(clred_argminmax_##of), \
     0, \
     {PLACED(clred_argminmax_##of, min_index), PLACED(clred_argminmax_##of, max_index)}}, \
  { \
    CLRED_OP_STATS, kind, sizeof(clred_stats_##of), 0, { \
      PLACED(clred_stats_##of, max_index), PLACED(clred_stats_##of, mean), PLACED(clred_stats_##of, sum) \
    } \
  }
  static const struct {
    clred_op op;
    clred_type type;
    size_t size;
    clred_overflow overflow;
    struct {
      const char *name;
      size_t offset;
    } parts[3];
  } rows[] = {
    ROWS_OF(CLRED_TYPE_CHAR, long),
    ROWS_OF(CLRED_TYPE_ULONG, ulong),
    ROWS_OF(CLRED_TYPE_HALF, float),
    ROWS_OF(CLRED_TYPE_DOUBLE, double),
    {CLRED_OP_SUM,
     CLRED_TYPE_INT,
     sizeof(clred_checked_long),
     CLRED_OVERFLOW_DETECT,
     {PLACED(clred_checked_long, overflow)}},
    {CLRED_OP_SUMSQ,
     CLRED_TYPE_INT,
     sizeof(clred_checked_ulong),
     CLRED_OVERFLOW_DETECT,
     {PLACED(clred_checked_ulong, overflow)}},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const clred_problem problem = {
      .op = rows[i].op, .type = rows[i].type, .overflow = rows[i].overflow, .strategy = "host_serial"};
    clred_plan *plan = fixture_plan(&problem);
    clred_plan_info info;
    clred_part part = {.name = ""};
    assert_ok(clred_plan_inspect(plan, 1, &info));
    ck_assert_uint_eq(info.result_size, rows[i].size);
    for (size_t j = 0, at = 0; j < COUNT_OF(rows[i].parts) && rows[i].parts[j].name; j++, at = 0) {
      do
        assert_ok(clred_plan_part(plan, at++, &part));
      while (strcmp(part.name, rows[i].parts[j].name) != 0);
      ck_assert_uint_eq(part.offset, rows[i].parts[j].offset);
    }
  }
}

// ---------------------------------------------------------------- Inputs and parameters

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
TEST_EACH(inputs_and_parameters, 0, 2) {
  clred_plan *plan = PLAN(.custom = &scaled, .strategy = _i ? "local_sequential" : NULL, .count_max = NUMBERS);
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

static const struct {
  const char *strategy, *finish;
} on_host[] = {{"host_serial", NULL},        {"wide", "host"},     {"chunked", "host"},
               {"local_sequential", "host"}, {"hand_off", "host"}, {"persistent", "host"}};

TEST_ROWS(host_callbacks_are_used, on_host) {
  struct tally tally = {0, 0, 0};
  tally_host.user_data = &tally;
  clred_plan *plan =
    PLAN(.custom = &scaled, .strategy = on_host[_i].strategy, .finish = on_host[_i].finish, .count_max = NUMBERS);
  check_given(plan, 3, 1, 18, 4000);
  ck_assert_uint_eq(tally.lifted, _i == 0 ? 4000 : 0);
  ck_assert_uint_eq(tally.lowered, 1);
  if (_i == 0)
    ck_assert_uint_ge(tally.combined, 3999);
  check_given(plan, 0, 0, 0, 0);
  ck_assert_uint_eq(tally.lowered, 2);
}

TEST_ROWS(no_host_callbacks_no_host_work, on_host) {
  clred_operator op = scaled;
  const clred_problem problem = {
    .custom = &op, .strategy = on_host[_i].strategy, .finish = on_host[_i].finish, .count_max = NUMBERS};
  op.host = NULL;
  check_applies(problem.strategy, &problem, CLRED_NO_HOST_OPERATOR, "scaled");
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
    const clred_problem problem = {.custom = &op, .strategy = info.name, .count_max = NUMBERS};
    if (reduces_lines(&info) && strcmp(info.name, "host_serial") != 0 &&
        (strcmp(info.name, "atomic") != 0 || has_atomics_of(8)))
      check_applies(info.name, &problem, CL_SUCCESS, "");
  }
}

IDENTITY(sum, cl_float, 0)
LIFT(sum, cl_float, cl_float, x)
COMBINE(sum, cl_float, a + b)
HOST(sum, cl_float);

// The elements 1, -2 and 0.5 have 16 bits in memory; lift gets them as floats.
TEST(storage_types_are_floats_on_the_host) {
  static const struct {
    const char *element;
    cl_ushort bits[3];
  } stored[] = {{"half", {0x3c00, 0xc000, 0x3800}}, {"bfloat16", {0x3f80, 0xc000, 0x3f00}}};
  for (size_t i = 0; i < COUNT_OF(stored); i++) {
    const clred_operator op = OPERATOR(.name = "sum", .element = stored[i].element, .state = "float", .identity = "0",
                                       .combine = "a + b", .host = &sum_host);
    cl_float result = 77;
    clred_plan *plan = PLAN(.custom = &op);
    REFERENCE(plan, .in = stored[i].bits, .count = 3, .out = &result);
    ck_assert_float_eq(result, -0.5f);
  }
}

TEST(reference_without_callbacks) {
  clred_operator op = sample_named("matrix")->op;
  unsigned char bytes[64] = {0};
  op.host = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  assert_status(clred_plan_reference(plan, &(clred_host_call){.in = bytes, .count = 1, .out = bytes}),
                CLRED_NO_HOST_OPERATOR);
}

// ---------------------------------------------------------------- Names in texts

TEST_CASE("names", fixture_open, fixture_close);

static void check_numbers(const clred_operator *op, const char *strategy, cl_uint expected) {
  cl_uint numbers[3000], values[2] = {7, 5}, result[2] = {0, 0};
  const void *pointers[2] = {&values[0], &values[1]};
  for (cl_uint i = 0; i < 3000; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers);
  const cl_mem further[2] = {in, in};
  clred_plan *plan = PLAN(.custom = op, .strategy = strategy);
  RUN(plan, .in = in, .inputs = further, .parameters = pointers, .count = 3000, .result = result);
  ck_assert_msg(result[0] == expected, "%s by %s: %u, not %u", op->preamble ? op->preamble : op->name, strategy,
                result[0], expected);
}

// Operators may use names that the kernels use.
TEST_EACH(names_that_kernels_use_too, 0, 2) {
  static const clred_operand further[2] = {{"in", "uint", 4}, {"held", "uint", 4}};
  static const clred_operand values[2] = {{"at", "uint", 4}, {"origin", "uint", 4}};
  const clred_operator op = OPERATOR(.name = "names",
                                     .preamble = "typedef struct { uint state, source; } lane;\n"
                                                 "uint stride(uint span) { return span + 1; }\n",
                                     .element = "uint", .state = "{ uint count; uint first; }", .identity = "{ 0, 0 }",
                                     .lift = _i ? "MAKE(x + in * at + held, UNIT(uint, origin))"
                                                : "{ lane out = { x, in * at }; return MAKE(out.state + out.source + "
                                                  "stride(held) - 1, origin); }",
                                     .combine = "MAKE(a.count + b.count, a.first + b.first)", .inputs = further,
                                     .input_count = 2, .parameters = values, .parameter_count = 2,
                                     .commutative = CL_TRUE, .elementwise = _i ? CL_TRUE : CL_FALSE);
  check_numbers(&op, "chunked", 9 * (2999 * 3000 / 2));
  check_numbers(&op, "wide", 9 * (2999 * 3000 / 2));
}

static const char *const taken[] = {"ROWS",    "TILE",     "VECTOR",     "NODES",      "STACK",        "WIDTH",
                                    "HALF",    "STATE",    "STATE_SIZE", "ELEMENT",    "ELEMENT_SIZE", "LANES",
                                    "FINISH",  "IN_ORDER", "GROUP_SIZE", "STRIDED",    "PLACES",       "LOAD",
                                    "COLUMNS", "RADIX",    "HELD",       "LANES_FORM", "ARGUMENTS",    "SOURCE"};

// If a macro of the preamble has a name of the library's sources, the result is right or the operator is refused.
TEST_ROWS(macros_that_kernels_use_too, taken) {
  static const char *const strategies[2] = {"chunked", "wide"};
  char preamble[80];
  snprintf(preamble, sizeof preamble, "#define %s 3u\n", taken[_i]);
  const clred_operator op =
    OPERATOR(.name = "macros", .preamble = preamble, .element = "uint", .state = "uint", .identity = "0",
             .combine = "a + b", .commutative = CL_TRUE, .elementwise = CL_TRUE);
  for (int i = 0; i < 2; i++) {
    const clred_problem problem = {.custom = &op, .strategy = strategies[i], .count_max = 3};
    clred_plan *plan = NULL;
    const cl_int err = clred_plan_create(under_test.runtime, &problem, &plan);
    ck_assert_msg(err == CL_SUCCESS || err == CLRED_OPERATOR_TEXT, "%s: %s: %s", taken[_i], clred_status_name(err),
                  clred_last_error(under_test.runtime));
    clred_plan_release(plan);
    if (err == CL_SUCCESS)
      check_numbers(&op, strategies[i], 2999 * 3000 / 2);
    else
      check_said(taken[_i]);
  }
}

// PICK evaluates only the chosen state, and its condition may have any width.
TEST_EACH(picking, 0, 2) {
  static const struct {
    clred_operator op;
    cl_ulong elements[3], result;
  } cases[] = {
    ROW(OPERATOR(.name = "guarded", .preamble = "__constant ulong table[4] = {10, 20, 30, 40};", .element = "ulong",
                 .state = "{ ulong place; ulong sum; }", .result = "ulong", .identity = "{ 1ul << 41, 0 }",
                 .lift = "MAKE(x, x < 4 ? table[x] : 0)",
                 .combine = "PICK(b.place < 4, MAKE(b.place, a.sum + table[b.place]), a)", .lower = "s.sum"),
        {1, (cl_ulong)1 << 40, 3}, 60),
    ROW(OPERATOR(.name = "masked", .element = "ulong", .state = "{ ulong mask; ulong n; }", .result = "ulong",
                 .identity = "{ 0, 0 }", .lift = "MAKE(x, 1ul)", .combine = "PICK(b.mask & 0x800000000ul, b, a)",
                 .lower = "s.mask"),
        {1, (cl_ulong)0x800000000, 2}, (cl_ulong)0x800000000),
  };
  static const char *const strategies[] = {"wide", "chunked", "local_sequential", "device_serial"};
  for (size_t i = 0; i < COUNT_OF(strategies); i++) {
    clred_operator op = cases[_i].op;
    op.commutative = i == 2;
    clred_plan *plan = PLAN(.custom = &op, .strategy = strategies[i], .count_max = 3);
    cl_ulong result = 0;
    RUN_HOST(plan, .in = cases[_i].elements, .count = 3, .out = &result);
    ck_assert_msg(result == cases[_i].result, "%s by %s: %llu", op.name, strategies[i], (unsigned long long)result);
  }
}

static const clred_operator commented[] = {
  {.name = "own", .element = "int", .state = "int", .identity = "0", .combine = "/* sum */ { return a + b; }"},
  OPERATOR(.name = "own", .element = "int", .state = "int", .identity = "0",
           .combine = "// sum\n  /* of both */\n{ return a + b; }"),
};

TEST_ROWS(pieces_behind_comments, commented) {
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  cl_int sum = -1;
  clred_plan *plan = PLAN(.custom = &commented[_i], .strategy = "chunked");
  RUN_HOST(plan, .in = numbers, .count = 6, .out = &sum);
  ck_assert_int_eq(sum, 7);
}

// ---------------------------------------------------------------- Copies and programs

// The plan copies the problem, so the caller may change all texts afterwards.
TEST(operator_is_copied) {
  char combine[] = "a + b", name[] = "copied", type[] = "float", parameter_name[] = "scale", lift[] = "x * scale";
  char *const texts[] = {combine, name, type, parameter_name, lift};
  clred_operand parameter = {parameter_name, type, 4};
  clred_operator op =
    OPERATOR(.name = name, .element = type, .state = type, .identity = "0", .lift = lift, .combine = combine,
             .parameters = &parameter, .parameter_count = 1, .commutative = CL_TRUE);
  clred_problem problem = {.custom = &op};
  const float scale = 3;
  const void *values[1] = {&scale};
  float result = 0;
  cl_mem in = fixture_numbers(1000);
  clred_plan *plan = fixture_plan(&problem);
  for (size_t i = 0; i < COUNT_OF(texts); i++)
    memset(texts[i], '!', strlen(texts[i]));
  memset(&parameter, 0, sizeof parameter);
  memset(&op, 0, sizeof op);
  problem.custom = NULL;
  clred_call call = {.in = in, .count = 1000, .parameters = values, .result = &result, .blocking = CL_TRUE};
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_float_eq(result, 3 * fixture_sum(0, 1000));
  call.parameters = NULL;
  fixture_call(plan, &call, CLRED_INVALID_ARGUMENT, "scale");
}

// Plans with the same text share their programs. Another text needs other programs.
TEST(one_build_for_one_text) {
  clred_operator op = {.name = "sum", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};
  const clred_problem problem = {.custom = &op};
  fixture_plan(&problem);
  const size_t builds = runtime_info(under_test.runtime).builds;
  ck_assert_uint_gt(builds, 0);
  fixture_plan(&problem);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, builds);
  op.combine = "b + a";
  fixture_plan(&problem);
  ck_assert_uint_gt(runtime_info(under_test.runtime).builds, builds);
}
