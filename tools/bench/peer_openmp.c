// peer_openmp.c: the plain C loop that a programmer would write for the host's cores. This file alone is compiled with
// -O3 -march=native -ffast-math -fopenmp, which lets the compiler reorder the sum as it likes.

#include "progress.h"
#include "side.h"

extern const struct bench_side bench_openmp;

static const void *elements;
static enum bench_type element_type;
static size_t length;
static enum bench_op operation;
static double value_of_last_run;

#define FOLD_FUNCTION(name, element, state, first, clause, step) \
  static double name(void) { \
    const element *x = elements; \
    state all = first; \
    _Pragma(clause) for (size_t i = 0; i < length; i++) all = step; \
    return (double)all; \
  }
#define FOLD_FUNCTIONS(type, element, state) \
  FOLD_FUNCTION(sum_##type, element, state, 0, "omp parallel for simd reduction(+:all)", all + x[i]) \
  FOLD_FUNCTION(min_##type, element, element, x[0], "omp parallel for simd reduction(min:all)", \
                x[i] < all ? x[i] : all) \
  FOLD_FUNCTION(max_##type, element, element, x[0], "omp parallel for simd reduction(max:all)", x[i] > all ? x[i] : all)

FOLD_FUNCTIONS(float, float, float)
FOLD_FUNCTIONS(double, double, double)
FOLD_FUNCTIONS(int, int, long long)
FOLD_FUNCTIONS(uchar, unsigned char, unsigned long long)

static int prepare(const void *data, enum bench_type type, enum bench_op op, size_t count) {
  if (type > BENCH_UCHAR || op > BENCH_MAX)
    return 1;
  elements = data;
  element_type = type;
  operation = op;
  length = count;
  return 0;
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  static double (*const folds[][3])(void) = {{sum_float, min_float, max_float},
                                             {sum_double, min_double, max_double},
                                             {sum_int, min_int, max_int},
                                             {sum_uchar, min_uchar, max_uchar}};
  double start = seconds_now();

  (void)clock;
  for (size_t i = 0; i < calls; i++)
    value_of_last_run = folds[element_type][operation]();
  *seconds = (seconds_now() - start) / (double)calls;
  return 0;
}

static int result(double *value) {
  *value = value_of_last_run;
  return 0;
}

static void release(void) {
  elements = NULL;
}

const struct bench_side bench_openmp = {"openmp", 0, 0, NULL, prepare, run, result, release};
