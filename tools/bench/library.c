// The plans that are measured, and the check of every result against the library's reference on the host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/progress.h"
#include "base/value.h"
#include "bench/bench.h"
#include "operator/operation.h"
#include "verify/measure.h"
#include "verify/verify.h"

static int failed(cl_int status, const char *call) {
  return status ? fail_opencl(call, status, "the results of a timed call") : EXIT_DONE;
}

// ---- The check of each run

// Compares part by part, because the bytes between parts mean nothing.
static bool same_parts(const struct side *side) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(side->plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, side->right + part.offset, side->result + part.offset))
      return false;
  return true;
}

// For results whose bits are free: whether the result is within the bounds of docs/numerics.md.
static bool within_bounds(const struct side *side) {
  const struct samples samples = {
    .type = side->type, .stride = side->info.element_size, .x = side->fixture->elements, .count = side->call.count};
  const clred_type_info result = type_info(side->info.result_type);
  struct measured measured;
  const bool fixed = strcmp(side->info.order, "any") != 0 && side->info.portable;
  if (fixed || result.components != 1 || type_info(side->type).components != 1)
    return false;
  const double value = number_as_double(result.type, side->result);
  return measure(side->op, "", &samples, result.type, value, verify_depth(&side->info, samples.count), &measured) &&
         measure_allows(&measured, result.type, value);
}

static int check(struct side *side) {
  const clred_host_call call = {.in = side->fixture->elements, .count = side->call.count, .out = side->right};
  cl_int status = CL_SUCCESS;
  if (!side->checked)
    status = clred_plan_reference(side->plans[BENCH_WALL], &call);
  side->checked = true;
  side->row->correct = side->row->correct && (same_parts(side) || within_bounds(side));
  return status ? fail_library(status, NULL) : EXIT_DONE;
}

// ---- Runs

static int time_calls(const struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct session *session = &side->fixture->session;
  cl_command_queue queue = clock == BENCH_DEVICE ? session->queue : side->fixture->wall_queue;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  const double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, side->plans[clock], &side->call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  if (status == CL_SUCCESS && finished != CL_SUCCESS)
    return failed(finished, "clFinish");
  if (status == CL_SUCCESS && clock == BENCH_DEVICE)
    status = session_kernel_seconds(side->plans[clock], seconds);
  return session_check(session, status);
}

// All bits of the result are set before the run, so that a run that writes nothing is found.
int bench_side_run(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  cl_command_queue queue = side->fixture->wall_queue;
  const size_t size = side->info.result_size;
  memset(side->result, 0xff, size);
  int code = failed(clEnqueueWriteBuffer(queue, side->call.out, CL_TRUE, 0, size, side->result, 0, NULL, NULL),
                    "clEnqueueWriteBuffer");
  code = code ? code : time_calls(side, clock, calls, seconds);
  if (!code)
    code = failed(clEnqueueReadBuffer(queue, side->call.out, CL_TRUE, 0, size, side->result, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
  return code ? code : check(side);
}

// ---- Opening and closing

void bench_side_close(struct side *side) {
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(side->plans[clock]);
  buffer_release(side->call.out);
  free(side->result);
}

// Any failure but a refusal ends the run.
static int make_plans(struct side *side, clred_problem problem) {
  const struct session *session = &side->fixture->session;
  struct bench_row *row = side->row;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    const cl_int status = session_plan(session, &problem, &side->plans[clock]);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_OPERATOR_TEXT) {
      snprintf(row->refused, sizeof row->refused, "%s", clred_last_error(session->runtime));
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return session_check(session, status);
  }
  const cl_int status = clred_plan_inspect(side->plans[BENCH_WALL], side->call.count, &side->info);
  if (status != CL_SUCCESS)
    return session_check(session, status);
  snprintf(row->strategy, sizeof row->strategy, "%s", side->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", side->info.finish == NULL ? "" : side->info.finish);
  snprintf(row->order, sizeof row->order, "%s", side->info.order);
  return EXIT_DONE;
}

static int make_results(struct side *side) {
  side->result = calloc(2, side->info.result_size);
  if (side->result == NULL)
    return fail_memory();
  side->right = side->result + side->info.result_size;
  return session_room(&side->fixture->session, NULL, side->info.result_size, "the result", &side->call.out);
}

int bench_side_open(struct side *side, const struct fixture *fixture, const struct bench_request *request, clred_op op,
                    clred_type type, const struct bench_strategy *strategy) {
  struct bench_row *row = side->row;
  const clred_problem problem = {.type = type,
                                 .op = op,
                                 .count_max = problem_count_max(row->count),
                                 .strategy = strategy->name,
                                 .finish = *strategy->finish == '\0' ? NULL : strategy->finish,
                                 .order = strategy->order,
                                 .groups = request->args->groups.value,
                                 .group_size = request->args->group_size.value};
  *side = (struct side){
    .row = row, .fixture = fixture, .op = op, .type = type, .call = {.in = fixture->in, .count = row->count}};
  snprintf(row->name, sizeof row->name, "%s", strategy->spelt);
  row->correct = true;
  int code = make_plans(side, problem);
  return code || *row->refused != '\0' ? code : make_results(side);
}
