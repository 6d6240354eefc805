// The side of a peer on the host's cores: results are plain memory, and only the wall clock exists. Linked into each
// program of this kind, with its loops.
#define _POSIX_C_SOURCE 200809L

#include "host_side.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct host_job {
  struct bench_job job;
  host_loop *loop;
};

static void release(struct bench_job *job) {
  for (int part = 0; part < BENCH_PARTS; part++)
    free(job->parts[part]);
  free(job);
}

static struct bench_job *prepare(const struct bench_work *work) {
  host_loop *loop = host_loop_for(work);
  struct host_job *own = loop == NULL ? NULL : calloc(1, sizeof *own);
  if (own == NULL)
    return NULL;
  own->loop = loop;
  own->job.name = host_name;
  own->job.work = *work;
  for (int part = 0; part < BENCH_PARTS; part++) {
    size_t count = bench_part_count(work, (enum bench_part)part);
    own->job.parts[part] = malloc(count * bench_part_size(work, (enum bench_part)part) + sizeof(uint64_t));
    if (own->job.parts[part] == NULL) {
      release(&own->job);
      return NULL;
    }
  }
  return &own->job;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int run(struct bench_job *job, enum bench_clock clock, size_t calls, double *seconds) {
  const struct host_job *own = (const struct host_job *)job;
  double begun = seconds_now();
  (void)clock;
  for (size_t i = 0; i < calls; i++)
    if (own->loop(job))
      return 1;
  *seconds = (seconds_now() - begun) / (double)calls;
  return 0;
}

static char *item(const struct bench_job *job, enum bench_part part, size_t first) {
  return (char *)job->parts[part] + first * bench_part_size(&job->work, part);
}

static int spoil(struct bench_job *job, enum bench_part part, size_t first, size_t count) {
  memset(item(job, part, first), 0xff, count * bench_part_size(&job->work, part));
  return 0;
}

static int read_items(struct bench_job *job, enum bench_part part, size_t first, size_t count, void *to) {
  memcpy(to, item(job, part, first), count * bench_part_size(&job->work, part));
  return 0;
}

const struct bench_side bench_peer = {host_name, 0, 0, NULL, prepare, run, spoil, read_items, release, NULL};
