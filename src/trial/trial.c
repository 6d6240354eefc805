// Makes the calls of a trial and compares their results, or makes calls only to warm a plan.
#include "trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/check.h"
#include "host/values.h"

// ---------------------------------------------------------------- One call

// Makes all elements the same but one.
static cl_int write_deciding(struct clr_trial *trial, const struct clr_trial_case *one, struct clr_status *status) {
  const size_t size = trial->plan->problem.operation.element.size;
  memset(trial->in, one->common, (size_t)one->count * size);
  memset(trial->in + (size_t)(one->decides - 1) * size, one->other, size);
  return clr_session_write(&trial->session, trial->in_buffer, (size_t)one->count * size, trial->in, status);
}

static cl_int write_segments(struct clr_trial *trial, const struct clr_trial_case *one, struct clr_status *status) {
  if (trial->plan->problem.layout < CLRED_LAYOUT_SEGMENTS)
    return CL_SUCCESS;
  clr_trial_lay_rows(trial, one);
  return clr_session_write(&trial->session, trial->segments_buffer, clr_trial_segment_bytes(one->count, one->rows),
                           trial->segments, status);
}

static cl_int call(struct clr_trial *trial, const struct clr_trial_case *one, clred_outcome *outcome,
                   struct clr_status *status) {
  const struct clr_problem *problem = &trial->plan->problem;
  const bool columns = problem->layout == CLRED_LAYOUT_COLUMNS, in_place = problem->in_place && !trial->warms;
  const void *parameters[CLR_OPERANDS_MAX];
  cl_ulong offsets[CLR_INPUTS_MAX];
  cl_event done = NULL;
  for (size_t i = 0; i < CLR_OPERANDS_MAX; i++)
    parameters[i] = trial->parameters[i];
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++)
    offsets[i] = one->first;
  const struct clr_request request = {.queue = trial->queue,
                                      .call = {.in = in_place ? trial->out_buffer : trial->in_buffer,
                                               .in_offset = in_place ? trial->guards : one->first,
                                               .input_offsets = offsets,
                                               .inputs = trial->input_buffers,
                                               .parameters = parameters,
                                               .count = one->count,
                                               .stride = columns ? one->columns : clr_trial_stride(trial),
                                               .rows = one->rows,
                                               .columns = one->columns,
                                               .segments = trial->segments_buffer,
                                               .out = trial->out_buffer,
                                               .out_offset = trial->guards,
                                               .outcome = problem->outcome ? outcome : NULL,
                                               .blocking = CL_TRUE},
                                      .event = &done,
                                      .warms = true};
  cl_int err = clr_enqueue(trial->plan, &request, status);
  if (err && done)
    clReleaseEvent(done);
  return err ? err : clr_finish_event(&done, "a trial of a program", status);
}

static cl_int run(struct clr_trial *trial, const struct clr_trial_case *one, clred_outcome *outcome,
                  struct clr_status *status) {
  const size_t bytes = (size_t)(trial->results + 2 * trial->guards) * trial->plan->problem.operation.result_size;
  clr_trial_lay_out(trial, one, trial->got);
  cl_int err = clr_session_write(&trial->session, trial->out_buffer, bytes, trial->got, status);
  if (!err)
    err = call(trial, one, outcome, status);
  return err ? err : clr_session_read(&trial->session, trial->out_buffer, bytes, trial->got, status);
}

// ---------------------------------------------------------------- Comparison

static cl_int fail(const struct clr_trial_case *one, struct clr_status *status, const char *what, cl_ulong index) {
  char shape[64] = "";
  if (one->rows * one->columns > 1)
    snprintf(shape, sizeof shape, " in %llu rows", (unsigned long long)(one->rows * one->columns));
  return clr_fail(status, CLRED_WRONG_RESULT, "%llu element%s%s: %s %llu", (unsigned long long)one->count,
                  one->count == 1 ? "" : "s", shape, what, (unsigned long long)index);
}

// Fails if the positions [first, behind) of the buffer of results are not as expected.
static cl_int compare(const struct clr_trial *trial, const struct clr_trial_case *one, cl_ulong first, cl_ulong behind,
                      struct clr_status *status) {
  const cl_ulong results = clr_trial_results(trial, one);
  for (cl_ulong i = first; i < behind; i++)
    if (!clr_trial_same(trial, i)) {
      bool beside = i < trial->guards || i >= trial->guards + results;
      return fail(one, status, beside ? "a write beside the results, at distance" : "a wrong result at position",
                  beside ? (i < trial->guards ? trial->guards - i : i - trial->guards - results + 1)
                         : i - trial->guards);
    }
  return CL_SUCCESS;
}

// A selection that the host cannot compute must keep elements in their order. Which of the first elements it keeps must
// not depend on later elements.
static bool is_in_order(const struct clr_trial *trial, const struct clr_trial_case *one) {
  const size_t size = trial->plan->problem.operation.result_size;
  const bool indices = trial->plan->problem.custom->keeping.indices;
  const unsigned char *got = trial->got + trial->guards * size;
  cl_ulong at = 0;
  for (cl_ulong i = 0; i < trial->kept; i++, at++) {
    const unsigned char *wanted = got + i * size;
    while (at < one->count && memcmp(indices ? (const unsigned char *)&at : trial->in + at * size, wanted, size) != 0)
      at++;
    if (at == one->count)
      return false;
  }
  return true;
}

static cl_int compare_selection(struct clr_trial *trial, const struct clr_trial_case *one, bool known,
                                const clred_outcome *outcome, struct clr_status *status) {
  const size_t size = trial->plan->problem.operation.result_size;
  const cl_ulong longest = trial->cases[0].count;
  unsigned char *got = trial->got + trial->guards * size;
  if (known ? outcome->count != trial->kept : outcome->count > one->count)
    return fail(one, status, "a wrong number of results,", outcome->count);
  if (known)
    return compare(trial, one, 0, trial->guards + trial->kept, status);
  trial->kept = outcome->count;
  if (one->count == longest) {
    trial->longest_kept = trial->kept;
    memcpy(trial->made, got, (size_t)trial->kept * size);
  }
  if (!is_in_order(trial, one) || trial->kept > trial->longest_kept ||
      memcmp(trial->made, got, (size_t)trial->kept * size) != 0)
    return fail(one, status, "a wrong selection of", trial->kept);
  return CL_SUCCESS;
}

// Statuses of the library about a call mean that the device gave wrong offsets or counts, except for the status about
// devices that end loops.
static bool is_of_library(cl_int err) {
#define CLR_IS_STATUS(name, value, ...) (err == (value)) |
  return (CLRED_STATUS_MAP(CLR_IS_STATUS) false) && err != CLRED_COUNT_ABOVE_MAXIMUM;
#undef CLR_IS_STATUS
}

static cl_int judge(struct clr_trial *trial, const struct clr_trial_case *one, struct clr_status *status) {
  const clred_plan *plan = trial->plan;
  const cl_ulong results = clr_trial_results(trial, one), all = trial->results + 2 * trial->guards;
  clred_outcome outcome = {0, 0};
  bool known = false;
  cl_int err = write_segments(trial, one, status);
  if (!err && one->decides)
    err = write_deciding(trial, one, status);
  if (err)
    return err;
  err = clr_trial_expect(trial, one, &known);
  if (err)
    return clr_fail(status, err, "out of memory for the results of a trial");
  err = run(trial, one, &outcome, status);
  if (is_of_library(err)) {
    const struct clr_status inner = *status;
    err = clr_fail(status, CLRED_WRONG_RESULT, "%llu elements: %.200s", (unsigned long long)one->count, inner.message);
  }
  if (!err)
    err = compare(trial, one, 0, trial->guards, status);
  if (!err && plan->problem.selects)
    err = compare_selection(trial, one, known, &outcome, status);
  else if (!err && known)
    err = compare(trial, one, trial->guards, trial->guards + results, status);
  if (!err && plan->problem.layout > CLRED_LAYOUT_SEGMENTS && outcome.count != (one->count ? one->rows : 0))
    err = fail(one, status, "a wrong number of runs,", outcome.count);
  return err ? err : compare(trial, one, trial->guards + results, all, status);
}

// ---------------------------------------------------------------- All calls

void clr_plan_kernel_name(const clred_plan *plan, char *name, size_t size) {
  int first = 0;
  while (first + 1 < CLR_KERNELS && !plan->slots[0].space.kernels[first])
    first++;
  clr_source_entry(plan->strategy, (enum clr_kernel)first, name, size);
}

static void beat(const struct clr_trial *trial, const struct clr_trial_case *one) {
  char what[160], kernel[80];
  clr_plan_kernel_name(trial->plan, kernel, sizeof kernel);
  snprintf(what, sizeof what, "kernel %s, %llu elements", kernel, (unsigned long long)one->count);
  clr_programs_beat(&trial->plan->runtime->programs, what);
}

static cl_int warm(struct clr_trial *trial, const struct clr_trial_case *one, struct clr_status *status) {
  clred_outcome outcome;
  cl_int err = write_segments(trial, one, status);
  return err ? err : call(trial, one, &outcome, status);
}

static cl_int run_all(struct clr_trial *trial, struct clr_status *status) {
  cl_int err = trial->case_count ? clr_trial_open(trial, status) : CL_SUCCESS;
  for (size_t i = 0; i < trial->case_count && !err; i++) {
    beat(trial, &trial->cases[i]);
    err = (trial->warms ? warm : judge)(trial, &trial->cases[i], status);
    // The device ends loops too early for this length; skip the call.
    if (err == CLRED_COUNT_ABOVE_MAXIMUM)
      err = CL_SUCCESS;
  }
  clr_trial_close(trial);
  return err;
}

// Without a queue, makes the calls of a trial; with one, the calls that warm the plan.
static cl_int try(clred_plan *plan, cl_command_queue queue, struct clr_status *status) {
  struct clr_trial *trial = calloc(1, sizeof *trial);
  if (!trial)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a trial of a program");
  trial->plan = plan;
  trial->queue = queue;
  trial->warms = queue != NULL;
  (queue ? clr_trial_choose_to_warm : clr_trial_choose)(trial);
  cl_int err = run_all(trial, status);
  free(trial);
  return err;
}

cl_int clr_trial_run(clred_plan *plan, struct clr_status *status) {
  return try(plan, NULL, status);
}

cl_int clr_plan_warm(cl_command_queue queue, clred_plan *plan, struct clr_status *status) {
  cl_int err = clr_check_queue(queue, plan->runtime->context, plan->runtime->device, status);
  if (!err && plan->runs)
    err = clr_plan_warm(queue, plan->runs, status);
  return err || !plan->built ? err : try(plan, queue, status);
}
