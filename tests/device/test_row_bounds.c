// What calls in rows and columns must not touch: elements and results past the end of a buffer, states that no
// element made. The suite test_rows compares results.

#include "support/material.h"

#define LENGTH 12000
#define HIGH ((cl_ulong)1 << 62)

// ---------------------------------------------------------------- Past the end

// Calls the sum with room for so many results. The call must be refused, and must not change them.
static void check_refused(clred_layout layout, clred_call call, size_t room, cl_int status, const char *words) {
  const cl_int elements[LENGTH] = {0};
  struct image image = fixture_image(room * sizeof(cl_long));
  call.in = fixture_buffer(elements, sizeof elements);
  call.out = call.result ? NULL : image.mem;
  fixture_call(PLAN(OP(SUM, INT), .layout = layout), &call, status, words);
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
  check_image(&image, "a refused call");
}

static const struct beyond {
  clred_layout layout;
  clred_call call;
} beyond[] = {
  {CLRED_LAYOUT_STRIDED, {.count = 2, .stride = LENGTH}},
  {CLRED_LAYOUT_STRIDED, {.count = 2, .stride = LENGTH - 1, .in_offset = 1}},
  {CLRED_LAYOUT_STRIDED, {.count = 1001, .stride = 12}},
  {CLRED_LAYOUT_STRIDED, {.count = 5, .stride = HIGH}},  // 4 x 2^62 wraps to 0
  {CLRED_LAYOUT_STRIDED, {.count = CL_ULONG_MAX, .stride = CL_ULONG_MAX}},
  {CLRED_LAYOUT_STRIDED, {.count = 1, .stride = 0, .in_offset = LENGTH}},
  {CLRED_LAYOUT_STRIDED, {.count = CL_ULONG_MAX, .stride = 1}},
  {CLRED_LAYOUT_ROWS, {.count = LENGTH + 1, .rows = 1}},
  {CLRED_LAYOUT_ROWS, {.count = 100, .rows = 121}},
  {CLRED_LAYOUT_ROWS, {.count = 101, .rows = 120, .row_stride = 100}},
  {CLRED_LAYOUT_ROWS, {.count = 100, .rows = 120, .in_offset = 1}},
  {CLRED_LAYOUT_ROWS, {.count = 1, .rows = 5, .row_stride = HIGH}},
  {CLRED_LAYOUT_ROWS, {.count = HIGH, .rows = 4}},
  {CLRED_LAYOUT_ROWS, {.count = 1, .rows = CL_ULONG_MAX, .row_stride = CL_ULONG_MAX}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 1200, .columns = 1201, .rows = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 1200, .columns = 1200, .rows = 1, .in_offset = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 100, .columns = 100, .rows = 13, .row_stride = 1000}},
  {CLRED_LAYOUT_COLUMNS, {.count = 5, .stride = HIGH, .columns = 1, .rows = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 1, .columns = CL_ULONG_MAX, .rows = 1, .in_offset = 2}},
  {CLRED_LAYOUT_COLUMNS, {.count = 3, .stride = 1, .columns = 2, .rows = 5, .row_stride = HIGH}},
};

TEST_CASE("ranges", fixture_open, fixture_close);

TEST_ROWS(elements_past_the_end, beyond) {
  check_refused(beyond[_i].layout, beyond[_i].call, 20000, CLRED_OUT_OF_RANGE, "");
}

// There must be room for one result a row.
TEST(results_past_the_end) {
  static const struct beyond rows[] = {
    {CLRED_LAYOUT_ROWS, {.count = 20, .rows = 10, .out_offset = 1}},
    {CLRED_LAYOUT_ROWS, {.count = 20, .rows = 10, .out_offset = CL_ULONG_MAX}},
    {CLRED_LAYOUT_COLUMNS, {.count = 5, .stride = 11, .columns = 11, .rows = 1}},
    {CLRED_LAYOUT_COLUMNS, {.count = 0, .rows = 4, .columns = HIGH}},  // 2^64 results wrap to none
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    check_refused(rows[i].layout, rows[i].call, 10, CLRED_OUT_OF_RANGE, "");
}

// Several results need a buffer.
TEST(results_in_host_memory) {
  cl_long result[2] = {-7, -7};
  check_refused(CLRED_LAYOUT_ROWS, (clred_call){.count = 5, .rows = 2, .result = result, .blocking = CL_TRUE}, 1,
                CLRED_INVALID_ARGUMENT, "result");
  check_refused(CLRED_LAYOUT_COLUMNS,
                (clred_call){.count = 5, .stride = 2, .rows = 1, .columns = 2, .result = result, .blocking = CL_TRUE},
                1, CLRED_INVALID_ARGUMENT, "");
  ck_assert(result[0] == -7 && result[1] == -7);
}

// The further input has the layout of the elements, and its end is checked.
TEST(inputs_past_the_end) {
  const struct material material = material_create(sample_named("affine"), LENGTH);
  const cl_ulong first = 0, second = 1;
  clred_plan *plan = PLAN(.custom = material.problem.custom, LAYOUT(ROWS));
  struct image image = fixture_image(120 * material.of->result);
  clred_call call = material_call(&material, &first, 100);
  call.rows = 120, call.out = image.mem, call.input_offsets = &second;
  fixture_call(plan, &call, CLRED_OUT_OF_RANGE, "inputs[0]");
  check_image(&image, "a refused call");
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
