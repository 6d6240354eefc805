// The library as a side: plans, queues and calls, by each clock.

#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/progress.h"
#include "bench/request.h"
#include "bench/side.h"
#include "bench/variants.h"

static cl_command_queue queue_of(const struct ours *ours, enum bench_clock clock) {
  return clock == BENCH_DEVICE ? ours->bed->session.queue : ours->bed->wall_queue;
}

static int check(const struct ours *ours, cl_int status) {
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(ours->bed->session.runtime));
}

void ours_set_strategy(clred_problem *problem, const struct bench_strategy *strategy) {
  problem->strategy = strategy->name;
  problem->order = strategy->order;
  problem->finish = *strategy->finish == '\0' ? NULL : strategy->finish;
}

// A problem that this device refuses is a row; any other failure ends the run.
int ours_open(struct ours *ours, struct side *side, const struct bench_bed *bed, const struct bench_variant *variant,
              clred_problem problem, const clred_call *call) {
  struct session session = bed->session;
  *ours = (struct ours){.bed = bed, .call = *call};
  if (variant != NULL) {
    variant_enter(variant, &problem);
    session.runtime = variant->runtime;
  }
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    cl_int status = session_plan(&session, &problem, &ours->plans[clock]);
    const char *sentence = clred_last_error(session.runtime);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_OPERATOR_TEXT) {
      snprintf(side->lost, sizeof side->lost, "%s", sentence);
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return fail_library(status, sentence);
  }
  return check(ours, clred_plan_inspect(ours->plans[BENCH_WALL], call->count, &ours->info));
}

void ours_note_choice(const struct ours *ours, struct bench_row *row) {
  snprintf(row->strategy, sizeof row->strategy, "%s", ours->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", ours->info.finish == NULL ? "" : ours->info.finish);
  snprintf(row->order, sizeof row->order, "%s", ours->info.order);
}

// A device without a time for this call gives NaN.
static int read_device_clock(const struct ours *ours, double *seconds) {
  cl_int status = clred_plan_seconds(ours->plans[BENCH_DEVICE], seconds);
  if (status == CL_PROFILING_INFO_NOT_AVAILABLE || (status == CL_SUCCESS && *seconds <= 0))
    *seconds = NAN;
  return check(ours, status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status);
}

// A call over other elements, so that the next call finds caches as another program leaves them.
static cl_int enqueue_others(const struct ours *ours, cl_command_queue queue) {
  clred_call call = ours->call;
  call.in = ours->bed->other;
  call.count = ours->bed->others;
  return clred_enqueue(queue, ours->plans[BENCH_DEVICE], &call, 0, NULL, NULL);
}

int ours_run(const struct ours *ours, enum bench_clock clock, uint64_t calls, double *seconds) {
  cl_command_queue queue = queue_of(ours, clock);
  uint64_t left = clock == BENCH_DEVICE ? 1 : calls;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  if (clock == BENCH_DEVICE && ours->bed->others > 0)
    status = enqueue_others(ours, queue);
  double begun = seconds_now();
  for (uint64_t i = 0; i < left && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, ours->plans[clock], &ours->call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)left;
  if (status != CL_SUCCESS)
    return check(ours, status);
  if (finished != CL_SUCCESS)
    return fail_opencl("clFinish", finished, "the result of a timed call");
  return clock == BENCH_DEVICE ? read_device_clock(ours, seconds) : EXIT_DONE;
}

void ours_close(struct ours *ours) {
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(ours->plans[clock]);
  *ours = (struct ours){.bed = ours->bed};
}
