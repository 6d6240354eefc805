// A plan and a call of the library as a side of a comparison, with buffers for what the call writes.

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "bench/beside.h"

enum { CHUNK = 1 << 20 };

struct plan_own {
  struct ours ours;
  const struct bench_work *work;  // NULL: results are not checked
  cl_mem parts[BENCH_PARTS];
};

static int failed(cl_int status, const char *call) {
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl(call, status, "the results of a comparison");
}

static size_t size_in_buffer(const struct bench_work *work, enum bench_part part) {
  return part == BENCH_NUMBER ? sizeof(clred_outcome) : bench_part_size(work, part);
}

static int run_plan(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct plan_own *own = side->own;
  return ours_run(&own->ours, clock, calls, seconds);
}

static int spoil_plan(struct side *side, enum bench_part part, size_t first, size_t count) {
  static unsigned char spoilt[CHUNK];
  const struct plan_own *own = side->own;
  const size_t size = size_in_buffer(own->work, part), bytes = count * size;
  cl_int status = CL_SUCCESS;
  memset(spoilt, 0xff, sizeof spoilt);
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += CHUNK)
    status = clEnqueueWriteBuffer(own->ours.bed->wall_queue, own->parts[part], CL_TRUE, first * size + done,
                                  bytes - done < CHUNK ? bytes - done : CHUNK, spoilt, 0, NULL, NULL);
  return failed(status, "clEnqueueWriteBuffer");
}

// A reduction's result becomes a double, an outcome its count.
static int read_plan(struct side *side, enum bench_part part, size_t first, size_t count, void *to) {
  const struct plan_own *own = side->own;
  const bool reduces = own->work->kind <= BENCH_ARGMIN && part == BENCH_RESULTS;
  const size_t size = reduces ? own->ours.info.result_size : size_in_buffer(own->work, part);
  unsigned char bytes[64];
  const bool small = reduces || part == BENCH_NUMBER;
  cl_int status = clEnqueueReadBuffer(own->ours.bed->wall_queue, own->parts[part], CL_TRUE, first * size, count * size,
                                      small ? bytes : to, 0, NULL, NULL);
  if (reduces)
    *(double *)to = number_as_double(own->ours.info.result_type, bytes);
  else if (small)
    memcpy(to, bytes, sizeof(uint64_t));
  return failed(status, "clEnqueueReadBuffer");
}

static void close_plan(struct side *side) {
  struct plan_own *own = side->own;
  ours_close(&own->ours);
  for (int part = 0; part < BENCH_PARTS; part++)
    if (own->parts[part] != NULL)
      clReleaseMemObject(own->parts[part]);
  free(own);
}

static int make_parts(struct plan_own *own, const struct bench_bed *bed, const struct plan_side *plan) {
  for (int i = 0; i < BENCH_PARTS; i++) {
    const enum bench_part part = (enum bench_part)i;
    size_t bytes = part == BENCH_RESULTS ? plan->out_bytes : 0;
    cl_int status = CL_SUCCESS;
    if (own->work != NULL)
      bytes = bench_part_count(own->work, part) * size_in_buffer(own->work, part);
    if (bytes > 0)
      own->parts[part] =
        clCreateBuffer(bed->session.context, CL_MEM_READ_WRITE, bytes < 64 ? 64 : bytes, NULL, &status);
    if (status != CL_SUCCESS)
      return failed(status, "clCreateBuffer");
  }
  return EXIT_DONE;
}

int plan_side_open(struct side *side, const struct beside *beside, const struct plan_side *plan,
                   const struct bench_work *work, struct bench_row *row) {
  struct plan_own *own = calloc(1, sizeof *own);
  if (own == NULL)
    return fail_memory();
  *side = (struct side){.kind = work == NULL && plan->name != NULL ? SIDE_LIMIT : SIDE_OURS,
                        .has_device_clock = true,
                        .bytes = plan->bytes,
                        .run = run_plan,
                        .close = close_plan,
                        .own = own};
  own->work = work;
  if (work != NULL) {
    side->work = work;
    side->spoil = spoil_plan;
    side->read = read_plan;
  }
  int code = make_parts(own, &beside->bed, plan);
  clred_call call = plan->call;
  call.out = own->parts[BENCH_RESULTS];
  call.keys_out = own->parts[BENCH_KEYS_OUT];
  call.outcome_buffer = own->parts[BENCH_NUMBER];
  if (code == EXIT_DONE)
    code = ours_open(&own->ours, side, &beside->bed, NULL, plan->problem, &call);
  if (code == EXIT_DONE && *side->lost == '\0')
    ours_note_choice(&own->ours, row);
  return code;
}
