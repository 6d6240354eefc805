// peer_scan_loop.c: the loop that a programmer would write, on one thread. This file alone is compiled with -O3
// -march=native. Its results are read by another file, so none can be left out.

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "scan_side.h"

extern const struct scan_side scan_loop;

static const void *elements;
static void *results;
static enum bench_type element_type;
static size_t length;
static int is_exclusive;

static size_t result_size(void) {
  return element_type == BENCH_FLOAT ? sizeof(float) : 8;
}

#define SCAN_FUNCTIONS(name, element, state) \
  static void inclusive_##name(const element *restrict x, state *restrict y, size_t count) { \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      sum += x[i]; \
      y[i] = sum; \
    } \
  } \
  static void exclusive_##name(const element *restrict x, state *restrict y, size_t count) { \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      y[i] = sum; \
      sum += x[i]; \
    } \
  } \
  static void scan_##name(void) { \
    (is_exclusive ? exclusive_##name : inclusive_##name)(elements, results, length); \
  }

SCAN_FUNCTIONS(float, float, float)
SCAN_FUNCTIONS(double, double, double)
SCAN_FUNCTIONS(int, int, long long)
SCAN_FUNCTIONS(uchar, unsigned char, unsigned long long)

static int prepare(const void *data, enum bench_type type, size_t count) {
  elements = data;
  element_type = type;
  length = count;
  results = malloc(count * result_size());
  return results == NULL;
}

static int choose(int exclusive) {
  is_exclusive = exclusive;
  return 0;
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  static void (*const scans[])(void) = {
    [BENCH_FLOAT] = scan_float, [BENCH_DOUBLE] = scan_double, [BENCH_INT] = scan_int, [BENCH_UCHAR] = scan_uchar};
  double start = seconds_now();

  (void)clock;
  for (size_t i = 0; i < calls; i++)
    scans[element_type]();
  *seconds = (seconds_now() - start) / (double)calls;
  return 0;
}

static int spoil(size_t first, size_t count) {
  memset((char *)results + first * result_size(), 0xff, count * result_size());
  return 0;
}

static int read_results(size_t first, size_t count, void *out) {
  memcpy(out, (char *)results + first * result_size(), count * result_size());
  return 0;
}

static void release(void) {
  free(results);
  results = NULL;
}

const struct scan_side scan_loop = {{"loop", 0, 0, run}, 0, prepare, choose, spoil, read_results, release};
