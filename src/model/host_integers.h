// The host's operators over one kind of integers. A file of a kind (host_char.c, ...) includes this file after it has
// defined
//   KIND            of_char, ...: the suffix of all names
//   WIDE, UNSIGNED  the kind's type, and the unsigned type of the same size
//   IS_SIGNED       0 or 1
//   EVERY_FORM      1: the kind has all forms of operators. 0: the kind is a narrow integer, and has only the forms
//                   that may give narrow results
//   STORED          the types in memory that have their own loops
// Sums and products are computed with unsigned integers, because they wrap.
#pragma once
#include "model/host_functions.h"

#define SUM(a, b) ((WIDE)((cl_ulong)(a) + (cl_ulong)(b)))
#define PRODUCT(a, b) ((WIDE)((cl_ulong)(a) * (cl_ulong)(b)))
#define LESSER(a, b) min(a, b)
#define GREATER(a, b) max(a, b)
#define KEEP(v, otherwise) (v)
#define KEEP_BOTH(v, w, term) (term)
#define KEPT(v) ((cl_ulong)1)
#define KEEP_INDEX(v, index) (index)
#define NAN_COUNT(v) ((cl_ulong)0)
#define IGNORED(count) 0
#define LOW_KEY(v) (v)
#define HIGH_KEY(v) (v)
#define FROM_KEY(k) (k)
#define HIGHEST_KEY HIGHEST
#define LOWEST_KEY LOWEST
#define CANONICAL(v) (v)
#define AS_WIDE_ONE(v) ((WIDE)(v))

#define IS_INTEGER 1
#define REAL cl_double
#define KEY WIDE

#if IS_SIGNED
#define HIGHEST ((WIDE)((UNSIGNED)-1 / 2))
#define LOWEST ((WIDE)(-HIGHEST - 1))
#define MAGNITUDE(v) ((v) < 0 ? -(cl_ulong)(v) : (cl_ulong)(v))
#define HIGH64(v) ((cl_long)((v) < 0 ? -1 : 0))
#define PRODUCT_HIGH(x, y) mul_hi((cl_long)(x), (cl_long)(y))
#define LEAVES_WIDE(low, high) ((high) != HIGH64((cl_long)(low)) || (cl_ulong)(WIDE)(low) != (low))
#define IS_NEGATIVE(high) ((high) < 0)
#else
#define HIGHEST ((WIDE)-1)
#define LOWEST ((WIDE)0)
#define MAGNITUDE(v) ((cl_ulong)(v))
#define HIGH64(v) ((cl_long)0)
#define PRODUCT_HIGH(x, y) mul_hi((cl_ulong)(x), (cl_ulong)(y))
#define LEAVES_WIDE(low, high) ((high) != 0 || (cl_ulong)(WIDE)(low) != (low))
#define IS_NEGATIVE(high) 0
#endif

#include "model/host_forms.h"
