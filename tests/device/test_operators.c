// User-defined operators: their states and elements, the order in which states are combined, further inputs and
// parameters, and callbacks on the host.

#include "support/material.h"

#define LENGTH (1u << 20)

// ---------------------------------------------------------------- Ways to fold

struct way {
  char name[64];
  const char *strategy;
  const char *finish;
};

// The strategies for reductions of a line, each with each of its finishes.
static bool way_at(int index, struct way *way) {
  clred_strategy_info info;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++)
      if (index-- == 0) {
        *way = (struct way){.strategy = info.name, .finish = info.finishes[f]};
        snprintf(way->name, sizeof way->name, "%s+%s", info.name, way->finish ? way->finish : "");
        return true;
      }
  return false;
}

#define WAYS_MAX 64

// True if the strategy combines only neighbours, for any operator.
static bool keeps_order(const struct way *way) {
  static const char *const names[] = {"host_serial+",
                                      "device_serial+",
                                      "bottom_up+",
                                      "bottom_up_mono+",
                                      "local_interleaved+host",
                                      "local_interleaved+relaunch",
                                      "wide+host",
                                      "wide+relaunch",
                                      "wide+last_group",
                                      "chunked+host",
                                      "chunked+relaunch",
                                      "chunked+last_group",
                                      "global_interleaved+host",
                                      "global_interleaved+relaunch"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(way->name, names[i]) == 0)
      return true;
  return false;
}

static bool is_way(const struct way *way, const char *name) {
  return strcmp(way->name, name) == 0;
}

static clred_problem problem_for(const clred_operator *op, const struct way *way) {
  return (clred_problem){.custom = op, .strategy = way->strategy, .finish = way->finish, .count_max = LENGTH};
}

// The host, one work-item and twenty launches are too slow for a million elements.
static bool is_quick(const struct way *way) {
  return strncmp(way->name, "wide", 4) == 0 || strncmp(way->name, "chunked", 7) == 0 ||
         is_way(way, "local_interleaved+relaunch");
}

static const uint64_t sizes[] = {0, 1, 2, 3, 16, 17, 255, 256, 257, 1000, 65537};

static void check_sizes(const struct material *material, const clred_operator *op, const struct way *way) {
  const clred_problem problem = problem_for(op, way);
  clred_plan *plan = fixture_plan(&problem);
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    material_check(material, plan, i % 4, sizes[i], way->name);
  if (is_quick(way))
    material_check(material, plan, 0, LENGTH, way->name);
}

TEST_CASE("order", fixture_open, fixture_close);

// Runs operators that do not commute by strategies that keep the order. Elementwise operators also run one element at a
// time.
TEST_STEPS(in_order, 0, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  clred_operator one_by_one = of->op;
  struct way way;
  struct material material = material_create(of, LENGTH + 8);
  one_by_one.elementwise = CL_FALSE;
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
    const bool is_main = is_way(&way, "wide+last_group") || is_way(&way, "chunked+last_group");
    // Every operator by the strategies that devices choose, and by two fifths of the others.
    if (keeps_order(&way) && (is_main || w % 5 == _i || (w + 2) % 5 == _i))
      check_sizes(&material, &of->op, &way);
    if (of->op.elementwise && is_main)
      check_sizes(&material, &one_by_one, &way);
  }
}

// Another order gives another result. Otherwise the test above would show nothing.
TEST_STEPS(order_shows, 1, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  struct material material = material_create(of, 1000);
  unsigned char forwards[256], swapped[256];
  const struct row row = {.stride = 1, .count = 1000};
  unsigned differing = 0;
  material_fold(&material, &row, forwards);
  for (size_t at = 0; at < 10; at++) {
    for (size_t i = 0; i < of->element; i++) {
      unsigned char *p = material.elements + at * of->element + i, *q = p + 500 * of->element, kept = *p;
      *p = *q;
      *q = kept;
    }
    material_fold(&material, &row, swapped);
    differing += memcmp(forwards, swapped, of->result) != 0;
  }
  ck_assert_msg(differing > 0, "%s: elements that changed places do not show", of->op.name);
}

// All other strategies are refused with a reason, by clred_strategy_applies and by clred_plan_create.
TEST_STEPS(permuting_is_refused, 0, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  struct way way;
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    if (keeps_order(&way)) {
      check_applies(way.strategy, &problem, CL_SUCCESS, "");
      continue;
    }
    check_applies(way.strategy, &problem, CLRED_STRATEGY_REFUSED, "commute");
    check_applies(way.strategy, &problem, CLRED_STRATEGY_REFUSED, of->op.name);
    ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
  }
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    if (keeps_order(&way))
      continue;
    fixture_refused_plan(&problem, CLRED_STRATEGY_REFUSED, "commute");
  }
}

// The strategy that the library chooses keeps the order.
TEST_STEPS(auto_keeps_order, 1, (int)ordered_sample_count, 2) {
  struct material material = material_create(&ordered_samples[_i], LENGTH + 8);
  clred_plan *plan = PLAN(.custom = &ordered_samples[_i].op);
  material_check(&material, plan, 1, 1000, "auto");
  material_check(&material, plan, 3, LENGTH, "auto");
}

// ---------------------------------------------------------------- States and elements

static bool is_atomic(const struct way *way) {
  return strcmp(way->strategy, "atomic") == 0 || (way->finish && strcmp(way->finish, "atomic") == 0);
}

static bool has_atomics_of(size_t state) {
  return state == 4 || (state == 8 && device_fact(&under_test, "int64_atomics", 0));
}

// Checks the sample with all strategies, or only with the strategies that use atomics, which need a state of one word.
static void check_everything(const struct sample *of, size_t state, bool atomics_only) {
  struct way way;
  struct material material = material_create(of, LENGTH + 8);
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++)
    if (is_atomic(&way) ? has_atomics_of(state) : !atomics_only)
      check_sizes(&material, &of->op, &way);
}

TEST_CASE("states", fixture_open, fixture_close);

TEST(state_of_24_bytes) {
  check_everything(sample_named("moments"), 24, false);
}

TEST(state_of_200_bytes) {
  check_everything(sample_named("histogram"), 200, false);
}

TEST(state_of_4_bytes) {
  check_everything(sample_named("uint_product"), 4, true);
}

TEST(state_of_8_bytes) {
  check_everything(sample_named("ends"), 8, true);
}

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

static void check_atomic(const char *name, size_t state) {
  const struct sample *of = sample_named(name);
  struct way way;
  char bytes[24];
  snprintf(bytes, sizeof bytes, "%zu", state);
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&of->op, &way);
    const bool served = !is_atomic(&way) || has_atomics_of(state);
    const cl_int status = served ? CL_SUCCESS : CLRED_STRATEGY_REFUSED;
    check_applies(way.strategy, &problem, status, served ? "" : bytes);
    check_applies(way.strategy, &problem, status, served ? "" : "atomic");
  }
}

// Atomics need a state of 4 or 8 bytes. Other strategies take any size.
TEST(atomics_and_the_size_of_states) {
  check_atomic("moments", 24);
  check_atomic("histogram", 200);
  check_atomic("float3", 16);
  check_atomic("uint_product", 4);
  check_atomic("ends", 8);
}

TEST_CASE("elements", fixture_open, fixture_close);

// Elements of every kind, by strategies that read them in different ways.
TEST_STEPS(elements_of_any_kind, 0, (int)free_sample_count, 2) {
  const struct sample *of = &free_samples[_i];
  struct material material = material_create(of, 65537 + 8);
  static const char *names[] = {"wide+last_group", "chunked+last_group", "local_sequential+relaunch", "device_serial+",
                                "hand_off+relaunch"};
  struct way way;
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++)
    for (size_t n = 0; n < COUNT_OF(names); n++)
      if (is_way(&way, names[n]) && (n < 2 || n % 3 == (size_t)_i % 3)) {
        const clred_problem problem = problem_for(&of->op, &way);
        clred_plan *plan = fixture_plan(&problem);
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
          material_check(&material, plan, i % 4, sizes[i], way.name);
      }
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

// ---------------------------------------------------------------- Further inputs and parameters

struct window {
  cl_int low, high;
};

static const clred_operand inputs[] = {{"weight", "int", sizeof(cl_int)}, {"bonus", "half", sizeof(cl_half)}};
static const clred_operand parameters[] = {{"scale", "long", sizeof(cl_long)},
                                           {"kept", "window", sizeof(struct window)}};

struct tally {
  unsigned lifted, combined, lowered;
};

static void tally_identity(void *state, void *user_data) {
  (void)user_data;
  memset(state, 0, sizeof(cl_long));
}

static void tally_lift(const void *element, cl_ulong index, const void *const *in, const void *const *given,
                       void *state, void *user_data) {
  cl_int x, weight;
  cl_float bonus;  // callbacks get storage types as floats
  cl_long scale;
  struct window kept;
  struct tally *tally = user_data;
  memcpy(&x, element, sizeof x);
  memcpy(&weight, in[0], sizeof weight);
  memcpy(&bonus, in[1], sizeof bonus);
  memcpy(&scale, given[0], sizeof scale);
  memcpy(&kept, given[1], sizeof kept);
  const cl_long one = x < kept.low || x > kept.high ? 0 : (cl_long)x * weight * scale + (cl_long)bonus + (cl_long)index;
  memcpy(state, &one, sizeof one);
  if (tally)
    tally->lifted++;
}

static void tally_combine(void *state, const void *other, void *user_data) {
  cl_long a, b;
  struct tally *tally = user_data;
  memcpy(&a, state, sizeof a);
  memcpy(&b, other, sizeof b);
  a += b;
  memcpy(state, &a, sizeof a);
  if (tally)
    tally->combined++;
}

static void tally_lower(const void *state, void *result, void *user_data) {
  struct tally *tally = user_data;
  memcpy(result, state, sizeof(cl_long));
  if (tally)
    tally->lowered++;
}

static clred_host_operator tally_host = {tally_identity, tally_lift, tally_combine, tally_lower, NULL};

static const clred_operator scaled =
  OPERATOR(.name = "scaled", .preamble = "typedef struct { int low, high; } window;", .element = "int", .state = "long",
           .identity = "0",
           .lift = "x < kept.low || x > kept.high ? (long)0 : (long)x * weight * scale + (long)bonus + (long)index",
           .combine = "a + b", .inputs = inputs, .input_count = 2, .parameters = parameters, .parameter_count = 2,
           .commutative = CL_TRUE, .host = &tally_host, );

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
  cl_long sum = 0, one;
  for (cl_ulong i = 0; i < count; i++) {
    const void *in[2] = {&given.weights[firsts[0] + i], &given.bonus_values[firsts[1] + i]};
    tally_lift(&given.elements[first + i], i, in, given.values, &one, NULL);
    sum += one;
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
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
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

static void check_refused(clred_plan *plan, const clred_call *call, cl_int status, const char *word) {
  fixture_call(plan, call, status, word);
  ck_assert_int_eq(*(cl_long *)call->result, UNTOUCHED);
}

TEST(inputs_and_parameters_are_checked) {
  clred_plan *plan = PLAN(.custom = &scaled);
  const cl_ulong none[2] = {0, 0}, high[2] = {0, 1}, wrapping[2] = {CL_ULONG_MAX, 0};
  const cl_mem missing[2] = {given.further[0], NULL};
  const void *unsaid[2] = {&given.scale, NULL};
  cl_long result = UNTOUCHED;
  clred_call call = call_of(0, none, NUMBERS, &result);
  call.inputs = NULL;
  check_refused(plan, &call, CLRED_INVALID_ARGUMENT, "inputs");
  call.inputs = missing;
  check_refused(plan, &call, CLRED_INVALID_ARGUMENT, "inputs[1]");
  call = call_of(0, none, NUMBERS, &result);
  call.parameters = NULL;
  check_refused(plan, &call, CLRED_INVALID_ARGUMENT, "scale");
  call.parameters = unsaid;
  check_refused(plan, &call, CLRED_INVALID_ARGUMENT, "kept");
  call = call_of(0, high, NUMBERS, &result);
  check_refused(plan, &call, CLRED_OUT_OF_RANGE, "inputs[1]");
  call = call_of(0, wrapping, 2, &result);
  check_refused(plan, &call, CLRED_OUT_OF_RANGE, "inputs[0]");
  // Calls without inputs and parameters are refused.
  REFUSED_CALL(plan, CLRED_INVALID_ARGUMENT, "", .in = given.in, .count = 9, .result = &result, .blocking = CL_TRUE);
  assert_invalid(
    clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.in = given.elements, .count = 9, .out = &result}));
  ck_assert_int_eq(result, UNTOUCHED);
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

// ---------------------------------------------------------------- The index

static const clred_operator indexes =
  OPERATOR(.name = "indexes", .element = "uint", .state = "ulong", .identity = "0", .lift = "index + TO(ulong, x)",
           .combine = "a + b", .commutative = CL_TRUE, .elementwise = CL_TRUE);

TEST_CASE("index", fixture_open, fixture_close);

// The index counts from the beginning of the range.
TEST(index_in_a_line) {
  struct way way;
  const cl_uint nothing[300] = {0};
  cl_mem in = fixture_buffer(nothing, sizeof nothing);
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++) {
    const clred_problem problem = problem_for(&indexes, &way);
    const bool on_host = strcmp(way.strategy, "host_serial") == 0 || (way.finish && strcmp(way.finish, "host") == 0);
    if (on_host || (is_atomic(&way) && !has_atomics_of(8)))
      continue;
    clred_plan *plan = fixture_plan(&problem);
    for (cl_ulong first = 0; first < 20; first += 19) {
      cl_ulong result = 0;
      RUN(plan, .in = in, .in_offset = first, .count = 280, .result = &result);
      ck_assert_msg(result == 280 * 279 / 2, "%s: %" PRIu64, way.name, (uint64_t)result);
    }
  }
}

// ---------------------------------------------------------------- On the host

static const char *const host_ways[] = {"host_serial+",          "wide+host",     "chunked+host",
                                        "local_sequential+host", "hand_off+host", "persistent+host"};

static struct way named_way(const char *name) {
  struct way way;
  for (int w = 0; w < WAYS_MAX && way_at(w, &way); w++)
    if (is_way(&way, name))
      return way;
  ck_abort_msg("there is no %s", name);
}

TEST_CASE("host", open_with_numbers, fixture_close);

TEST_ROWS(host_callbacks_are_used, host_ways) {
  struct tally tally = {0, 0, 0};
  const struct way way = named_way(host_ways[_i]);
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
  const struct way way = named_way(host_ways[_i]);
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

TEST_EACH(half_a_host_operator, 0, 4) {
  clred_host_operator host = tally_host;
  clred_operator op = scaled;
  op.host = &host;
  void *const pieces[] = {&host.identity, &host.lift, &host.combine, &host.lower};
  memset(pieces[_i], 0, sizeof host.lift);
  REFUSED_PLAN(CLRED_OPERATOR_TEXT, "", .custom = &op);
  static const char *const names[] = {"identity", "lift", "combine", "lower"};
  check_said(names[_i]);
}

// The reference uses the callbacks, with the same tree as the device.
TEST_STEPS(reference_of_an_operator, 1, (int)ordered_sample_count, 2) {
  const struct sample *of = &ordered_samples[_i];
  unsigned char reference[256], expected[256];
  const struct row row = {.stride = 1, .count = 3000};
  struct material material = material_create(of, 3000);
  clred_plan *plan = PLAN(.custom = &of->op);
  const void *input = material.input;
  REFERENCE(plan, .in = material.elements, .inputs = &input, .parameters = &of->parameter, .count = 3000,
            .out = reference);
  material_fold(&material, &row, expected);
  ck_assert_mem_eq(reference, expected, of->result);
}

TEST(reference_without_callbacks) {
  clred_operator op = sample_named("matrix")->op;
  unsigned char bytes[64] = {0};
  op.host = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  assert_status(clred_plan_reference(plan, &(clred_host_call){.in = bytes, .count = 1, .out = bytes}),
                CLRED_NO_HOST_OPERATOR);
}
