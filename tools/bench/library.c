// The library as a side: a plan for each clock, and a check of every result against the library's reference on the
// host.
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

struct library {
  const struct fixture *fixture;
  clred_op op;
  clred_type type;
  clred_plan *plans[BENCH_CLOCKS];
  clred_plan_info info;
  clred_call call;
  unsigned char *result, *right;  // the last result; a result that is right, once `checked` is set
  bool checked;
};

static int failed(cl_int status, const char *call) {
  return status ? fail_opencl(call, status, "the results of a timed call") : EXIT_DONE;
}

// ---- The check of each run

// Compares part by part, because the bytes between parts mean nothing.
static bool same_parts(const struct library *own) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(own->plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, own->right + part.offset, own->result + part.offset))
      return false;
  return true;
}

// For results whose bits are free: whether the result is within the bounds of docs/numerics.md.
static bool within_bounds(const struct library *own) {
  const struct samples samples = {
    .type = own->type, .stride = own->info.element_size, .x = own->fixture->elements, .count = own->call.count};
  const clred_type_info result = type_info(own->info.result_type);
  struct measured measured;
  if (own->info.portable || result.components != 1 || type_info(own->type).components != 1)
    return false;
  const double value = number_as_double(result.type, own->result);
  return measure(own->op, "", &samples, result.type, value, verify_depth(&own->info, samples.count), &measured) &&
         measure_allows(&measured, result.type, value);
}

static int check(struct library *own, bool *correct) {
  const clred_host_call call = {.in = own->fixture->elements, .count = own->call.count, .out = own->right};
  cl_int status = CL_SUCCESS;
  if (!own->checked)
    status = clred_plan_reference(own->plans[BENCH_WALL], &call);
  own->checked = true;
  *correct = *correct && (same_parts(own) || within_bounds(own));
  return status ? fail_library(status, NULL) : EXIT_DONE;
}

// ---- Runs

static int time_calls(const struct library *own, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct session *session = &own->fixture->session;
  cl_command_queue queue = clock == BENCH_DEVICE ? session->queue : own->fixture->wall_queue;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  const double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, own->plans[clock], &own->call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  if (status == CL_SUCCESS && finished != CL_SUCCESS)
    return failed(finished, "clFinish");
  if (status == CL_SUCCESS && clock == BENCH_DEVICE)
    status = session_kernel_seconds(own->plans[clock], seconds);
  return session_check(session, status);
}

// All bits of the result are set before the run, so that a run that writes nothing is found.
static int run_library(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  struct library *own = side->own;
  cl_command_queue queue = own->fixture->wall_queue;
  const size_t size = own->info.result_size;
  memset(own->result, 0xff, size);
  int code = failed(clEnqueueWriteBuffer(queue, own->call.out, CL_TRUE, 0, size, own->result, 0, NULL, NULL),
                    "clEnqueueWriteBuffer");
  code = code ? code : time_calls(own, clock, calls, seconds);
  if (!code)
    code = failed(clEnqueueReadBuffer(queue, own->call.out, CL_TRUE, 0, size, own->result, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
  return code ? code : check(own, &side->row->correct);
}

// ---- Opening and closing

static void close_library(struct side *side) {
  struct library *own = side->own;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(own->plans[clock]);
  buffer_release(own->call.out);
  free(own->result);
  free(own);
}

// Any failure but a refusal ends the run.
static int make_plans(struct side *side, clred_problem problem) {
  struct library *own = side->own;
  const struct session *session = &own->fixture->session;
  struct bench_row *row = side->row;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    const cl_int status = session_plan(session, &problem, &own->plans[clock]);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_OPERATOR_TEXT) {
      snprintf(row->refused, sizeof row->refused, "%s", clred_last_error(session->runtime));
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return session_check(session, status);
  }
  const cl_int status = clred_plan_inspect(own->plans[BENCH_WALL], own->call.count, &own->info);
  if (status != CL_SUCCESS)
    return session_check(session, status);
  snprintf(row->strategy, sizeof row->strategy, "%s", own->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", own->info.finish == NULL ? "" : own->info.finish);
  snprintf(row->order, sizeof row->order, "%s", own->info.order);
  return EXIT_DONE;
}

static int make_results(struct library *own) {
  own->result = calloc(2, own->info.result_size);
  if (own->result == NULL)
    return fail_memory();
  own->right = own->result + own->info.result_size;
  return session_room(&own->fixture->session, NULL, own->info.result_size, "the result", &own->call.out);
}

int bench_library_open(struct side *side, const struct fixture *fixture, const struct bench_request *request,
                       clred_op op, clred_type type, const struct bench_strategy *strategy) {
  struct library *own = side->own = calloc(1, sizeof *own);
  struct bench_row *row = side->row;
  const clred_problem problem = {.type = type,
                                 .op = op,
                                 .count_max = problem_count_max(row->count),
                                 .strategy = strategy->name,
                                 .finish = *strategy->finish == '\0' ? NULL : strategy->finish,
                                 .order = strategy->order,
                                 .groups = request->args->groups.value,
                                 .group_size = request->args->group_size.value};
  if (own == NULL)
    return fail_memory();
  side->run = run_library;
  side->close = close_library;
  *own = (struct library){.fixture = fixture, .op = op, .type = type, .call = {.in = fixture->in, .count = row->count}};
  snprintf(row->name, sizeof row->name, "%s", strategy->spelt);
  row->correct = true;
  int code = make_plans(side, problem);
  return code || *row->refused != '\0' ? code : make_results(own);
}
