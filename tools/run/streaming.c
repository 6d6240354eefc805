// Reads inputs into a stream of the library.
#include "run/streaming.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "input/row_files.h"
#include "run/job.h"
#include "verify/reference.h"

// ---- Which jobs

// Inputs up to this size are loaded, not streamed. The limit for pipes is lower, because their memory grows by
// doubling.
enum { KEPT_MOST = 256 << 20, KEPT_OF_PIPE = 64 << 20 };

// Streams give one result over one line, by two strategies.
static bool can_stream(const struct job *job) {
  const struct args *args = job->args;
  bool rows = args->axis.given || args->stride.given || row_file_given(args);
  bool strided = args->layout != NULL && strcmp(args->layout, "strided") == 0;
  const char *strategy = args->strategy != NULL ? args->strategy : "auto";
  bool by_name = strcmp(strategy, "auto") == 0 || strcmp(strategy, "wide") == 0 || strcmp(strategy, "chunked") == 0;
  bool sequential = input_is_sequential(&job->input);
  for (size_t i = 0; i < job->other_count; i++)
    sequential = sequential && input_is_sequential(&job->others[i]) && !job->others[i].unsized;
  bool reduces = !job->operation.selects && job->problem.scan == CLRED_SCAN_NONE;
  return reduces && !rows && !strided && by_name && sequential;
}

// Verification and repetition need the elements again, so all that fits a buffer is kept.
static uint64_t kept_most(const struct job *job, uint64_t otherwise) {
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  bool keeps = job->args->verify || (job->args->repeat.given && job->args->repeat.value > 1);
  return keeps || most < otherwise ? most : otherwise;
}

// Generated input may have any length, so only --chunk streams it.
static int choose_for(struct job *job, struct input *input) {
  int code = EXIT_DONE;
  if (input->source == &source_generated)
    return EXIT_DONE;
  if (!input->counted && !input_is_long_text(input, kept_most(job, KEPT_OF_PIPE)))
    code = input_hold(input, kept_most(job, KEPT_OF_PIPE), &job->progress);
  progress_end(&job->progress);
  job->streams = job->streams || !input->counted || input_bytes(input) > kept_most(job, KEPT_MOST);
  return code;
}

static int refuse_chunk(void) {
  return fail(EXIT_BAD_USE, "--chunk: only reductions over all elements in the order of the file can be streamed, by "
                            "wide or chunked; leave --chunk out");
}

int streaming_choose(struct job *job) {
  if (!can_stream(job))
    return job->args->chunk.given ? refuse_chunk() : EXIT_DONE;
  job->streams = job->args->chunk.given;
  int code = job->streams ? EXIT_DONE : choose_for(job, &job->input);
  for (size_t i = 0; i < job->other_count && !code && !job->streams; i++)
    code = choose_for(job, &job->others[i]);
  if (code)
    return code;
  if (!job->streams)
    return EXIT_DONE;
  // A file may grow while it is read, so there is no bound.
  job->problem.count_max = 0;
  if (job->args->repeat.given && job->args->repeat.value > 1)
    return fail(EXIT_BAD_USE, "--repeat %llu: a streamed input is read only once; leave --repeat out",
                (unsigned long long)job->args->repeat.value);
  return EXIT_DONE;
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
  if (strcmp(info->order, "fixed/1") != 0 || (!job->operation.own && !info->portable))
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
