// Tries one plan: runs it on the device and compares the result with the host's reference.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/slots.h"
#include "selftest/probe_plans.h"

#define LINE_COUNT 40003
#define ROW_COUNT 1501
#define ROWS 23
#define COLUMNS 37

// The data of a trial: the elements, and the slices of them that give one result each.
struct plan_trial {
  struct clr_plan_trials *trials;
  clred_plan *plan;
  clred_call call;
  cl_ulong elements, results, slices, slice_step, element_step;
  unsigned char *bytes, *got, *expected, *slice;
  cl_uint offsets[ROWS + 1];
  cl_mem in, out, segments;
};

// ---------------------------------------------------------------- Elements

static void write_component(const struct clr_type *row, cl_ulong word, unsigned char *to) {
  // A number of moderate size, from a sign, an exponent and a fraction, in the bits of each floating type.
  const float value = (float)((double)(word >> 40) / 16777216.0 * (double)(1u << (word & 3)) * (word & 4 ? -1 : 1));
  const double wide = (double)(word >> 11) / 9007199254740992.0 * (double)(1u << (word & 3)) * (word & 4 ? -1 : 1);
  const cl_ushort half = (cl_ushort)(((word >> 20) & 1) << 15 | (13 + word % 4) << 10 | (word >> 30 & 1023));
  const cl_ushort brain = (cl_ushort)(((word >> 20) & 1) << 15 | (125 + word % 4) << 7 | (word >> 30 & 127));
  size_t size = row->size / (row->reading == CLR_READING_COMPLEX ? 2 : 1);
  if (row->reading == CLR_READING_HALF)
    memcpy(to, &half, sizeof half);
  else if (row->reading == CLR_READING_BFLOAT16)
    memcpy(to, &brain, sizeof brain);
  else if (row->wide == CLRED_TYPE_FLOAT)
    memcpy(to, &value, sizeof value);
  else if (row->wide == CLRED_TYPE_DOUBLE)
    memcpy(to, &wide, sizeof wide);
  else
    memcpy(to, &word, size);
}

// Floating types get both signs and a few exponents, integers get any bits.
static void fill_elements(const struct clr_element *element, cl_ulong count, void *elements) {
  struct clr_element floats;
  clr_element_make(CLRED_TYPE_FLOAT, &floats);
  const struct clr_type *row = element->row ? element->row : floats.row;
  size_t size = row->size / (row->reading == CLR_READING_COMPLEX ? 2 : 1);
  cl_ulong seed = 5;
  for (cl_ulong i = 0; i < count * element->size / size; i++)
    write_component(row, clr_random(&seed), (unsigned char *)elements + i * size);
}

// ---------------------------------------------------------------- Calls

// Limits the count to what the plan can take if the device ends loops early (fact loop_trips).
static cl_ulong at_most(const clred_plan *plan, cl_ulong count) {
  return count < plan->shape.count_most ? count : plan->shape.count_most;
}

static void lay_out(struct plan_trial *trial) {
  const clred_plan *plan = trial->plan;
  clred_layout layout = plan->problem.layout;
  cl_ulong line = at_most(plan, LINE_COUNT),
           row = at_most(plan, layout == CLRED_LAYOUT_LINE ? LINE_COUNT : ROW_COUNT * ROWS) / ROWS;
  cl_ulong in_row = layout == CLRED_LAYOUT_COLUMNS ? row * ROWS / COLUMNS : row;
  clred_call *call = &trial->call;
  *call = (clred_call){.count = layout <= CLRED_LAYOUT_STRIDED ? line : in_row, .stride = 1, .rows = 1, .columns = 1};
  trial->slices = 1;
  trial->element_step = 1;
  if (layout == CLRED_LAYOUT_STRIDED)
    trial->element_step = call->stride = 3;
  if (layout == CLRED_LAYOUT_ROWS) {
    trial->slices = call->rows = ROWS;
    trial->slice_step = row;
  }
  if (layout == CLRED_LAYOUT_COLUMNS) {
    trial->slices = call->columns = COLUMNS;
    trial->slice_step = 1;
    trial->element_step = call->stride = COLUMNS;
  }
  trial->elements = call->count * trial->element_step * (layout == CLRED_LAYOUT_ROWS ? ROWS : 1);
  if (layout == CLRED_LAYOUT_SEGMENTS) {
    trial->slices = call->rows = ROWS;
    trial->elements = call->count = row * ROWS;
    for (cl_uint i = 0; i <= ROWS; i++)
      trial->offsets[i] = (cl_uint)(i == ROWS ? row * ROWS : row * ROWS * i * i / ((cl_ulong)ROWS * ROWS));
  }
  bool as_many = plan->problem.scan && !plan->problem.selects;
  trial->results = as_many ? trial->elements : trial->slices * clr_values_a_result(&plan->problem);
  if (plan->problem.selects)
    trial->results = trial->elements;
}

static cl_ulong slice_of(const struct plan_trial *trial, cl_ulong index, cl_ulong *count) {
  if (trial->plan->problem.layout != CLRED_LAYOUT_SEGMENTS) {
    *count = trial->call.count;
    return index * trial->slice_step;
  }
  *count = trial->offsets[index + 1] - trial->offsets[index];
  return trial->offsets[index];
}

// Computes the reference result of each slice. A scan's results have the places of their elements.
static cl_int expect(struct plan_trial *trial) {
  const clred_plan *plan = trial->plan;
  size_t size = plan->problem.operation.element.size, result = plan->problem.operation.result_size;
  bool scans = plan->problem.scan != CLRED_SCAN_NONE;
  cl_int err = CL_SUCCESS;
  unsigned char *made = malloc((size_t)(scans ? trial->elements + 1 : clr_values_a_result(&plan->problem)) * result);
  if (!made)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_ulong s = 0; s < trial->slices && !err; s++) {
    cl_ulong count, first = slice_of(trial, s, &count);
    const void *inputs[CLR_INPUTS_MAX];
    for (cl_ulong i = 0; i < count; i++)
      memcpy(trial->slice + i * size, trial->bytes + (first + i * trial->element_step) * size, size);
    for (int i = 0; i < CLR_INPUTS_MAX; i++)
      inputs[i] = trial->slice;
    const clred_host_call call = {.in = trial->slice, .inputs = inputs, .count = count};
    err = clr_plan_reference(plan, &call, made);
    for (cl_ulong i = 0; scans && i < count && !err; i++)
      memcpy(trial->expected + (first + i * trial->element_step) * result, made + i * result, result);
    if (!scans && !err)
      memcpy(trial->expected + s * clr_values_a_result(&plan->problem) * result, made,
             (size_t)clr_values_a_result(&plan->problem) * result);
  }
  free(made);
  return err;
}

// Computes the reference of a selection by x > 0 over floats; returns how many elements it keeps.
static cl_ulong expect_kept(struct plan_trial *trial) {
  cl_ulong kept = 0;
  for (cl_ulong i = 0; i < trial->elements; i++) {
    float value;
    memcpy(&value, trial->bytes + i * sizeof value, sizeof value);
    if (value > 0)
      memcpy(trial->expected + kept++ * sizeof value, &value, sizeof value);
  }
  return kept;
}

static cl_int run(struct plan_trial *trial, clred_outcome *outcome, struct clr_status *status) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  struct clr_session *session = &trial->trials->session;
  const cl_mem inputs[CLR_INPUTS_MAX] = {trial->in, trial->in, trial->in, trial->in,
                                         trial->in, trial->in, trial->in, trial->in};
  struct clr_request request = {.queue = session->queue, .call = trial->call};
  request.call.in = trial->in;
  request.call.inputs = inputs;
  request.call.out = trial->out;
  request.call.segments = trial->segments;
  request.call.outcome = trial->plan->problem.selects ? outcome : NULL;
  request.call.blocking = CL_TRUE;
  size_t bytes = (size_t)trial->results * operation->result_size;
  cl_int err = clr_session_write(session, trial->out, bytes, trial->got, status);
  if (!err)
    err = clr_enqueue(trial->plan, &request, status);
  return err ? err : clr_session_read(session, trial->out, bytes, trial->got, status);
}

// ---------------------------------------------------------------- Results

static bool is_near(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b) {
  float single[2];
  double wide[2];
  if (operation->result_size == sizeof *single) {
    memcpy(&single[0], a, sizeof *single);
    memcpy(&single[1], b, sizeof *single);
    return fabs((double)single[0] - (double)single[1]) <= 1e-5 * fabs((double)single[1]);
  }
  memcpy(&wide[0], a, sizeof *wide);
  memcpy(&wide[1], b, sizeof *wide);
  return fabs(wide[0] - wide[1]) <= 1e-12 * fabs(wide[1]);
}

static bool same(const clred_plan *plan, const unsigned char *a, const unsigned char *b) {
  const struct clr_operation *operation = &plan->problem.operation;
  if (plan->problem.histogram)
    return memcmp(a, b, operation->result_size) == 0;
  return operation->portable ? clr_same_parts(operation, a, b) : is_near(operation, a, b);
}

static const char *compare(struct plan_trial *trial, cl_ulong count, char why[CLR_SENTENCE_SIZE]) {
  size_t size = trial->plan->problem.operation.result_size;
  for (cl_ulong i = 0; i < count; i++)
    if (trial->plan->problem.selects ? memcmp(trial->got + i * size, trial->expected + i * size, size) != 0
                                     : !same(trial->plan, trial->got + i * size, trial->expected + i * size)) {
      snprintf(why, CLR_SENTENCE_SIZE, "result %llu of %llu over %llu elements is wrong", (unsigned long long)i,
               (unsigned long long)count, (unsigned long long)trial->elements);
      return why;
    }
  return NULL;
}

static const char *judge(struct plan_trial *trial, char why[CLR_SENTENCE_SIZE]) {
  clred_outcome outcome = {0, 0};
  struct clr_status status = {0};
  cl_int err = trial->plan->problem.selects ? CL_SUCCESS : expect(trial);
  cl_ulong count = trial->plan->problem.selects ? expect_kept(trial) : trial->results;
  if (!err)
    err = run(trial, &outcome, &status);
  if (err) {
    snprintf(why, CLR_SENTENCE_SIZE, "%s: %.300s", clr_status_name(err), status.sentence);
    return why;
  }
  if (trial->plan->problem.selects && outcome.count != count) {
    snprintf(why, CLR_SENTENCE_SIZE, "%llu elements are kept, not %llu", (unsigned long long)outcome.count,
             (unsigned long long)count);
    return why;
  }
  return compare(trial, count, why);
}

// ---------------------------------------------------------------- A trial

static cl_int prepare(struct plan_trial *trial, struct clr_status *status) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  struct clr_session *session = &trial->trials->session;
  lay_out(trial);
  size_t bytes = (size_t)trial->elements * operation->element.size,
         result_bytes = (size_t)trial->results * operation->result_size;
  trial->bytes = malloc(bytes);
  trial->slice = malloc(bytes);
  trial->got = calloc(result_bytes, 1);
  trial->expected = calloc(result_bytes, 1);
  if (!trial->bytes || !trial->slice || !trial->got || !trial->expected)
    return CL_OUT_OF_HOST_MEMORY;
  fill_elements(&operation->element, trial->elements, trial->bytes);
  cl_int err = clr_session_buffer(session, bytes, trial->bytes, &trial->in, status);
  if (!err)
    err = clr_session_buffer(session, result_bytes, NULL, &trial->out, status);
  if (!err && trial->plan->problem.layout == CLRED_LAYOUT_SEGMENTS)
    err = clr_session_buffer(session, sizeof trial->offsets, trial->offsets, &trial->segments, status);
  return err;
}

static void release(struct plan_trial *trial) {
  clr_session_drop(&trial->trials->session);
  free(trial->bytes);
  free(trial->slice);
  free(trial->got);
  free(trial->expected);
  clr_plan_release(trial->plan);
}

static bool is_refusal(cl_int err) {
  return err == CLRED_STRATEGY_REFUSED || err == CLRED_TYPE_NOT_SUPPORTED || err == CLRED_OPERATOR_TYPE ||
         err == CLRED_INVALID_PROBLEM;
}

enum clr_trial_result clr_try_plan(struct clr_plan_trials *trials, const clred_problem *problem,
                                   char why[CLR_SENTENCE_SIZE]) {
  struct plan_trial trial = {.trials = trials};
  struct clr_status status = {0};
  *why = 0;
  cl_int err = clr_plan_make(trials->runtime, problem, &trial.plan, &status);
  if (err) {
    snprintf(why, CLR_SENTENCE_SIZE, "%.400s", status.sentence);
    return is_refusal(err) ? CLR_TRIAL_REFUSED : CLR_TRIAL_WRONG;
  }
  err = prepare(&trial, &status);
  if (err)
    snprintf(why, CLR_SENTENCE_SIZE, "no memory for a trial: %s", clr_status_name(err));
  bool right = !err && !judge(&trial, why);
  release(&trial);
  return right ? CLR_TRIAL_RIGHT : CLR_TRIAL_WRONG;
}
