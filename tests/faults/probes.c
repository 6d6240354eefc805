// Probing a device, and calls without events. A probe that an injected failure disturbs may find anything; the checks
// are that nothing leaks and that the same runtime can probe again.
#include <clreduce_device.h>
#include <stddef.h>

#include "calls.h"

struct probe_row {
  const char *name;
  const char *about;  // the value of clred_probe_options.only
  cl_int (*run)(struct bench *bench);
  unsigned flags;
};

static const struct probe_row *row_of(const struct bench *bench) {
  return bench->scenario->row;
}

// ---------------------------------------------------------------- What is run

static cl_int probe(struct bench *bench) {
  const clred_probe_options options = {.only = row_of(bench)->about};
  clred_probe_result result;
  return clred_probe_device(bench->runtime, &options, &result);
}

// Calls the library without events, by clred_enqueue_reduce and clred_enqueue.
static cl_int call_shortly(struct bench *bench) {
  const cl_mem in = bench->in.mem, out = bench->out.mem;
  cl_int status = clred_enqueue_reduce(bench->queue, bench->plan, in, out, 0, 0, NUMBERS, 0, NULL, NULL);
  if (!status)
    status =
      clred_enqueue(bench->queue, bench->plan,
                    &(clred_call){.in = in, .count = NUMBERS, .result = bench->host.bytes + GUARD, .blocking = CL_TRUE},
                    0, NULL, NULL);
  const cl_int ended = bench_resolve(bench, NULL);
  return status ? status : ended;
}

// ---------------------------------------------------------------- The table

static const struct probe_row rows[] = {
  {"probe memory", "memory", probe, DROPS},
  {"probe limits", "limits", probe, DROPS | BRIEFLY},
  {"probe numbers", "numbers", probe, DROPS | BRIEFLY},
  {"probe atomics", "atomics", probe, DROPS | BRIEFLY},
  {"short calls", NULL, call_shortly, UNSEEN_LATE},
};

// ---------------------------------------------------------------- Scenarios

static const char *open_runtime(struct bench *bench) {
  return bench_open_runtime(bench, NULL);
}

static const char *open_calling(struct bench *bench) {
  const clred_problem problem = {OP(SUM, INT)};
  const char *trouble = bench_image(bench, &bench->in, NUMBERS * sizeof(cl_int), fill_numbers);
  if (!trouble)
    trouble = bench_image(bench, &bench->out, NUMBERS * sizeof(cl_int), NULL);
  if (!trouble)
    trouble = bench_open_plan(bench, NULL, &problem);
  bench->out_size = bench->host_size = sizeof(cl_long);
  return trouble;
}

void add_probes(struct scenarios *all) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool probes = rows[i].run == probe;
    // The runtime is made before each probing, or once for all calls.
    struct scenario scenario = {.row = &rows[i],
                                .open = probes ? NULL : open_calling,
                                .before = probes ? open_runtime : NULL,
                                .act = rows[i].run,
                                .judge = bench_judge,
                                .after = probes ? bench_release : NULL,
                                .flags = rows[i].flags | (rows[i].flags & BRIEFLY ? ONLY_IN_FULL : 0),
                                .forgives_memory = probes ? 1000 : 0};
    add_scenario(all, rows[i].name, scenario);
  }
}
