// The part of Check that the unit suites use, for systems for which Check is not at hand
// (tools/scripts/build-matrix.sh). The first failure ends the process.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*SFun)(void);
typedef struct {
  const char *name;
  void (*run)(int i);
} TTest;

#ifdef _WIN32
static inline int setenv(const char *name, const char *value, int replaces) {
  (void)replaces;
  return _putenv_s(name, value);
}

static inline int unsetenv(const char *name) {
  return _putenv_s(name, "");
}
#endif

#define CK_ATTRIBUTE_UNUSED __attribute__((unused))
#define START_TEST(test_name) \
  static void test_name##_fn(int _i); \
  static const TTest test_name##_row = {#test_name, test_name##_fn}; \
  static const TTest *const test_name = &test_name##_row

#define CK_FAIL(...) \
  (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))

#define ck_abort_msg(...) CK_FAIL(__VA_ARGS__)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : CK_FAIL(__VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)
#define ck_assert_ptr_null(p) ck_assert((p) == NULL)
#define ck_assert_ptr_nonnull(p) ck_assert((p) != NULL)

#define CK_COMPARE(type, format, a, op, b) \
  do { \
    const type ck_a = (type)(a), ck_b = (type)(b); \
    ck_assert_msg(ck_a op ck_b, "%s " #op " %s: " format ", " format, #a, #b, ck_a, ck_b); \
  } while (0)
#define CK_INT(a, op, b) CK_COMPARE(long long, "%lld", a, op, b)
#define CK_UINT(a, op, b) CK_COMPARE(unsigned long long, "%llu", a, op, b)
#define ck_assert_int_eq(a, b) CK_INT(a, ==, b)
#define ck_assert_int_ne(a, b) CK_INT(a, !=, b)
#define ck_assert_int_ge(a, b) CK_INT(a, >=, b)
#define ck_assert_int_gt(a, b) CK_INT(a, >, b)
#define ck_assert_uint_eq(a, b) CK_UINT(a, ==, b)
#define ck_assert_uint_ge(a, b) CK_UINT(a, >=, b)
#define ck_assert_uint_gt(a, b) CK_UINT(a, >, b)
#define ck_assert_uint_le(a, b) CK_UINT(a, <=, b)
#define ck_assert_uint_lt(a, b) CK_UINT(a, <, b)

#define CK_STRINGS(a, op, b) \
  do { \
    const char *const ck_a = (a), *const ck_b = (b); \
    ck_assert_msg(strcmp(ck_a, ck_b) op 0, "%s " #op " %s: '%s', '%s'", #a, #b, ck_a, ck_b); \
  } while (0)
#define ck_assert_str_eq(a, b) CK_STRINGS(a, ==, b)
#define ck_assert_str_ne(a, b) CK_STRINGS(a, !=, b)
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)
#define ck_assert_double_eq_tol(a, b, tolerance) ck_assert(fabs((a) - (b)) <= (tolerance))
