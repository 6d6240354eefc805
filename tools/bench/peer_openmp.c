// peer_openmp.c: the plain C loop that a programmer would write for the host's cores. This file alone is compiled with
// -O3 -march=native -ffast-math -fopenmp, which lets the compiler reorder the sum as it likes.

#include "progress.h"
#include "side.h"

extern const struct bench_side bench_openmp;

static const void     *elements;
static enum bench_type element_type;
static size_t          length;
static double          sum_of_last_run;

#define SUM_FUNCTION(name, element, state) \
  static double name(void) { \
    const element *x = elements; \
    state sum = 0; \
    _Pragma("omp parallel for simd reduction(+:sum)") \
    for (size_t i = 0; i < length; i++) \
      sum += x[i]; \
    return (double)sum; \
  }

SUM_FUNCTION(sum_float, float, float)
SUM_FUNCTION(sum_double, double, double)
SUM_FUNCTION(sum_int, int, long long)
SUM_FUNCTION(sum_uchar, unsigned char, unsigned long long)

static int prepare(const void *data, enum bench_type type, size_t count)
{
  elements = data;
  element_type = type;
  length = count;
  return 0;
}

static int run(enum bench_clock clock, double *seconds)
{
  static double (*const sums[])(void) = {sum_float, sum_double, sum_int, sum_uchar};
  double start = seconds_now();

  (void)clock;
  sum_of_last_run = sums[element_type]();
  *seconds = seconds_now() - start;
  return 0;
}

static int result(double *sum)
{
  *sum = sum_of_last_run;
  return 0;
}

static void release(void)
{
  elements = NULL;
}

const struct bench_side bench_openmp = {"openmp", 0, 0, prepare, run, result, release};
