// Reads inputs into a stream of the library.
#include "run/streaming.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "input/row_files.h"
#include "run/job.h"
#include "verify/reference.h"

// ---- Which jobs

// Inputs up to this size are loaded, not streamed. The limit for pipes is lower, because their memory grows by
// doubling. It is lowest where there are as many results as elements: their memory costs more than the work.
enum { KEPT_MOST = 256 << 20, KEPT_OF_PIPE = 64 << 20, KEPT_OF_RESULTS = 8 << 20 };

static bool inputs_are_sequential(const struct job *job) {
  bool sequential = input_is_sequential(&job->input);
  for (size_t i = 0; i < job->other_count; i++)
    sequential = sequential && input_is_sequential(&job->others[i]) && !job->others[i].unsized;
  return sequential;
}

static bool is_auto_or(const char *strategy, bool matches) {
  return strategy == NULL || strcmp(strategy, "auto") == 0 || matches;
}

static bool can_reduce(const struct job *job) {
  const char *name = job->args->strategy;
  return is_auto_or(name, name != NULL && (strcmp(name, "wide") == 0 || strcmp(name, "chunked") == 0));
}

static bool has_fixed_order(const char *strategy) {
  clred_strategy_info info;
  for (size_t i = 0; strategy != NULL && clred_strategy_at(i, &info) == CL_SUCCESS; i++)
    if (strcmp(info.name, strategy) == 0)
      return info.fixed_order;
  return false;
}

// Operators with several parts may have indices, which count from the first element of a call.
static bool can_scan(const struct job *job) {
  clred_type type = CLRED_TYPE_NONE;
  bool known =
    !job->operation.own && clred_result_type(job->operation.op.op, job->input.type.type, &type) == CL_SUCCESS;
  return known && type != CLRED_TYPE_NONE && !job->problem.reversed &&
         is_auto_or(job->args->strategy, has_fixed_order(job->args->strategy));
}

// An index in a predicate counts from the first element of a call.
static bool can_select(const struct job *job) {
  const clred_selection *selection = &job->operation.selection;
  return strstr(selection->keep, "index") == NULL &&
         (selection->preamble == NULL || strstr(selection->preamble, "index") == NULL);
}

static bool can_count(const struct job *job) {
  (void)job;
  return true;
}

// What can be streamed, by verb.
static const struct kind {
  enum verb_bit verb;
  bool (*can)(const struct job *job);
  const char *needs;
} kinds[] = {
  {VERB_REDUCE, can_reduce,
   "only reductions over all elements in the order of the file can be streamed, by wide or chunked"},
  {VERB_SCAN, can_scan,
   "only scans of all elements from the first to the last can be streamed, by a strategy of fixed order, with an "
   "operator of the library that gives one number"},
  {VERB_SELECT, can_select,
   "only selections from all elements in the order of the file can be streamed, by a predicate without index"},
  {VERB_HISTOGRAM, can_count, "only elements in the order of the file can be streamed"},
};

static const struct kind *kind_of(const struct job *job) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].verb == job->args->verb->bit)
      return &kinds[i];
  return NULL;
}

static bool can_stream(const struct job *job) {
  const struct args *args = job->args;
  const struct kind *kind = kind_of(job);
  bool rows = args->axes.count > 0 || args->stride.given || row_file_given(args);
  bool strided = args->layout != NULL && strcmp(args->layout, "strided") == 0;
  return kind != NULL && !rows && !strided && inputs_are_sequential(job) && kind->can(job);
}

// Verification and repetition need the elements again, so all that fits a buffer is kept.
static uint64_t kept_most(const struct job *job, uint64_t otherwise) {
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  bool keeps = job->args->verify || (job->args->repeat.given && job->args->repeat.value > 1);
  return keeps || most < otherwise ? most : otherwise;
}

static int choose_for(struct job *job, struct input *input) {
  bool many = job->args->verb->bit == VERB_SCAN || job->args->verb->bit == VERB_SELECT;
  int code = EXIT_DONE;
  uint64_t held = kept_most(job, many ? KEPT_OF_RESULTS : KEPT_OF_PIPE);
  if (!input->counted && !input_is_long_text(input, held))
    code = input_hold(input, held, &job->progress);
  progress_end(&job->progress);
  job->streams =
    job->streams || !input->counted || input_bytes(input) > kept_most(job, many ? KEPT_OF_RESULTS : KEPT_MOST);
  return code;
}

static int refuse_chunk(const struct job *job) {
  return fail(EXIT_BAD_USE, "--chunk: %s; leave --chunk out", kind_of(job)->needs);
}

// Reductions are verified by a second stream.
static int check_measures(const struct job *job) {
  const struct args *args = job->args;
  if (args->repeat.given && args->repeat.value > 1)
    return fail(EXIT_BAD_USE, "--repeat %llu: a streamed input is read only once; leave --repeat out",
                (unsigned long long)args->repeat.value);
  if (args->verify && args->verb->bit != VERB_REDUCE)
    return fail(EXIT_BAD_USE, "--verify: of streams only reductions can be verified; leave --verify out");
  return EXIT_DONE;
}

int streaming_choose(struct job *job) {
  if (!can_stream(job))
    return job->args->chunk.given ? refuse_chunk(job) : EXIT_DONE;
  job->streams = job->args->chunk.given;
  int code = EXIT_DONE;
  for (size_t i = 0; i <= job->other_count && !code && !job->streams; i++)
    code = choose_for(job, &job->inputs[i]);
  if (code)
    return code;
  if (!job->streams)
    return EXIT_DONE;
  // A file may grow while it is read, so there is no bound.
  job->problem.count_max = 0;
  return check_measures(job);
}

int streaming_inspect(const struct job *job, const clred_plan *plan, uint64_t chunk, uint64_t count,
                      clred_plan_info *info) {
  clred_plan_info last = {0};
  cl_int status = clred_plan_inspect(plan, count < chunk ? count : chunk, info);
  if (status == CL_SUCCESS && count % chunk > 0)
    status = clred_plan_inspect(plan, count % chunk, &last);
  info->passes = info->passes * (count / chunk) + last.passes;
  return session_check(&job->session, status);
}

// ---- Verification: a second stream of the same elements

static const void *const *parameters_of(const struct job *job) {
  return job->operation.own ? job->operation.user.value_pointers : NULL;
}

static int open_opinion(struct opinion *opinion, const struct job *job, clred_plan *plan, const clred_plan_info *info) {
  const clred_stream_options options = {.parameters = parameters_of(job), .on_host = !job->operation.own};
  cl_int status = CL_SUCCESS;
  if (!job->args->verify)
    return EXIT_DONE;
  bool fixed = strcmp(info->order, "fixed/1") == 0 || strcmp(info->order, "exact") == 0;
  if (!fixed || (!job->operation.own && !info->portable))
    return fail(EXIT_BAD_USE, "--verify: %s of a stream has no fixed bits to compare; leave --verify out",
                job->operation.name);
  if (job->operation.own)
    status = reference_plan_line(job, &opinion->own_plan);
  if (status == CL_SUCCESS)
    status = clred_stream_create(job->session.queue, job->operation.own ? opinion->own_plan : plan, &options,
                                 &opinion->stream);
  return session_check(&job->session, status);
}

static int read_and_fold(struct reader *reader, struct outcome *outcome, struct verdict *verdict) {
  double begun = seconds_now();
  int code = reader_take_all(reader);
  progress_end(&reader->job->progress);
  if (code)
    return code;
  // The count decides whether there is a result.
  code = job_recount(reader->job, reader->count);
  if (code)
    return code;
  cl_int status = clred_stream_finish(reader->stream, outcome->results.bytes);
  outcome->wall_seconds = seconds_now() - begun;
  if (status == CL_SUCCESS && reader->opinion.stream != NULL)
    status = clred_stream_finish(reader->opinion.stream, verdict->reference.bytes);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

static void take_measures(const struct reader *reader, const clred_plan *plan, struct outcome *outcome) {
  clred_stream_info info;
  clred_stream_inspect(reader->stream, &info);
  clred_plan_inspect(plan, reader->count, &outcome->info);
  outcome->info.passes = info.launches;
  outcome->info.scratch_bytes = info.device_bytes;
  outcome->kernel_seconds = info.seconds > 0 ? info.seconds : NAN;
  outcome->steady = true;
  outcome->calls = 1;
  outcome->chunk = info.chunk;
}

static int run_opened(struct reader *reader, clred_plan *plan, struct outcome *outcome, struct verdict *verdict) {
  int code =
    results_make(&outcome->results, plan, &outcome->info, 1, reader->job->problem.overflow == CLRED_OVERFLOW_DETECT,
                 operator_list_words(&reader->job->operation.list));
  code = code ? code : results_make_like(&verdict->reference, &outcome->results);
  code = code ? code : read_and_fold(reader, outcome, verdict);
  if (code)
    return code;
  take_measures(reader, plan, outcome);
  if (reader->opinion.stream != NULL)
    verdict->correct = results_same(&outcome->results, &verdict->reference, 0);
  return EXIT_DONE;
}

// A mapped file costs no memory, so chunks may be large.
static cl_ulong choose_chunk(struct job *job) {
  enum { LARGE_CHUNK = 32 << 20 };
  if (job->args->chunk.given)
    return job->args->chunk.value;
  return reader_can_map(job) ? LARGE_CHUNK / job->input.type.size : 0;
}

int streaming_run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict) {
  const clred_stream_options options = {.chunk = choose_chunk(job), .parameters = parameters_of(job)};
  struct reader reader = {.job = job};
  *outcome = (struct outcome){0};
  if (job->problem.scan != CLRED_SCAN_NONE || job->operation.selects)
    return streaming_results(job, plan, outcome);
  cl_int status = clred_plan_inspect(plan, 0, &outcome->info);
  if (status == CL_SUCCESS)
    status = clred_stream_create(job->session.queue, plan, &options, &reader.stream);
  int code =
    status == CL_SUCCESS ? open_opinion(&reader.opinion, job, plan, &outcome->info) : reader_failed(&reader, status);
  code = code ? code : run_opened(&reader, plan, outcome, verdict);
  clred_stream_release(reader.opinion.stream);
  clred_plan_release(reader.opinion.own_plan);
  clred_stream_release(reader.stream);
  return code;
}
