// The loops that a programmer writes without OpenMP: scans and sums on one thread, keys and selections on two.
// Compiled with -O3 -march=native. The peer `loop`.
#include <pthread.h>

#include "host_side.h"

const char host_name[] = "loop";

host_loop loop_sum;  // loop_sum.c

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

// Elements `from` to `to`. Results are written from index `out` on; `found` gets their number.
struct part {
  struct bench_job *job;
  size_t from, to, out, found;
  void (*work)(struct part *part);
};

static void count_runs(struct part *part) {
  const int32_t *restrict keys = part->job->work.keys;
  size_t found = part->from == 0 && part->to > 0;

  for (size_t i = part->from ? part->from : 1; i < part->to; i++)
    found += keys[i] != keys[i - 1];
  part->found = found;
}

static void count_kept(struct part *part) {
  const float *restrict x = part->job->work.elements;
  size_t found = 0;

  for (size_t i = part->from; i < part->to; i++)
    found += x[i] > 0;
  part->found = found;
}

static void reduce_runs(struct part *part) {
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
  part->found = out - part->out;
}

static void scan_runs(struct part *part) {
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
  part->found = 0;
}

// Each element is written, kept or not, so there is no branch to predict. The loop ends at the last element that is
// kept, so that nothing is written after the results.
static void select_kept(struct part *part) {
  const float *restrict x = part->job->work.elements;
  float *restrict results = part->job->parts[BENCH_RESULTS];
  size_t to = part->to, out = part->out;

  while (to > part->from && !(x[to - 1] > 0))
    to--;
  for (size_t i = part->from; i < to; i++) {
    results[out] = x[i];
    out += x[i] > 0;
  }
  part->found = out - part->out;
}

static void *start(void *part) {
  ((struct part *)part)->work(part);
  return NULL;
}

static int on_both(struct part parts[2], void (*work)(struct part *)) {
  pthread_t other;

  parts[0].work = parts[1].work = work;
  if (pthread_create(&other, NULL, start, &parts[1]))
    return 1;
  start(&parts[0]);
  return pthread_join(other, NULL);
}

static size_t middle(const struct bench_work *work) {
  size_t at = work->count / 2;
  while (work->kind != BENCH_SELECT && at > 0 && at < work->count && work->keys[at] == work->keys[at - 1])
    at++;
  return at;
}

static int loop_keys(struct bench_job *job) {
  static void (*const counts[])(struct part *) = {count_runs, NULL, count_kept};
  static void (*const works[])(struct part *) = {reduce_runs, scan_runs, select_kept};
  const struct bench_work *work = &job->work;
  const size_t row = (size_t)work->kind - BENCH_REDUCE_BY_KEY;
  const size_t half = middle(work);
  struct part counted[2] = {{job, 0, half / 2, 0, 0, NULL}, {job, half / 2, half, 0, 0, NULL}};
  struct part parts[2] = {{job, 0, half, 0, 0, NULL}, {job, half, work->count, 0, 0, NULL}};
  int failed = counts[row] && on_both(counted, counts[row]);
  parts[1].out = counted[0].found + counted[1].found;
  failed = failed || on_both(parts, works[row]);
  *(uint64_t *)job->parts[BENCH_NUMBER] = parts[0].found + parts[1].found;
  return failed;
}

host_loop *host_loop_for(const struct bench_work *work) {
  static host_loop *const scans[][2] = {[BENCH_FLOAT] = {inclusive_float, exclusive_float},
                                        [BENCH_DOUBLE] = {inclusive_double, exclusive_double},
                                        [BENCH_INT] = {inclusive_int, exclusive_int},
                                        [BENCH_UCHAR] = {inclusive_uchar, exclusive_uchar}};
  if ((work->kind == BENCH_INCLUSIVE || work->kind == BENCH_EXCLUSIVE) && work->type <= BENCH_UCHAR && !work->narrow)
    return scans[work->type][work->kind == BENCH_EXCLUSIVE];
  if (work->kind >= BENCH_REDUCE_BY_KEY && work->kind <= BENCH_SELECT)
    return loop_keys;
  return work->kind == BENCH_SUM && work->type == BENCH_FLOAT ? loop_sum : NULL;
}
