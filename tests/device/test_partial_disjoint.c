// Partials that join in any order: which elements they have, and which joins, results and scans are refused. What is
// refused changes nothing.

#include "support/ranges.h"

static void check_gap(clred_partial *partial, const char *words) {
  cl_long result = -7;
  assert_refused(clred_partial_result(partial, &result), CLRED_PARTIAL_GAP, words);
  ck_assert_msg(result == -7, "a refused result was written");
}

// Fails to join, and leaves the partial with the same bytes.
static void check_refused(clred_partial *left, clred_partial *right, const char *words) {
  unsigned char before[PACKED_ROOM], after[PACKED_ROOM];
  const size_t size = partial_pack(left, before, PACKED_ROOM);
  assert_refused(clred_partial_join(left, right), CLRED_PARTIAL_GAP, words);
  ck_assert_msg(partial_pack(left, after, PACKED_ROOM) == size && memcmp(before, after, size) == 0,
                "a refused join changed the partial");
}

TEST_CASE("joins", ranges_open, fixture_close);

TEST(ranges_merge) {
  cl_long sum;
  clred_partial *partial = partial_of_ranges(ENDS(30, 40, 10, 20));
  check_ranges(partial, ENDS(10, 20, 30, 40));
  check_gap(partial, "the partial lacks elements 0 to 9; join the parts that have them");
  partial_add(partial, 50, 60);
  partial_add(partial, 0, 10);
  check_ranges(partial, ENDS(0, 20, 30, 40, 50, 60));
  check_gap(partial, "the partial lacks elements 20 to 29");
  partial_add(partial, 40, 50);
  check_ranges(partial, ENDS(0, 20, 30, 60));
  partial_add(partial, 20, 30);
  check_ranges(partial, ENDS(0, 60));
  assert_ok(clred_partial_result(partial, &sum));
  ck_assert_int_eq(sum, 60 * 61 / 2);
}

// Both have several ranges, which alternate.
TEST(ranges_interlock) {
  clred_partial *left = partial_of_ranges(ENDS(0, 3, 5, 7, 20, 30)),
                *right = partial_of_ranges(ENDS(3, 4, 9, 12, 15, 20, 40, 41));
  cl_long sum;
  assert_ok(clred_partial_join(left, right));
  check_ranges(left, ENDS(0, 4, 5, 7, 9, 12, 15, 30, 40, 41));
  check_ranges(right, ENDS(3, 4, 9, 12, 15, 20, 40, 41));
  clred_partial *rest = partial_of_ranges(ENDS(4, 5, 7, 9, 12, 15, 30, 40));
  assert_ok(clred_partial_join(rest, left));
  assert_ok(clred_partial_result(rest, &sum));
  ck_assert_int_eq(sum, 41 * 42 / 2);
}

// Folds continue behind the last range, wherever the elements that came last are.
TEST(folds_continue_at_the_end) {
  static const cl_int numbers[3000] = {100, 200};
  clred_partial *partial = partial_of_ranges(ENDS(30, 40, 10, 20));
  const clred_host_call call = {.in = numbers, .count = 3000};
  cl_long sum;
  assert_ok(clred_partial_push(under_test.queue, partial, &call));
  assert_ok(clred_partial_fold_host(partial, &call));
  check_ranges(partial, ENDS(10, 20, 30, 6040));
  partial_add(partial, 0, 10);
  partial_add(partial, 20, 30);
  assert_ok(clred_partial_result(partial, &sum));
  ck_assert_int_eq(sum, 40 * 41 / 2 + 600);
  assert_ok(clred_partial_reset(partial, 5));
  check_ranges(partial, (const cl_ulong[]){5, 0});
}

// The index of an element is its place in the whole, also if its part was joined early.
TEST(places_of_later_folds) {
  static const float numbers[3000] = {[1] = -1, [2999] = -5};
  struct {
    cl_ulong index;
    float value;
  } least;
  clred_plan *argmin = PLAN(OP(ARGMIN, FLOAT));
  clred_partial *late = fixture_partial(argmin, 5000), *early = fixture_partial(argmin, 0),
                *between = fixture_partial(argmin, 3000);
  assert_ok(clred_partial_push(under_test.queue, late, &(clred_host_call){.in = numbers, .count = 10}));
  assert_ok(clred_partial_fold_host(early, &(clred_host_call){.in = numbers, .count = 2000}));
  assert_ok(clred_partial_join(late, early));
  assert_ok(clred_partial_push(under_test.queue, late, &(clred_host_call){.in = numbers, .count = 3000}));
  assert_ok(clred_partial_reset(early, 2000));
  assert_ok(clred_partial_fold_host(early, &(clred_host_call){.in = numbers + 100, .count = 1000}));
  assert_ok(clred_partial_fold_host(between, &(clred_host_call){.in = numbers + 100, .count = 2000}));
  assert_ok(clred_partial_join(late, between));
  assert_ok(clred_partial_join(late, early));
  assert_ok(clred_partial_result(late, &least));
  ck_assert_uint_eq(least.index, 5010 + 2999);
}

TEST(parts_without_elements) {
  clred_partial *left = fixture_partial(ranges_plan, 7), *right = fixture_partial(ranges_plan, 3),
                *some = partial_of(4, 6);
  cl_long sum = 1;
  check_gap(left, "begins at element 7");
  assert_ok(clred_partial_join(left, right));
  check_ranges(left, (const cl_ulong[]){7, 0});
  assert_ok(clred_partial_join(some, left));
  check_ranges(some, ENDS(4, 6));
  assert_ok(clred_partial_join(left, some));
  check_ranges(left, ENDS(4, 6));
  assert_ok(clred_partial_reset(left, 0));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &sum));
  ck_assert_int_eq(sum, 0);
}

TEST(last_places) {
  clred_partial *last = partial_of(CL_ULONG_MAX - 3, CL_ULONG_MAX), *first = partial_of(0, 1);
  cl_int number = 1;
  assert_ok(clred_partial_join(first, last));
  check_ranges(first, ENDS(0, 1, CL_ULONG_MAX - 3, CL_ULONG_MAX));
  assert_status(clred_partial_fold_host(first, &(clred_host_call){.in = &number, .count = 1}),
                CLRED_COUNT_ABOVE_MAXIMUM);
}

TEST(refused_overlaps) {
  static const struct {
    cl_ulong ends[8];
    const char *words;
  } rows[] = {
    {{9, 11}, "elements 10 to 10"},          {{19, 21}, "elements 19 to 19"},
    {{12, 15}, "elements 12 to 14"},         {{10, 20}, "elements 10 to 19"},
    {{10, 11}, "elements 10 to 10"},         {{5, 50}, "elements 10 to 19"},
    {{20, 31}, "elements 30 to 30"},         {{35, 36}, "elements 35 to 35"},
    {{0, 5, 39, 45}, "elements 39 to 39"},   {{10, 20, 30, 40}, "elements 10 to 19"},
    {{20, 30, 38, 70}, "elements 38 to 39"},
  };
  clred_partial *left = partial_of_ranges(ENDS(10, 20, 30, 40));
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_partial *right = partial_of_ranges(rows[i].ends);
    check_refused(left, right, rows[i].words);
    check_refused(right, left, rows[i].words);
    check_said("left and right both have");
  }
  check_refused(left, left, "the same partial");
}

// Every second element: 64 ranges. One more range is refused until a gap is closed.
TEST(refused_ranges) {
  clred_partial *partial = partial_of(0, 1), *one_more = partial_of(2 * RANGES_MAX, 2 * RANGES_MAX + 1),
                *two = partial_of_ranges(ENDS(1, 2, 300, 301));
  for (cl_ulong i = 1; i < RANGES_MAX; i++)
    partial_add(partial, 2 * i, 2 * i + 1);
  check_refused(
    partial, one_more,
    "left and right together have 65 ranges of elements, and a partial has at most 64; join neighbours first");
  assert_ok(clred_partial_join(two, partial));
  check_refused(two, one_more, "65 ranges");
  partial_add(partial, 1, 2);
  assert_ok(clred_partial_join(partial, one_more));
  check_gap(partial, "elements 3 to 3");
  for (cl_ulong i = 1; i < RANGES_MAX; i++)
    partial_add(partial, 2 * i + 1, 2 * i + 2);
  check_ranges(partial, ENDS(0, 2 * RANGES_MAX + 1));
}

TEST(facts) {
  clred_plan *sum = PLAN(OP(SUM, FLOAT)), *exact = PLAN(OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT),
             *serial = PLAN(OP(SUM, INT), .strategy = "host_serial");
  clred_partial *ordered = fixture_partial(sum, 3);
  const float numbers[2] = {1, 2};
  cl_ulong first = 9, count = 9;
  ck_assert_uint_eq(clred_partial_ranges_max(ranges_plan), RANGES_MAX);
  ck_assert_uint_eq(clred_partial_ranges_max(exact), RANGES_MAX);
  ck_assert_uint_eq(clred_partial_ranges_max(sum), 1);
  ck_assert_uint_eq(clred_partial_ranges_max(serial), 0);
  ck_assert_uint_eq(clred_partial_ranges_max(NULL), 0);
  assert_ok(clred_partial_range(ordered, 0, &first, &count));
  ck_assert_uint_eq(count, 0);
  assert_ok(clred_partial_fold_host(ordered, &(clred_host_call){.in = numbers, .count = 2}));
  assert_ok(clred_partial_range(ordered, 0, &first, &count));
  ck_assert_msg(first == 3 && count == 2, "%d elements from %d", (int)count, (int)first);
  assert_ok(clred_partial_range(ordered, 1, &first, &count));
  ck_assert_uint_eq(count, 0);
  assert_invalid(clred_partial_range(NULL, 0, &first, &count));
  assert_invalid(clred_partial_range(ordered, 0, NULL, &count));
  assert_invalid(clred_partial_range(ordered, 0, &first, NULL));
}

// A scan needs neighbours.
TEST(scans_need_neighbours) {
  clred_plan *scan = PLAN(OP(SUM, INT), .scan = CLRED_SCAN_INCLUSIVE), *folds = NULL, *sums = ranges_plan;
  const cl_int numbers[100] = {1};
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = fixture_buffer(numbers, sizeof numbers);
  const clred_call call = {.in = in, .count = 10, .out = out};
  assert_ok(clred_plan_create_scan_partials(scan, &folds));
  ranges_plan = OWN(folds);
  clred_partial *before = partial_of_ranges(ENDS(0, 5, 10, 20)), *mine = partial_of(20, 30),
                *gaps = partial_of_ranges(ENDS(20, 25, 30, 35)), *whole = partial_of(0, 20),
                *later = partial_of(21, 31);
  assert_refused(clred_partial_scan(under_test.queue, scan, before, mine, &call, 0, NULL, NULL), CLRED_PARTIAL_GAP,
                 "left lacks elements 5 to 9");
  assert_refused(clred_partial_scan(under_test.queue, scan, whole, gaps, &call, 0, NULL, NULL), CLRED_PARTIAL_GAP,
                 "right lacks elements 25 to 29");
  assert_refused(clred_partial_scan(under_test.queue, scan, whole, later, &call, 0, NULL, NULL), CLRED_PARTIAL_GAP,
                 "right begins at element 21, but left ends before element 20");
  check_ranges(whole, ENDS(0, 20));
  assert_ok(clred_partial_scan(under_test.queue, scan, whole, mine, &call, 0, NULL, NULL));
  check_ranges(whole, ENDS(0, 30));
  ranges_plan = sums;
}
