// Calls on host memory, with a plan and without.
#include <stdio.h>
#include <string.h>

#include "calls.h"

// Elements stand in the middle, so that they can be read at any address.
static cl_int numbers[NUMBERS + 2];

struct host_row {
  const char *name;
  const char *assume;
  clred_problem problem;  // of a plan; without one the call makes its own
  cl_int (*run)(struct bench *bench);
  size_t results;  // bytes that it may write
};

static const struct host_row *row_of(const struct bench *bench) {
  return bench->scenario->row;
}

static unsigned char *room(struct bench *bench) {
  return bench->host.bytes + GUARD;
}

// ---------------------------------------------------------------- The calls

static cl_int reduce_alone(struct bench *bench) {
  return clred_reduce_host(bench->runtime, CLRED_TYPE_INT, CLRED_OP_ADD, numbers, NUMBERS, room(bench));
}

static cl_int scan_alone(struct bench *bench) {
  return clred_scan_host(bench->runtime, CLRED_TYPE_INT, CLRED_OP_ADD, CLRED_SCAN_INCLUSIVE, numbers, NUMBERS,
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

static cl_int reduce(struct bench *bench) {
  return clred_plan_run_host(bench->queue, bench->plan,
                             &(clred_host_call){.in = numbers, .count = NUMBERS, .out = room(bench)});
}

// At an address that no element has.
static cl_int reduce_askew(struct bench *bench) {
  return clred_plan_run_host(bench->queue, bench->plan,
                             &(clred_host_call){.in = (const char *)numbers + 1, .count = NUMBERS, .out = room(bench)});
}

static cl_int reduce_both(struct bench *bench) {
  const void *const inputs[] = {numbers};
  const clred_host_call call = {.in = numbers, .inputs = inputs, .count = NUMBERS, .out = room(bench)};
  return clred_plan_run_host(bench->queue, bench->plan, &call);
}

static cl_int scan(struct bench *bench) {
  return clred_plan_run_host(bench->queue, bench->plan,
                             &(clred_host_call){.in = numbers, .count = NUMBERS, .out = room(bench)});
}

static cl_int scan_askew(struct bench *bench) {
  return clred_plan_run_host(
    bench->queue, bench->plan,
    &(clred_host_call){.in = (const char *)numbers + 1, .count = NUMBERS, .out = room(bench) + 1});
}

// Elements that lie where results go.
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

#define SUM .type = CLRED_TYPE_INT, .op = CLRED_OP_ADD
#define SUMS SUM, .scan = CLRED_SCAN_INCLUSIVE

static const struct host_row rows[] = {
  ROW(.name = "host, reduce without a plan", .run = reduce_alone, .results = 8),
  ROW(.name = "host, scan without a plan", .run = scan_alone, .results = NUMBERS * 8),
  ROW(.name = "host, select without a plan", .run = select_alone, .results = NUMBERS * 4),
  ROW(.name = "host, histogram without a plan", .run = count_alone, .results = 24),
  ROW(.name = "host, reduce", .problem = {SUM}, .run = reduce, .results = 8),
  ROW(.name = "host, reduce, copied", .assume = "unified_memory=0", .problem = {SUM}, .run = reduce, .results = 8),
  ROW(.name = "host, reduce, askew", .problem = {SUM}, .run = reduce_askew, .results = 8),
  ROW(.name = "host, reduce, more than a buffer", .assume = "max_alloc=8192", .problem = {SUM}, .run = reduce,
      .results = 8),
  ROW(.name = "host, reduce, more, copied", .assume = "max_alloc=8192,unified_memory=0", .problem = {SUM},
      .run = reduce, .results = 8),
  ROW(.name = "host, reduce, more, askew", .assume = "max_alloc=8192", .problem = {SUM}, .run = reduce_askew,
      .results = 8),
  ROW(.name = "host, dot", .problem = {.type = CLRED_TYPE_INT, .op = CLRED_OP_DOT}, .run = reduce_both, .results = 8),
  ROW(.name = "host, dot, more than a buffer", .assume = "max_alloc=8192",
      .problem = {.type = CLRED_TYPE_INT, .op = CLRED_OP_DOT}, .run = reduce_both, .results = 8),
  ROW(.name = "host, scan", .problem = {SUMS}, .run = scan, .results = NUMBERS * 8),
  ROW(.name = "host, scan, askew", .problem = {SUMS}, .run = scan_askew, .results = NUMBERS * 8 + 1),
  ROW(.name = "host, scan, copied", .assume = "unified_memory=0", .problem = {SUMS}, .run = scan,
      .results = NUMBERS * 8),
  ROW(.name = "host, scan over itself", .problem = {SUMS}, .run = scan_over, .results = NUMBERS * 8),
  ROW(.name = "host, scan on the host", .problem = {SUMS, .strategy = "scan_host_serial"}, .run = scan,
      .results = NUMBERS * 8),
  ROW(.name = "host, select", .problem = {.type = CLRED_TYPE_INT, .selection = &larger}, .run = select_,
      .results = NUMBERS * 4),
};

// ---------------------------------------------------------------- Scenarios

static cl_int number_at(size_t i) {
  return (cl_int)(i * 7 % 50);
}

static const char *open_host(struct bench *bench) {
  for (size_t i = 0; i < NUMBERS + 2; i++)
    numbers[i] = number_at(i);
  bench->host_size = row_of(bench)->results;
  return NULL;
}

static const char *make_runtime(struct bench *bench) {
  const clred_options options = {.assume = row_of(bench)->assume};
  return bench_runtime(bench, &options) ? bench->error : NULL;
}

static const char *open_with_plan(struct bench *bench) {
  const char *trouble = open_host(bench);
  if (!trouble)
    trouble = make_runtime(bench);
  if (!trouble && clred_plan_create(bench->runtime, &row_of(bench)->problem, &bench->plan))
    return bench_say(bench, "no plan: %s", clred_last_error(bench->runtime));
  return trouble;
}

// The call is over when it returns, whatever it returns: its memory is the caller's again, and nobody waits.
static cl_int act(struct bench *bench) {
  return row_of(bench)->run(bench);
}

static const char *judge(struct bench *bench, bool succeeded) {
  for (size_t i = 0; i < NUMBERS + 2; i++)
    if (numbers[i] != number_at(i))
      return bench_say(bench, "WRONG: element %zu of the caller's was changed", i);
  return bench_judge(bench, succeeded);
}

void add_hosts(struct scenarios *all) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool alone = !rows[i].problem.type;
    struct scenario scenario =
      ROW(.row = &rows[i], .open = alone ? open_host : open_with_plan, .before = alone ? make_runtime : NULL,
          .act = act, .judge = judge, .after = alone ? bench_release : NULL);
    scenario.forgives = alone ? "clGetProgramBuildInfo clWaitForEvents clGetEventInfo"
                              : "clFinish clWaitForEvents clGetEventInfo clEnqueueUnmapMemObject";
    add_scenario(all, rows[i].name, scenario);
  }
}
