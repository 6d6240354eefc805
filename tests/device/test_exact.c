// The order exact: results worked out by hand, every layout and scan, lists, complex numbers, streams, and what is
// refused. tests/exact compares random problems with MPFR.

#include "exact/by_hand.h"
#include "support/lines.h"

#include <math.h>

#define EXACT(...) .order = CLRED_ORDER_EXACT, __VA_ARGS__

TEST_CASE("by hand", fixture_open, fixture_close);

TEST(floats_by_hand) {
  for (size_t i = 0; i < COUNT_OF(of_floats); i++) {
    const struct by_hand *row = &of_floats[i];
    uint32_t result = 0x5a5a5a5a;
    clred_plan *plan = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .op = row->op, .strategy = "host_serial"));
    RUN_HOST(plan, .in = row->x, .count = row->count, .out = &result);
    ck_assert_msg(result == row->result, "row %zu: 0x%x is not 0x%x", i, result, row->result);
  }
}

TEST(ignored_nans_are_zeros_and_not_counted) {
  const float elements[] = {NAN, -0.f, 3, NAN};
  float sum = 1, mean = 1;
  clred_plan *sums = PLAN(EXACT(OP(SUM, FLOAT), .nan = CLRED_NAN_IGNORE, .strategy = "host_serial"));
  clred_plan *means = PLAN(EXACT(OP(MEAN, FLOAT), .nan = CLRED_NAN_IGNORE, .strategy = "host_serial"));
  RUN_HOST(sums, .in = elements, .count = 2, .out = &sum);
  RUN_HOST(means, .in = elements, .count = 4, .out = &mean);
  ck_assert(sum == 0 && !signbit(sum));
  ck_assert_float_eq(mean, 1.5f);
}

// Products that overflow or underflow cancel, or decide a tie.
TEST(products_of_doubles_are_exact) {
  const double x[] = {1e300, 1e300, 0x1p-600, 1, 0x1p-27}, y[] = {1e300, -1e300, 0x1p-500, 1, 0x1p-26};
  const void *inputs[] = {y}, *from_third[] = {y + 2};
  double all = 7, tie = 7;
  if (fixture_lacks_double("dot of doubles"))
    return;
  clred_plan *plan = PLAN(EXACT(OP(DOT, DOUBLE), .strategy = "host_serial"));
  RUN_HOST(plan, .in = x, .inputs = inputs, .count = 2, .out = &all);
  RUN_HOST(plan, .in = x + 2, .inputs = from_third, .count = 3, .out = &tie);
  ck_assert(all == 0 && !signbit(all));
  ck_assert_double_eq(tie, 1 + 0x1p-52);
}

// ---------------------------------------------------------------- Layouts and scans

#define ELEMENTS LINES_ELEMENTS

// Floats of both signs from 2^-17 to 2^54, multiples of 2^-40. So sums of them are exact in 128 bits.
static float element(cl_ulong i) {
  const cl_ulong word = (i + 1) * 0x9e3779b97f4a7c15u;
  const float value = ldexpf((float)((word >> 40) | 1u << 23), (int)(word >> 8 & 0xffff) % 70 - 40);
  return word & 1 ? -value : value;
}

__extension__ typedef __int128 sum;

static sum units(cl_ulong i) {
  return (sum)ldexp((double)element(i), 40);
}

static float rounded(sum units_of_sum) {
  return ldexpf((float)units_of_sum, -40);
}

static void expect(const struct line *line, size_t index, bool scans, float *results) {
  sum all = 0;
  for (cl_ulong i = 0; i < line->count; i++) {
    all += units(line->first + i * line->step);
    if (scans)
      results[line->first + i * line->step] = rounded(all);
  }
  if (!scans)
    results[index] = rounded(all);
}

static void check_layout(clred_layout layout, bool scans) {
  static float elements[ELEMENTS], expected[ELEMENTS], results[ELEMENTS];
  static struct lines lines;
  clred_problem problem = {EXACT(OP(SUM, FLOAT), .scan = scans ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE)};
  problem = lines_problem(problem, layout);
  clred_plan *plan = fixture_plan(&problem);
  clred_call call = lines_lay_out(layout, &lines);
  memset(expected, 0x5a, sizeof expected);
  memcpy(results, expected, sizeof results);
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = element(i);
  for (size_t i = 0; i < lines.count; i++)
    expect(&lines.list[i], i, scans, expected);
  call.in = fixture_buffer(elements, sizeof elements);
  call.out = fixture_buffer(results, sizeof results);
  call.blocking = CL_TRUE;
  fixture_call(plan, &call, CL_SUCCESS, "");
  read_buffer(call.out, results, sizeof results);
  for (size_t i = 0; i < ELEMENTS; i++)
    ck_assert_msg(memcmp(&results[i], &expected[i], sizeof *results) == 0, "layout %d: result %zu is %a, not %a",
                  (int)layout, i, (double)results[i], (double)expected[i]);
}

TEST_CASE("layouts", NULL, fixture_close);

// For each layout, one test uses the device as it is, and one assumes a GPU. One of the two reduces, the other scans.
TEST_EACH(every_layout, 0, 2 * (CLRED_LAYOUT_KEYS + 1)) {
  fixture_open_assuming(_i % 2 ? "cpu=0" : "");
  check_layout((clred_layout)(_i / 2), (_i + _i / 2) % 2);
}

// Zeros: `all` of them -0, or most. A sum and a mean are -0 if all elements of the line, or of the prefix, are -0.
static void check_zeros(clred_plan *plan, clred_call call, const struct lines *lines, bool scans, bool all) {
  static float elements[ELEMENTS], results[ELEMENTS];
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = all || i % 700 != 699 ? -0.f : 0.f;
  call.in = fixture_buffer(elements, sizeof elements);
  call.out = fixture_buffer(results, sizeof results);
  call.blocking = CL_TRUE;
  fixture_call(plan, &call, CL_SUCCESS, "");
  read_buffer(call.out, results, sizeof results);
  for (size_t i = 0; i < lines->count; i++) {
    const struct line *line = &lines->list[i];
    bool negative = true;
    for (cl_ulong j = 0; j < line->count; j++) {
      const cl_ulong at = line->first + j * line->step;
      const float *result = scans ? &results[at] : &results[i];
      negative = negative && signbit(elements[at]);
      if (scans || j + 1 == line->count)
        ck_assert_msg(*result == 0 && !signbit(*result) == !negative, "line %zu, element %llu: %g", i,
                      (unsigned long long)at, (double)*result);
    }
  }
}

// In every order: here in `fixed`.
TEST_EACH(zeros_keep_their_sign, 0, 2 * (CLRED_LAYOUT_KEYS + 1)) {
  static const clred_op ops[] = {CLRED_OP_MEAN, CLRED_OP_SUM};
  static struct lines lines;
  const clred_layout layout = (clred_layout)(_i / 2);
  fixture_open_assuming(_i % 2 ? "cpu=0" : "");
  for (int i = 0; i < 4; i++) {
    const bool scans = i % 2;
    clred_problem problem = {OP(NONE, FLOAT), .scan = scans ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE};
    problem.op = ops[i / 2];
    problem = lines_problem(problem, layout);
    clred_plan *plan = fixture_plan(&problem);
    const clred_call call = lines_lay_out(layout, &lines);
    check_zeros(plan, call, &lines, scans, true);
    check_zeros(plan, call, &lines, scans, false);
  }
}

// A row and a segment that are so long that several work-items fold parts of them.
TEST(parts_of_long_rows) {
  enum { COUNT = 300001, FIRST = 7 };
  static float elements[COUNT];
  const cl_uint offsets[] = {0, FIRST, COUNT};
  float results[3] = {0};
  sum all = 0, of_first = 0;
  for (cl_ulong i = 0; i < COUNT; i++) {
    elements[i] = element(i);
    all += units(i);
    of_first += i < FIRST ? units(i) : 0;
  }
  fixture_open();
  cl_mem in = fixture_buffer(elements, sizeof elements), out = fixture_buffer(results, sizeof results);
  cl_mem segments = fixture_buffer(offsets, sizeof offsets);
  RUN(PLAN(EXACT(OP(SUM, FLOAT), LAYOUT(ROWS))), .in = in, .count = COUNT, .rows = 1, .out = out, .out_offset = 2);
  RUN(PLAN(EXACT(OP(SUM, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT)), .in = in, .count = COUNT,
      .rows = 2, .segments = segments, .out = out);
  read_buffer(out, results, sizeof results);
  ck_assert(results[0] == rounded(of_first) && results[1] == rounded(all - of_first) && results[2] == rounded(all));
}

// Without double, 64-bit atomics, or much local memory, all is done in integers.
TEST(weak_devices_give_the_same_bits) {
  fixture_open_assuming("cpu=0,fp64=0,int64_atomics=0,local_mem_size=4096");
  check_layout(CLRED_LAYOUT_LINE, false);
}

// ---------------------------------------------------------------- Complex numbers, lists, streams

TEST_CASE("others", fixture_open, fixture_close);

TEST(parts_of_complex_numbers_are_summed_apart) {
  static float elements[ELEMENTS];
  cl_float2 result = {{0, 0}};
  sum parts[2] = {0, 0};
  for (size_t i = 0; i < ELEMENTS; i++) {
    elements[i] = element(i);
    parts[i % 2] += units(i);
  }
  clred_plan *plan = PLAN(EXACT(OP(SUM, CFLOAT)));
  RUN_HOST(plan, .in = elements, .count = ELEMENTS / 2, .out = &result);
  ck_assert(result.s[0] == rounded(parts[0]) && result.s[1] == rounded(parts[1]));
}

#define LIST(...) \
  { {__VA_ARGS__}, sizeof((clred_op[]){__VA_ARGS__}) / sizeof(clred_op) }

// Programs of these lists are long, so most lists run on the host.
static const struct {
  clred_op ops[8];
  size_t count;
} lists[] = {
  LIST(CLRED_OP_MEAN, CLRED_OP_STATS, CLRED_OP_MAX),
  LIST(CLRED_OP_MEAN, CLRED_OP_SUM),
  LIST(CLRED_OP_SUM, CLRED_OP_STD, CLRED_OP_STD_SAMPLE, CLRED_OP_SUMSQ),
  LIST(CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_NORM2, CLRED_OP_SUMSQ, CLRED_OP_STATS, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD,
       CLRED_OP_STD_SAMPLE),
};

static void check_alone(const clred_plan *plan, clred_op op, size_t *part, const float *elements, size_t count) {
  unsigned char all[128], alone[128];
  clred_plan *single = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .op = op, .strategy = "host_serial"));
  RUN_HOST((clred_plan *)plan, .in = elements, .count = count, .out = all);
  RUN_HOST(single, .in = elements, .count = count, .out = alone);
  for (size_t j = 0; j < fixture_inspect(single, 1).parts; j++, (*part)++) {
    clred_part of_all, of_one;
    assert_ok(clred_plan_part(plan, *part, &of_all));
    assert_ok(clred_plan_part(single, j, &of_one));
    ck_assert_msg(memcmp(all + of_all.offset, alone + of_one.offset, oracle_size(of_one.type)) == 0, "%s of %zu",
                  of_all.name, count);
  }
}

// Each operator of a list has the bits that it has alone, also if it is lowered from the state of another one.
TEST_ROWS(operators_of_a_list_have_their_own_bits, lists) {
  static float elements[ELEMENTS];
  static const size_t counts[] = {ELEMENTS, 1, 0};
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = element(i);
  clred_plan *plan = PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .list = lists[_i].ops, .list_count = lists[_i].count,
                                .strategy = (size_t)_i < COUNT_OF(lists) - 1 ? "host_serial" : NULL));
  for (size_t k = 0; k < COUNT_OF(counts); k++)
    for (size_t i = 0, part = 0; i < lists[_i].count; i++)
      check_alone(plan, lists[_i].ops[i], &part, elements, counts[k]);
}

// The mean, the sum and the squares are in the state of var, so the list has its size: 8 + 6 * 8 + 10 * 8 bytes for
// floats, 8 + 34 * 8 + 67 * 8 for doubles.
TEST(a_list_keeps_one_state_of_moments) {
  static const clred_op list[] = {CLRED_OP_SUM, CLRED_OP_MEAN, CLRED_OP_VAR, CLRED_OP_STD, CLRED_OP_NORM2};
  clred_plan *floats =
    PLAN(EXACT(.type = CLRED_TYPE_FLOAT, .list = list, .list_count = COUNT_OF(list), .strategy = "host_serial"));
  clred_plan *doubles =
    PLAN(EXACT(.type = CLRED_TYPE_DOUBLE, .list = list, .list_count = COUNT_OF(list), .strategy = "host_serial"));
  ck_assert_uint_eq(fixture_inspect(floats, 1).state_size, 136);
  ck_assert_uint_eq(fixture_inspect(doubles, 1).state_size, 816);
}

// ---------------------------------------------------------------- Descriptions and refusals

TEST(plans_say_exact) {
  clred_plan *plan = PLAN(EXACT(OP(SUM, FLOAT), .strategy = "host_serial"));
  const clred_plan_info info = fixture_inspect(plan, 1);
  ck_assert_str_eq(info.order, "exact");
  ck_assert(info.portable);
  ck_assert_uint_eq(info.state_size, 48);
}

TEST(states_have_the_sizes_of_the_docs) {
  static const struct {
    clred_op op;
    clred_type type;
    size_t size;
  } rows[] = {{CLRED_OP_SUM, CLRED_TYPE_DOUBLE, 272},   {CLRED_OP_DOT, CLRED_TYPE_FLOAT, 80},
              {CLRED_OP_NORM2, CLRED_TYPE_DOUBLE, 536}, {CLRED_OP_VAR, CLRED_TYPE_HALF, 136},
              {CLRED_OP_VAR, CLRED_TYPE_DOUBLE, 816},   {CLRED_OP_SUM, CLRED_TYPE_INT, 8}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_plan *plan = PLAN(EXACT(.op = rows[i].op, .type = rows[i].type, .strategy = "host_serial"));
    ck_assert_uint_eq(fixture_inspect(plan, 1).state_size, rows[i].size);
  }
}
