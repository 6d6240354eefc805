#include "scan_check.h"

#include <stdlib.h>

#include "data.h"

#define UNIT 64  // of float and double, in 1

// Elements in units: signed ones stay near 0, so that sums of 2^30 floats stay below 2^24 units. Gives the sum of what
// it made.
#define FILL(name, element, units, unit) \
  static int64_t name(void *data, size_t from, size_t to) { \
    element *x = data; \
    int64_t sum = 0; \
    for (size_t i = from; i < to; i++) { \
      const uint64_t bits = bench_random_bits(i); \
      const int value = (units); \
      x[i] = (element)((element)value / (unit)); \
      sum += value; \
    } \
    return sum; \
  }

FILL(fill_float, float, (int)((bits >> 32) % 127) - 63, UNIT)
FILL(fill_double, double, (int)((bits >> 32) % 127) - 63, UNIT)
FILL(fill_int, int, (int)(bits >> 44) - (1 << 19), 1)
FILL(fill_uchar, unsigned char, (int)(bits >> 56), 1)

static void place(struct scan_check *check) {
  const size_t most = check->count / CHECK_LENGTH;

  check->length = most ? CHECK_LENGTH : check->count;
  check->stretches = most > CHECK_STRETCHES ? CHECK_STRETCHES : most > 1 ? most : 1;
  for (size_t i = 0; i + 1 < check->stretches; i++)
    check->first[i] = (check->count - check->length) / (check->stretches - 1) * i;
  check->first[check->stretches - 1] = check->count - check->length;
}

static void fill(struct scan_check *check, void *data) {
  static int64_t (*const fills[])(void *, size_t, size_t) = {
    [BENCH_FLOAT] = fill_float, [BENCH_DOUBLE] = fill_double, [BENCH_INT] = fill_int, [BENCH_UCHAR] = fill_uchar};
  size_t at = 0;
  int64_t sum = 0;

  for (size_t i = 0; i < check->stretches; i++) {
    sum += fills[check->type](data, at, check->first[i]);
    at = check->first[i];
    for (size_t j = 0; j < check->length; j++, at++) {
      check->before[i][j] = sum;
      sum += fills[check->type](data, at, at + 1);
    }
    check->before[i][check->length] = sum;
  }
}

void *scan_check_make(struct scan_check *check, enum bench_type type, size_t count) {
  const size_t page = 4096, bytes = count * bench_element_size(type);
  void *data = aligned_alloc(page, (bytes + page - 1) / page * page);

  check->type = type;
  check->count = count;
  place(check);
  if (data)
    fill(check, data);
  return data;
}

int scan_check_spoil(const struct scan_check *check, const struct scan_side *side) {
  for (size_t i = 0; i < check->stretches; i++)
    if (side->spoil(check->first[i], check->length))
      return 1;
  return 0;
}

static int is_equal(const struct scan_check *check, int narrow, const void *results, size_t i, int64_t units) {
  switch (check->type) {
  case BENCH_FLOAT:
    return (double)((const float *)results)[i] * UNIT == (double)units;
  case BENCH_DOUBLE:
    return ((const double *)results)[i] * UNIT == (double)units;
  case BENCH_INT:
    return narrow ? ((const uint32_t *)results)[i] == (uint32_t)units : ((const int64_t *)results)[i] == units;
  case BENCH_UCHAR:
    return narrow ? ((const uint8_t *)results)[i] == (uint8_t)units : ((const int64_t *)results)[i] == units;
  default:
    return 0;
  }
}

int scan_check_results(const struct scan_check *check, const struct scan_side *side, int exclusive, size_t *wrong) {
  int64_t results[CHECK_LENGTH];

  for (size_t i = 0; i < check->stretches; i++) {
    if (side->read(check->first[i], check->length, results))
      return 1;
    for (size_t j = 0; j < check->length; j++)
      *wrong += !is_equal(check, side->narrow, results, j, check->before[i][j + !exclusive]);
  }
  return 0;
}
