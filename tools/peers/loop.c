// The loops that a programmer writes without OpenMP: scans and sums on one thread, keys and selections on two
// (loop_keys.c). Compiled with -O3 -march=native. The module `loop`.

#include "host_side.h"

const char host_name[] = "loop";

host_loop loop_sum, loop_keys;

#define SCANS(name, element, state) \
  static int inclusive_##name(struct bench_job *job) { \
    const element *restrict x = job->work.elements; \
    state *restrict y = job->parts[BENCH_RESULTS]; \
    const size_t count = job->work.count; \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      sum += x[i]; \
      y[i] = sum; \
    } \
    return 0; \
  } \
  static int exclusive_##name(struct bench_job *job) { \
    const element *restrict x = job->work.elements; \
    state *restrict y = job->parts[BENCH_RESULTS]; \
    const size_t count = job->work.count; \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      y[i] = sum; \
      sum += x[i]; \
    } \
    return 0; \
  }

SCANS(float, float, float)
SCANS(double, double, double)
SCANS(int, int, long long)
SCANS(uchar, unsigned char, unsigned long long)

host_loop *host_loop_for(const struct bench_work *work) {
  static host_loop *const scans[][2] = {[BENCH_FLOAT] = {inclusive_float, exclusive_float},
                                        [BENCH_DOUBLE] = {inclusive_double, exclusive_double},
                                        [BENCH_INT] = {inclusive_int, exclusive_int},
                                        [BENCH_UCHAR] = {inclusive_uchar, exclusive_uchar}};
  if ((work->kind == BENCH_INCLUSIVE || work->kind == BENCH_EXCLUSIVE) && work->type <= BENCH_UCHAR && !work->narrow)
    return scans[work->type][work->kind == BENCH_EXCLUSIVE];
  if (work->kind >= BENCH_REDUCE_BY_KEY && work->kind <= BENCH_SELECT)
    return loop_keys;
  return work->kind == BENCH_ADD && work->type == BENCH_FLOAT ? loop_sum : NULL;
}
