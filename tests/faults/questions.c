// Functions that inspect plans and operators, functions that try them, and probes of a device. A probe that an injected
// failure disturbs may find anything; the checks are that nothing leaks and that the same runtime can probe again.
#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "scenario.h"

// ---------------------------------------------------------------- The functions

static cl_int check_laws(struct bench *bench) {
  clred_law laws[CLRED_LAWS] = {{.name = NULL}};
  const cl_int status = clred_check_laws(bench->runtime, &bench->scenario->problem, 1, laws);
  for (int i = 0; i < CLRED_LAWS && !status; i++)
    bench->host.bytes[GUARD + i] = (unsigned char)laws[i].holds;
  return status;
}

static cl_int check_strategy(struct bench *bench) {
  return clred_strategy_applies(bench->runtime, "chunked", &bench->scenario->problem, bench->error,
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
  return bench->scenario->problem.histogram ? clred_plan_edge(bench->plan, 1, &edge) : CL_SUCCESS;
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
  const cl_int status = clred_tune(bench->runtime, &bench->scenario->problem, &options, tuned, &count);
  clock_pretend(false);
  return status || count ? status : CLRED_WRONG_RESULT;
}

// The name of the row ends with the probes to run.
static cl_int probe(struct bench *bench) {
  const clred_probe_options options = {.only = bench->scenario->name + strlen("probe ")};
  clred_probe_result result;
  return clred_probe_device(bench->runtime, &options, &result);
}

// ---------------------------------------------------------------- The table

#define FORGIVES .forgives = "clGetProgramBuildInfo"

static const struct scenario rows[] = {
  ROW(WITH_RUNTIME, FORGIVES, .name = "laws", .problem = {OP(MAX, INT)}, .act = check_laws, .bytes = CLRED_LAWS),
  ROW(WITH_RUNTIME, FORGIVES, .name = "laws of a caller's operator", .problem = {.custom = &weighted},
      .act = check_laws, .forgives_memory = 1000, .bytes = CLRED_LAWS),
  ROW(WITH_RUNTIME, FORGIVES, .name = "does a strategy apply", .problem = {.custom = &weighted}, .act = check_strategy,
      .flags = SILENT),
  ROW(WITH_PLAN, FORGIVES, .name = "describe", .problem = {SUM_OF_INTS}, .act = describe, .forgives_memory = 1000),
  ROW(WITH_PLAN, FORGIVES, .name = "describe a histogram",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins}, .act = describe, .forgives_memory = 1000),
  ROW(WITH_PLAN, FORGIVES, .name = "reference", .problem = {SUM_OF_INTS}, .act = refer, .flags = SILENT, .bytes = 8),
  ROW(WITH_PLAN, FORGIVES, .name = "reference of a tree",
      .problem = {SUM_OF_INTS, .strategy = "top_down", .count_max = NUMBERS}, .act = refer, .flags = SILENT,
      .bytes = 8),
  ROW(WITH_PLAN, FORGIVES, .name = "reference of a scan", .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE)}, .act = refer,
      .flags = SILENT, .bytes = NUMBERS * 8),
  ROW(WITH_PLAN, FORGIVES, .name = "reference of Blelloch's scan",
      .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE), .strategy = "scan_blelloch_recursive", .count_max = NUMBERS},
      .act = refer, .flags = SILENT, .bytes = NUMBERS * 8),
  ROW(WITH_PLAN, FORGIVES, .name = "reference of a histogram",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins}, .act = refer, .flags = SILENT, .bytes = 24),
  ROW(WITH_RUNTIME, FORGIVES, .name = "tune", .problem = {SUM_OF_INTS, .count_max = NUMBERS}, .act = tune,
      .forgives_memory = 1000, .flags = DROPS),
  ROW(WITH_RUNTIME, .name = "probe memory", .act = probe, .forgives_memory = 1000, .flags = DROPS),
  ROW(WITH_RUNTIME, .name = "probe limits", .act = probe, .forgives_memory = 1000,
      .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
  ROW(WITH_RUNTIME, .name = "probe numbers", .act = probe, .forgives_memory = 1000,
      .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
  ROW(WITH_RUNTIME, .name = "probe atomics", .act = probe, .forgives_memory = 1000,
      .flags = DROPS | BRIEFLY | ONLY_IN_FULL),
};

void add_questions(struct scenarios *all) {
  ADD_TABLE(all, rows);
}
