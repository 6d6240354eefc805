// The library as a side: a plan and a queue for each clock.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_side.h"
#include "fail.h"
#include "problem.h"
#include "progress.h"
#include "value.h"

struct ours {
  const struct bench_bed *bed;
  const struct expected *expected;
  clred_plan_info info;
  clred_plan *plans[BENCH_CLOCKS];
  cl_mem out;
  unsigned char *result, *first;  // of the last run, and the first, which was judged
  bool judged, first_right;
};

static cl_command_queue queue_of(const struct ours *ours, enum bench_clock clock) {
  return clock == BENCH_DEVICE ? ours->bed->session.queue : ours->bed->wall_queue;
}

// The tool's own call, or the library's.
static int check_own(cl_int status, const char *call) {
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl(call, status, "the result of a timed call");
}

static int check(const struct ours *ours, cl_int status) {
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(ours->bed->session.runtime));
}

// ---- Opening

// What cannot be done here is a row; what goes wrong ends the run.
static int make_plans(struct side *side, const struct bench_strategy *strategy, clred_type type) {
  struct ours *ours = side->own;
  clred_problem problem = {.type = type,
                           .op = ours->expected->op,
                           .strategy = strategy->name,
                           .order = strategy->order,
                           .finish = *strategy->finish == '\0' ? NULL : strategy->finish,
                           .count_max = problem_count_max(ours->expected->count)};
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    cl_int status = session_plan(&ours->bed->session, &problem, &ours->plans[clock]);
    const char *sentence = clred_last_error(ours->bed->session.runtime);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED) {
      snprintf(side->lost, sizeof side->lost, "%s", sentence);
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return fail_library(status, sentence);
  }
  return check(ours, clred_plan_inspect(ours->plans[BENCH_WALL], ours->expected->count, &ours->info));
}

static int make_result(struct ours *ours) {
  cl_int status;
  ours->out = clCreateBuffer(ours->bed->session.context, CL_MEM_READ_WRITE, ours->info.result_size, NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, "the result");
  ours->result = calloc(2, ours->info.result_size);
  if (ours->result == NULL)
    return fail_memory();
  ours->first = ours->result + ours->info.result_size;
  return EXIT_DONE;
}

static void note_choice(const struct ours *ours, struct bench_row *row) {
  snprintf(row->strategy, sizeof row->strategy, "%s", ours->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", ours->info.finish == NULL ? "" : ours->info.finish);
  snprintf(row->order, sizeof row->order, "%s", ours->info.order);
}

// ---- Judging

static double depth_of(const struct ours *ours) {
  return (double)ours->info.elements + ceil(log2((double)ours->expected->count + 1)) + (double)ours->info.groups;
}

// Part by part: what lies between is nobody's.
static bool same_parts(const struct ours *ours, const unsigned char *a, const unsigned char *b) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(ours->plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, a + part.offset, b + part.offset))
      return false;
  return true;
}

// Of argmin and argmax the index and the value.
static bool is_right_place(const struct ours *ours) {
  clred_part index, value;
  cl_ulong found;
  if (clred_plan_part(ours->plans[BENCH_WALL], 0, &index) != CL_SUCCESS ||
      clred_plan_part(ours->plans[BENCH_WALL], 1, &value) != CL_SUCCESS)
    return false;
  memcpy(&found, ours->result + index.offset, sizeof found);
  return expected_allows_place(ours->expected, found, value.type, ours->result + value.offset);
}

// Where there is no other way to know, the library's own reference on the host is what bits are compared with.
static bool is_right(struct ours *ours) {
  if (ours->expected->whole || ours->expected->real)
    return expected_allows(ours->expected, ours->result, depth_of(ours));
  if (ours->expected->place)
    return is_right_place(ours);
  unsigned char *wanted = calloc(1, ours->info.result_size);
  bool right = wanted != NULL &&
               clred_plan_reference(ours->plans[BENCH_WALL], &(clred_host_call){.in = ours->expected->elements,
                                                                                .count = ours->expected->count,
                                                                                .out = wanted}) == CL_SUCCESS &&
               same_parts(ours, wanted, ours->result);
  free(wanted);
  return right;
}

// The first result is judged; those that follow are the same, but where the order is free.
static void judge(struct side *side) {
  struct ours *ours = side->own;
  bool same = ours->judged && same_parts(ours, ours->first, ours->result);
  bool free_order = strcmp(ours->info.order, "any") == 0;
  bool right = same ? ours->first_right : (!ours->judged || free_order) && is_right(ours);
  if (!ours->judged) {
    memcpy(ours->first, ours->result, ours->info.result_size);
    ours->first_right = right;
    ours->judged = true;
  }
  side->wrong = side->wrong || !right;
}

// ---- Running

// So that a run that writes nothing is seen.
static int spoil(const struct ours *ours) {
  memset(ours->result, 0xff, ours->info.result_size);
  return check_own(clEnqueueWriteBuffer(ours->bed->wall_queue, ours->out, CL_TRUE, 0, ours->info.result_size,
                                        ours->result, 0, NULL, NULL),
                   "clEnqueueWriteBuffer");
}

static int fetch(const struct ours *ours) {
  return check_own(clEnqueueReadBuffer(ours->bed->wall_queue, ours->out, CL_TRUE, 0, ours->info.result_size,
                                       ours->result, 0, NULL, NULL),
                   "clEnqueueReadBuffer");
}

static int call_in_turn(const struct ours *ours, enum bench_clock clock, uint64_t calls, double *seconds) {
  cl_command_queue queue = queue_of(ours, clock);
  clred_call call = {.in = ours->bed->in, .count = ours->expected->count, .out = ours->out};
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, ours->plans[clock], &call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  return status == CL_SUCCESS ? check_own(finished, "clFinish") : check(ours, status);
}

static cl_int read_device_clock(const struct ours *ours, double *seconds) {
  cl_int status = clred_plan_seconds(ours->plans[BENCH_DEVICE], seconds);
  if (status == CL_PROFILING_INFO_NOT_AVAILABLE || (status == CL_SUCCESS && *seconds <= 0))
    *seconds = NAN;
  return status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status;
}

static int run(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  struct ours *ours = side->own;
  int code = spoil(ours);
  if (code == EXIT_DONE)
    code = call_in_turn(ours, clock, clock == BENCH_DEVICE ? 1 : calls, seconds);
  if (code == EXIT_DONE && clock == BENCH_DEVICE)
    code = check(ours, read_device_clock(ours, seconds));
  if (code == EXIT_DONE)
    code = fetch(ours);
  if (code == EXIT_DONE)
    judge(side);
  return code;
}

int bench_ours_open(struct side *side, const struct bench_bed *bed, const struct bench_strategy *strategy,
                    clred_type type, const struct expected *expected, struct bench_row *row) {
  *side = (struct side){.kind = SIDE_OURS, .has_device_clock = true, .run = run};
  snprintf(side->name, sizeof side->name, "%s", strategy->spelt);
  struct ours *ours = side->own = calloc(1, sizeof *ours);
  if (ours == NULL)
    return fail_memory();
  ours->bed = bed;
  ours->expected = expected;
  side->bytes = (double)expected->count * (double)expected->element.size;
  int code = make_plans(side, strategy, type);
  if (code != EXIT_DONE || *side->lost != '\0')
    return code;
  note_choice(ours, row);
  return make_result(ours);
}

void bench_ours_close(struct side *side) {
  struct ours *ours = side->own;
  if (ours == NULL)
    return;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(ours->plans[clock]);
  if (ours->out != NULL)
    clReleaseMemObject(ours->out);
  free(ours->result);
  free(ours);
  side->own = NULL;
}
