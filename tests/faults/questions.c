// Functions that inspect plans and operators, functions that try them, and probes of a device. A probe that an injected
// failure disturbs may find anything; the checks are that nothing leaks and that the same runtime can probe again.
#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "clock.h"

// ---------------------------------------------------------------- The functions

static cl_int check_laws(struct bench *bench) {
  clred_law laws[CLRED_LAWS] = {{.name = NULL}};
  const cl_int status = clred_check_laws(bench->runtime, &act_row_of(bench)->problem, 1, laws);
  for (int i = 0; i < CLRED_LAWS && !status; i++)
    bench->host.bytes[GUARD + i] = (unsigned char)laws[i].holds;
  return status;
}

static cl_int check_strategy(struct bench *bench) {
  return clred_strategy_applies(bench->runtime, "chunked", &act_row_of(bench)->problem, bench->error,
                                sizeof bench->error);
}

// Without memory the description is shorter; the call never fails.
static cl_int describe(struct bench *bench) {
  char text[8192];
  clred_step step;
  double edge;
  clred_plan_describe(bench->plan, NUMBERS, text, sizeof text);
  for (cl_ulong i = 0; clred_plan_step(bench->plan, NUMBERS, i, &step) == CL_SUCCESS; i++)
    ;
  return act_row_of(bench)->problem.histogram ? clred_plan_edge(bench->plan, 1, &edge) : CL_SUCCESS;
}

static cl_int refer(struct bench *bench) {
  return clred_plan_reference(bench->plan,
                              &(clred_host_call){.in = numbers, .count = NUMBERS, .out = bench->host.bytes + GUARD});
}

static cl_int tune(struct bench *bench) {
  const clred_tune_options options = {.seconds = 30};
  clred_tuned tuned[CLRED_TUNED_MAX];
  size_t count = 0;
  clock_pretend(true);
  const cl_int status = clred_tune(bench->runtime, &act_row_of(bench)->problem, &options, tuned, &count);
  clock_pretend(false);
  return status || count ? status : CLRED_WRONG_RESULT;
}

// The name of the row ends with the probes to run.
static cl_int probe(struct bench *bench) {
  const clred_probe_options options = {.only = act_row_of(bench)->name + strlen("probe ")};
  clred_probe_result result;
  return clred_probe_device(bench->runtime, &options, &result);
}

// ---------------------------------------------------------------- The table

#define FORGIVES .forgives = "clGetProgramBuildInfo"

static const struct act_row rows[] = {
  ROW(FORGIVES, .name = "laws", .problem = {OP(MAX, INT)}, .run = check_laws, .results = CLRED_LAWS),
  ROW(FORGIVES, .name = "laws of a caller's operator", .problem = {.custom = &weighted}, .run = check_laws,
      .forgives_memory = 1000, .results = CLRED_LAWS),
  ROW(FORGIVES, .name = "does a strategy apply", .problem = {.custom = &weighted}, .run = check_strategy,
      .flags = SILENT),
  ROW(FORGIVES, .name = "describe", .problem = {SUM_OF_INTS}, .run = describe, .with_plan = true,
      .forgives_memory = 1000),
  ROW(FORGIVES, .name = "describe a histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .run = describe, .with_plan = true, .forgives_memory = 1000),
  ROW(FORGIVES, .name = "reference", .problem = {SUM_OF_INTS}, .run = refer, .with_plan = true, .flags = SILENT,
      .results = 8),
  ROW(FORGIVES, .name = "reference of a tree", .problem = {SUM_OF_INTS, .strategy = "top_down", .count_max = NUMBERS},
      .run = refer, .with_plan = true, .flags = SILENT, .results = 8),
  ROW(FORGIVES, .name = "reference of a scan", .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE)}, .run = refer,
      .with_plan = true, .flags = SILENT, .results = NUMBERS * 8),
  ROW(FORGIVES, .name = "reference of Blelloch's scan",
      .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE), .strategy = "scan_blelloch_recursive", .count_max = NUMBERS},
      .run = refer, .with_plan = true, .flags = SILENT, .results = NUMBERS * 8),
  ROW(FORGIVES, .name = "reference of a histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .run = refer, .with_plan = true, .flags = SILENT, .results = 24),
  ROW(FORGIVES, .name = "tune", .problem = {SUM_OF_INTS, .count_max = NUMBERS}, .run = tune, .forgives_memory = 1000,
      .flags = DROPS),
  ROW(.name = "probe memory", .run = probe, .forgives_memory = 1000, .flags = DROPS),
  ROW(.name = "probe limits", .run = probe, .forgives_memory = 1000, .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
  ROW(.name = "probe numbers", .run = probe, .forgives_memory = 1000, .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
  ROW(.name = "probe atomics", .run = probe, .forgives_memory = 1000, .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
};

void add_questions(struct scenarios *all) {
  add_acts(all, rows, sizeof rows / sizeof *rows);
}
