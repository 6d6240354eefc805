// Probing a device, its file of findings, and a runtime that reads the file. A probe that an injected failure disturbs
// may find anything; the checks are that nothing leaks and that the same runtime can probe again.
#define _POSIX_C_SOURCE 200809L

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#define FINDINGS "findings.txt"

// ---------------------------------------------------------------- What is run

static cl_int probe(struct bench *bench) {
  const clred_probe_options options = {.only = row_of(bench)->about};
  clred_probe_counts counts;
  return clred_probe_device(bench->runtime, &options, &counts);
}

static cl_int save(struct bench *bench) {
  return clred_findings_save(bench->runtime, bench_file(bench, FINDINGS));
}

// Reads the findings into a new runtime. They forbid nothing.
static cl_int read_and_reduce(struct bench *bench) {
  return bench_end(bench, bench_reduce(bench, &(clred_options){.findings_file = bench_file(bench, FINDINGS)}));
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
  const cl_int ended = bench_settle(bench, NULL);
  return status ? status : ended;
}

// ---------------------------------------------------------------- The table

static const struct probe_row rows[] = {
  {"probe memory", "memory", probe, DROPS},
  {"probe limits", "limits", probe, DROPS | BRIEFLY},
  {"probe numbers", "numbers", probe, DROPS | BRIEFLY},
  {"probe atomics", "atomics", probe, DROPS | BRIEFLY},
  {"probe order", "order", probe, DROPS | BRIEFLY},
  {"probe choices", "choices", probe, DROPS | BRIEFLY},
  {"findings are saved", "memory", save, 0},
  {"findings are read", "memory", read_and_reduce, 0},
  {"short calls", NULL, call_shortly, UNSEEN_LATE},
};

// ---------------------------------------------------------------- Scenarios

static const char *open_runtime(struct bench *bench) {
  return bench_open_runtime(bench, NULL);
}

static const char *make_probed(struct bench *bench) {
  const char *trouble = open_runtime(bench);
  return !trouble && probe(bench) ? bench_say(bench, "%s", clred_last_error(bench->runtime)) : trouble;
}

static const char *open_saved(struct bench *bench) {
  const char *trouble = bench_open_folder(bench);
  bench->host_size = sizeof(cl_long);
  if (!trouble)
    trouble = make_probed(bench);
  if (!trouble && save(bench))
    trouble = bench_say(bench, "%s", clred_last_error(bench->runtime));
  bench_release(bench);
  return trouble;
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

static void forget_files(struct bench *bench) {
  if (!*bench->folder)
    return;
  remove(bench_file(bench, FINDINGS));
  rmdir(bench->folder);
}

// The runtime is made before each act, or once for all acts.
static void set_up(struct scenario *scenario, const struct probe_row *row) {
  if (row->run == probe) {
    scenario->before = open_runtime;
    scenario->after = bench_release;
  } else if (row->run == save) {
    scenario->open = bench_open_folder;
    scenario->before = make_probed;
    scenario->after = bench_release;
  } else {
    scenario->open = row->run == call_shortly ? open_calling : open_saved;
  }
}

void add_probes(struct scenarios *all) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct scenario scenario = {
      .row = &rows[i],
      .act = rows[i].run,
      .judge = bench_judge,
      .close = forget_files,
      .flags = rows[i].flags | (rows[i].flags & BRIEFLY ? ONLY_IN_FULL : 0),
      // If memory is out, findings are not written, and the call does not fail.
      .forgives_memory = rows[i].flags & DROPS || rows[i].run == read_and_reduce ? 1000
                         : rows[i].run == save                                   ? 4
                                                                                 : 0,
      .forgives = rows[i].run == read_and_reduce ? "clGetDeviceInfo clGetPlatformInfo clGetProgramBuildInfo" : NULL};
    set_up(&scenario, &rows[i]);
    add_scenario(all, rows[i].name, scenario);
  }
}
