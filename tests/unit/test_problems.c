// What clr_problem_make derives from a caller's problem. No device is opened.
#include "support/suite.h"
#include "unit/shapes.h"

// Kept elements are counted in 32 bits if count_max fits them. Kernels read a complex number as a vector of two.
TEST(selections_know_the_size_of_their_counts) {
  const clred_selection all = {.name = "all", .keep = "1"};
  const struct {
    clred_type type;
    cl_ulong count_max;
    size_t state_size, element_size;
    const char *element;
  } cases[] = {
    {CLRED_TYPE_FLOAT, 1000, 4, 4, "float"},
    {CLRED_TYPE_FLOAT, CL_UINT_MAX, 4, 4, "float"},
    {CLRED_TYPE_FLOAT, (cl_ulong)CL_UINT_MAX + 1, 8, 4, "float"},
    {CLRED_TYPE_FLOAT, 0, 8, 4, "float"},
    {CLRED_TYPE_CFLOAT, 1, 4, 8, "float2"},
    {CLRED_TYPE_CDOUBLE, 1, 4, 16, "double2"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_problem problem =
      problem_of(&(clred_problem){.type = cases[i].type, .selection = &all, .count_max = cases[i].count_max});
    ck_assert_uint_eq(problem.operation.state_size, cases[i].state_size);
    ck_assert_uint_eq(problem.operation.element.size, cases[i].element_size);
    ck_assert_str_eq(problem.operation.element.name, cases[i].element);
    clr_problem_release(&problem);
  }
}

// A size that only a compiler knows is not checked here. A result wider than its element is refused.
TEST(scans_in_place_need_results_of_the_elements_size) {
  clred_operator own = {
    .name = "own", .element = "point", .state = "float", .identity = "0", .lift = "0", .combine = "a"};
  const clred_problem given = {.custom = &own, .scan = CLRED_SCAN_INCLUSIVE, .in_place = CL_TRUE};
  struct clr_problem problem = problem_of(&given);
  struct clr_status status;
  clr_problem_release(&problem);
  own.element = "float", own.state = "sum";
  problem = problem_of(&given);
  clr_problem_release(&problem);
  own.state = "double";
  ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CLRED_INVALID_PROBLEM);
  ck_assert_msg(strstr(status.message, "results of 8 bytes do not fit elements of 4 bytes"), "%s", status.message);
  clr_problem_release(&problem);
}
