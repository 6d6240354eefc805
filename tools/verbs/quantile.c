// clreduce reduce with the operators median, quantile, top and bottom, and with lists of the first two and others.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "verbs/quantile_run.h"
#include "verify/ranks.h"

// ---- Elements

static int check_type(const struct quantiles *at) {
  const clred_type_info *type = &at->job.input.type;
  if (type->components == 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s is not defined for %s, which has several components and no order", at->asked.op,
              type->name);
}

int quantile_open_input(struct quantiles *at, bool again) {
  struct job *job = &at->job;
  struct request request;
  mapping_close(&at->mapping);
  if (quantile_is_mixed(at)) {
    int opened = job_open_inputs(job);
    return opened ? opened : check_type(at);
  }
  job_close_inputs(job);
  int code = job_choose(job, &request);
  code = code ? code : quantile_lines_open(at, &request, again);
  code = code ? code : input_open(&job->input, &request);
  const bool is_alone = job->each.column_count == 0;  // else other columns have results of their own
  if (!code)
    code = is_alone ? input_check_text_alone(job->args, &job->input)
                    : input_check_text_options(job->args, input_is_text(&job->input), 0);
  code = code ? code : check_type(at);
  code = code ? code : layout_check_axes(job->args, &job->input);
  code = code ? code : keys_open(job);
  return code || job->session.runtime != NULL ? code : session_open_picked(&job->session, job->args, false);
}

// Elements are read several times, so a pipe must fit memory; we allow what fits one buffer.
static int hold_pipe(struct quantiles *at, cl_ulong most) {
  struct input *input = &at->job.input;
  int code = input->counted ? EXIT_DONE : input_hold(input, most, &at->job.progress);
  progress_end(&at->job.progress);
  if (code || input->counted)
    return code;
  return fail(EXIT_BAD_USE,
              "%s: %s reads the elements several times, and %llu bytes of them can be held here; write them to a .npy "
              "file first",
              input_name(input), at->asked.op, (unsigned long long)most);
}

static int load_groups(struct quantiles *at) {
  struct job *job = &at->job;
  if (quantile_is_mixed(at))
    return job_load(job);
  job->wants_places = at->asked.problem.at == NULL;
  int code = job_load_groups(job);
  return code ? code : job_load_one(job, &job->input, &job->buffer);
}

// A plan needs a buffer, and its verification memory, so only what no buffer holds is mapped for a plan.
static bool may_map(const struct quantiles *at, bool fits) {
  const struct job *job = &at->job;
  if (quantile_is_mixed(at))
    return !fits && !job->args->verify;
  return session_fact(&job->session, "unified_memory", 0) || !fits;
}

// A file is mapped if the device shares the host's memory, or if no buffer holds it. Otherwise the elements go into a
// buffer.
static int load(struct quantiles *at) {
  struct job *job = &at->job;
  struct input *input = &job->input;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  if (job->args->group != NULL)
    return load_groups(at);
  int code = hold_pipe(at, most);
  job->wants_lines = true;
  code = code ? code : job_settle(job);
  if (code)
    return code;
  bool fits = input_bytes(input) <= most;
  if (input_is_in_file(input) && input->count > 0 && job->layout.axes == 0 && may_map(at, fits) &&
      mapping_open(&at->mapping, &input->stream, 0, input_bytes(input)))
    return mapping_check(&input->stream, input_bytes(input));
  if (fits)
    return job_load_one(job, input, &job->buffer);
  code = input_load(input, &job->progress);
  progress_end(&job->progress);
  return code;
}

const void *quantile_elements(const struct quantiles *at) {
  return at->mapping.pages != NULL ? at->mapping.data : at->job.input.data;
}

// ---- Runs

static void release(struct quantiles *at) {
  clred_quantile_release(at->quantile);
  results_release(&at->values);
  results_release(&at->rows);
  free(at->places);
  at->quantile = NULL;
  at->places = NULL;
}

// With --each, the object that was made for the previous file is used again if it fits.
static int create(struct quantiles *at) {
  const clred_quantile_problem *made = &at->asked.problem;
  const uint64_t rows = quantile_rows(at);
  uint64_t most = 0;
  for (uint64_t i = 0; i < rows; i++)
    most = quantile_range_of(at, i).count > most ? quantile_range_of(at, i).count : most;
  if (!quantile_has_rows(at) && at->quantile != NULL && made->type == at->job.input.type.type &&
      made->count_max >= at->job.input.count)
    return EXIT_DONE;
  release(at);
  at->asked.problem.type = at->job.input.type.type;
  at->asked.problem.count_max = most > 0 ? most : 1;  // 0 has no bound, and takes the most memory
  struct making making;
  session_make_begin(&at->job.session, &making);
  cl_int status = clred_quantile_create(at->job.session.runtime, &at->asked.problem, &at->quantile);
  if (status == CL_SUCCESS)
    status = clred_quantile_warm(at->job.session.queue, at->quantile);
  session_make_end(&at->job.session, &making);
  int code = session_check(&at->job.session, status);
  if (code)
    return code;
  clred_quantile_inspect(at->quantile, &at->info);
  at->places = calloc(rows * at->info.results + 1, sizeof *at->places);
  return at->places == NULL ? fail_memory()
                            : results_make_values(&at->values, at->info.result_type, rows * at->info.results);
}

// The times of a call; `kernel` is NaN without event profiling.
struct times {
  double *kernel, *wall;
};

// The same numbers of all groups.
static void add_info(clred_quantile_info *sum, const clred_quantile_info *info) {
  sum->readings += info->readings;
  sum->launches += info->launches;
  sum->nans += info->nans;
  sum->seconds += info->seconds;
}

static cl_int run_row(struct quantiles *at, uint64_t row, char *values) {
  const struct job *job = &at->job;
  const struct quantile_range range = quantile_range_of(at, row);
  const uint64_t first = row * at->info.results;
  cl_ulong *places = at->asked.problem.at == NULL ? at->places + first : NULL;
  values += first * at->values.size;
  if (job->buffer == NULL)
    return clred_quantile_run_host(job->session.queue, at->quantile,
                                   (const char *)quantile_elements(at) + range.first * job->input.type.size,
                                   range.count, values, places);
  return clred_quantile_run(job->session.queue, at->quantile, job->buffer, range.first, range.count, values, places, 0,
                            NULL);
}

static int run_once(struct quantiles *at, void *values, double *kernel, double *wall) {
  clred_quantile_info sum = {.readings = 0};
  cl_int status = CL_SUCCESS;
  double begun = seconds_now();
  uint64_t i = 0;
  for (; i < quantile_rows(at) && status == CL_SUCCESS; i++) {
    status = run_row(at, i, values);
    clred_quantile_inspect(at->quantile, &at->info);
    add_info(&sum, &at->info);
  }
  *wall = seconds_now() - begun;
  at->info.readings = sum.readings;
  at->info.launches = sum.launches;
  at->info.nans = sum.nans;
  *kernel = sum.seconds > 0 ? sum.seconds : NAN;
  // Without its NaNs, the input has too few elements: the data is to blame, not the call.
  if (status == CLRED_INVALID_ARGUMENT || status == CLRED_OUT_OF_RANGE)
    return quantile_rows_refuse(at, i - 1);
  return session_check(&at->job.session, status);
}

// In whole nanoseconds; further digits are noise of the double.
static double median_time(double *seconds, size_t count) {
  return round(median(seconds, count) * 1e9) / 1e9;
}

int quantile_run(struct quantiles *at) {
  cl_ulong calls = at->job.args->repeat.given ? at->job.args->repeat.value : 1;
  struct times times = {calloc(calls, sizeof(double)), calloc(calls, sizeof(double))};
  bool room = times.kernel != NULL && times.wall != NULL;
  struct results again = {0};
  int code = room ? results_make_like(&again, &at->values) : fail_memory();
  if (!code && calls > 1)  // not timed
    code = run_once(at, again.bytes, times.kernel, times.wall);
  at->steady = true;
  for (cl_ulong i = 0; i < calls && !code; i++) {
    code = run_once(at, i == 0 ? at->values.bytes : again.bytes, &times.kernel[i], &times.wall[i]);
    at->steady = at->steady && (i == 0 || memcmp(again.bytes, at->values.bytes, again.count * again.size) == 0);
  }
  if (!code) {
    at->kernel_seconds = median_time(times.kernel, calls);
    at->wall_seconds = median_time(times.wall, calls);
  }
  results_release(&again);
  free(times.kernel);
  free(times.wall);
  return code;
}

int quantile_verify(struct quantiles *at) {
  at->correct = true;
  if (!at->job.args->verify)
    return EXIT_DONE;
  int code = EXIT_DONE;
  for (uint64_t i = 0; i < quantile_rows(at) && at->correct && !code; i++) {
    struct quantile_range range = quantile_range_of(at, i);
    code = ranks_verify(&at->asked.problem, (const char *)quantile_elements(at) + range.first * at->job.input.type.size,
                        range.count, results_at(&at->values, i * at->info.results), at->places + i * at->info.results,
                        &at->correct);
  }
  at->correct = at->correct && at->steady;
  return code;
}

void quantile_explain(const struct quantiles *at) {
  if (at->job.args->explain && !at->job.args->quiet)
    fprintf(stderr, "%s%s: readings of all elements: %llu; launches: %llu; scratch memory: %zu bytes\n",
            each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->info.readings,
            (unsigned long long)at->info.launches, at->info.device_bytes);
}

static int answer_all(struct quantiles *at) {
  int code = quantile_run(at);
  code = code ? code : quantile_verify(at);
  if (!code)
    quantile_explain(at);
  code = code ? code : quantile_show(at);
  if (!code && !at->correct)
    code = fail(EXIT_WRONG, "--verify: %s%s of %llu elements is wrong; a sort on the host gives another result%s",
                each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->job.input.count,
                at->steady ? "" : ", and the calls differ from each other");
  return code;
}

static int reduce_inputs(struct quantiles *at) {
  int code = quantile_open_input(at, false);
  code = code ? code : load(at);
  code = code ? code : quantile_rows_check(at);
  code = code ? code : create(at);
  if (code)
    return code;
  return quantile_is_mixed(at) ? quantile_mix(at) : answer_all(at);
}

static int begin(struct quantiles *at, const struct args *args) {
  job_begin(&at->job, args);
  int code = quantile_take(&at->asked, args);
  if (code)
    return code;
  if (quantile_is_mixed(at))
    return quantile_mix_begin(at, args);
  code = job_check_outputs(&at->job);
  code = code ? code : layout_check(args);
  return code ? code : each_columns(&at->job.each);
}

int quantile_reduce(const struct args *args) {
  struct quantiles at = {.steady = true};
  int code = begin(&at, args);
  do
    code = code ? code : reduce_inputs(&at);
  while (each_next(&at.job.each, &code));
  code = each_end(&at.job.each, code);
  release(&at);
  clred_plan_release(at.plan);
  job_close(&at.job);
  mapping_close(&at.mapping);
  quantile_list_release(&at.asked.list);
  return code;
}
