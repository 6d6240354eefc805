// Scans: cases worked out by hand for the order, signs of zeros and NaNs.

#include "support/fixture.h"

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

#define ONES 300

TEST_EACH(order_by_hand, 0, 3) {
  float elements[ONES], got[ONES];
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
