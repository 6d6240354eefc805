// Peers as sides: separate processes, and modules loaded into this process.
#define _XOPEN_SOURCE 700

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "bench/side.h"

// ---- Processes

struct process {
  struct peer *peer;
  const struct expected *expected;
};

static int run_process(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct process *own = side->own;
  const char *value;
  if (!peer_run(own->peer, clock == BENCH_DEVICE, calls, seconds, &value))
    snprintf(side->lost, sizeof side->lost, "%s", own->peer->reason);
  else if (!expected_allows_text(own->expected, value))
    side->wrong = true;
  return EXIT_DONE;
}

static void close_process(struct side *side) {
  free(side->own);
}

int bench_peer_open(struct side *side, struct peer *peer, const struct bench_case *of,
                    const struct expected *expected) {
  struct process *own = calloc(1, sizeof *own);
  if (own == NULL)
    return fail_memory();
  *own = (struct process){peer, expected};
  *side = (struct side){.kind = SIDE_PEER,
                        .has_device_clock = peer->has_device_clock,
                        .bytes = (double)of->bytes,
                        .run = run_process,
                        .close = close_process,
                        .own = own};
  snprintf(side->name, sizeof side->name, "%s", peer->name);
  if (!expected->whole && !expected->real && !expected->place)
    snprintf(side->lost, sizeof side->lost, "a result of %s cannot be sent as one number", of->op);
  else if (!peer_prepare(peer, of->type, of->op, of->count))
    snprintf(side->lost, sizeof side->lost, "%s", peer->reason);
  return EXIT_DONE;
}

// ---- Modules

struct module {
  const struct bench_side *side;
  struct bench_job *job;
};

// A module stays loaded until the process ends: CUDA and OpenMP do not survive being unloaded.
const struct bench_side *bench_module(const char *name, const struct device *device) {
  char path[1200];
  if (!peers_module_path(name, path, sizeof path))
    return NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct bench_side *side = library == NULL ? NULL : dlsym(library, "bench_peer");
  if (side == NULL)
    fprintf(stderr, "clreduce: peer %s is left out: %s\n", name, dlerror());
  const bool on_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  if (side == NULL || (side->on_gpu && on_cpu))
    return NULL;
  return side->open == NULL || side->open((unsigned)device->index, device->name) == 0 ? side : NULL;
}

static int lose(struct side *side, int failed, const char *what) {
  if (failed)
    snprintf(side->lost, sizeof side->lost, "it failed to %s", what);
  return EXIT_DONE;
}

static int run_module(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct module *own = side->own;
  return lose(side, own->side->run(own->job, clock, (size_t)calls, seconds), "run");
}

static int spoil_module(struct side *side, enum bench_part part, size_t first, size_t count) {
  const struct module *own = side->own;
  return lose(side, own->side->spoil(own->job, part, first, count), "write its results");
}

static int read_module(struct side *side, enum bench_part part, size_t first, size_t count, void *to) {
  const struct module *own = side->own;
  return lose(side, own->side->read(own->job, part, first, count, to), "read its results");
}

static void close_module(struct side *side) {
  struct module *own = side->own;
  if (own->job != NULL)
    own->side->release(own->job);
  free(own);
}

int bench_module_open(struct side *side, const struct bench_side *module, const struct bench_work *work, double bytes) {
  struct module *own = calloc(1, sizeof *own);
  if (own == NULL)
    return fail_memory();
  *own = (struct module){module, module->prepare(work)};
  *side = (struct side){.kind = SIDE_PEER,
                        .has_device_clock = module->has_device_clock,
                        .bytes = bytes,
                        .run = run_module,
                        .spoil = spoil_module,
                        .read = read_module,
                        .close = close_module,
                        .work = own->job == NULL ? NULL : &own->job->work,
                        .own = own};
  snprintf(side->name, sizeof side->name, "%s", own->job == NULL ? module->name : own->job->name);
  return lose(side, own->job == NULL, "prepare this work");
}
