// Measures how fast a device folds, for shares of devices that differ.
#include "base/arithmetic.h"
#include "opencl/session.h"
#include "partial/partial.h"
#include "platform/platform.h"

#define TURNS 5  // the fastest one counts

// Zeros on the device, for the fold that is timed.
struct trial {
  cl_command_queue queue;
  clred_partial *partial;
  cl_mem sources[CLR_SOURCES_MAX];
};

// Every byte is written, so that the memory exists before it is timed.
static cl_int make(struct trial *trial, cl_ulong count, struct clr_status *status) {
  const cl_context context = trial->partial->plan->runtime->context;
  const cl_uchar zero = 0;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < trial->partial->source_count && !err; i++) {
    const size_t bytes = (size_t)count * trial->partial->sizes[i];
    err = clr_buffer_make(context, CL_MEM_READ_WRITE, bytes, NULL, "a trial of the speed", &trial->sources[i], status);
    if (err)
      return err;
    err = clEnqueueFillBuffer(trial->queue, trial->sources[i], &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    if (err)
      return clr_fail_call(status, err, "clEnqueueFillBuffer", "a trial of the speed");
  }
  err = clFinish(trial->queue);
  return err ? clr_fail_call(status, err, "clFinish", "a trial of the speed") : CL_SUCCESS;
}

static cl_int fold(const struct trial *trial, cl_ulong count, double *seconds, struct clr_status *status) {
  const struct clr_request request = {
    .queue = trial->queue,
    .call = {.in = trial->sources[0], .inputs = trial->sources + 1, .count = count, .stride = 1}};
  clr_partial_reset(trial->partial, 0, &(struct clr_status){0});
  const double begun = clr_seconds();
  cl_int err = clr_partial_fold(trial->partial, &request, true, status);
  if (!err)
    err = clr_partial_settle(trial->partial, status);
  *seconds = clr_seconds() - begun;
  return err;
}

// The first fold may compile.
static cl_int time_folds(const struct trial *trial, cl_ulong count, double *least, struct clr_status *status) {
  double seconds;
  cl_int err = fold(trial, count, least, status);
  for (int turn = 0; turn < TURNS && !err; turn++) {
    err = fold(trial, count, &seconds, status);
    *least = turn == 0 || seconds < *least ? seconds : *least;
  }
  return err;
}

// The elements that a trial may have: those that fit a buffer, and an eighth of the device's memory.
static cl_ulong most_elements(const clred_partial *partial) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  const struct clr_facts *facts = &partial->plan->runtime->facts;
  const cl_ulong in_buffer = facts->max_alloc / clr_largest_operand(operation);
  const cl_ulong in_memory = facts->global_mem_size / 8 / clr_operand_bytes(operation);
  const cl_ulong tiles = clr_at_most(in_buffer, in_memory) / partial->tile;
  return (tiles ? tiles : 1) * partial->tile;
}

// Takes more elements until most of the time grows with their number.
static cl_int time_many(struct trial *trial, double start, double *speed, struct clr_status *status) {
  const cl_ulong begin = 64u << 20, end = 512u << 20,
                 bytes = clr_operand_bytes(&trial->partial->plan->problem.operation);
  const cl_ulong most = clr_at_most(most_elements(trial->partial), clr_round_up(end / bytes, trial->partial->tile));
  cl_ulong count = clr_at_most(most, clr_round_up(begin / bytes, trial->partial->tile));
  for (;; count = clr_at_most(most, 2 * count)) {
    double seconds = 0;
    cl_int err = make(trial, count, status);
    if (!err)
      err = time_folds(trial, count, &seconds, status);
    clr_release_buffers(trial->sources, CLR_SOURCES_MAX);
    if (err)
      return err;
    *speed = (double)count / (seconds > 2 * start ? seconds - start : seconds > 0 ? seconds : 1e-9);
    if (seconds > 8 * start || count == most)
      return CL_SUCCESS;
  }
}

cl_int clr_partial_speed(cl_command_queue queue, clred_partial *partial, double *start, double *speed,
                         struct clr_status *status) {
  struct trial trial = {.queue = queue, .partial = partial};
  if (!queue)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "queue is NULL");
  clr_partial_reset(partial, 0, status);
  cl_int err = make(&trial, partial->tile, status);
  if (!err)
    err = time_folds(&trial, partial->tile, start, status);
  clr_release_buffers(trial.sources, CLR_SOURCES_MAX);
  if (!err)
    err = time_many(&trial, *start, speed, status);
  clr_partial_reset(partial, 0, &(struct clr_status){0});
  return err;
}
