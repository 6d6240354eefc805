// peer_openmp_histogram.c: the loop that a careful programmer writes for the host's cores: counters of each thread's
// own, four copies of them, so that equal neighbours do not wait for each other, added up at the end. -O3 -march=native
// -fopenmp.

#include <stdlib.h>
#include <string.h>

#include "histogram_side.h"
#include "progress.h"

extern const struct histogram_side bench_openmp_histogram;

enum { COPIES = 4 };

static struct histogram_task task;
static uint64_t *totals;

// Elements are in range by agreement.
#define COUNT_FUNCTION(name, element, bin_of) \
  static void name(size_t begin, size_t end, uint32_t *counts) { \
    const element *x = task.elements; \
    const size_t bins = task.bins; \
    const float scale = (float)((double)bins / (task.high - task.low)), low = (float)task.low; \
    size_t i = begin; \
    (void)scale, (void)low; \
    for (; i + COPIES <= end; i += COPIES) \
      for (size_t c = 0; c < COPIES; c++) \
        counts[c * bins + (size_t)(bin_of(x[i + c]))]++; \
    for (; i < end; i++) \
      counts[(size_t)(bin_of(x[i]))]++; \
  }

// With 256 bins from 0 to 256 a byte is its bin.
#define BYTE_ITSELF(value) (value)
#define SCALED(value) (int)(((float)(value)-low) * scale)
COUNT_FUNCTION(count_bytes, unsigned char, BYTE_ITSELF)
COUNT_FUNCTION(count_uchar, unsigned char, SCALED)
COUNT_FUNCTION(count_ushort, unsigned short, SCALED)
COUNT_FUNCTION(count_int, int, SCALED)
COUNT_FUNCTION(count_float, float, SCALED)

static int prepare(const struct histogram_task *asked) {
  task = *asked;
  totals = calloc(task.bins, sizeof *totals);
  return totals == NULL;
}

static void count_all(void) {
  static void (*const by_type[])(size_t, size_t, uint32_t *) = {count_uchar, count_ushort, count_int, count_float};
  int are_bytes = task.type == HISTOGRAM_UCHAR && task.bins == 256 && task.high - task.low > 255.5;
  memset(totals, 0, task.bins * sizeof *totals);
#pragma omp parallel
  {
    uint32_t *counts = calloc(COPIES * task.bins, sizeof *counts);
    // Pieces that no counter of 32 bits can overflow in.
#pragma omp for schedule(static)
    for (size_t piece = 0; piece < 64; piece++) {
      size_t begin = task.count / 64 * piece, end = piece == 63 ? task.count : task.count / 64 * (piece + 1);
      (are_bytes ? count_bytes : by_type[task.type])(begin, end, counts);
    }
#pragma omp critical
    for (size_t i = 0; i < COPIES * task.bins; i++)
      totals[i % task.bins] += counts[i];
    free(counts);
  }
}

static int run(int device_clock, double *seconds) {
  double start = seconds_now();
  (void)device_clock;
  count_all();
  *seconds = seconds_now() - start;
  return 0;
}

static int result(uint64_t *counts) {
  memcpy(counts, totals, task.bins * sizeof *totals);
  return 0;
}

static void release(void) {
  free(totals);
}

const struct histogram_side bench_openmp_histogram = {"openmp", 0, 0, prepare, run, result, release};
