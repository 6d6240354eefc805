// The histogram that a careful programmer writes for all cores of the host. Each thread has four copies of the
// counters, so that equal neighbours do not wait for each other; the copies are added at the end. Part of the peer
// `openmp`.
#include <stdlib.h>
#include <string.h>

#include "host_side.h"

enum { COPIES = 4, PIECES = 64 };

host_loop openmp_histogram;

#define COUNT(name, element, bin_of) \
  static void name(const struct bench_work *work, size_t begin, size_t end, uint32_t *counts) { \
    const element *x = work->elements; \
    const size_t bins = work->results; \
    const float scale = (float)((double)bins / (work->high - work->low)), low = (float)work->low; \
    size_t i = begin; \
    (void)scale, (void)low; \
    for (; i + COPIES <= end; i += COPIES) \
      for (size_t c = 0; c < COPIES; c++) \
        counts[c * bins + (size_t)(bin_of(x[i + c]))]++; \
    for (; i < end; i++) \
      counts[(size_t)(bin_of(x[i]))]++; \
  }

// With 256 bins from 0 to 256 a byte is the number of its bin.
#define ITSELF(value) (value)
#define SCALED(value) (int)(((float)(value)-low) * scale)
COUNT(count_bytes, unsigned char, ITSELF)
COUNT(count_uchar, unsigned char, SCALED)
COUNT(count_ushort, unsigned short, SCALED)
COUNT(count_int, int, SCALED)
COUNT(count_float, float, SCALED)

int openmp_histogram(struct bench_job *job) {
  static void (*const by_type[BENCH_TYPES])(const struct bench_work *, size_t, size_t, uint32_t *) = {
    [BENCH_UCHAR] = count_uchar, [BENCH_USHORT] = count_ushort, [BENCH_INT] = count_int, [BENCH_FLOAT] = count_float};
  const struct bench_work *work = &job->work;
  const int bytes = work->type == BENCH_UCHAR && work->results == 256 && work->high - work->low > 255.5;
  uint64_t *totals = job->parts[BENCH_RESULTS];
  memset(totals, 0, work->results * sizeof *totals);
#pragma omp parallel
  {
    uint32_t *counts = calloc(COPIES * work->results, sizeof *counts);
    // A piece is so small that no counter of 32 bits overflows.
#pragma omp for schedule(static)
    for (size_t piece = 0; piece < PIECES; piece++) {
      const size_t begin = work->count / PIECES * piece;
      const size_t end = piece == PIECES - 1 ? work->count : work->count / PIECES * (piece + 1);
      (bytes ? count_bytes : by_type[work->type])(work, begin, end, counts);
    }
#pragma omp critical
    for (size_t i = 0; i < COPIES * work->results; i++)
      totals[i % work->results] += counts[i];
    free(counts);
  }
  return 0;
}
