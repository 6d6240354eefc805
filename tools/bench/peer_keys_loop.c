// peer_keys_loop.c: the loops that a programmer would write, on two threads: those of the first half are counted, by
// both, then each thread writes its half. Halves are cut where a run begins. This file alone is compiled with -O3
// -march=native. Its results are read by another file, so none can be left out.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "keys_side.h"
#include "progress.h"

extern const struct keys_side keys_loop;

static struct keys_work in;
static enum keys_task task;
static float *results;
static int32_t *keys_out;
static size_t number;

// Elements `from` to `to`; results go from `out` on, and how many there were is `found`.
struct part {
  size_t from, to, out, found;
  void (*work)(struct part *part);
};

// --- Counting ---

static void count_runs(struct part *part) {
  const int32_t *restrict keys = in.keys;
  size_t found = part->from == 0 && part->to > 0;

  for (size_t i = part->from ? part->from : 1; i < part->to; i++)
    found += keys[i] != keys[i - 1];
  part->found = found;
}

static void count_kept(struct part *part) {
  const float *restrict x = in.values;
  size_t found = 0;

  for (size_t i = part->from; i < part->to; i++)
    found += x[i] > 0;
  part->found = found;
}

// --- Writing ---

static void reduce_runs(struct part *part) {
  const int32_t *restrict keys = in.keys;
  const float *restrict x = in.values;
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
  const int32_t *restrict keys = in.keys;
  const float *restrict x = in.values;
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

// Written whether kept or not, which no branch prediction can get wrong; up to the last that is kept, so that nothing
// is written behind.
static void select_kept(struct part *part) {
  const float *restrict x = in.values;
  size_t to = part->to, out = part->out;

  while (to > part->from && !(x[to - 1] > 0))
    to--;
  for (size_t i = part->from; i < to; i++) {
    results[out] = x[i];
    out += x[i] > 0;
  }
  part->found = out - part->out;
}

// --- Two threads ---

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

static size_t middle(void) {
  size_t at = in.count / 2;

  while (task != KEYS_SELECT && at > 0 && at < in.count && in.keys[at] == in.keys[at - 1])
    at++;
  return at;
}

static int work_once(void) {
  static void (*const counts[])(struct part *) = {count_runs, NULL, count_kept};
  static void (*const works[])(struct part *) = {reduce_runs, scan_runs, select_kept};
  const size_t half = middle();
  struct part counted[2] = {{.from = 0, .to = half / 2}, {.from = half / 2, .to = half}};
  struct part parts[2] = {{.from = 0, .to = half}, {.from = half, .to = in.count}};
  int failed = counts[task] && on_both(counted, counts[task]);

  parts[1].out = counted[0].found + counted[1].found;
  failed = failed || on_both(parts, works[task]);
  number = parts[0].found + parts[1].found;
  return failed;
}

// --- The side ---

static int prepare(const struct keys_work *work) {
  in = *work;
  results = malloc(in.count * sizeof *results);
  keys_out = malloc(in.count * sizeof *keys_out);
  return !results || !keys_out;
}

static int choose(enum keys_task chosen) {
  task = chosen;
  memset(results, 0xff, in.count * sizeof *results);
  memset(keys_out, 0xff, in.count * sizeof *keys_out);
  return 0;
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  double begun = seconds_now();

  (void)clock;
  for (size_t i = 0; i < calls; i++)
    if (work_once())
      return 1;
  *seconds = (seconds_now() - begun) / (double)calls;
  return 0;
}

static int read_results(size_t count, float *results_read, int32_t *keys_read, uint64_t *number_read) {
  memcpy(results_read, results, count * sizeof *results);
  memcpy(keys_read, keys_out, count * sizeof *keys_out);
  *number_read = number;
  return 0;
}

static void release(void) {
  free(results);
  free(keys_out);
  results = NULL;
  keys_out = NULL;
}

const struct keys_side keys_loop = {{"two threads", 0, 0, run}, prepare, choose, read_results, release};
