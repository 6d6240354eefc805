// Calls on host memory, with and without a plan.
#include <string.h>

#include <clreduce_quantile.h>

#include "scenario.h"

static unsigned char *room(struct bench *bench) {
  return bench->host.bytes + GUARD;
}

// ---------------------------------------------------------------- The calls

static cl_int reduce_alone(struct bench *bench) {
  return clred_reduce_host(bench->runtime, CLRED_TYPE_INT, CLRED_OP_SUM, numbers, NUMBERS, room(bench));
}

static cl_int scan_alone(struct bench *bench) {
  return clred_scan_host(bench->runtime, CLRED_TYPE_INT, CLRED_OP_SUM, CLRED_SCAN_INCLUSIVE, numbers, NUMBERS,
                         room(bench));
}

static cl_int select_alone(struct bench *bench) {
  return clred_select_host(bench->runtime, CLRED_TYPE_INT, &larger, numbers, NUMBERS, room(bench),
                           &bench->outcome.count);
}

static cl_int count_alone(struct bench *bench) {
  return clred_histogram_host(bench->runtime, CLRED_TYPE_INT, &three_bins, numbers, NUMBERS,
                              (cl_ulong *)(void *)room(bench));
}

// The median; the same among nine quantiles, which counts keys; the largest elements with their places.
static cl_int run_quantile(struct bench *bench, const clred_quantile_problem *problem) {
  cl_ulong places[3];
  clred_quantile *quantile = NULL;
  cl_int err = clred_quantile_create(bench->runtime, problem, &quantile);
  if (!err)
    err = clred_quantile_warm(bench->queue, quantile);
  if (!err)
    err = clred_quantile_run_host(bench->queue, quantile, numbers, NUMBERS, room(bench), problem->top ? places : NULL);
  clred_quantile_release(quantile);
  return err;
}

static const double at_nine[9] = {0.5, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9};

static cl_int median_alone(struct bench *bench) {
  return run_quantile(bench, &(clred_quantile_problem){.type = CLRED_TYPE_INT, .at = at_nine, .at_count = 1});
}

static cl_int quantiles_alone(struct bench *bench) {
  return run_quantile(bench, &(clred_quantile_problem){.type = CLRED_TYPE_INT, .at = at_nine, .at_count = 9});
}

static cl_int top_alone(struct bench *bench) {
  return run_quantile(bench, &(clred_quantile_problem){.type = CLRED_TYPE_INT, .top = 3});
}

// Elements at an address that is not aligned.
static cl_int reduce_askew(struct bench *bench) {
  return clred_plan_run_host(bench->queue, bench->plan,
                             &(clred_host_call){.in = (const char *)numbers + 1, .count = NUMBERS, .out = room(bench)});
}

static cl_int reduce_both(struct bench *bench) {
  const void *const inputs[] = {numbers};
  const clred_host_call call = {.in = numbers, .inputs = inputs, .count = NUMBERS, .out = room(bench)};
  return clred_plan_run_host(bench->queue, bench->plan, &call);
}

static cl_int scan_askew(struct bench *bench) {
  return clred_plan_run_host(
    bench->queue, bench->plan,
    &(clred_host_call){.in = (const char *)numbers + 1, .count = NUMBERS, .out = room(bench) + 1});
}

// Results overwrite the elements.
static cl_int scan_over(struct bench *bench) {
  memcpy(room(bench), numbers, NUMBERS * sizeof *numbers);
  return clred_plan_run_host(bench->queue, bench->plan,
                             &(clred_host_call){.in = room(bench), .count = NUMBERS, .out = room(bench)});
}

static cl_int select_(struct bench *bench) {
  return clred_plan_run_host(
    bench->queue, bench->plan,
    &(clred_host_call){.in = numbers, .count = NUMBERS, .out = room(bench), .kept = &bench->outcome.count});
}

// ---------------------------------------------------------------- The table

#define ALONE WITH_RUNTIME, .forgives = "clGetProgramBuildInfo clWaitForEvents clGetEventInfo"
// A quantile without times is a quantile.
#define QUANTILE \
  WITH_RUNTIME, .forgives = "clGetProgramBuildInfo clWaitForEvents clGetEventInfo clGetEventProfilingInfo"
#define PLAN(...) \
  WITH_PLAN, .problem = {__VA_ARGS__}, .forgives = "clFinish clWaitForEvents clGetEventInfo clEnqueueUnmapMemObject"
#define SUMS SUM_OF_INTS, SCAN(INCLUSIVE)

static const struct scenario rows[] = {
  ROW(ALONE, .name = "host, reduce without a plan", .act = reduce_alone, .bytes = 8),
  ROW(ALONE, .name = "host, scan without a plan", .act = scan_alone, .bytes = NUMBERS * 8),
  ROW(ALONE, .name = "host, select without a plan", .act = select_alone, .bytes = NUMBERS * 4),
  ROW(ALONE, .name = "host, histogram without a plan", .act = count_alone, .bytes = 24),
  ROW(QUANTILE, .name = "host, median", .act = median_alone, .bytes = 8),
  ROW(QUANTILE, .name = "host, nine quantiles", .act = quantiles_alone, .bytes = 72),
  ROW(QUANTILE, .name = "host, quantiles copied", .assume = "unified_memory=0", .act = quantiles_alone, .bytes = 72),
  ROW(QUANTILE, .name = "host, top", .act = top_alone, .bytes = 12),
  ROW(.name = "host, reduce", PLAN(SUM_OF_INTS), .act = bench_run_host, .bytes = 8),
  ROW(.name = "host, reduce, copied", .assume = "unified_memory=0", PLAN(SUM_OF_INTS), .act = bench_run_host,
      .bytes = 8),
  ROW(.name = "host, reduce, askew", PLAN(SUM_OF_INTS), .act = reduce_askew, .bytes = 8),
  ROW(.name = "host, reduce, more than a buffer", .assume = "max_alloc=8192", PLAN(SUM_OF_INTS), .act = bench_run_host,
      .bytes = 8),
  ROW(.name = "host, reduce, more, copied", .assume = "max_alloc=8192,unified_memory=0", PLAN(SUM_OF_INTS),
      .act = bench_run_host, .bytes = 8),
  ROW(.name = "host, reduce, more, askew", .assume = "max_alloc=8192", PLAN(SUM_OF_INTS), .act = reduce_askew,
      .bytes = 8),
  ROW(.name = "host, dot", PLAN(OP(DOT, INT)), .act = reduce_both, .bytes = 8),
  ROW(.name = "host, dot, more than a buffer", .assume = "max_alloc=8192", PLAN(OP(DOT, INT)), .act = reduce_both,
      .bytes = 8),
  ROW(.name = "host, scan", PLAN(SUMS), .act = bench_run_host, .bytes = NUMBERS * 8),
  ROW(.name = "host, scan, askew", PLAN(SUMS), .act = scan_askew, .bytes = NUMBERS * 8 + 1),
  ROW(.name = "host, scan, copied", .assume = "unified_memory=0", PLAN(SUMS), .act = bench_run_host,
      .bytes = NUMBERS * 8),
  ROW(.name = "host, scan over itself", PLAN(SUMS), .act = scan_over, .bytes = NUMBERS * 8),
  ROW(.name = "host, scan on the host", PLAN(SUMS, .strategy = "scan_host_serial"), .act = bench_run_host,
      .bytes = NUMBERS * 8),
  ROW(.name = "host, select", PLAN(.type = CLRED_TYPE_INT, .selection = &larger), .act = select_, .bytes = NUMBERS * 4),
};

void add_hosts(struct scenarios *all) {
  ADD_TABLE(all, rows);
}
