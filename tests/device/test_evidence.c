// How clred_check_laws writes counterexamples: digits, bytes, further inputs, states of several elements, NaNs and
// infinities; and which values it tries. Every expected message is worked out by hand.

#include "support/laws.h"

#include "support/callbacks.h"

// ---------------------------------------------------------------- How values are written

TEST_CASE("words", fixture_open, fixture_close);

// A tenth in double needs more than nine digits.
TEST(doubles_have_all_digits) {
  if (fixture_lacks_double("digits of double"))
    return;
  ASK(.name = "tenths", .element = "double", .state = "double", .identity = "0", .lift = "x / 10", .combine = "a - b");
  check_fails(IDENTITY, "combine(identity, 1) gives -0.10000000000000001, 1 alone gives 0.10000000000000001");
  check_fails(COMMUTATIVITY, "combine(1, 2) gives -0.10000000000000001, combine(2, 1) gives 0.10000000000000001");
}

#define WITH(operands, count) .inputs = (operands), .input_count = (count)
#define OF_ROWS .element = "row", .state = "row"
#define ZEROS "00000000 00000000 00000000 00000000 00000000 00000000 00000000"
#define ONES "01000000 01000000 01000000 01000000 01000000 01000000 01000000"

// The first 32 of 40 bytes are shown.
TEST(many_bytes_are_cut) {
  ASK(.name = "words", .preamble = "typedef union { uint words[10]; ulong whole[5]; } row;", OF_ROWS,
      .identity = "{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}", .combine = "{ a.words[0] -= b.words[0]; return a; }");
  check_fails(IDENTITY, "a = bytes 01000000 " ONES " ...: combine(identity, a) gives bytes ffffffff " ZEROS
                        " ..., a alone gives bytes 01000000 " ONES " ...");
}

// Each of the two states has 32 numbers of ten digits, which is more than fits.
TEST(long_message_is_cut) {
  static const char begins[] = "a = (1, 1, 1, ";
  ASK(.name = "differences", .preamble = "typedef struct { uint v[32]; } row;", OF_ROWS, .identity = "{{0}}",
      .combine = "{ for (int i = 0; i < 32; i++) a.v[i] -= b.v[i]; return a; }");
  const char *said = laws[ASSOCIATIVITY].counterexample;
  ck_assert(!laws[ASSOCIATIVITY].holds);
  ck_assert_uint_eq(strlen(said), sizeof laws[ASSOCIATIVITY].counterexample - 1);
  ck_assert_str_eq(said + strlen(said) - 3, "...");
  ck_assert_msg(strncmp(said, begins, sizeof begins - 1) == 0, "%s", said);
  ck_assert_ptr_nonnull(strstr(said, "combine(combine(a, b), c) gives (4294967295, 4294967295, "));
}

TEST(all_inputs_are_shown) {
  const clred_operand inputs[] = {{.name = "y", .type = "uint"}, {.name = "z", .type = "uint"}};
  ASK(.name = "digits", .element = "uint", .state = "uint", WITH(inputs, 2), .identity = "0",
      .lift = "x + 10 * y + 100 * z", .combine = "2 * a + b");
  // The states are a = 21 and b = 302.
  check_fails(COMMUTATIVITY, "a = 1 with y = 2, z = 0; b = 2 with y = 0, z = 3: combine(a, b) gives 344, "
                             "combine(b, a) gives 625");
}

// The operator fails if a state of three elements is combined with a fourth element. To find that, combine((a, b), c)
// needs a state a of two elements. The evidence numbers the names of these elements.
TEST(elements_of_a_state_have_names) {
  const clred_operand weight = {.name = "weight", .type = "uint"};
  ASK(.name = "fourths", .element = "uint", WITH(&weight, 1), .state = "{ uint value; uint count; }", .result = "uint",
      .identity = "{ 0, 0 }", .lift = "MAKE(x + 10 * weight, 1u)",
      .combine = "MAKE(a.value + b.value + (a.count == 3 && b.count ? 1u : 0u), a.count + b.count)",
      .lower = "s.value");
  check_holds(IDENTITY);
  check_fails(ASSOCIATIVITY,
              "a1 = 1 with weight = 2; a2 = 1 with weight = 2; b = 1 with weight = 2; c = 1 with weight = 2: "
              "combine(combine(combine(a1, a2), b), c) gives 85, combine(combine(a1, a2), combine(b, c)) gives 84");
}

// ---------------------------------------------------------------- Results that are no numbers

// Elements and states are finite, and `lower` makes a NaN or an infinity. The law is then broken.
TEST(lower_alone_is_no_excuse) {
  static const struct {
    const char *lower, *identity, *commutativity;
  } faults[] = {
    {"s == 1.0f ? NAN : s", "combine(identity, 1) gives 0, 1 alone gives NaN",
     "combine(1, 2) gives NaN, combine(2, 1) gives 2"},
    {"s == 1.0f ? INFINITY : s", "combine(identity, 1) gives 0, 1 alone gives inf",
     "combine(1, 2) gives inf, combine(2, 1) gives 2"},
  };
  for (size_t i = 0; i < COUNT_OF(faults); i++) {
    ASK(.name = "first", .element = "float", .state = "float", .identity = "0", .combine = "a",
        .lower = faults[i].lower);
    check_fails(IDENTITY, faults[i].identity);
    check_holds(ASSOCIATIVITY);
    check_fails(COMMUTATIVITY, faults[i].commutativity);
  }
}

// An overflow is no failure of the law, unless a NaN among the elements may have caused it.
TEST(overflow_beside_a_nan_is_reported) {
  ASK(.name = "spoilt", .element = "float", .state = "{ float value; uint spoilt; }", .result = "float",
      .identity = "{ 0, 0 }", .lift = "MAKE(isnan(x) ? 0.0f : x, isnan(x) ? 1u : 0u)",
      .combine = "MAKE(a.spoilt ? INFINITY : b.spoilt ? 0.0f : a.value + b.value, a.spoilt | b.spoilt)",
      .lower = "s.value");
  check_law(COMMUTATIVITY, true, "with a NaN: combine(1, NaN) gives 0, combine(NaN, 1) gives inf");
}

// ---------------------------------------------------------------- What is tried

TEST_CASE("tries", fixture_open, fixture_close);

// Sizes that are no multiple of a word are tried byte by byte.
TEST(odd_sizes_are_tried) {
  clred_operator op =
    OPERATOR(.name = "bytes", .preamble = "typedef union { uchar each[3]; uchar first; } three;", .element = "three",
             .state = "three", .identity = "{{0, 0, 0}}",
             .combine = "{ for (int i = 0; i < 3; i++) a.each[i] += b.each[i]; return a; }", .commutative = CL_TRUE);
  ask_own(&op);
  check_all_hold();
  op.combine = "{ a.each[1] -= b.each[1]; return a; }";
  ask_own(&op);
  check_fails(COMMUTATIVITY, "a = bytes 010101; b = bytes 020202: combine(a, b) gives bytes 01ff01, "
                             "combine(b, a) gives bytes 020102");
}

// The words of the parameter are 1 and 1, then 1 and 2: with a base of 1 the operator commutes.
TEST(parameter_of_bytes_has_several_values) {
  const clred_operand key = {.name = "key", .type = "pair"};
  ASK(.name = "hash", .preamble = "typedef union { uint words[2]; ulong whole; } pair;", .element = "uchar",
      .parameters = &key, .parameter_count = 1, .state = "{ uint value; uint power; }", .result = "uint",
      .identity = "{ 0, 1 }", .lift = "MAKE((uint)x, key.words[1])",
      .combine = "MAKE(a.value * b.power + b.value, a.power * b.power)", .lower = "s.value");
  check_holds(IDENTITY);
  check_holds(ASSOCIATIVITY);
  ck_assert(!laws[COMMUTATIVITY].holds);
  ck_assert_ptr_nonnull(strstr(laws[COMMUTATIVITY].counterexample, "combine(1, 2) gives 4, combine(2, 1) gives 5"));
}

// In a struct with a float that is tiny, infinite or a NaN, integers have the nearest value of their type. The operator
// of each row fails for one such element. A failure with a NaN is reported and breaks no law.
static const struct edge {
  const char *test, *counterexample;
  bool holds;
} edges[] = {
  {"x.u == 0x80000000u && x.i == INT_MAX && x.f > 0 && x.f < 1e-20f",
   "a = {2147483648, 2147483647, 7.88860905e-31}: combine(identity, a) gives 2, a alone gives 1", false},
  {"x.u == UINT_MAX && x.i == INT_MAX && x.f == INFINITY",
   "a = {4294967295, 2147483647, inf}: combine(identity, a) gives 2, a alone gives 1", false},
  {"x.u == 0 && x.i == INT_MIN && x.f == -INFINITY",
   "a = {0, -2147483648, -inf}: combine(identity, a) gives 2, a alone gives 1", false},
  {"x.u == 1 && x.i == 1 && isnan(x.f)", "with a NaN: a = {1, 1, NaN}: combine(identity, a) gives 2, a alone gives 1",
   true},
};

TEST_ROWS(ends_of_mixed_structs_are_tried, edges) {
  char lift[128];
  snprintf(lift, sizeof lift, "%s ? 1u : 0u", edges[_i].test);
  ASK(.name = "ends", .preamble = "typedef struct { uint u; int i; float f; } item;", .element = "item",
      .state = "uint", .identity = "0", .lift = lift, .combine = "a + b + (b == 1 ? 1u : 0u)");
  check_law(IDENTITY, edges[_i].holds, edges[_i].counterexample);
}

// ---------------------------------------------------------------- What the host's callbacks are given

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

// ---------------------------------------------------------------- Sizes of states

#define LARGEST(sign) \
  .name = "largest", .preamble = "typedef struct { uint v[256]; } row;", .element = "uint", .state = "row", \
  .result = "uint", .identity = "{{0}}", .lift = "{ row one = {{0}}; one.v[255] = x; return one; }", \
  .combine = "{ for (int i = 0; i < 256; i++) a.v[i] " sign "= b.v[i]; return a; }", .lower = "s.v[255]"

TEST_CASE("sizes", fixture_open, fixture_close);

TEST(largest_states_are_tried) {
  ASK(LARGEST("+"));
  check_all_hold();
  ASK(LARGEST("-"));
  check_fails(COMMUTATIVITY, "combine(1, 2) gives 4294967295, combine(2, 1) gives 1");
}
