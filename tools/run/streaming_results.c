// Streams of scans and selections: each chunk gives results, which are written before the next chunk is read. And
// streams of histograms: the counts of all chunks are added up.
#include <clreduce_scan_stream.h>
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "run/groups.h"
#include "run/results_file.h"
#include "run/streaming.h"

struct pieces {
  struct job *job;
  clred_plan *plan;
  struct outcome *outcome;   // until the end it has the results of one chunk; of a histogram those so far
  clred_scan_stream *scans;  // NULL for a selection and a histogram
  uint64_t bins;             // 0: no histogram
  cl_ulong *counts;          // of one chunk
  cl_ulong chunk;            // elements
  void *memory[1 + USER_INPUTS_MOST];
  struct results_file file;  // without --output no path
  uint64_t count, given;     // elements and results so far
  double seconds;
};

static int check(const struct pieces *pieces, cl_int status) {
  return session_check(&pieces->job->session, status);
}

// A chunk that stays in the caches, and in one buffer of the device, also the results. Each chunk returns all counts of
// a histogram, so it is larger if there are many.
static cl_ulong choose_chunk(const struct pieces *pieces) {
  enum { GOOD_BYTES = 4 << 20 };
  const struct job *job = pieces->job;
  size_t size = job->input.type.size, result = pieces->bins > 0 ? 0 : pieces->outcome->info.result_size,
         larger = size > result ? size : result;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX) / larger;
  cl_ulong good = GOOD_BYTES / size, chunk = good > 4 * pieces->bins ? good : 4 * pieces->bins;
  chunk = job->args->chunk.given ? job->args->chunk.value : chunk;
  chunk = chunk < most ? chunk : most;
  return chunk > 0 ? chunk : 1;
}

static int open_chunk(struct pieces *pieces) {
  struct job *job = pieces->job;
  pieces->chunk = choose_chunk(pieces);
  if (job->problem.scan == CLRED_SCAN_NONE)
    return EXIT_DONE;
  return check(pieces, clred_scan_stream_create(job->session.queue, pieces->plan, &pieces->chunk,
                                                job->work.call.initial, &pieces->scans));
}

static int open_memory(struct pieces *pieces) {
  for (size_t i = 0; i <= pieces->job->other_count; i++) {
    pieces->memory[i] = pages_allocate(pieces->chunk * pieces->job->inputs[i].type.size);
    if (pieces->memory[i] == NULL)
      return fail_memory();
  }
  pieces->counts = calloc((size_t)pieces->bins + 1, sizeof *pieces->counts);
  return pieces->counts == NULL ? fail_memory() : EXIT_DONE;
}

// The shape of the results as far as it is known: the header of the file is rewritten at the end.
static struct layout expected_layout(const struct job *job) {
  struct layout layout = {.dimensions = 1, .shape = {UINT64_MAX}};
  if (job->problem.scan != CLRED_SCAN_NONE && job->input.counted && input_dimensions(&job->input) != 1)
    layout_take_scan(&job->input, &layout);
  return layout;
}

static int open_all(struct pieces *pieces) {
  struct job *job = pieces->job;
  struct outcome *outcome = pieces->outcome;
  const struct layout layout = expected_layout(job);
  int code = check(pieces, clred_plan_inspect(pieces->plan, 0, &outcome->info));
  code = code ? code : open_chunk(pieces);
  code = code ? code : open_memory(pieces);
  code = code ? code
              : results_make(&outcome->results, pieces->plan, &outcome->info,
                             pieces->bins > 0 ? pieces->bins : pieces->chunk,
                             job->problem.overflow == CLRED_OVERFLOW_DETECT, NULL);
  if (code || job->args->output == NULL || pieces->bins > 0)
    return code;
  const char *path = job->args->output;
  return results_file_open(&pieces->file, &outcome->results, &layout, "--output", path,
                           results_want_text(job->args, path));
}

static cl_int scan(struct pieces *pieces, uint64_t count) {
  pieces->outcome->results.count = count;
  return clred_scan_stream_next(pieces->scans, pieces->memory[0], (const void *const *)pieces->memory + 1, count,
                                pieces->outcome->results.bytes);
}

static cl_int run_host(struct pieces *pieces, uint64_t count, void *out, cl_ulong *kept) {
  double seconds = 0;
  const clred_host_call call = {.in = pieces->memory[0],
                                .inputs = (const void *const *)pieces->memory + 1,
                                .parameters = pieces->job->operation.user.value_pointers,
                                .count = count,
                                .out = out,
                                .kept = kept};
  cl_int status = clred_plan_run_host(pieces->job->session.queue, pieces->plan, &call);
  if (count > 0 && clred_plan_seconds(pieces->plan, &seconds) == CL_SUCCESS)
    pieces->seconds += seconds;
  return status;
}

static cl_int select_kept(struct pieces *pieces, uint64_t count) {
  struct results *results = &pieces->outcome->results;
  cl_ulong kept = 0;
  cl_int status = run_host(pieces, count, results->bytes, &kept);
  results->count = kept;
  for (uint64_t i = 0; i < kept && pieces->job->problem.indices; i++)
    ((cl_ulong *)(void *)results->bytes)[i] += pieces->count;
  return status;
}

static cl_int add_counts(struct pieces *pieces, uint64_t count) {
  cl_int status = count > 0 ? run_host(pieces, count, pieces->counts, NULL) : CL_SUCCESS;
  for (uint64_t i = 0; i < pieces->bins && count > 0 && status == CL_SUCCESS; i++)
    ((cl_ulong *)(void *)pieces->outcome->results.bytes)[i] += pieces->counts[i];
  return status;
}

// By what a stream does.
struct kind {
  const char *doing;
  cl_int (*take)(struct pieces *pieces, uint64_t count);
};

static struct kind kind_of(const struct pieces *pieces) {
  if (pieces->bins > 0)
    return (struct kind){"reading and counting", add_counts};
  return pieces->scans != NULL ? (struct kind){"reading and scanning", scan}
                               : (struct kind){"reading and selecting", select_kept};
}

static int take_chunk(struct pieces *pieces, bool *ends) {
  struct job *job = pieces->job;
  const struct kind kind = kind_of(pieces);
  uint64_t got;
  int code = reader_read(job, pieces->memory[0], pieces->memory + 1, pieces->chunk, &got);
  if (code)
    return code;
  code = check(pieces, kind.take(pieces, got));
  code = code ? code : results_check_overflows(&pieces->outcome->results);
  groups_number_rows(job, &pieces->outcome->results);
  if (!code && pieces->file.output.path != NULL)
    code = results_file_append(&pieces->file, &pieces->outcome->results);
  pieces->count += got;
  pieces->given += pieces->outcome->results.count;
  *ends = got < pieces->chunk;
  progress_show(&job->progress, kind.doing, pieces->count, job->input.counted ? job->input.count : 0);
  return code;
}

static int take_all(struct pieces *pieces) {
  bool ends = false;
  int code = EXIT_DONE;
  while (!code && !ends)
    code = take_chunk(pieces, &ends);
  progress_end(&pieces->job->progress);
  return code;
}

static int close_file(struct pieces *pieces, int code) {
  struct layout layout = pieces->job->layout;
  if (pieces->scans == NULL)
    layout_take_selection(&layout, pieces->given);
  return results_file_close(&pieces->file, &pieces->outcome->results, &layout, code);
}

static int take_measures(struct pieces *pieces, double begun) {
  struct outcome *outcome = pieces->outcome;
  if (pieces->scans != NULL)
    clred_scan_stream_seconds(pieces->scans, &pieces->seconds);
  outcome->wall_seconds = seconds_now() - begun;
  outcome->kernel_seconds = pieces->seconds > 0 ? pieces->seconds : NAN;
  outcome->steady = true;
  outcome->calls = 1;
  outcome->chunk = pieces->chunk;
  return streaming_inspect(pieces->job, pieces->plan, pieces->chunk, pieces->count, &outcome->info);
}

static int run(struct pieces *pieces) {
  double begun = seconds_now();
  int code = open_all(pieces);
  code = code ? code : take_all(pieces);
  if (pieces->bins == 0) {
    code = code ? code : job_recount(pieces->job, pieces->count);
    code = close_file(pieces, code);
    pieces->outcome->results.count = pieces->given;
    pieces->outcome->written = true;
  }
  code = code ? code : take_measures(pieces, begun);
  clred_scan_stream_release(pieces->scans);
  for (size_t i = 0; i <= USER_INPUTS_MOST; i++)
    free(pieces->memory[i]);
  free(pieces->counts);
  return code;
}

int streaming_results(struct job *job, clred_plan *plan, struct outcome *outcome) {
  struct pieces pieces = {.job = job, .plan = plan, .outcome = outcome};
  return run(&pieces);
}

int streaming_counts(struct job *job, clred_plan *plan, uint64_t bins, struct outcome *outcome) {
  struct pieces pieces = {.job = job, .plan = plan, .outcome = outcome, .bins = bins};
  int code = run(&pieces);
  job->input.count = pieces.count;
  job->input.counted = true;
  return code;
}
