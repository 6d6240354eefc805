// The loops that a programmer writes for the host: reductions and histograms on all cores (on one for few elements),
// scans on one thread, keys and selections on two. Compiled with -O3 -march=native -ffast-math -fopenmp, so the
// compiler may reorder sums. The peer `loops`.
#include <stdlib.h>
#include <string.h>

#include "peer_side.h"

enum { PIECES = 64, ON_ONE_CORE = 1 << 20, COPIES = 4 };

typedef int host_loop(struct bench_job *job);

struct host_job {
  struct bench_job job;
  host_loop *loop;
};

// ---- Reductions

#define SUM(a, b) (a) + (b)
#define LEAST(a, b) (b) < (a) ? (b) : (a)
#define MOST(a, b) (b) > (a) ? (b) : (a)
// Threads share whole pieces, because Clang does not vectorize a loop that `omp for` divides.
#define LOOP(name, element, state, first, parallel, simd, FOLD) \
  static int name(struct bench_job *job) { \
    const element *x = job->work.elements; \
    const size_t count = job->work.count, pieces = count > ON_ONE_CORE ? PIECES : 1; \
    state all = first; \
    _Pragma(parallel) for (size_t piece = 0; piece < pieces; piece++) { \
      const size_t end = count * (piece + 1) / pieces; \
      state mine = first; \
      _Pragma(simd) for (size_t i = count * piece / pieces; i < end; i++) mine = FOLD(mine, x[i]); \
      all = FOLD(all, mine); \
    } \
    *(double *)job->parts[BENCH_RESULTS] = (double)all; \
    return 0; \
  }
#define LOOPS(type, element, state) \
  LOOP(sum_##type, element, state, 0, "omp parallel for if(pieces > 1) reduction(+:all)", \
       "omp simd reduction(+:mine)", SUM) \
  LOOP(min_##type, element, element, x[0], "omp parallel for if(pieces > 1) reduction(min:all)", \
       "omp simd reduction(min:mine)", LEAST) \
  LOOP(max_##type, element, element, x[0], "omp parallel for if(pieces > 1) reduction(max:all)", \
       "omp simd reduction(max:mine)", MOST)

LOOPS(float, float, float)
LOOPS(double, double, double)
LOOPS(int, int, long long)
LOOPS(uchar, unsigned char, unsigned long long)

// ---- Histograms

// Each thread has four copies of the counters, so that equal neighbours do not wait for each other. A 32-bit counter is
// large enough for a thread's elements.
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

static int histogram(struct bench_job *job) {
  static void (*const by_type[BENCH_TYPES])(const struct bench_work *, size_t, size_t, uint32_t *) = {
    [BENCH_UCHAR] = count_uchar, [BENCH_USHORT] = count_ushort, [BENCH_INT] = count_int, [BENCH_FLOAT] = count_float};
  const struct bench_work *work = &job->work;
  const int bytes = work->type == BENCH_UCHAR && work->results == 256 && work->high - work->low > 255.5;
  uint64_t *totals = job->parts[BENCH_RESULTS];
  memset(totals, 0, work->results * sizeof *totals);
#pragma omp parallel
  {
    uint32_t *counts = calloc(COPIES * work->results, sizeof *counts);
#pragma omp for schedule(static)
    for (size_t piece = 0; piece < PIECES; piece++)
      (bytes ? count_bytes : by_type[work->type])(work, work->count * piece / PIECES,
                                                  work->count * (piece + 1) / PIECES, counts);
#pragma omp critical
    for (size_t i = 0; i < COPIES * work->results; i++)
      totals[i % work->results] += counts[i];
    free(counts);
  }
  return 0;
}

// ---- Scans

#define SCAN(name, element, state, first, second) \
  static int name(struct bench_job *job) { \
    const element *restrict x = job->work.elements; \
    state *restrict y = job->parts[BENCH_RESULTS]; \
    const size_t count = job->work.count; \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      first; \
      second; \
    } \
    return 0; \
  }
#define SCANS(name, element, state) \
  SCAN(inclusive_##name, element, state, sum += x[i], y[i] = sum) \
  SCAN(exclusive_##name, element, state, y[i] = sum, sum += x[i])

SCANS(float, float, float)
SCANS(double, double, double)
SCANS(int, int, long long)
SCANS(uchar, unsigned char, unsigned long long)

// ---- Sums by key, scans by key and selections on two threads

// Both threads together count the results of the first half, so that the second thread knows where its results begin.
// Then each thread writes the results of its half. The first half ends where a run of keys ends.

// Elements `from` to `to`. Results are written from index `out` on.
struct part {
  const struct bench_job *job;
  size_t from, to, out;
};

// Returns the number of results.
typedef size_t part_loop(const struct part *part);

static size_t count_runs(const struct part *part) {
  const int32_t *restrict keys = part->job->work.keys;
  size_t found = part->from == 0 && part->to > 0;
  for (size_t i = part->from ? part->from : 1; i < part->to; i++)
    found += keys[i] != keys[i - 1];
  return found;
}

static size_t count_kept(const struct part *part) {
  const float *restrict x = part->job->work.elements;
  size_t found = 0;
  for (size_t i = part->from; i < part->to; i++)
    found += x[i] > 0;
  return found;
}

static size_t reduce_runs(const struct part *part) {
  const int32_t *restrict keys = part->job->work.keys;
  const float *restrict x = part->job->work.elements;
  float *restrict results = part->job->parts[BENCH_RESULTS];
  int32_t *restrict keys_out = part->job->parts[BENCH_KEYS_OUT];
  size_t out = part->out, i = part->from;
  while (i < part->to) {
    const int32_t key = keys[i];
    float sum = x[i];
    for (i++; i < part->to && keys[i] == key; i++)
      sum += x[i];
    keys_out[out] = key;
    results[out++] = sum;
  }
  return out - part->out;
}

static size_t scan_runs(const struct part *part) {
  const int32_t *restrict keys = part->job->work.keys;
  const float *restrict x = part->job->work.elements;
  float *restrict results = part->job->parts[BENCH_RESULTS];
  size_t i = part->from;
  while (i < part->to) {
    const int32_t key = keys[i];
    float sum = 0;
    do {
      sum += x[i];
      results[i++] = sum;
    } while (i < part->to && keys[i] == key);
  }
  return 0;
}

// Writes each element, kept or not, so there is no branch to predict. The loop ends at the last element that is kept,
// so that nothing is written after the results.
static size_t select_kept(const struct part *part) {
  const float *restrict x = part->job->work.elements;
  float *restrict results = part->job->parts[BENCH_RESULTS];
  size_t to = part->to, out = part->out;
  while (to > part->from && !(x[to - 1] > 0))
    to--;
  for (size_t i = part->from; i < to; i++) {
    results[out] = x[i];
    out += x[i] > 0;
  }
  return out - part->out;
}

static size_t on_two_threads(const struct part parts[2], part_loop *loop) {
  size_t found = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1) reduction(+ : found)
  for (int i = 0; i < 2; i++)
    found += loop(&parts[i]);
  return found;
}

static int keys_or_select(struct bench_job *job) {
  static part_loop *const counts[] = {count_runs, NULL, count_kept}, *const loops[] = {reduce_runs, scan_runs,
                                                                                       select_kept};
  const struct bench_work *work = &job->work;
  const size_t row = (size_t)work->kind - BENCH_REDUCE_BY_KEY;
  size_t half = work->count / 2;
  while (work->kind != BENCH_SELECT && half > 0 && half < work->count && work->keys[half] == work->keys[half - 1])
    half++;
  const struct part counted[2] = {{job, 0, half / 2, 0}, {job, half / 2, half, 0}};
  struct part parts[2] = {{job, 0, half, 0}, {job, half, work->count, 0}};
  parts[1].out = counts[row] == NULL ? 0 : on_two_threads(counted, counts[row]);
  *(uint64_t *)job->parts[BENCH_NUMBER] = on_two_threads(parts, loops[row]);
  return 0;
}

// ---- The peer

static host_loop *loop_for(const struct bench_work *work) {
  static host_loop *const loops[][6] = {
    [BENCH_FLOAT] = {sum_float, min_float, max_float, NULL, inclusive_float, exclusive_float},
    [BENCH_DOUBLE] = {sum_double, min_double, max_double, NULL, inclusive_double, exclusive_double},
    [BENCH_INT] = {sum_int, min_int, max_int, NULL, inclusive_int, exclusive_int},
    [BENCH_UCHAR] = {sum_uchar, min_uchar, max_uchar, NULL, inclusive_uchar, exclusive_uchar}};
  if (work->kind >= BENCH_REDUCE_BY_KEY && work->kind <= BENCH_SELECT)
    return keys_or_select;
  if (work->kind == BENCH_HISTOGRAM)
    return histogram;
  return work->type <= BENCH_UCHAR && work->kind <= BENCH_EXCLUSIVE && !work->narrow ? loops[work->type][work->kind]
                                                                                     : NULL;
}

static struct bench_job *prepare(const struct bench_work *work) {
  static struct host_job own;
  own = (struct host_job){{"loops", *work, BENCH_DOUBLE, {NULL}}, loop_for(work)};
  return own.loop == NULL ? NULL : &own.job;
}

static void release(struct bench_job *job) {
  (void)job;
}

static int enqueue(struct bench_job *job) {
  return ((struct host_job *)job)->loop(job);
}

const struct bench_side bench_peer = {.name = "loops", .prepare = prepare, .release = release, .enqueue = enqueue};
