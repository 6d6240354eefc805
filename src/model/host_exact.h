// The macros that the texts of exact operators use, on the host; made from the text that kernels compile
// (cl/exact/exact.clh). Only host_functions.h includes this file, after it has defined NAMED, mul_hi and the functions
// on bits of floats.
#pragma once

// That text has OpenCL C's names.
#define ulong cl_ulong
#define uint cl_uint
#define clz(v) __builtin_clzll(v)
#define EXACT_SPACE
// If these functions were inlined, they would take a fifth of the compile time.
#ifdef __GNUC__
#define EXACT_FUNCTION static __attribute__((noinline, unused))
#else
#define EXACT_FUNCTION static inline
#endif

#define EXACT_NAME(name) name##_of_float
#define EXACT_DIGITS 24
#define TERM_WORDS 6
#define PRODUCT_WORDS 10
#include "../../cl/exact/exact.clh"
#undef EXACT_NAME
#undef EXACT_DIGITS
#undef TERM_WORDS
#undef PRODUCT_WORDS

#define EXACT_NAME(name) name##_of_double
#define EXACT_DIGITS 53
#define TERM_WORDS 34
#define PRODUCT_WORDS 67
#include "../../cl/exact/exact.clh"
#undef EXACT_NAME
#undef EXACT_DIGITS
#undef TERM_WORDS
#undef PRODUCT_WORDS
#define as_double(bits) exact_real_of_double(bits)
#include "../../cl/exact/moments.clh"
#undef as_double
#undef ulong
#undef uint
#undef clz

#define NO_TERMS NAMED(no_terms)()
#define NO_PRODUCTS NAMED(no_products)()
#define TERM(v) NAMED(lift_term)(NAMED(exact_bits)(v))
#define PRODUCT_TERM(v, w) NAMED(lift_product)(NAMED(exact_bits)(v), NAMED(exact_bits)(w))
#define ADDED_TERMS(p, q) NAMED(add_terms)(p, q)
#define ADDED_PRODUCTS(p, q) NAMED(add_products)(p, q)
#define SUM_OF_TERMS(p) NAMED(exact_real)(NAMED(sum_of_terms)(p))
#define SUM_OF_PRODUCTS(p) NAMED(exact_real)(NAMED(sum_of_products)(p))
#define MEAN_OF_TERMS(p, count) NAMED(exact_real)(NAMED(mean_of_terms)(p, count))
#define ROOT_OF_PRODUCTS(p) NAMED(exact_real)(NAMED(root_of_products)(p))
#define EXACT_VARIANCE(p, squares, count, divisor) NAMED(exact_real)(NAMED(variance)(p, squares, count, divisor, 0))
#define EXACT_DEVIATION(p, squares, count, divisor) NAMED(exact_real)(NAMED(variance)(p, squares, count, divisor, 1))
