// Streams: reads inputs chunk by chunk, or maps their files window by window. A reduction folds each chunk, a scan or
// selection writes the results of a chunk before it reads the next, and a histogram adds up the counts.
#include "run/streaming.h"

#include <clreduce_partial.h>
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
#include "verify/verify.h"

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
      generate_piece(&place->file->recipe, window->generated[source], place->index, window->count, NULL);
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

struct streaming {
  struct job *job;
  clred_plan *plan;
  const struct kind *kind;
  struct outcome *outcome;  // the results of the current chunk; of a histogram, the counts of all chunks so far
  struct verdict *verdict;
  uint64_t count, given;              // elements and results so far
  cl_ulong chunk;                     // elements taken at a time
  void *memory[1 + USER_INPUTS_MAX];  // for one chunk of each input; that of a reduction belongs to its stream
  double seconds;                     // in kernels
  // Of a reduction
  clred_stream *stream, *reference;  // the second one is NULL without --verify
  clred_plan *reference_plan;        // NULL if the host verifies
  // Of the others
  clred_scan_stream *scans;  // NULL but for a scan
  clred_partial *whole;      // of streaming_push
  cl_ulong *counts;          // of a histogram: of one chunk
  struct results_file file;  // without --output no path
};

// What a verb streams.
struct kind {
  enum verb_bit verb;
  bool (*can)(const struct job *job);  // NULL: always
  const char *needs;
  const char *doing;
  cl_int (*take)(struct streaming *at, uint64_t count);  // takes a chunk in memory
};

static int check(const struct streaming *at, cl_int status) {
  return session_check(&at->job->session, status);
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

static void show_progress(const struct streaming *at) {
  const struct input *input = &at->job->input;
  progress_bytes(&at->job->progress, at->kind->doing, at->count * input->type.size,
                 input->counted ? input_bytes(input) : 0);
}

// ---- By verb

static cl_int fold(struct streaming *at, uint64_t count) {
  cl_int status = CL_SUCCESS;
  if (at->reference != NULL)
    status = clred_stream_push(at->reference, at->memory[0], (const void *const *)at->memory + 1, count);
  return status == CL_SUCCESS ? clred_stream_commit(at->stream, count) : status;
}

static cl_int push(struct streaming *at, uint64_t count) {
  const clred_host_call call = {.in = at->memory[0], .inputs = (const void *const *)at->memory + 1, .count = count};
  return count > 0 ? clred_partial_push(at->job->session.queue, at->whole, &call) : CL_SUCCESS;
}

static cl_int scan(struct streaming *at, uint64_t count) {
  at->outcome->results.count = count;
  return clred_scan_stream_next(at->scans, at->memory[0], (const void *const *)at->memory + 1, count,
                                at->outcome->results.bytes);
}

static cl_int run_host(struct streaming *at, uint64_t count, void *out, cl_ulong *kept) {
  double seconds = 0;
  const clred_host_call call = {.in = at->memory[0],
                                .inputs = (const void *const *)at->memory + 1,
                                .parameters = at->job->operation.user.value_pointers,
                                .count = count,
                                .out = out,
                                .kept = kept};
  cl_int status = clred_plan_run_host(at->job->session.queue, at->plan, &call);
  if (count > 0 && clred_plan_seconds(at->plan, &seconds) == CL_SUCCESS)
    at->seconds += seconds;
  return status;
}

static cl_int select_kept(struct streaming *at, uint64_t count) {
  struct results *results = &at->outcome->results;
  cl_ulong kept = 0;
  cl_int status = run_host(at, count, results->bytes, &kept);
  results->count = kept;
  for (uint64_t i = 0; i < kept && at->job->problem.indices; i++)
    ((cl_ulong *)(void *)results->bytes)[i] += at->count;
  return status;
}

static cl_int add_counts(struct streaming *at, uint64_t count) {
  cl_int status = count > 0 ? run_host(at, count, at->counts, NULL) : CL_SUCCESS;
  for (uint64_t i = 0; i < at->job->bins && count > 0 && status == CL_SUCCESS; i++)
    ((cl_ulong *)(void *)at->outcome->results.bytes)[i] += at->counts[i];
  return status;
}

// True for scans, which have one result for each element, and for selections, whose number of results is not known.
static bool writes(const struct streaming *at) {
  return at->kind->take == scan || at->kind->take == select_kept;
}

static int write_results(struct streaming *at) {
  struct results *results = &at->outcome->results;
  int code = results_check_overflows(results);
  groups_number_rows(at->job, results);
  at->given += results->count;
  return code || at->file.output.path == NULL ? code : results_file_append(&at->file, results);
}

static int take_chunk(struct streaming *at, bool *ends) {
  cl_ulong room = at->chunk;
  uint64_t got;
  int code = EXIT_DONE;
  if (at->stream != NULL)
    code = check(at, clred_stream_acquire(at->stream, &at->memory[0], at->memory + 1, &room));
  code = code ? code : reader_read(at->job, at->memory[0], at->memory + 1, room, &got);
  code = code ? code : check(at, at->kind->take(at, got));
  if (!code && writes(at))
    code = write_results(at);
  if (code)
    return code;
  at->count += got;
  *ends = got < room;
  show_progress(at);
  return EXIT_DONE;
}

// ---- Mapped files, which reductions fold

// Bytes mapped at a time. A larger mapping would count as memory of the process.
enum { MAPPED_BYTES = 128 << 20 };

// True if the files of all inputs can be mapped.
static bool can_map(struct job *job) {
  bool can = session_fact(&job->session, "unified_memory", 0) != 0;
  for (size_t i = 0; i <= job->other_count; i++)
    can = can && input_is_in_files(&job->inputs[i]) && job->inputs[i].count == job->input.count;
  return can;
}

static int push_mapped(struct streaming *at, const struct window *window) {
  cl_int status = clred_stream_push(at->stream, window->data[0], window->data + 1, window->count);
  if (status == CL_SUCCESS && at->reference != NULL)
    status = clred_stream_push(at->reference, window->data[0], window->data + 1, window->count);
  return check(at, status);
}

static uint64_t elements_mapped(const struct streaming *at) {
  clred_stream_info info;
  clred_stream_inspect(at->stream, &info);
  uint64_t chunk_bytes = info.chunk * at->job->input.type.size;
  return chunk_bytes < MAPPED_BYTES ? MAPPED_BYTES / chunk_bytes * info.chunk : info.chunk;
}

static int fold_window(struct streaming *at, struct window *window, bool *mapped) {
  *mapped = window_open(at->job, window);
  int code = *mapped ? push_mapped(at, window) : EXIT_DONE;
  if (!*mapped && at->count > 0)
    code = fail(EXIT_WORK_FAILED, "%s: cannot map the file further than %llu elements", input_name(&at->job->input),
                (unsigned long long)at->count);
  int closed = window_close(at->job, window);
  at->count += *mapped ? window->count : 0;
  show_progress(at);
  return code ? code : closed;
}

// Returns false and takes nothing if the file system cannot map files.
static bool map_and_fold(struct streaming *at, int *code) {
  struct window window = {.count = 0};
  uint64_t most = elements_mapped(at);
  bool mapped = true;
  *code = EXIT_DONE;
  while (at->count < at->job->input.count && mapped && !*code) {
    // Windows end at multiples of `most`, which is a multiple of a chunk, so that few elements are copied.
    *code = window_find(at->job, at->count, at->count + most - at->count % most, &window);
    *code = *code ? *code : fold_window(at, &window, &mapped);
  }
  return mapped || *code;
}

// All elements. The inputs must end together.
static int take_all(struct streaming *at) {
  bool ends = false;
  int code = EXIT_DONE;
  if (at->stream == NULL || !can_map(at->job) || !map_and_fold(at, &code))
    while (!code && !ends)
      code = take_chunk(at, &ends);
  progress_end(&at->job->progress);
  return code;
}

// ---------------------------------------------------------------- Which jobs stream

// Inputs up to this size are loaded, not streamed. The limit for pipes is lower, because their memory grows by
// doubling. Scans and selections have the lowest limit: allocating memory for all their results costs more time than
// computing them.
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

static const struct kind kinds[] = {
  {VERB_REDUCE, can_reduce,
   "only reductions over all elements in the order of the file can be streamed, by wide or chunked",
   "reading and folding", fold},
  {VERB_SCAN, can_scan,
   "only scans of all elements from the first to the last can be streamed, by a strategy of fixed order, with an "
   "operator of the library that gives one number",
   "reading and scanning", scan},
  {VERB_SELECT, can_select,
   "only selections from all elements in the order of the file can be streamed, by a predicate without index",
   "reading and selecting", select_kept},
  {VERB_HISTOGRAM, NULL, "only elements in the order of the file can be streamed", "reading and counting", add_counts},
  {.needs = NULL}};

static const struct kind *kind_of(const struct job *job) {
  const struct kind *kind = kinds;
  while (kind->needs != NULL && kind->verb != job->args->verb->bit)
    kind++;
  return kind->needs != NULL ? kind : NULL;
}

static bool can_stream(const struct job *job) {
  const struct args *args = job->args;
  const struct kind *kind = kind_of(job);
  bool rows = args->axes.count > 0 || args->stride.given || row_file_given(args);
  return kind != NULL && !rows && inputs_are_sequential(job) && (kind->can == NULL || kind->can(job));
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

// ---------------------------------------------------------------- Before the first chunk and after the last

// ---- Reductions

static const void *const *parameters_of(const struct job *job) {
  return job->operation.own ? job->operation.user.value_pointers : NULL;
}

// Reductions are verified by a second stream of the same elements.
static int open_reference(struct streaming *at) {
  const struct job *job = at->job;
  const clred_plan_info *info = &at->outcome->info;
  const clred_stream_options options = {.parameters = parameters_of(job), .on_host = !job->operation.own};
  cl_int status = CL_SUCCESS;
  if (!job->args->verify)
    return EXIT_DONE;
  bool fixed = strcmp(info->order, "fixed/1") == 0 || strcmp(info->order, "exact") == 0;
  if (!fixed || (!job->operation.own && !info->portable))
    return fail(EXIT_BAD_USE, "--verify: %s of a stream has no fixed bits to compare; leave --verify out",
                job->operation.name);
  if (job->operation.own)
    status = reference_plan_line(job, &at->reference_plan);
  if (status == CL_SUCCESS)
    status = clred_stream_create(job->session.queue, job->operation.own ? at->reference_plan : at->plan, &options,
                                 &at->reference);
  return session_check(&job->session, status);
}

// A mapped file costs no memory, so chunks may be large.
static cl_ulong choose_folded_chunk(struct job *job) {
  enum { LARGE_CHUNK = 32 << 20 };
  if (job->args->chunk.given)
    return job->args->chunk.value;
  return can_map(job) ? LARGE_CHUNK / job->input.type.size : 0;
}

static int open_fold(struct streaming *at) {
  struct job *job = at->job;
  struct results *results = &at->outcome->results;
  const clred_stream_options options = {.chunk = choose_folded_chunk(job), .parameters = parameters_of(job)};
  int code = check(at, clred_stream_create(job->session.queue, at->plan, &options, &at->stream));
  code = code ? code : open_reference(at);
  code = code ? code
              : results_make(results, at->plan, &at->outcome->info, 1, job->work.checked,
                             operator_list_words(&job->operation.list));
  return code ? code : results_make_like(&at->verdict->reference, results);
}

static int finish_fold(struct streaming *at, double begun) {
  struct outcome *outcome = at->outcome;
  clred_stream_info info;
  cl_int status = clred_stream_finish(at->stream, outcome->results.bytes);
  outcome->wall_seconds = seconds_now() - begun;
  if (status == CL_SUCCESS && at->reference != NULL)
    status = clred_stream_finish(at->reference, at->verdict->reference.bytes);
  if (status != CL_SUCCESS)
    return check(at, status);
  if (at->reference != NULL)
    at->verdict->correct = results_same(&outcome->results, &at->verdict->reference, 0);
  clred_stream_inspect(at->stream, &info);
  clred_plan_inspect(at->plan, at->count, &outcome->info);
  outcome->info.passes = info.launches;
  outcome->info.scratch_bytes = info.device_bytes;
  at->seconds = info.seconds;
  at->chunk = info.chunk;
  return EXIT_DONE;
}

// ---- Scans, selections and histograms

// Elements and results of a chunk fit the caches and one buffer of the device. A histogram reads all its counts back
// after each chunk, so its chunks are larger if it has many bins.
static cl_ulong choose_chunk(const struct streaming *at) {
  enum { GOOD_BYTES = 4 << 20 };
  const struct job *job = at->job;
  size_t size = job->input.type.size, result = job->bins > 0 ? 0 : at->outcome->info.result_size,
         larger = size > result ? size : result;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX) / larger;
  cl_ulong good = GOOD_BYTES / size, chunk = good > 4 * job->bins ? good : 4 * job->bins;
  chunk = job->args->chunk.given ? job->args->chunk.value : chunk;
  chunk = chunk < most ? chunk : most;
  return chunk > 0 ? chunk : 1;
}

static int open_memory(struct streaming *at) {
  for (size_t i = 0; i <= at->job->other_count; i++) {
    at->memory[i] = pages_allocate(at->chunk * at->job->inputs[i].type.size);
    if (at->memory[i] == NULL)
      return fail_memory();
  }
  at->counts = calloc((size_t)at->job->bins + 1, sizeof *at->counts);
  return at->counts == NULL ? fail_memory() : EXIT_DONE;
}

// The shape of the results as far as it is known: the header of the file is rewritten at the end.
static struct layout expected_layout(const struct job *job) {
  struct layout layout = {.dimensions = 1, .shape = {UINT64_MAX}};
  if (job->problem.scan != CLRED_SCAN_NONE && job->input.counted && input_dimensions(&job->input) != 1)
    layout_take_scan(&job->input, &layout);
  return layout;
}

static int open_pieces(struct streaming *at) {
  struct job *job = at->job;
  struct results *results = &at->outcome->results;
  const struct layout layout = expected_layout(job);
  const char *path = job->args->output;
  int code = EXIT_DONE;
  at->chunk = choose_chunk(at);
  if (job->problem.scan != CLRED_SCAN_NONE)
    code =
      check(at, clred_scan_stream_create(job->session.queue, at->plan, &at->chunk, job->work.call.initial, &at->scans));
  code = code ? code : open_memory(at);
  code = code ? code
              : results_make(results, at->plan, &at->outcome->info, job->bins > 0 ? job->bins : at->chunk,
                             job->work.checked, NULL);
  if (code || path == NULL || !writes(at))
    return code;
  return results_file_open(&at->file, results, &layout, "--output", path, results_want_text(job->args, path));
}

static int close_file(struct streaming *at, int code) {
  struct layout layout = at->job->layout;
  if (at->scans == NULL)
    layout_take_selection(&layout, at->given);
  at->outcome->written = true;
  return results_file_close(&at->file, &at->outcome->results, &layout, code);
}

// Fills the description of the plan: groups and elements are those of one whole chunk, passes those of all chunks.
static int finish_pieces(struct streaming *at, double begun) {
  clred_plan_info *info = &at->outcome->info, last = {0};
  if (at->scans != NULL)
    clred_scan_stream_seconds(at->scans, &at->seconds);
  at->outcome->wall_seconds = seconds_now() - begun;
  cl_int status = clred_plan_inspect(at->plan, at->count < at->chunk ? at->count : at->chunk, info);
  if (status == CL_SUCCESS && at->count % at->chunk > 0)
    status = clred_plan_inspect(at->plan, at->count % at->chunk, &last);
  info->passes = info->passes * (at->count / at->chunk) + last.passes;
  return session_check(&at->job->session, status);
}

// ---- All

static void release(struct streaming *at) {
  for (size_t i = 0; at->stream == NULL && i <= USER_INPUTS_MAX; i++)
    free(at->memory[i]);
  free(at->counts);
  clred_scan_stream_release(at->scans);
  clred_stream_release(at->reference);
  clred_plan_release(at->reference_plan);
  clred_stream_release(at->stream);
}

int streaming_run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict) {
  struct streaming at = {.job = job, .plan = plan, .kind = kind_of(job), .outcome = outcome, .verdict = verdict};
  const bool folds = at.kind->take == fold;
  *outcome = (struct outcome){.steady = true, .calls = 1};
  int code = session_check(&job->session, clred_plan_inspect(plan, 0, &outcome->info));
  code = code ? code : (folds ? open_fold : open_pieces)(&at);
  const double begun = seconds_now();
  code = code ? code : take_all(&at);
  // The count decides whether there is a result.
  code = code ? code : job_recount(job, at.count);
  if (writes(&at)) {
    code = close_file(&at, code);
    outcome->results.count = at.given;
  }
  code = code ? code : (folds ? finish_fold : finish_pieces)(&at, begun);
  outcome->kernel_seconds = at.seconds > 0 ? at.seconds : NAN;
  outcome->chunk = at.chunk;
  release(&at);
  return code;
}

int streaming_push(struct job *job, clred_plan *plan, clred_partial *whole) {
  static const struct kind pushing = {.doing = "reading and folding", .take = push};
  struct outcome outcome = {.steady = true};
  struct streaming at = {.job = job, .plan = plan, .kind = &pushing, .outcome = &outcome, .whole = whole};
  int code = session_check(&job->session, clred_plan_inspect(plan, 0, &outcome.info));
  at.chunk = code ? 0 : choose_chunk(&at);
  code = code ? code : open_memory(&at);
  code = code ? code : take_all(&at);
  release(&at);
  return code ? code : job_recount(job, at.count);
}
