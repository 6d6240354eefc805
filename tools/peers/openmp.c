// The plain loops that a programmer writes for all cores of the host: reductions. Compiled with -O3 -march=native
// -ffast-math -fopenmp, so the compiler may reorder sums. Part of the peer `openmp`.
#include "host_side.h"

#include <omp.h>

const char host_name[] = "openmp";

host_loop openmp_histogram;

#define SUM(a, b) (a) + (b)
#define LEAST(a, b) (b) < (a) ? (b) : (a)
#define MOST(a, b) (b) > (a) ? (b) : (a)
// Each thread runs its own loop. Clang does not vectorize a loop that `omp for` divides among the threads.
#define LOOP(name, element, state, first, parallel, simd, FOLD) \
  static int name(struct bench_job *job) { \
    const element *x = job->work.elements; \
    const size_t count = job->work.count; \
    state all = first; \
    _Pragma(parallel) { \
      const size_t thread = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads(); \
      const size_t end = count * (thread + 1) / threads; \
      state mine = first; \
      _Pragma(simd) for (size_t i = count * thread / threads; i < end; i++) mine = FOLD(mine, x[i]); \
      all = FOLD(all, mine); \
    } \
    *(double *)job->parts[BENCH_RESULTS] = (double)all; \
    return 0; \
  }
#define LOOPS(type, element, state) \
  LOOP(sum_##type, element, state, 0, "omp parallel reduction(+:all)", "omp simd reduction(+:mine)", SUM) \
  LOOP(min_##type, element, element, x[0], "omp parallel reduction(min:all)", "omp simd reduction(min:mine)", LEAST) \
  LOOP(max_##type, element, element, x[0], "omp parallel reduction(max:all)", "omp simd reduction(max:mine)", MOST)

LOOPS(float, float, float)
LOOPS(double, double, double)
LOOPS(int, int, long long)
LOOPS(uchar, unsigned char, unsigned long long)

host_loop *host_loop_for(const struct bench_work *work) {
  static host_loop *const loops[][3] = {[BENCH_FLOAT] = {sum_float, min_float, max_float},
                                        [BENCH_DOUBLE] = {sum_double, min_double, max_double},
                                        [BENCH_INT] = {sum_int, min_int, max_int},
                                        [BENCH_UCHAR] = {sum_uchar, min_uchar, max_uchar}};
  if (work->kind == BENCH_HISTOGRAM)
    return openmp_histogram;
  return work->type <= BENCH_UCHAR && work->kind <= BENCH_MAX ? loops[work->type][work->kind] : NULL;
}
