// Streams: filled in place or pushed, with and without unified memory, and on the host. Scans in parts.
#include <clreduce_partial.h>
#include <clreduce_scan_stream.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"

#define PUSHED 2500
#define FILLED 500

struct stream_row {
  const char *name;
  const char *assume;
  clred_problem problem;
  clred_stream_options options;
  bool out_of_order, profiles, is_empty;
};

static const struct stream_row *row_of(const struct bench *bench) {
  return bench->scenario->row;
}

static bool has_input(const struct bench *bench) {
  return row_of(bench)->problem.op == CLRED_OP_DOT || row_of(bench)->problem.custom;
}

// ---------------------------------------------------------------- The life of a stream

static cl_int fill(struct bench *bench, clred_stream *stream) {
  cl_ulong count = 0;
  for (size_t done = 0; done < FILLED; done += count) {
    void *in, *inputs[1];
    const cl_int status = clred_stream_acquire(stream, &in, has_input(bench) ? inputs : NULL, &count);
    if (status)
      return status;
    count = count < FILLED - done ? count : FILLED - done;
    memcpy(in, numbers + done, count * sizeof *numbers);
    if (has_input(bench))
      memcpy(inputs[0], numbers + done, count * sizeof *numbers);
    const cl_int committed = clred_stream_commit(stream, count);
    if (committed)
      return committed;
  }
  return CL_SUCCESS;
}

static cl_int push(struct bench *bench, clred_stream *stream) {
  const void *const inputs[] = {numbers + FILLED};
  return clred_stream_push(stream, numbers + FILLED, has_input(bench) ? inputs : NULL, PUSHED);
}

static cl_int use(struct bench *bench, clred_stream *stream) {
  cl_int status = row_of(bench)->is_empty ? CL_SUCCESS : fill(bench, stream);
  if (!status && !row_of(bench)->is_empty)
    status = push(bench, stream);
  return status ? status : clred_stream_finish(stream, bench->host.bytes + GUARD);
}

static cl_int scan(struct bench *bench) {
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = row_of(bench)->options.chunk, count;
  cl_int status = clred_scan_stream_create(bench->queue, bench->plan, &chunk, NULL, &stream);
  for (cl_ulong done = 0; done < NUMBERS && !status; done += count) {
    count = NUMBERS - done < chunk ? NUMBERS - done : chunk;
    status =
      clred_scan_stream_next(stream, numbers + done, NULL, count, bench->host.bytes + GUARD + done * sizeof(cl_long));
  }
  bench_begin_release(bench);
  clred_scan_stream_release(stream);
  return status;
}

static cl_int act(struct bench *bench) {
  clred_stream *stream = NULL;
  cl_int status = clred_stream_create(bench->queue, bench->plan, &row_of(bench)->options, &stream);
  if (!status)
    status = use(bench, stream);
  bench_begin_release(bench);
  clred_stream_release(stream);
  return status;
}

// ---------------------------------------------------------------- A scan in parts

#define BEFORE 1500

struct parts {
  clred_plan *folds;
  clred_partial *before, *mine;
};

// Scans the elements after the first BEFORE ones.
static cl_int fold_and_scan(struct bench *bench, struct parts *parts, cl_event *event) {
  const clred_call earlier = {.in = bench->in.mem, .count = BEFORE};
  clred_call later = {.in = bench->in.mem, .in_offset = BEFORE, .count = NUMBERS - BEFORE};
  cl_int status = clred_plan_create_scan_partials(bench->plan, &parts->folds);
  if (!status)
    status = clred_partial_create(parts->folds, NULL, &parts->before);
  if (!status)
    status = clred_partial_create(parts->folds, &(clred_partial_options){.first = BEFORE}, &parts->mine);
  if (!status)
    status = clred_partial_fold(bench->queue, parts->before, &earlier, 0, NULL, NULL);
  if (!status)
    status = clred_partial_fold(bench->queue, parts->mine, &later, 0, NULL, NULL);
  later.out = bench->out.mem;
  later.out_offset = BEFORE;
  return status ? status
                : clred_partial_scan(bench->queue, bench->plan, parts->before, parts->mine, &later, 0, NULL, event);
}

static cl_int scan_parts(struct bench *bench) {
  struct parts parts = {0};
  cl_event event = NULL;
  const cl_int status = fold_and_scan(bench, &parts, &event), late = bench_resolve(bench, event);
  bench_begin_release(bench);
  clred_partial_release(parts.before);
  clred_partial_release(parts.mine);
  clred_plan_release(parts.folds);
  return status ? status : late;
}

// ---------------------------------------------------------------- The table

#define CHUNK \
  { .chunk = 1024 }

static const struct stream_row rows[] = {
  ROW(.name = "stream", .problem = {SUM_OF_INTS}, .options = CHUNK),
  ROW(.name = "stream, copied", .assume = "unified_memory=0", .problem = {SUM_OF_INTS}, .options = CHUNK),
  ROW(.name = "stream, copied, out of order", .assume = "unified_memory=0", .problem = {SUM_OF_INTS}, .options = CHUNK,
      .out_of_order = true),
  ROW(.name = "stream, times", .problem = {SUM_OF_INTS}, .options = CHUNK, .profiles = true),
  ROW(.name = "stream, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS}, .options = CHUNK),
  ROW(.name = "stream of two", .problem = {OP(DOT, INT)}, .options = CHUNK),
  ROW(.name = "stream of two, copied", .assume = "unified_memory=0", .problem = {OP(DOT, INT)}, .options = CHUNK),
  ROW(.name = "stream, a caller's operator", .problem = {.custom = &weighted},
      .options = {.chunk = 1024, .parameters = weighted_parameters}),
  ROW(.name = "stream on the host", .problem = {SUM_OF_INTS}, .options = {.chunk = 1024, .on_host = CL_TRUE}),
  ROW(.name = "stream of scans", .problem = {SUM_OF_INTS, SCAN(INCLUSIVE)}, .options = CHUNK),
  ROW(.name = "stream of scans, copied, out of order", .assume = "unified_memory=0",
      .problem = {SUM_OF_INTS, SCAN(INCLUSIVE)}, .options = CHUNK, .out_of_order = true),
  ROW(.name = "stream of scans, times", .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE)}, .options = CHUNK, .profiles = true),
  ROW(.name = "stream of nothing", .problem = {SUM_OF_INTS}, .is_empty = true),
};

// ---------------------------------------------------------------- Scenarios

static const char *open_stream(struct bench *bench) {
  const struct stream_row *row = row_of(bench);
  clred_problem problem = row->problem;
  cl_command_queue_properties wanted =
    (row->out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) | (row->profiles ? CL_QUEUE_PROFILING_ENABLE : 0);
  const char *trouble = wanted ? bench_open_queue(bench, wanted) : NULL;
  problem.profile = row->profiles;
  bench->host_size = (row->problem.scan ? NUMBERS : 1) * sizeof(cl_long);
  return trouble ? trouble : bench_open_plan(bench, row->assume, &problem);
}

// A scan asks which earlier events are complete; without an answer it keeps them.
static const char *forgiven(const struct stream_row *row) {
  if (row->problem.scan)
    return row->profiles ? "clGetEventInfo clGetEventProfilingInfo" : "clGetEventInfo";
  return row->profiles ? "clGetEventProfilingInfo" : NULL;
}

// Joined by the host and by the device.
static const clred_operator adding =
  OPERATOR(.name = "adding", .element = "int", .state = "long", .identity = "0", .lift = "(long)x", .combine = "a + b");
static const struct stream_row parted[] = {
  ROW(.name = "scan in parts", .problem = {OP(MEAN, INT), SCAN(INCLUSIVE)}),
  ROW(.name = "scan in parts, joined by the device", .problem = {.custom = &adding, SCAN(INCLUSIVE)}),
};

static const char *open_parts(struct bench *bench) {
  const char *trouble = bench_image(bench, &bench->in, NUMBERS * sizeof *numbers, fill_numbers);
  if (!trouble)
    trouble = bench_image(bench, &bench->out, NUMBERS * sizeof(cl_long), image_pattern);
  bench->out_at = BEFORE * sizeof(cl_long);
  bench->out_size = (NUMBERS - BEFORE) * sizeof(cl_long);
  return trouble ? trouble : bench_open_plan(bench, NULL, &row_of(bench)->problem);
}

void add_streams(struct scenarios *all) {
  for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) {
    struct scenario scenario = ROW(.row = &parted[i], .open = open_parts, .act = scan_parts, .judge = bench_judge,
                                   .forgives = "clGetEventInfo", .flags = i ? ONLY_IN_FULL : 0);
    add_scenario(all, parted[i].name, scenario);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct scenario scenario = ROW(.row = &rows[i], .open = open_stream, .act = rows[i].problem.scan ? scan : act,
                                   .judge = bench_judge, .forgives = forgiven(&rows[i]));
    add_scenario(all, rows[i].name, scenario);
  }
}
