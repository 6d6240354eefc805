// Calls on host memory, with and without a plan; and sorts, also of buffers.
#include <string.h>

#include <clreduce_quantile.h>
#include <clreduce_sort.h>

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

// ---------------------------------------------------------------- Sorts

static const clred_sort_problem pairs = {
  .type = CLRED_TYPE_INT, .form = CLRED_SORT_PAIRS, .value_size = 3, .count_max = NUMBERS};
static const clred_sort_problem indices = {
  .type = CLRED_TYPE_INT, .form = CLRED_SORT_INDICES, .descending = CL_TRUE, .count_max = NUMBERS};
static clred_sorter *sorter;  // of the scenario

static cl_int sort_with(struct bench *bench, clred_sorter *with) {
  clred_sorter_info info;
  clred_sorter_inspect(with, &info);
  return clred_sorter_run_host(bench->queue, with,
                               &(clred_sort_host_call){.keys = numbers,
                                                       .count = NUMBERS,
                                                       .keys_out = info.index_type ? NULL : room(bench),
                                                       .values = info.index_type ? NULL : numbers,
                                                       .values_out = room(bench) + NUMBERS * sizeof *numbers});
}

static cl_int sort_alone(struct bench *bench, const clred_sort_problem *problem) {
  clred_sorter *made = NULL;
  cl_int err = clred_sorter_create(bench->runtime, problem, &made);
  if (!err)
    err = clred_sorter_warm(bench->queue, made);
  if (!err)
    err = sort_with(bench, made);
  clred_sorter_release(made);
  return err;
}

static cl_int sort_pairs(struct bench *bench) {
  return sort_alone(bench, &pairs);
}

static cl_int sort_indices(struct bench *bench) {
  return sort_alone(bench, &indices);
}

static cl_int argsort_alone(struct bench *bench) {
  return clred_argsort_host(bench->runtime, CLRED_TYPE_INT, numbers, NUMBERS, (cl_ulong *)(void *)room(bench));
}

static cl_int sort_again(struct bench *bench) {
  return sort_with(bench, sorter);
}

// A first call, without an event, is on another queue.
static cl_int sort_buffers(struct bench *bench) {
  const clred_sort_call call = {.keys = bench->in.mem, .count = NUMBERS, .values_out = bench->out.mem};
  cl_event event = NULL;
  cl_int status = clred_enqueue_sort(bench->other, sorter, &call, 0, NULL, NULL);
  PAUSED(bench, clFinish(bench->other));
  if (!status)
    status = clred_enqueue_sort(bench->queue, sorter, &call, 0, NULL, &event);
  const cl_int ended = bench_resolve(bench, event);
  return status ? status : ended;
}

static const char *open_sorter(struct bench *bench) {
  const char *trouble = open_runtime(bench);
  if (!trouble && clred_sorter_create(bench->runtime, bench->scenario->bytes ? &pairs : &indices, &sorter))
    trouble = bench_say(bench, "no sorter: %s", clred_last_error(bench->runtime));
  return trouble;
}

static const char *open_buffers(struct bench *bench) {
  const char *trouble = open_sorter(bench);
  if (!trouble)
    trouble = bench_open_queue(bench, 0);
  bench->other = bench->queue;
  bench->queue = bench->device.queue;
  if (!trouble)
    trouble = open_queue(bench);
  if (!trouble)
    trouble = bench_image(bench, &bench->in, NUMBERS * sizeof(cl_int), fill_numbers);
  bench->out_size = NUMBERS * sizeof(cl_uint);
  return trouble ? trouble : bench_image(bench, &bench->out, bench->out_size, NULL);
}

static void close_sorter(struct bench *bench) {
  clred_sorter_release(sorter);
  bench_release(bench);
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
#define SORTED (NUMBERS * (sizeof *numbers + 4))  // keys, and values or indices
#define SORTER .open = open_sorter, .close = close_sorter, .forgives = "clGetEventInfo clFlush"
#define BUFFERS .act = sort_buffers, .open = open_buffers, .close = close_sorter, .forgives = "clGetEventInfo clFlush"
#define AS_GPU "cpu=0,max_work_group_size=16"

static const struct scenario rows[] = {
  ROW(ALONE, .name = "host, reduce without a plan", .act = reduce_alone, .bytes = 8),
  ROW(ALONE, .name = "host, scan without a plan", .act = scan_alone, .bytes = NUMBERS * 8),
  ROW(ALONE, .name = "host, select without a plan", .act = select_alone, .bytes = NUMBERS * 4),
  ROW(ALONE, .name = "host, histogram without a plan", .act = count_alone, .bytes = 24),
  ROW(QUANTILE, .name = "host, median", .act = median_alone, .bytes = 8),
  ROW(QUANTILE, .name = "host, nine quantiles", .act = quantiles_alone, .bytes = 72),
  ROW(QUANTILE, .name = "host, quantiles copied", .assume = "unified_memory=0", .act = quantiles_alone, .bytes = 72),
  ROW(QUANTILE, .name = "host, top", .act = top_alone, .bytes = 12),
  ROW(ALONE, .name = "sort, pairs", .act = sort_pairs, .bytes = SORTED),
  ROW(ALONE, .name = "sort, pairs copied", .assume = "unified_memory=0", .act = sort_pairs, .bytes = SORTED),
  ROW(ALONE, .name = "sort, indices by tiles", .assume = AS_GPU, .act = sort_indices, .bytes = SORTED),
  ROW(ALONE, .name = "sort, indices without a sorter", .act = argsort_alone, .bytes = NUMBERS * 8),
  ROW(SORTER, .name = "sort, pairs by tiles", .assume = AS_GPU, .act = sort_again, .bytes = SORTED),
  ROW(BUFFERS, .name = "sort, two queues", .assume = AS_GPU, .flags = UNSEEN_LATE),
  ROW(BUFFERS, .name = "sort, out of order", .assume = AS_GPU, .flags = UNSEEN_LATE | OUT_OF_ORDER),
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
