#include "data.h"

#include <stdlib.h>

size_t bench_element_size(enum bench_type type) {
  static const size_t sizes[] = {
    [BENCH_FLOAT] = sizeof(float), [BENCH_DOUBLE] = sizeof(double), [BENCH_INT] = sizeof(int), [BENCH_UCHAR] = 1};
  return sizes[type];
}

// Floating elements are uniform in [0, 1), integers are small enough for sums below 2^53.
#define FILL(name, element, value) \
  static double name(void *data, size_t count) { \
    element *x = data; \
    double sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      uint64_t bits = bench_random_bits(i); \
      x[i] = (element)(value); \
      sum += (double)x[i]; \
    } \
    return sum; \
  }

FILL(fill_float, float, (double)(bits >> 40) * 0x1p-24)
FILL(fill_double, double, (double)(bits >> 11) * 0x1p-53)
FILL(fill_int, int, (int)(bits >> 44) - (1 << 19))
FILL(fill_uchar, unsigned char, bits >> 56)

void *bench_make_data(enum bench_type type, size_t count, double *sum) {
  static double (*const fills[])(void *, size_t) = {
    [BENCH_FLOAT] = fill_float, [BENCH_DOUBLE] = fill_double, [BENCH_INT] = fill_int, [BENCH_UCHAR] = fill_uchar};
  size_t page = 4096, bytes = count * bench_element_size(type);
  void *data = aligned_alloc(page, (bytes + page - 1) / page * page);

  if (data)
    *sum = fills[type](data, count);
  return data;
}

double bench_tolerance(enum bench_type type, double sum) {
  static const double relative[] = {[BENCH_FLOAT] = 1e-4, [BENCH_DOUBLE] = 1e-10, [BENCH_INT] = 0, [BENCH_UCHAR] = 0};
  return relative[type] * sum;
}
