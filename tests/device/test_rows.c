// Layouts: strides, rows, columns; by each strategy; and into host memory.

#include "support/layouts.h"

#define CHECK(of, ...) check_call(CLRED_LAYOUT_##of, (clred_call){__VA_ARGS__})

TEST_CASE("layouts", fixture_open, fixture_close);

TEST_STEPS(strides, 0, SUBJECTS, 2) {
  static const cl_ulong numbers[] = {0, 1, 2, 7}, counts[] = {0, 1, 2, 17, 1025, 1700};
  if (!begin(_i))
    return;
  for (size_t s = 0; s < 4; s++)
    for (size_t c = 0; c < 6; c++) {
      CHECK(STRIDED, .stride = numbers[s], .count = counts[c]);
      CHECK(STRIDED, .stride = numbers[s], .count = counts[c], .in_offset = 13);
    }
}

TEST_STEPS(rows_of_neighbours, 1, SUBJECTS, 2) {
  static const cl_ulong counts[] = {0, 1, 2, 33, 256, 300}, rows[] = {0, 1, 5, 37}, gaps[] = {0, 1, 5};
  if (!begin(_i))
    return;
  for (size_t c = 0; c < 6; c++)
    for (size_t r = 0; r < 4; r++) {
      CHECK(ROWS, .count = counts[c], .rows = rows[r]);
      for (size_t g = 0; g < 3; g++)
        CHECK(ROWS, .in_offset = 5, .count = counts[c], .rows = rows[r], .row_stride = counts[c] + gaps[g]);
    }
}

TEST_STEPS(columns_of_rows, 0, SUBJECTS, 2) {
  static const cl_ulong counts[] = {0, 1, 2, 40}, columns[] = {1, 3, 16, 33}, rows[] = {0, 1, 4};
  if (!begin(_i))
    return;
  for (size_t n = 0; n < 4; n++)
    for (size_t c = 0; c < 4; c++)
      for (size_t r = 0; r < 3; r++) {
        const cl_ulong stride = columns[c], wide = columns[c] + 4;
        CHECK(COLUMNS, .count = counts[n], .stride = stride, .columns = columns[c], .rows = rows[r],
              .row_stride = counts[n] * stride);
        CHECK(COLUMNS, .in_offset = 9, .count = counts[n], .stride = wide, .columns = columns[c], .rows = rows[r],
              .row_stride = counts[n] * wide + 7);
        // Pitched images without gaps between them, and images whose lines overlap.
        CHECK(COLUMNS, .count = counts[n], .stride = wide, .columns = columns[c], .rows = rows[r]);
        CHECK(COLUMNS, .count = counts[n], .stride = 1, .columns = columns[c], .rows = rows[r]);
      }
}

// ---------------------------------------------------------------- Single calls

#define MADE(of, about, ...) \
  { \
    CLRED_LAYOUT_##of, about, { \
      __VA_ARGS__ \
    } \
  }

static const struct {
  clred_layout layout;
  const char *what;
  clred_call call;
} single_calls[] = {
  MADE(ROWS, "windows that slide by 1", .count = 50, .rows = 100, .row_stride = 1),
  MADE(ROWS, "windows that slide by 3", .in_offset = 2, .count = 700, .rows = 20, .row_stride = 3),
  MADE(ROWS, "one row", .count = LENGTH, .rows = 1),
  MADE(ROWS, "one row behind an element", .in_offset = 1, .count = LENGTH - 1, .rows = 1),
  MADE(ROWS, "two long rows", .in_offset = 11, .count = 5000, .rows = 2, .row_stride = 6001),
  MADE(ROWS, "rows of one element", .count = 1, .rows = LENGTH),
  MADE(COLUMNS, "few long columns", .count = 3000, .stride = 4, .columns = 4, .rows = 1),
  MADE(COLUMNS, "many short columns", .count = 5, .stride = 2000, .columns = 2000, .rows = 1),
  MADE(COLUMNS, "columns with gaps", .in_offset = 1, .count = 1500, .stride = 7, .columns = 2, .rows = 1),
  MADE(COLUMNS, "columns that repeat an element", .count = 100, .stride = 0, .columns = 10, .rows = 1),
  MADE(COLUMNS, "one column that repeats an element", .count = 100, .rows = 1, .columns = 1),
  MADE(COLUMNS, "many images", .count = 20, .stride = 6, .columns = 6, .rows = 100),
  // The last element is the last one of the buffer. The last row needs no gap after it.
  MADE(STRIDED, "a stride up to the end", .count = 2, .stride = LENGTH - 1),
  MADE(ROWS, "rows up to the end", .count = 100, .rows = 120),
  MADE(ROWS, "rows with gaps up to the end", .count = 90, .rows = 120, .row_stride = 100, .in_offset = 10),
  MADE(COLUMNS, "columns up to the end", .count = 10, .stride = 1200, .columns = 1200, .rows = 1),
  MADE(COLUMNS, "the last columns", .count = 10, .stride = 1200, .columns = 1000, .rows = 1, .in_offset = 200),
};

TEST_EACH(single_calls_up_to_the_end_of_the_buffer, 0, SUBJECTS) {
  if (!begin(_i))
    return;
  for (size_t i = 0; i < COUNT_OF(single_calls); i++)
    check_in_buffer(plan_with(single_calls[i].layout), single_calls[i].layout, single_calls[i].call,
                    single_calls[i].what);
}

// ---------------------------------------------------------------- Other strategies, and results in host memory

// Few columns without gaps between them: groups read all of them as neighbours. With one group of 16 work-items there
// are several turns of its list of nodes. The last tile has few elements; vectors end inside of it, or are not aligned.
TEST_EACH(few_columns_without_gaps, 0, 4) {
  static const int chosen[] = {SUM_INT, SUM_FLOAT, ARGMIN_FLOAT, MEAN_FLOAT};
  static const clred_call calls[] = {{.count = 4000, .stride = 3, .columns = 3, .rows = 1},
                                     {.count = 3999, .stride = 3, .columns = 3, .rows = 1, .in_offset = 1},
                                     {.count = 1090, .stride = 5, .columns = 5, .rows = 2},
                                     {.count = 1025, .stride = 7, .columns = 7, .rows = 1, .in_offset = 4},
                                     {.count = 2900, .stride = 4, .columns = 4, .rows = 1},
                                     {.count = 37, .stride = 3, .columns = 3, .rows = 40, .row_stride = 130},
                                     {.count = 3, .stride = 1, .columns = 1, .rows = 3}};
  if (!begin(chosen[_i]))
    return;
  for (cl_uint groups = 0; groups < 2; groups++) {
    clred_problem problem = problem_with(CLRED_LAYOUT_COLUMNS);
    problem.strategy = "columns_wide", problem.group_size = 16, problem.groups = groups;
    clred_plan *plan = fixture_plan(&problem);
    for (size_t i = 0; i < COUNT_OF(calls); i++)
      check_in_buffer(plan, CLRED_LAYOUT_COLUMNS, calls[i], groups ? "one group" : "groups");
  }
}

// If a strategy accepts a problem, its results must be right. The subjects are integers, indices, and an operator that
// does not commute.
static void check_strategy(const char *strategy, const char *finish, clred_layout layout) {
  static const clred_call calls[4] = {{.count = 3001, .in_offset = 3},
                                      {.count = 1601, .stride = 7},
                                      {.count = 301, .rows = 23, .row_stride = 305, .in_offset = 1},
                                      {.count = 41, .stride = 19, .rows = 3, .row_stride = 1000, .columns = 17}};
  clred_problem problem = problem_with(layout);
  char what[80], reason[256] = "";
  problem.strategy = strategy, problem.finish = finish, problem.count_max = LENGTH;
  snprintf(what, sizeof what, "%s+%s, layout %d", strategy, finish ? finish : "", (int)layout);
  const cl_int asked = clred_strategy_applies(under_test.runtime, strategy, &problem, reason, sizeof reason);
  if (asked != CL_SUCCESS) {
    ck_assert_msg(asked == CLRED_STRATEGY_REFUSED || asked == CLRED_NO_HOST_OPERATOR, "%s: %s", what,
                  clred_status_name(asked));
    ck_assert_str_ne(reason, "");
    return;
  }
  clred_plan *plan = fixture_plan(&problem);
  check_in_buffer(plan, layout, calls[layout], what);
  RELEASE(plan);
}

TEST_EACH(every_strategy, 0, 3) {
  static const int chosen[] = {SUM_INT, ARGMIN_INT, AFFINE};
  clred_strategy_info info;
  int met = 0;
  begin(chosen[_i]);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; !info.scans && !info.counts && f < finish_count(&info); f++)
      // Each operator tests a third of the combinations, and all combinations with strategies for rows or columns.
      for (int layout = 0; layout < 4; layout++)
        if (met++ % 3 == _i || strstr(info.name, "rows_") || strstr(info.name, "columns_"))
          check_strategy(info.name, info.finishes[f], (clred_layout)layout);
}

// A single result may be in host memory. The call blocks, or its event completes after the result is written.
TEST_EACH(result_in_host_memory, 0, SUBJECTS) {
  static const clred_call calls[4] = {{.count = 33},
                                      {.count = 33, .stride = 7},
                                      {.count = 33, .rows = 1},
                                      {.count = 33, .stride = 7, .rows = 1, .columns = 1}};
  static struct lines at;
  if (!begin(_i))
    return;
  for (int i = 0; i < 8; i++) {
    const clred_layout layout = (clred_layout)(i / 2);
    clred_call call = calls[layout];
    lines_of_call(&call, layout, &at);
    _Alignas(16) unsigned char result[64];
    memset(result, 0x5a, sizeof result);
    complete(&call);
    call.result = result;
    call.blocking = i % 2 ? CL_TRUE : CL_FALSE;
    cl_event event = fixture_enqueue_event(under_test.queue, plan_with(layout), NULL, &call);
    assert_ok(clWaitForEvents(1, &event));
    compare(&at, result, "into host memory");
    for (size_t byte = result_size; byte < sizeof result; byte++)
      ck_assert_msg(result[byte] == 0x5a, "byte %zu past the result was written", byte);
  }
}

// ---------------------------------------------------------------- States

// Every state contains 97. The operator ends the process if it combines memory that holds no state.
TEST(nothing_absent_is_combined) {
  static const clred_operator guarded =
    OPERATOR(.name = "guarded", .element = "uint", .state = "{ uint value; uint guard; }", .identity = "{ 0, 97 }",
             .lift = "MAKE(x % 97, 97)",
             .combine = "{ if (a.guard != 97 || b.guard != 97) *(__private volatile uint *)8 = 1;\n"
                        "  return MAKE(a.value + b.value, 97); }",
             .commutative = CL_TRUE);
  static const clred_layout layouts[] = {CLRED_LAYOUT_ROWS, CLRED_LAYOUT_COLUMNS};
  static const cl_ulong extents[][2] = {{3, 5}, {5, 3}, {17, 64}, {33, 130}, {100, 7}};
  cl_uint numbers[33 * 130];
  clred_strategy_info info;
  for (cl_uint i = 0; i < 33 * 130; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = fixture_buffer(numbers, sizeof numbers);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t i = 0; !info.scans && !info.counts && i < 2 * COUNT_OF(extents); i++) {
      const clred_problem problem = {.custom = &guarded, .strategy = info.name, .layout = layouts[i % 2]};
      clred_call call = {.in = in, .out = out};
      clred_layout layout;
      clred_plan *plan = NULL;
      if (clred_strategy_applies(under_test.runtime, info.name, &problem, NULL, 0) != CL_SUCCESS)
        continue;
      plan = fixture_plan(&problem);
      assert_ok(clred_call_along_axis(&call, &layout, 2, extents[i / 2], i % 2 ? 0 : 1));
      ck_assert_int_eq(layout, layouts[i % 2]);
      fixture_call(plan, &call, CL_SUCCESS, "");
      assert_ok(clFinish(under_test.queue));
      RELEASE(plan);
    }
}
