// Streams: filled in place or pushed, with and without unified memory, and on the host. Scans in parts.
#include <clreduce_partial.h>
#include <clreduce_scan_stream.h>
#include <stdio.h>
#include <string.h>

#include "scenario.h"

#define PUSHED 2500
#define FILLED 500

#define CHUNK 1024

static bool has_input(const struct bench *bench) {
  return bench->scenario->problem.op == CLRED_OP_DOT || bench->scenario->problem.custom;
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
  cl_int status = bench->scenario->flags & EMPTY ? CL_SUCCESS : fill(bench, stream);
  if (!status && !(bench->scenario->flags & EMPTY))
    status = push(bench, stream);
  return status ? status : clred_stream_finish(stream, bench->host.bytes + GUARD);
}

static cl_int scan(struct bench *bench) {
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = CHUNK, count;
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
  const clred_stream_options options = {.chunk = bench->scenario->flags & EMPTY ? 0 : CHUNK,
                                        .parameters = bench->scenario->problem.custom ? weighted_parameters : NULL,

                                        .on_host = (bench->scenario->flags & ON_HOST) != 0};
  clred_stream *stream = NULL;
  cl_int status = clred_stream_create(bench->queue, bench->plan, &options, &stream);
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

// Joined by the host and by the device.
static const clred_operator adding =
  OPERATOR(.name = "adding", .element = "int", .state = "long", .identity = "0", .lift = "(long)x", .combine = "a + b");

static const char *open_stream(struct bench *bench) {
  const char *trouble = open_queue(bench);
  return trouble ? trouble : open_plan(bench);
}

static const char *open_parts(struct bench *bench) {
  const char *trouble = bench_image(bench, &bench->in, NUMBERS * sizeof *numbers, fill_numbers);
  if (!trouble)
    trouble = bench_image(bench, &bench->out, NUMBERS * sizeof(cl_long), image_pattern);
  bench->out_at = BEFORE * sizeof(cl_long);
  bench->out_size = (NUMBERS - BEFORE) * sizeof(cl_long);
  return trouble ? trouble : open_plan(bench);
}

#define REDUCES .open = open_stream, .act = act, .bytes = sizeof(cl_long)
#define SCANS .open = open_stream, .act = scan, .bytes = NUMBERS * sizeof(cl_long)
#define PARTS .open = open_parts, .act = scan_parts, .forgives = "clGetEventInfo"
// A scan asks which earlier events are complete; without an answer it keeps them.
#define EVENTS .forgives = "clGetEventInfo"
#define TIMES .flags = PROFILES, .forgives = "clGetEventInfo clGetEventProfilingInfo"
#define COPIED .assume = "unified_memory=0"

static const struct scenario rows[] = {
  ROW(PARTS, .name = "scan in parts", .problem = {OP(MEAN, INT), SCAN(INCLUSIVE)}),
  ROW(PARTS, .name = "scan in parts, joined by the device", .problem = {.custom = &adding, SCAN(INCLUSIVE)},
      .flags = ONLY_IN_FULL),
  ROW(REDUCES, .name = "stream", .problem = {SUM_OF_INTS}),
  ROW(REDUCES, .name = "stream, copied", COPIED, .problem = {SUM_OF_INTS}),
  ROW(REDUCES, .name = "stream, copied, out of order", COPIED, .problem = {SUM_OF_INTS}, .flags = OUT_OF_ORDER),
  ROW(REDUCES, .name = "stream, times", .problem = {SUM_OF_INTS, .profile = CL_TRUE}, .flags = PROFILES,
      .forgives = "clGetEventProfilingInfo"),
  ROW(REDUCES, .name = "stream, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS}),
  ROW(REDUCES, .name = "stream of two", .problem = {OP(DOT, INT)}),
  ROW(REDUCES, .name = "stream of two, copied", COPIED, .problem = {OP(DOT, INT)}),
  ROW(REDUCES, .name = "stream, a caller's operator", .problem = {.custom = &weighted}),
  ROW(REDUCES, .name = "stream on the host", .problem = {SUM_OF_INTS}, .flags = ON_HOST),
  ROW(SCANS, EVENTS, .name = "stream of scans", .problem = {SUM_OF_INTS, SCAN(INCLUSIVE)}),
  ROW(SCANS, EVENTS, .name = "stream of scans, copied, out of order", COPIED, .problem = {SUM_OF_INTS, SCAN(INCLUSIVE)},
      .flags = OUT_OF_ORDER),
  ROW(SCANS, TIMES, .name = "stream of scans, times", .problem = {SUM_OF_INTS, SCAN(EXCLUSIVE), .profile = CL_TRUE}),
  ROW(REDUCES, .name = "stream of nothing", .problem = {SUM_OF_INTS}, .flags = EMPTY),
};

void add_streams(struct scenarios *all) {
  ADD_TABLE(all, rows);
}
