// A suite is one file of tests, linked with suite.c, which has main. Tests register themselves:
//
//   TEST_CASE("ranges", fixture_open, fixture_close);   the tests below, up to the next case, run with this fixture
//   TEST(a_range_past_the_end_is_refused) { ... }       one test
//   TEST_EACH(sums_are_right, 0, KINDS) { ... }         one test for each value of _i
//   TEST_ROWS(sums_are_right, kinds) { ... }            one test for each row of an array
//
// Each test runs in a process of its own, the fixture included. With CK_FORK=no all run in one process, as in CTest and
// under debuggers: PoCL then loads its compiler once. CK_RUN_CASE=ranges selects a case.
//
// Suites get the headers of the C library that most of them need from here.
#pragma once

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Check writes the place of each assertion that passes to a file, and shows the last one if a test crashes. Loops over
// elements would write millions.
#define _mark_point(file, line) ((void)0)

void suite_enter_case(const char *name, SFun setup, SFun teardown);
void suite_add_test(const TTest *test, int first, int end, int step);

#define TEST_CASE_NAMED(line, name, setup, teardown) \
  __attribute__((constructor)) static void enter_case_at_##line(void) { \
    suite_enter_case(name, setup, teardown); \
  } \
  _Static_assert(1, "takes the semicolon")
#define TEST_CASE_AT(line, name, setup, teardown) TEST_CASE_NAMED(line, name, setup, teardown)
#define TEST_CASE(name, setup, teardown) TEST_CASE_AT(__LINE__, name, setup, teardown)

// Every step-th value of _i from `first` on. If step > 1 and CLREDUCE_TEST_ALL is set: all values from 0 on. Suites
// share the values between them, because PoCL needs seconds for each program.
#define TEST_STEPS(name, first, end, step) \
  START_TEST(name); \
  __attribute__((constructor)) static void name##_is_added(void) { \
    suite_add_test(name, first, end, step); \
  } \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

#define TEST_EACH(name, first, end) TEST_STEPS(name, first, end, 1)
#define TEST(name) TEST_STEPS(name, 0, 1, 1)
#define TEST_ROWS(name, table) TEST_EACH(name, 0, (int)COUNT_OF(table))

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// A function that the linker (--wrap=NAME) puts between the library and OpenCL, or the C library. It can call
// __real_NAME. Files that include prototypes.h give only the name of an OpenCL function; its parameters have the names
// of CL/cl.h.
#define WRAPPED_OPENCL(name) WRAPPED(RETURNS_##name, name, PARAMETERS_##name)
#define WRAPPED(returns, name, parameters) \
  returns __real_##name parameters; \
  returns __wrap_##name parameters; \
  returns __wrap_##name parameters
