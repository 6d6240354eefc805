// Gathers rows in host memory, and computes reference results: by the host, or by another plan.
#include "verify/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

// True if the elements of each row are adjacent in the input.
static bool is_together(const struct job *job) {
  return job->layout.kind == CLRED_LAYOUT_LINE || job->layout.kind >= CLRED_LAYOUT_SEGMENTS;
}

int row_make(struct row *row, const struct job *job) {
  *row = (struct row){0};
  for (size_t i = 0; i <= job->other_count && !is_together(job); i++) {
    size_t size = (size_t)job->layout.call.count * job->inputs[i].type.size;
    row->copies[i] = malloc(size == 0 ? 1 : size);
    if (row->copies[i] == NULL)
      return fail_memory();
  }
  return EXIT_DONE;
}

void row_release(struct row *row) {
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

void row_take(struct row *row, const struct job *job, uint64_t result) {
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

int reference_of_builtin(const struct job *job, const clred_plan *plan, struct results *reference) {
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

int reference_of_own(const struct job *job, const clred_plan_info *info, struct results *reference) {
  clred_plan *plan = NULL;
  if (strcmp(info->order, "fixed/1") != 0)
    return refuse_own(info->order);
  int code = session_check(&job->session, plan_rows(job, &plan));
  code = code ? code : (job->work.scans ? scan_by : reduce_by)(job, plan, reference);
  clred_plan_release(plan);
  return code;
}
