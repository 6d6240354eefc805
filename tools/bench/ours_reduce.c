// A reduction by the library as a side. Each run's result is checked.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "bench/request.h"
#include "bench/side.h"
#include "bench/variants.h"
#include "operator/operation.h"

struct reduction {
  struct ours ours;
  const struct expected *expected;
  cl_mem out;
  unsigned char *result, *first;  // of the last run, and of the first run, which was judged
  bool judged, first_right;
};

// ---- Judging

static double depth_of(const struct reduction *r) {
  return (double)r->ours.info.elements + ceil(log2((double)r->expected->count + 1)) + (double)r->ours.info.groups;
}

// Compares part by part, because the bytes between parts mean nothing.
static bool same_parts(const struct reduction *r, const unsigned char *a, const unsigned char *b) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(r->ours.plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, a + part.offset, b + part.offset))
      return false;
  return true;
}

// argmin and argmax have two parts, the index and the value.
static bool is_right_place(const struct reduction *r) {
  clred_part index, value;
  cl_ulong found;
  if (clred_plan_part(r->ours.plans[BENCH_WALL], 0, &index) != CL_SUCCESS ||
      clred_plan_part(r->ours.plans[BENCH_WALL], 1, &value) != CL_SUCCESS)
    return false;
  memcpy(&found, r->result + index.offset, sizeof found);
  return expected_allows_place(r->expected, found, value.type, r->result + value.offset);
}

// Results of several parts have no other check than the library's own reference on the host.
static bool is_right(const struct reduction *r) {
  const clred_plan *plan = r->ours.plans[BENCH_WALL];
  if (r->expected->whole || r->expected->real)
    return expected_allows(r->expected, r->result, depth_of(r));
  if (r->expected->place)
    return is_right_place(r);
  unsigned char *wanted = calloc(1, r->ours.info.result_size);
  bool right = wanted != NULL &&
               clred_plan_reference(
                 plan, &(clred_host_call){.in = r->expected->elements, .count = r->expected->count, .out = wanted}) ==
                 CL_SUCCESS &&
               same_parts(r, wanted, r->result);
  free(wanted);
  return right;
}

// The first result is checked in full. Later ones must have the same bits, unless the order is free.
static void judge(struct side *side) {
  struct reduction *r = side->own;
  bool same = r->judged && same_parts(r, r->first, r->result);
  bool free_order = strcmp(r->ours.info.order, "any") == 0;
  bool right = same ? r->first_right : (!r->judged || free_order) && is_right(r);
  if (!r->judged) {
    memcpy(r->first, r->result, r->ours.info.result_size);
    r->first_right = right;
    r->judged = true;
  }
  side->wrong = side->wrong || !right;
}

bool bench_ours_agree(const struct side *a, const struct side *b) {
  const struct reduction *first = a->own, *second = b->own;
  return !first->judged || !second->judged || same_parts(first, first->first, second->first);
}

// ---- Running

// Overwrites the result, so that a run that writes nothing is found.
static int spoil(const struct reduction *r) {
  memset(r->result, 0xff, r->ours.info.result_size);
  cl_int status = clEnqueueWriteBuffer(r->ours.bed->wall_queue, r->out, CL_TRUE, 0, r->ours.info.result_size, r->result,
                                       0, NULL, NULL);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clEnqueueWriteBuffer", status, "the result of a timed call");
}

static int fetch(const struct reduction *r) {
  cl_int status = clEnqueueReadBuffer(r->ours.bed->wall_queue, r->out, CL_TRUE, 0, r->ours.info.result_size, r->result,
                                      0, NULL, NULL);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clEnqueueReadBuffer", status, "the result of a timed call");
}

static int run(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct reduction *r = side->own;
  int code = spoil(r);
  if (code == EXIT_DONE)
    code = ours_run(&r->ours, clock, calls, seconds);
  if (code == EXIT_DONE)
    code = fetch(r);
  if (code == EXIT_DONE)
    judge(side);
  return code;
}

static int make_result(struct reduction *r) {
  const size_t size = r->ours.info.result_size;
  cl_int status;
  r->out = clCreateBuffer(r->ours.bed->session.context, CL_MEM_READ_WRITE, size, NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, "the result");
  r->ours.call.out = r->out;
  r->result = calloc(2, size);
  r->first = r->result + size;
  return r->result == NULL ? fail_memory() : EXIT_DONE;
}

static void close_reduction(struct side *side) {
  struct reduction *r = side->own;
  ours_close(&r->ours);
  if (r->out != NULL)
    clReleaseMemObject(r->out);
  free(r->result);
  free(r);
}

int bench_ours_open(struct side *side, const struct bench_bed *bed, const struct bench_strategy *strategy,
                    const struct bench_variant *variant, clred_type type, const struct expected *expected,
                    struct bench_row *row) {
  const uint64_t largest = bed->others > expected->count ? bed->others : expected->count;
  clred_problem problem = {.type = type, .op = expected->op, .count_max = problem_count_max(largest)};
  const clred_call call = {.in = bed->in, .count = expected->count};
  struct reduction *r = calloc(1, sizeof *r);
  if (r == NULL)
    return fail_memory();
  *side = (struct side){.kind = SIDE_OURS, .has_device_clock = true, .run = run, .close = close_reduction, .own = r};
  r->expected = expected;
  side->bytes = (double)expected->count * (double)expected->element.size;
  ours_set_strategy(&problem, strategy);
  snprintf(side->name, sizeof side->name, "%s", variant == NULL ? strategy->spelt : variant->words);
  int code = ours_open(&r->ours, side, bed, variant, problem, &call);
  if (code != EXIT_DONE || *side->lost != '\0')
    return code;
  ours_note_choice(&r->ours, row);
  return make_result(r);
}
