// The host's operators over float or double. host_float.c and host_double.c include this file after they have defined
// KIND, WIDE, REAL (the same type), KEY (the integers of its size, KEY_MIN to KEY_MAX), TO_KEY and FROM_KEY.
// -0 is less than +0, and a NaN result is the one canonical NaN.
#pragma once
#define UNSIGNED cl_ulong
#define EVERY_FORM 1
#define STORED(F, ...) F(WIDE, __VA_ARGS__)
#include "model/host_functions.h"

#define IS_NAN(v) ((v) != (v))
#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
// Usually the state so far stays the lesser (or greater) value. This case is tested first, so it costs one branch for
// each element.
#define LIKELY(condition) __builtin_expect(condition, 1)
#define LESSER(a, b) (LIKELY((a) < (b)) ? (a) : (b) < (a) ? (b) : (a) == (b) ? (signbit(a) ? (a) : (b)) : (a) + (b))
#define GREATER(a, b) (LIKELY((a) > (b)) ? (a) : (b) > (a) ? (b) : (a) == (b) ? (signbit(a) ? (b) : (a)) : (a) + (b))
#define KEEP(v, otherwise) (IGNORES_NAN && IS_NAN(v) ? (otherwise) : (v))
#define KEEP_BOTH(v, w, term) (IGNORES_NAN && (IS_NAN(v) || IS_NAN(w)) ? ZERO : (term))
#define KEPT(v) ((cl_ulong)(IGNORES_NAN && IS_NAN(v) ? 0 : 1))
#define KEEP_INDEX(v, index) (IGNORES_NAN && IS_NAN(v) ? NOWHERE : (index))
#define NAN_COUNT(v) ((cl_ulong)IS_NAN(v))
#define IGNORED(count) (IGNORES_NAN ? (count) : 0)
#define LOW_KEY(v) (IS_NAN(v) ? IGNORES_NAN ? HIGHEST_KEY : KEY_MIN : TO_KEY(v))
#define HIGH_KEY(v) (IS_NAN(v) ? IGNORES_NAN ? LOWEST_KEY : KEY_MAX : TO_KEY(v))
#define CANONICAL(v) CANONICAL_REAL(v)
#define HIGHEST ((WIDE)INFINITY)
#define LOWEST (-(WIDE)INFINITY)
#define HIGHEST_KEY TO_KEY(HIGHEST)
#define LOWEST_KEY TO_KEY(LOWEST)

#define IS_INTEGER 0

#include "model/host_forms.h"
