// What the calls of a trial must give: guards, and the results that the host computes row by row.
#include <math.h>
#include <string.h>

#include "host/values.h"
#include "trial/trial.h"

// The elements of one row: where the first is, and how far apart they are.
struct row {
  cl_ulong first, step, count;
  cl_ulong result, result_step;
};

static cl_ulong rows_of(const clred_plan *plan, const struct clr_trial_case *one) {
  return plan->problem.layout == CLRED_LAYOUT_LINE || plan->problem.layout == CLRED_LAYOUT_STRIDED
           ? 1
           : one->rows * one->columns;
}

static struct row row_of(const struct clr_trial *trial, const struct clr_trial_case *one, cl_ulong index) {
  const struct clr_problem *problem = &trial->plan->problem;
  struct row row = {one->first, 1, one->count, 0, 1};
  if (problem->layout == CLRED_LAYOUT_STRIDED)
    row.step = clr_trial_stride(trial);
  if (problem->layout == CLRED_LAYOUT_ROWS)
    row.first = index * one->count;
  if (problem->layout == CLRED_LAYOUT_COLUMNS) {
    row.first = index / one->columns * one->count * one->columns + index % one->columns;
    row.step = one->columns;
  }
  if (problem->layout >= CLRED_LAYOUT_SEGMENTS) {
    row.first = trial->begins[index];
    row.count = trial->begins[index + 1] - row.first;
  }
  row.result = problem->scan ? row.first - one->first : index * clr_values_per_result(problem);
  row.result_step = problem->scan ? row.step : 1;
  return row;
}

static void gather(const unsigned char *from, size_t size, const struct row *row, unsigned char *to) {
  for (cl_ulong i = 0; i < row->count; i++)
    memcpy(to + i * size, from + (row->first + i * row->step) * size, size);
}

static clred_host_call host_call(struct clr_trial *trial, const struct row *row, const void *inputs[CLR_INPUTS_MAX],
                                 const void *parameters[CLR_OPERANDS_MAX]) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  gather(trial->in, operation->element.size, row, trial->line);
  for (size_t i = 0; i < operation->input_count; i++) {
    gather(trial->inputs[i], operation->input_sizes[i], row, trial->line_inputs[i]);
    inputs[i] = trial->line_inputs[i];
  }
  for (size_t i = 0; i < CLR_OPERANDS_MAX; i++)
    parameters[i] = trial->parameters[i];
  return (clred_host_call){.in = trial->line, .inputs = inputs, .parameters = parameters, .count = row->count};
}

static cl_int expect_row(struct clr_trial *trial, const struct row *row) {
  const clred_plan *plan = trial->plan;
  const size_t size = plan->problem.operation.result_size;
  const void *inputs[CLR_INPUTS_MAX], *parameters[CLR_OPERANDS_MAX];
  unsigned char *to = trial->expected + trial->guards * size;
  const clred_host_call call = host_call(trial, row, inputs, parameters);
  const cl_ulong results = plan->problem.scan ? row->count : clr_values_per_result(&plan->problem);
  const cl_int err = clr_plan_reference(plan, &call, trial->made);
  for (cl_ulong i = 0; i < results && !err; i++)
    memcpy(to + (row->result + i * row->result_step) * size, trial->made + i * size, size);
  return err;
}

// A selection copies elements or writes their positions, then perhaps the number of elements.
static void expect_selection(struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  const struct row row = row_of(trial, one, 0);
  const void *inputs[CLR_INPUTS_MAX], *parameters[CLR_OPERANDS_MAX];
  const clred_host_call call = host_call(trial, &row, inputs, parameters);
  const struct clr_values values = {&plan->problem.operation, call.in, call.count, 1, call.inputs, call.parameters, 0};
  const size_t size = plan->problem.operation.result_size;
  unsigned char *to = trial->expected + trial->guards * size;
  trial->kept = 0;
  for (cl_ulong i = 0; i < one->count; i++)
    if (clr_keeps(&values, i))
      memcpy(to + trial->kept++ * size,
             plan->problem.custom->keeping.indices ? (const unsigned char *)&i : trial->line + i * size, size);
}

static bool is_known(const clred_plan *plan) {
  const bool any_order = plan->shape.finish == CLR_FINISH_ATOMIC ||
                         (plan->problem.order == CLRED_ORDER_ANY && !clr_plan_is_above_hint(plan));
  if (plan->problem.selects)
    return plan->problem.custom->keep && !plan->problem.custom->keeping.ends;
  return clr_has_host(&plan->problem.operation) && (!any_order || plan->problem.operation.exact);
}

void clr_trial_lay_out(const struct clr_trial *trial, const struct clr_trial_case *one, unsigned char *out) {
  const size_t size = trial->plan->problem.operation.result_size;
  memset(out, CLR_TRIAL_GUARD, (size_t)(trial->results + 2 * trial->guards) * size);
  if (trial->plan->problem.in_place)
    memcpy(out + trial->guards * size, trial->in, (size_t)clr_trial_elements(trial, one) * size);
}

cl_int clr_trial_expect(struct clr_trial *trial, const struct clr_trial_case *one, bool *known) {
  cl_int err = CL_SUCCESS;
  clr_trial_lay_out(trial, one, trial->expected);
  *known = is_known(trial->plan);
  if (*known && trial->plan->problem.selects)
    expect_selection(trial, one);
  else if (*known)
    for (cl_ulong i = 0; i < rows_of(trial->plan, one) && !err; i++) {
      const struct row row = row_of(trial, one, i);
      err = expect_row(trial, &row);
    }
  return err;
}

// ---------------------------------------------------------------- Comparison

// How far real numbers may be apart: relative to the larger, and absolute. Two NaNs are equal.
struct tolerance {
  double relative_of_float, relative, absolute;
  bool only_reals;  // integers may follow from rounded numbers, so they are compared only if there are no real numbers
};

static double number_of(const clred_part *part, const unsigned char *result) {
  float single;
  double wide;
  if (part->type == CLRED_TYPE_FLOAT)
    return memcpy(&single, result + part->offset, sizeof single), single;
  return memcpy(&wide, result + part->offset, sizeof wide), wide;
}

static bool is_close_part(const clred_part *part, const struct tolerance *tolerance, const unsigned char *a,
                          const unsigned char *b) {
  const double x = number_of(part, a), y = number_of(part, b), size = fmax(fabs(x), fabs(y));
  const double relative = part->type == CLRED_TYPE_FLOAT ? tolerance->relative_of_float : tolerance->relative;
  return x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= relative * size + tolerance->absolute;
}

static bool is_close(const struct clr_operation *operation, const struct tolerance *tolerance, const unsigned char *a,
                     const unsigned char *b) {
  bool has_reals = false;
  for (size_t i = 0; i < operation->part_count; i++) {
    const clred_part *part = &operation->parts[i];
    const bool is_real = part->type == CLRED_TYPE_FLOAT || part->type == CLRED_TYPE_DOUBLE;
    has_reals |= is_real;
    if (is_real
          ? !is_close_part(part, tolerance, a, b)
          : !tolerance->only_reals && memcmp(a + part->offset, b + part->offset, clr_type_row(part->type)->size) != 0)
      return false;
  }
  return has_reals || (tolerance->only_reals && !operation->part_count);
}

// The tolerance of a plan; NULL: results must have the same bits.
static const struct tolerance *tolerance_of(const clred_plan *plan) {
  // Results that use exp or log differ between devices. A caller's functions on the host may round otherwise than the
  // device. A device without subnormal numbers gives 0 instead of them.
  static const struct tolerance of_exp = {1e-5, 1e-12, 1e-5, false}, of_caller = {0.01, 0.01, 1, true},
                                without_subnormals = {0, 0, 1.2e-38, false};
  if (plan->problem.custom)
    return clr_plan_is_above_hint(plan) ? NULL : &of_caller;
  if (!plan->problem.operation.portable)
    return &of_exp;
  return plan->runtime->facts.denormals ? NULL : &without_subnormals;
}

static bool is_guard(const unsigned char *result, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (result[i] != CLR_TRIAL_GUARD)
      return false;
  return true;
}

bool clr_trial_same(const struct clr_trial *trial, cl_ulong index) {
  const struct clr_problem *problem = &trial->plan->problem;
  const struct tolerance *tolerance = tolerance_of(trial->plan);
  const size_t size = problem->operation.result_size;
  const unsigned char *got = trial->got + index * size, *expected = trial->expected + index * size;
  if (memcmp(got, expected, size) == 0)
    return true;
  if (is_guard(expected, size) || problem->histogram || problem->selects)
    return false;
  return clr_same_parts(&problem->operation, got, expected) ||
         (tolerance && is_close(&problem->operation, tolerance, got, expected));
}
