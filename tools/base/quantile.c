#include "base/quantile.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double quantile(double *values, size_t count, double share) {
  qsort(values, count, sizeof *values, by_size);
  double place = share * (double)(count - 1);
  size_t below = (size_t)place;
  double above = below + 1 < count ? values[below + 1] : values[below];
  return values[below] + (place - (double)below) * (above - values[below]);
}

double median(double *values, size_t count) {
  return quantile(values, count, 0.5);
}
