// clreduce sort and argsort: the elements of one input in order, or their indices.
#include <clreduce_sort.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/number.h"
#include "base/output.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "run/job.h"
#include "verify/ranks.h"
#include "verify/verify.h"

struct sorting {
  struct job job;
  clred_sort_problem problem;  // its type and count_max are set when the input is counted
  clred_sorter *sorter;
  struct text_rows rows;  // of --by
};

static int create(struct sorting *at) {
  const struct session *session = &at->job.session;
  struct making making;
  clred_sorter_release(at->sorter);
  at->sorter = NULL;
  session_make_begin(session, &making);
  cl_int status = clred_sorter_create(session->runtime, &at->problem, &at->sorter);
  if (status == CL_SUCCESS && !at->problem.host_calls)
    status = clred_sorter_warm(session->queue, at->sorter);
  session_make_end(session, &making);
  return session_check(session, status);
}

// A type without an order is refused before the elements are read. This sorter builds and allocates nothing.
static int open_input(void *about) {
  struct sorting *at = about;
  int code = job_open_inputs(&at->job);
  if (!code && at->job.args->by != NULL)
    at->job.input.table->rows = &at->rows;
  at->problem.type = at->job.input.type.type;
  at->problem.count_max = 1;
  at->problem.host_calls = CL_TRUE;
  return code ? code : create(at);
}

// The sorter itself copies the elements to the device. For 0 elements the first sorter is kept.
static int load(void *about) {
  struct sorting *at = about;
  int code = job_load_host(&at->job);
  if (code || at->job.input.count == 0)
    return code;
  at->problem.count_max = at->job.input.count;
  at->problem.host_calls = CL_FALSE;
  return create(at);
}

// The sorter may have written uints. Each ulong replaces a uint at the same place or before it, so the last is first.
static void widen(struct results *indices) {
  for (uint64_t i = indices->count; i-- > 0;) {
    cl_uint narrow;
    memcpy(&narrow, indices->bytes + i * sizeof narrow, sizeof narrow);
    const cl_ulong wide = narrow;
    memcpy(indices->bytes + i * sizeof wide, &wide, sizeof wide);
  }
}

static int sort_once(void *about, struct results *results, double *kernel, double *wall) {
  const struct sorting *at = about;
  const struct input *input = &at->job.input;
  const bool indices = at->problem.form == CLRED_SORT_INDICES;
  const clred_sort_host_call call = {.keys = input->data,
                                     .count = input->count,
                                     .keys_out = indices ? NULL : results->bytes,
                                     .values_out = indices ? results->bytes : NULL};
  clred_sorter_info info = {.index_type = CLRED_TYPE_NONE};
  cl_int status = CL_SUCCESS;
  double begun = seconds_now();
  if (input->count > 0)
    status = clred_sorter_run_host(at->job.session.queue, at->sorter, &call);
  *wall = seconds_now() - begun;
  *kernel = NAN;
  if (status == CL_SUCCESS)
    status = clred_sorter_inspect(at->sorter, &info);
  if (info.index_type == CLRED_TYPE_UINT)
    widen(results);
  return session_check(&at->job.session, status);
}

static int verify(const struct sorting *at, const struct outcome *outcome, struct verdict *verdict) {
  const struct input *input = &at->job.input;
  int code = ranks_verify_sort(&at->problem, input->data, input->count, outcome->results.bytes, &verdict->correct);
  verdict->correct = verdict->correct && outcome->steady;
  verdict->wrong = UINT64_MAX;
  return code;
}

static int describe(const struct sorting *at, struct outcome *outcome) {
  const struct args *args = at->job.args;
  clred_sorter_info info;
  int code = session_check(&at->job.session, clred_sorter_inspect(at->sorter, &info));
  if (code)
    return code;
  outcome->info.portable = CL_TRUE;
  outcome->more = cJSON_CreateObject();
  json_add_truth(outcome->more, "descending", at->problem.descending);
  json_add_truth(outcome->more, "nans_first", at->problem.nans_first);
  json_add_count(outcome->more, "scratch_bytes", info.device_bytes);
  if (args->explain && !args->quiet)
    fprintf(stderr, "%s: elements: %llu; digits of an element: %llu; scratch memory: %zu bytes\n",
            at->job.operation.name, (unsigned long long)at->job.input.count, (unsigned long long)info.passes,
            info.device_bytes);
  return EXIT_DONE;
}

static int run(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct sorting *at = about;
  struct job *job = &at->job;
  const clred_type type = at->problem.form == CLRED_SORT_INDICES ? CLRED_TYPE_ULONG : job->input.type.type;
  int code = results_make_values(&outcome->results, type, job->input.count);
  code = code ? code : run_repeatedly(sort_once, at, repeats_wanted(job->args), outcome);
  if (!code && job->args->verify)
    code = verify(at, outcome, verdict);
  layout_take_selection(&job->layout, job->input.count);
  return code ? code : describe(at, outcome);
}

// ---- Whole lines

static void put_row(const struct text_rows *rows, uint64_t row, FILE *file) {
  const uint64_t begin = row > 0 ? rows->ends[row - 1] : 0;
  fwrite(rows->bytes + begin, 1, (size_t)(rows->ends[row] - begin), file);
}

// The results are the indices of the rows in order.
static void put_rows(const struct text_rows *rows, const struct results *order, FILE *file) {
  if (rows->header)
    put_row(rows, 0, file);
  for (uint64_t i = 0; i < order->count && !ferror(file); i++)
    put_row(rows, number_bits(CLRED_TYPE_ULONG, results_at(order, i)) + rows->header, file);
}

static int print_rows(void *about, const struct outcome *outcome, const struct verdict *verdict) {
  const struct sorting *at = about;
  struct output output;
  (void)verdict;
  if (at->job.args->output == NULL) {
    put_rows(&at->rows, &outcome->results, stdout);
    return EXIT_DONE;
  }
  int code = output_open(&output, "--output", at->job.args->output);
  if (!code)
    put_rows(&at->rows, &outcome->results, output.file);
  return output_close(&output, code);
}

// ---- The verbs

int cmd_sort(const struct args *args) {
  struct sorting at = {.sorter = NULL};
  const bool indices = args->verb->bit == VERB_ARGSORT;
  size_t nans = 0;
  job_begin(&at.job, args);
  at.job.plain = true;
  at.job.operation.name = args->verb->name;
  at.job.open = open_input;
  at.job.load = load;
  at.job.run = run;
  at.job.about = &at;
  at.job.print = args->by != NULL ? print_rows : NULL;
  at.job.problem.indices = indices;  // they count rows that --missing skip leaves out
  at.problem.form = indices || args->by != NULL ? CLRED_SORT_INDICES : CLRED_SORT_KEYS;
  at.problem.descending = args->descending;
  int code = args_take_word("nans", "place", args->nans, &nans);
  at.problem.nans_first = nans == 1;
  code = job_compute(&at.job, code);
  clred_sorter_release(at.sorter);
  job_close(&at.job);
  text_rows_release(&at.rows);
  return code;
}
