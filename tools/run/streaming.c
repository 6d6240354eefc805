// Reads inputs into a stream of the library.
#include "run/streaming.h"

#include <clreduce_scan_stream.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "input/row_files.h"
#include "run/groups.h"
#include "run/job.h"
#include "run/results.h"
#include "verify/reference.h"

// ---------------------------------------------------------------- Windows: ranges of elements in memory

static bool is_generated(const struct job *job, size_t source) {
  return job->inputs[source].source == &source_generated;
}

int window_find(struct job *job, uint64_t begin, uint64_t end, struct window *window) {
  int code = EXIT_SUCCESS;
  *window = (struct window){.count = end - begin};
  for (size_t i = 0; i <= job->other_count && !code; i++) {
    struct file_place *place = &window->places[i];
    if (is_generated(job, i)) {
      *place = (struct file_place){&job->inputs[i], begin};
      continue;
    }
    code = input_find(&job->inputs[i], begin, place);
    if (!code && place->file->count - place->index < window->count)
      window->count = place->file->count - place->index;
  }
  return code;
}

static bool open_source(const struct job *job, size_t source, struct window *window) {
  const struct file_place *place = &window->places[source];
  const size_t size = place->file->type.size;
  struct mapping *mapping = &window->mappings[source];
  if (is_generated(job, source)) {
    window->data[source] = window->generated[source] = pages_allocate(window->count * size);
    if (window->data[source] != NULL)
      generate_piece(&place->file->recipe, window->generated[source], place->index, window->count);
    return window->data[source] != NULL;
  }
  if (!mapping_open(mapping, &place->file->stream, place->index * size, window->count * size))
    return false;
  window->data[source] = mapping->data;
  return true;
}

bool window_open(const struct job *job, struct window *window) {
  for (size_t i = 0; i <= job->other_count; i++)
    if (!open_source(job, i, window))
      return false;
  return true;
}

int window_close(const struct job *job, struct window *window) {
  int code = EXIT_SUCCESS;
  for (size_t i = 0; i <= job->other_count; i++) {
    const struct file_place *place = &window->places[i];
    if (!code && window->mappings[i].pages != NULL)
      code = mapping_check(&place->file->stream, (place->index + window->count) * place->file->type.size);
    mapping_close(&window->mappings[i]);
    free(window->generated[i]);
  }
  return code;
}

// ---------------------------------------------------------------- Chunks

struct reference_check {
  clred_plan *own_plan;  // NULL if the host verifies
  clred_stream *stream;  // NULL without --verify
};

struct reader {
  struct job *job;
  clred_stream *stream;
  struct reference_check reference_check;
  uint64_t count;
};

// Reads elements into the stream's memory, or maps their files.

static int streaming_inspect(const struct job *job, const clred_plan *plan, uint64_t chunk, uint64_t count,
                             clred_plan_info *info);

// Reports a failure of the library. Returns an exit code.
static int reader_failed(const struct reader *reader, cl_int status) {
  const char *message = clred_last_error(reader->job->session.runtime);
  return status == CLRED_OVERFLOW ? fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)", message)
                                  : fail_library(status, message);
}

static int wrong_length(const struct input *shorter, const struct input *longer) {
  return fail(EXIT_BAD_USE, "%s: ends after %llu elements, but %s does not; give inputs of equal length",
              input_name(shorter), (unsigned long long)shorter->taken, input_name(longer));
}

int reader_read(struct job *job, void *in, void *const *inputs, uint64_t room, uint64_t *got) {
  uint64_t other;
  int code = input_read(&job->input, in, room, got);
  for (size_t i = 0; i < job->other_count && !code; i++) {
    code = input_read(&job->others[i], inputs[i], room, &other);
    if (!code && other != *got)
      code = other < *got ? wrong_length(&job->others[i], &job->input) : wrong_length(&job->input, &job->others[i]);
  }
  return code;
}

static void show_progress(const struct reader *reader) {
  const struct input *input = &reader->job->input;
  progress_bytes(&reader->job->progress, "reading and folding", reader->count * input->type.size,
                 input->counted ? input_bytes(input) : 0);
}

static int take_chunk(struct reader *reader, bool *ends) {
  void *in, *inputs[USER_INPUTS_MAX];
  uint64_t got;
  cl_ulong room;
  cl_int status = clred_stream_acquire(reader->stream, &in, inputs, &room);
  if (status != CL_SUCCESS)
    return reader_failed(reader, status);
  int code = reader_read(reader->job, in, inputs, room, &got);
  if (code)
    return code;
  if (reader->reference_check.stream != NULL)
    status = clred_stream_push(reader->reference_check.stream, in, (const void *const *)inputs, got);
  if (status == CL_SUCCESS)
    status = clred_stream_commit(reader->stream, got);
  reader->count += got;
  *ends = got < room;
  show_progress(reader);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

// ---- Mapped files

// Bytes mapped at a time. A larger mapping would count as memory of the process.
enum { MAPPED_BYTES = 128 << 20 };

// True if the files of all inputs can be mapped.
static bool reader_can_map(struct job *job) {
  bool can = session_fact(&job->session, "unified_memory", 0) != 0;
  for (size_t i = 0; i <= job->other_count; i++)
    can = can && input_is_in_files(&job->inputs[i]) && job->inputs[i].count == job->input.count;
  return can;
}

static int push_mapped(struct reader *reader, const struct window *window) {
  cl_int status = clred_stream_push(reader->stream, window->data[0], window->data + 1, window->count);
  if (status == CL_SUCCESS && reader->reference_check.stream != NULL)
    status = clred_stream_push(reader->reference_check.stream, window->data[0], window->data + 1, window->count);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

static uint64_t elements_mapped(const struct reader *reader) {
  clred_stream_info info;
  clred_stream_inspect(reader->stream, &info);
  uint64_t chunk_bytes = info.chunk * reader->job->input.type.size;
  return chunk_bytes < MAPPED_BYTES ? MAPPED_BYTES / chunk_bytes * info.chunk : info.chunk;
}

static int fold_window(struct reader *reader, struct window *window, bool *mapped) {
  *mapped = window_open(reader->job, window);
  int code = *mapped ? push_mapped(reader, window) : EXIT_DONE;
  if (!*mapped && reader->count > 0)
    code = fail(EXIT_WORK_FAILED, "%s: cannot map the file further than %llu elements", input_name(&reader->job->input),
                (unsigned long long)reader->count);
  int closed = window_close(reader->job, window);
  reader->count += *mapped ? window->count : 0;
  show_progress(reader);
  return code ? code : closed;
}

// Returns false and takes nothing if the file system cannot map files.
static bool map_and_fold(struct reader *reader, int *code) {
  struct window window = {.count = 0};
  uint64_t most = elements_mapped(reader);
  bool mapped = true;
  *code = EXIT_DONE;
  while (reader->count < reader->job->input.count && mapped && !*code) {
    // Windows end at multiples of `most`, which is a multiple of a chunk, so that few elements are copied.
    *code = window_find(reader->job, reader->count, reader->count + most - reader->count % most, &window);
    *code = *code ? *code : fold_window(reader, &window, &mapped);
  }
  return mapped || *code;
}

// Passes all elements to the streams. The inputs must end together. Returns an exit code.
static int reader_take_all(struct reader *reader) {
  bool ends = false;
  int code = EXIT_DONE;
  if (reader_can_map(reader->job) && map_and_fold(reader, &code))
    return code;
  while (!code && !ends)
    code = take_chunk(reader, &ends);
  return code;
}

// ---------------------------------------------------------------- Results that each chunk gives

// Streams of scans and selections: each chunk gives results, which are written before the next chunk is read. And
// streams of histograms: the counts of all chunks are added up.

struct pieces {
  struct job *job;
  clred_plan *plan;
  struct outcome *outcome;   // until the end it has the results of one chunk; of a histogram those so far
  clred_scan_stream *scans;  // NULL for a selection and a histogram
  uint64_t bins;             // 0: no histogram
  cl_ulong *counts;          // of one chunk
  cl_ulong chunk;            // elements
  void *memory[1 + USER_INPUTS_MAX];
  struct results_file file;  // without --output no path
  uint64_t count, given;     // elements and results so far
  double seconds;
};

static int check(const struct pieces *pieces, cl_int status) {
  return session_check(&pieces->job->session, status);
}

// A chunk that stays in the caches, and in one buffer of the device, also the results. Each chunk returns all counts of
// a histogram, so it is larger if there are many.
static cl_ulong choose_scanned_chunk(const struct pieces *pieces) {
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
  pieces->chunk = choose_scanned_chunk(pieces);
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
struct scanning {
  const char *doing;
  cl_int (*take)(struct pieces *pieces, uint64_t count);
};

static struct scanning kind_of_scan(const struct pieces *pieces) {
  if (pieces->bins > 0)
    return (struct scanning){"reading and counting", add_counts};
  return pieces->scans != NULL ? (struct scanning){"reading and scanning", scan}
                               : (struct scanning){"reading and selecting", select_kept};
}

static int take_scanned_chunk(struct pieces *pieces, bool *ends) {
  struct job *job = pieces->job;
  const struct scanning kind = kind_of_scan(pieces);
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
    code = take_scanned_chunk(pieces, &ends);
  progress_end(&pieces->job->progress);
  return code;
}

static int close_file(struct pieces *pieces, int code) {
  struct layout layout = pieces->job->layout;
  if (pieces->scans == NULL)
    layout_take_selection(&layout, pieces->given);
  return results_file_close(&pieces->file, &pieces->outcome->results, &layout, code);
}

static int take_scan_measures(struct pieces *pieces, double begun) {
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
  code = code ? code : job_recount(pieces->job, pieces->count);
  if (pieces->bins == 0) {
    code = close_file(pieces, code);
    pieces->outcome->results.count = pieces->given;
    pieces->outcome->written = true;
  }
  code = code ? code : take_scan_measures(pieces, begun);
  clred_scan_stream_release(pieces->scans);
  for (size_t i = 0; i <= USER_INPUTS_MAX; i++)
    free(pieces->memory[i]);
  free(pieces->counts);
  return code;
}

// As streaming_run, for scans and selections. Writes their results as they come.
static int streaming_results(struct job *job, clred_plan *plan, struct outcome *outcome) {
  struct pieces pieces = {.job = job, .plan = plan, .outcome = outcome, .bins = job->bins};
  return run(&pieces);
}

// ---------------------------------------------------------------- The jobs that stream, and the stream

// ---- Which jobs

// Inputs up to this size are loaded, not streamed. The limit for pipes is lower, because their memory grows by
// doubling. It is lowest where there are as many results as elements: their memory costs more than the work.
enum { KEPT_MAX = 256 << 20, KEPT_OF_PIPE = 64 << 20, KEPT_OF_RESULTS = 8 << 20 };

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
    job->streams || !input->counted || input_bytes(input) > kept_most(job, many ? KEPT_OF_RESULTS : KEPT_MAX);
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

// Describes the calls over all chunks: groups and elements of a whole chunk, passes of all. Returns an exit code.
static int streaming_inspect(const struct job *job, const clred_plan *plan, uint64_t chunk, uint64_t count,
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

static int open_reference_check(struct reference_check *reference_check, const struct job *job, clred_plan *plan,
                                const clred_plan_info *info) {
  const clred_stream_options options = {.parameters = parameters_of(job), .on_host = !job->operation.own};
  cl_int status = CL_SUCCESS;
  if (!job->args->verify)
    return EXIT_DONE;
  bool fixed = strcmp(info->order, "fixed/1") == 0 || strcmp(info->order, "exact") == 0;
  if (!fixed || (!job->operation.own && !info->portable))
    return fail(EXIT_BAD_USE, "--verify: %s of a stream has no fixed bits to compare; leave --verify out",
                job->operation.name);
  if (job->operation.own)
    status = reference_plan_line(job, &reference_check->own_plan);
  if (status == CL_SUCCESS)
    status = clred_stream_create(job->session.queue, job->operation.own ? reference_check->own_plan : plan, &options,
                                 &reference_check->stream);
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
  if (status == CL_SUCCESS && reader->reference_check.stream != NULL)
    status = clred_stream_finish(reader->reference_check.stream, verdict->reference.bytes);
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
  if (reader->reference_check.stream != NULL)
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
  if (job->problem.scan != CLRED_SCAN_NONE || job->operation.selects || job->bins > 0)
    return streaming_results(job, plan, outcome);
  cl_int status = clred_plan_inspect(plan, 0, &outcome->info);
  if (status == CL_SUCCESS)
    status = clred_stream_create(job->session.queue, plan, &options, &reader.stream);
  int code = status == CL_SUCCESS ? open_reference_check(&reader.reference_check, job, plan, &outcome->info)
                                  : reader_failed(&reader, status);
  code = code ? code : run_opened(&reader, plan, outcome, verdict);
  clred_stream_release(reader.reference_check.stream);
  clred_plan_release(reader.reference_check.own_plan);
  clred_stream_release(reader.stream);
  return code;
}
