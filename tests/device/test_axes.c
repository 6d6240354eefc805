// Rows and columns: states that do not exist are not combined. The program layouts compares the results.

#include "support/fixture.h"

TEST_CASE("axes", fixture_open, fixture_close);

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
