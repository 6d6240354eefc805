// Makes reference results: by the host, or for operators of the user by another plan. Compares bits with them, or
// errors with a bound.
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "verify/measure.h"

// ---------------------------------------------------------------- References

// The elements of a row, and those of the further inputs, adjacent in memory.
struct row {
  const void *in;
  uint64_t count;
  const void *inputs[USER_INPUTS_MAX];
  void *copies[1 + USER_INPUTS_MAX];  // NULL if the input itself is used
};

// True if the elements of each row are adjacent in the input.
static bool is_together(const struct job *job) {
  return job->layout.kind == CLRED_LAYOUT_LINE || job->layout.kind >= CLRED_LAYOUT_SEGMENTS;
}

static int row_make(struct row *row, const struct job *job) {
  *row = (struct row){0};
  for (size_t i = 0; i <= job->other_count && !is_together(job); i++) {
    size_t size = (size_t)job->layout.call.count * job->inputs[i].type.size;
    row->copies[i] = malloc(size == 0 ? 1 : size);
    if (row->copies[i] == NULL)
      return fail_memory();
  }
  return EXIT_DONE;
}

static void row_release(struct row *row) {
  for (size_t i = 0; i <= USER_INPUTS_MAX; i++)
    free(row->copies[i]);
}

static const void *gather(const struct layout *layout, const struct input *input, uint64_t result, char *to) {
  size_t size = input->type.size;
  const char *from = (const char *)input->data + layout_first(layout, result) * size;
  if (to == NULL)
    return from;
  for (uint64_t i = 0; i < layout->call.count; i++)
    memcpy(to + i * size, from + i * layout->step * size, size);
  return to;
}

// Gathers the elements of one row.
static void row_take(struct row *row, const struct job *job, uint64_t result) {
  row->count = layout_count(&job->layout, result);
  row->in = gather(&job->layout, &job->input, result, row->copies[0]);
  for (size_t i = 0; i < job->other_count; i++)
    row->inputs[i] = gather(&job->layout, &job->others[i], result, row->copies[i + 1]);
}

static int reference_of_row(const struct job *job, const clred_plan *plan, const struct row *row, void *result) {
  const clred_host_call call = {
    .in = row->in, .inputs = row->inputs, .count = row->count, .initial = job->work.call.initial, .out = result};
  return session_check(&job->session, clred_plan_reference(plan, &call));
}

// Copies the results of a row to their places.
static void scatter(const struct job *job, uint64_t row, const char *results, struct results *reference) {
  for (uint64_t i = 0; i < layout_count(&job->layout, row); i++)
    memcpy(results_at(reference, layout_scanned(&job->layout, row, i)), results + i * reference->size, reference->size);
}

static int scan_of_rows(const struct job *job, const clred_plan *plan, struct row *row, struct results *reference) {
  size_t size = (size_t)job->layout.call.count * reference->size;
  char *results = calloc(size == 0 ? 1 : size, 1);
  int code = results == NULL ? fail_memory() : EXIT_DONE;
  for (uint64_t i = 0; reference->count > 0 && i < job->layout.results && !code; i++) {
    row_take(row, job, i);
    if (row->count > 0)
      code = reference_of_row(job, plan, row, results);
    scatter(job, i, results, reference);
  }
  free(results);
  return code;
}

static int reference_of_builtin(const struct job *job, const clred_plan *plan, struct results *reference) {
  struct row row;
  int code = row_make(&row, job);
  if (!code && job->problem.scan)
    code = scan_of_rows(job, plan, &row, reference);
  for (uint64_t i = 0; !job->problem.scan && i < job->layout.results && !code; i++) {
    row_take(&row, job, i);
    code = reference_of_row(job, plan, &row, results_at(reference, i));
  }
  row_release(&row);
  return code;
}

// ---- By another plan

static int refuse_own(const char *order) {
  return fail(EXIT_BAD_USE,
              "--verify: your own operator is compared in the order fixed/1, but the order of this plan is %s; leave "
              "--strategy, --finish and --order out",
              order);
}

static cl_int make_plan(const struct job *job, clred_layout layout, const char *strategy, cl_ulong group_size,
                        clred_plan **plan) {
  clred_problem problem = job->problem;
  problem.layout = layout;
  problem.segment_type = CLRED_TYPE_NONE;
  problem.strategy = strategy;
  problem.groups = 1;
  problem.finish = NULL;
  problem.group_size = group_size;
  problem.elements = problem.stop_at = 0;
  problem.stage = CLRED_STAGE_LOCAL;
  return session_plan(&job->session, &problem, plan);
}

cl_int reference_plan_line(const struct job *job, clred_plan **plan) {
  return make_plan(job, CLRED_LAYOUT_LINE, "chunked", 0, plan);
}

// A plan with one group of one work-item. It computes one row per call.
static cl_int plan_rows(const struct job *job, clred_plan **plan) {
  clred_layout layout = job->operation.selects ? job->problem.layout : CLRED_LAYOUT_STRIDED;
  return job->work.scans ? make_plan(job, layout, "scan_reduce_then_scan", 1, plan)
                         : make_plan(job, layout, "chunked", 0, plan);
}

// A call for row number `row` of the elements on the device. The call points to `offsets`.
static clred_call call_of_row(const struct job *job, uint64_t row, cl_ulong offsets[USER_INPUTS_MAX]) {
  clred_call call = job->work.call;
  call.in_offset = layout_first(&job->layout, row);
  for (size_t i = 0; i < job->other_count; i++)
    offsets[i] = call.in_offset;
  call.input_offsets = offsets;
  call.count = layout_count(&job->layout, row);
  call.segments = NULL;
  call.rows = 0;
  call.stride = job->layout.step;
  return call;
}

static int reduce_by(const struct job *job, clred_plan *plan, struct results *reference) {
  cl_ulong offsets[USER_INPUTS_MAX];
  int code = EXIT_DONE;
  for (uint64_t i = 0; i < reference->count && !code; i++) {
    clred_call call = call_of_row(job, i, offsets);
    call.result = results_at(reference, i);
    call.blocking = CL_TRUE;
    code = run_call(&job->session, plan, &call);
  }
  return code;
}

static int scan_row(const struct job *job, clred_plan *plan, cl_mem out, uint64_t row) {
  cl_ulong offsets[USER_INPUTS_MAX];
  clred_call call = call_of_row(job, row, offsets);
  call.out = out;
  call.out_offset = layout_scanned(&job->layout, row, 0);
  call.out_stride = layout_scanned(&job->layout, row, 1) - call.out_offset;
  return call.count > 0 ? run_call(&job->session, plan, &call) : EXIT_DONE;
}

// The reference may keep another number of elements than the outcome.
static int select_by(const struct job *job, clred_plan *plan, struct results *reference) {
  const struct repeats once = {.count = 1};
  struct outcome outcome;
  int code = run_plan(&job->session, plan, &job->work, once, &outcome);
  if (!code && outcome.results.count < reference->count)
    reference->count = outcome.results.count;
  else if (!code && outcome.results.count > reference->count)
    code = results_make_more(reference, outcome.results.count);
  if (!code)
    memcpy(reference->bytes, outcome.results.bytes, (size_t)reference->count * reference->size);
  outcome_release(&outcome);
  return code;
}

static int scan_by(const struct job *job, clred_plan *plan, struct results *reference) {
  size_t size = (size_t)reference->count * reference->size;
  cl_mem out;
  if (job->operation.selects)
    return select_by(job, plan, reference);
  if (size == 0)
    return EXIT_DONE;
  int code = session_room(&job->session, reference->bytes, size, "the reference's results", &out);
  for (uint64_t i = 0; i < job->layout.results && !code; i++)
    code = scan_row(job, plan, out, i);
  code = code ? code : session_read(&job->session, out, size, reference->bytes, "the reference's results");
  buffer_release(out);
  return code;
}

static int reference_of_own(const struct job *job, const clred_plan_info *info, struct results *reference) {
  clred_plan *plan = NULL;
  if (strcmp(info->order, "fixed/1") != 0)
    return refuse_own(info->order);
  int code = session_check(&job->session, plan_rows(job, &plan));
  code = code ? code : (job->work.scans ? scan_by : reduce_by)(job, plan, reference);
  clred_plan_release(plan);
  return code;
}

// ---------------------------------------------------------------- Results of reductions

double verify_depth(const clred_plan_info *info, cl_ulong count) {
  return (double)info->elements + ceil(log2((double)count + 1)) + (double)info->groups;
}

// An infinite result is correct if the exact value rounds to infinity.
static bool rounds_to(clred_type type, double value, double result) {
  return value == result || (type == CLRED_TYPE_FLOAT && isinf(result) && (double)(float)value == result);
}

static double in_ulps(clred_type type, double result, const struct measured *measured) {
  if (isfinite(result) && isfinite(measured->value))
    return fabs(measured->error) / measure_ulp(type, measured->value);
  bool agree = isnan(measured->value) ? isnan(result) : rounds_to(type, measured->value, result);
  return agree ? 0 : INFINITY;
}

// One component of one part of one result.
struct question {
  const struct job *job;
  const struct outcome *outcome;
  const struct row *row;  // NULL if only bits are compared
  uint64_t first, count;  // elements of the row that the result covers
  const char *part;
  clred_op op;
  clred_type type;
  cl_uint component;
  const void *result, *reference;
};

// The numbers that a component of the result depends on. For a complex number these are both parts.
static struct samples samples_of(const struct question *question) {
  const clred_type_info *element = &question->job->input.type;
  size_t size = value_size(element->component);
  size_t first = element->is_complex ? 0 : question->component * size;
  return (struct samples){.type = element->component,
                          .stride = element->size,
                          .x = (const char *)question->row->in + first + question->first * element->size,
                          .y = question->job->other_count > 0 ? (const char *)question->row->inputs[0] + first : NULL,
                          .imaginary = element->is_complex ? size : 0,
                          .count = question->count,
                          .ignore_nan = question->job->problem.nan == CLRED_NAN_IGNORE};
}

// Without an exact value, the reference is used.
static bool measure_question(const struct question *question, double result, struct measured *measured) {
  if (question->row != NULL) {
    const struct samples samples = samples_of(question);
    double depth = verify_depth(&question->outcome->info, samples.count);
    if (measure(question->op, question->part, &samples, question->type, result, depth, measured))
      return true;
  }
  measured->value = number_as_double(question->type, question->reference);
  measured->error = result - measured->value;
  return false;
}

static void judge_component(const struct question *question, bool free_order, bool ulp, bool *correct,
                            double *error_ulp) {
  struct measured measured;
  double result = number_as_double(question->type, question->result);
  bool bounded = measure_question(question, result, &measured);
  if (free_order && bounded)
    *correct = *correct && measure_allows(&measured, question->type, result);
  else
    *correct = *correct && value_same(question->type, question->result, question->reference);
  if (ulp && measure_knows(question->type))
    *error_ulp = fmax(*error_ulp, in_ulps(question->type, result, &measured));
}

// In a list of operators with the order fixed/1, only the parts of operators that are not portable may differ.
static bool is_fixed(const struct question *question, const struct part *part) {
  clred_op_info row;
  return strcmp(question->outcome->info.order, "any") != 0 && clred_op_inspect(part->op, &row) == CL_SUCCESS &&
         row.portable;
}

static void judge_part(struct question question, uint64_t result, size_t index, bool free_order, bool ulp,
                       struct verdict *verdict, bool *correct) {
  const struct results *results = &question.outcome->results;
  const void *given = results_part(results, result, index);
  const void *wanted = results_part(&verdict->reference, result, index);
  const clred_type_info type = type_info(results->parts[index].type);
  const struct part *part = &results->parts[index];
  question.part = part_own_name(part);
  question.op = part->op == CLRED_OP_NONE ? question.job->operation.op.op : part->op;
  question.type = type.component;
  for (cl_uint i = 0; i < type.components; i++) {
    question.component = i;
    question.result = value_component(&type, given, i);
    question.reference = value_component(&type, wanted, i);
    judge_component(&question, free_order && !is_fixed(&question, part), ulp, correct, &verdict->error_ulp);
  }
}

static bool is_free(const struct outcome *outcome) {
  return strcmp(outcome->info.order, "any") == 0 || !outcome->info.portable;
}

// With a free order the bits may differ between calls.
static void judge_all(const struct job *job, const struct outcome *outcome, struct row *row, bool ulp,
                      struct verdict *verdict) {
  const struct results *results = &outcome->results;
  bool free_order = is_free(outcome) && !job->operation.own;
  struct question question = {.job = job, .outcome = outcome, .row = row};
  verdict->correct = outcome->steady || free_order;
  for (uint64_t i = 0; i < results->count; i++) {
    bool correct = true;
    if (row != NULL)
      row_take(row, job, i);
    question.count = layout_count(&job->layout, i);
    for (size_t part = 0; part < results->part_count; part++)
      judge_part(question, i, part, free_order, ulp, verdict, &correct);
    if (!correct && verdict->correct)
      verdict->wrong = i;
    verdict->correct = verdict->correct && correct;
  }
}

// ---- Scans

// The bound of each result is computed from all elements before it, which takes quadratic time.
enum { BOUNDED_SCAN_MAX = 8192 };

static void take_prefix(const clred_problem *problem, uint64_t result, uint64_t count, struct question *question) {
  uint64_t own = problem->scan == CLRED_SCAN_INCLUSIVE ? 1 : 0;
  question->first = problem->reversed ? result + 1 - own : 0;
  question->count = problem->reversed ? count - question->first : result + own;
}

static bool is_within_bounds(const struct job *job, const struct outcome *outcome, const struct row *row,
                             uint64_t result, uint64_t element, struct verdict *verdict) {
  struct question question = {.job = job, .outcome = outcome, .row = row};
  bool correct = true;
  take_prefix(&job->problem, element, row->count, &question);
  for (size_t part = 0; part < outcome->results.part_count; part++)
    judge_part(question, result, part, true, false, verdict, &correct);
  return correct;
}

// Compares the results of a row, up to the first wrong one.
static void judge_row(const struct job *job, const struct outcome *outcome, const struct row *row, uint64_t index,
                      struct verdict *verdict) {
  for (uint64_t i = 0; i < layout_count(&job->layout, index) && verdict->correct; i++) {
    uint64_t result = layout_scanned(&job->layout, index, i);
    verdict->correct = results_same(&outcome->results, &verdict->reference, result) ||
                       (row != NULL && is_within_bounds(job, outcome, row, result, i, verdict));
    verdict->wrong = result;
  }
}

// Also for histograms. Two selections may keep different numbers of elements.
static void judge_selected(const struct outcome *outcome, struct verdict *verdict) {
  const struct results *results = &outcome->results;
  uint64_t both = results->count < verdict->reference.count ? results->count : verdict->reference.count;
  verdict->wrong = 0;
  while (verdict->wrong < both && results_same(results, &verdict->reference, verdict->wrong))
    verdict->wrong++;
  verdict->correct = outcome->steady && results->count == verdict->reference.count && verdict->wrong == both;
}

static void judge_each(const struct job *job, const struct outcome *outcome, struct row *row, struct verdict *verdict) {
  if (job->operation.selects) {
    judge_selected(outcome, verdict);
    return;
  }
  verdict->correct = outcome->steady;
  for (uint64_t i = 0; outcome->results.count > 0 && i < job->layout.results && verdict->correct; i++) {
    if (row != NULL)
      row_take(row, job, i);
    judge_row(job, outcome, row, i, verdict);
  }
}

// Scans always have a fixed order. Bits differ only where a device's exp and log do.
static int judge_scan(const struct job *job, const struct outcome *outcome, struct verdict *verdict) {
  struct row row;
  if (outcome->info.portable || job->operation.own) {
    judge_each(job, outcome, NULL, verdict);
    return EXIT_DONE;
  }
  if (outcome->results.count > BOUNDED_SCAN_MAX)
    return fail(EXIT_BAD_USE, "--verify: scans of %s are verified for up to %d elements, not %llu; leave --verify out",
                job->operation.name, BOUNDED_SCAN_MAX, (unsigned long long)outcome->results.count);
  int code = row_make(&row, job);
  if (!code)
    judge_each(job, outcome, &row, verdict);
  row_release(&row);
  return code;
}

static int judge(const struct job *job, const struct outcome *outcome, bool ulp, struct verdict *verdict) {
  struct row row;
  if (job->work.scans)
    return judge_scan(job, outcome, verdict);
  if (job->operation.own || (!ulp && !is_free(outcome))) {
    judge_all(job, outcome, NULL, ulp, verdict);
    return EXIT_DONE;
  }
  int code = row_make(&row, job);
  if (!code)
    judge_all(job, outcome, &row, ulp, verdict);
  row_release(&row);
  return code;
}

// Compares the number of runs and their keys with the host's.
static bool are_runs_right(const struct job *job, const struct outcome *outcome, struct verdict *verdict) {
  const struct results *keys = &outcome->keys;
  const struct input *rows = &job->segments;
  uint64_t found = outcome->results.count, runs = job->layout.results;
  if (!job->work.finds || job->operation.selects)
    return true;
  verdict->wrong = found < runs ? found : runs;
  for (uint64_t i = 0; i < keys->count && i < verdict->wrong; i++)
    if (!value_same(keys->type, results_at(keys, i),
                    (const char *)rows->data + layout_first(&job->layout, i) * keys->size))
      verdict->wrong = i;
  return found == runs && verdict->wrong == runs;
}

int verify_outcome(const struct job *job, const clred_plan *plan, const struct outcome *outcome, bool ulp,
                   struct verdict *verdict) {
  *verdict = (struct verdict){.error_ulp = NAN};
  int code = results_make_like(&verdict->reference, &outcome->results);
  if (!code && !are_runs_right(job, outcome, verdict)) {
    verdict->reference.count = 0;
    return EXIT_DONE;
  }
  if (!code)
    code = job->operation.own ? reference_of_own(job, &outcome->info, &verdict->reference)
                              : reference_of_builtin(job, plan, &verdict->reference);
  if (code || job->bins == 0)
    return code ? code : judge(job, outcome, ulp, verdict);
  judge_selected(outcome, verdict);
  return EXIT_DONE;
}

void verdict_release(struct verdict *verdict) {
  results_release(&verdict->reference);
}

double verify_exact_value(const struct job *job, const struct results *reference) {
  struct row row = {.in = job->input.data};
  const struct outcome outcome = {0};
  const void *value = results_part(reference, results_last(reference), 0);
  const struct question question = {.job = job,
                                    .outcome = &outcome,
                                    .row = &row,
                                    .part = reference->parts[0].name,
                                    .op = job->operation.op.op,
                                    .count = job->layout.call.count,
                                    .type = reference->parts[0].type,
                                    .result = value,
                                    .reference = value};
  struct measured measured;
  row.inputs[0] = job->other_count > 0 ? job->others[0].data : NULL;
  measure_question(&question, number_as_double(question.type, value), &measured);
  return measured.value;
}
