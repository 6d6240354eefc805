// A job: the operator, its inputs, a device, a plan.
#include "run/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/value.h"
#include "device/session.h"
#include "input/row_files.h"
#include "run/groups.h"
#include "run/laws.h"

// ---------------------------------------------------------------- The inputs

// Opens the inputs that the operator needs, and compares them with each other.

static const char generated[] = "generate:";

static int check_element(const struct job *job) {
  clred_type_info element;
  if (!operation_element(&job->operation, &element) || element.type == CLRED_TYPE_NONE || job->input.unsized)
    return EXIT_DONE;
  if (element.size != job->input.type.size)
    return fail(EXIT_BAD_USE, "%s: holds %s of %zu bytes, but the elements of %s are %s of %zu",
                input_name(&job->input), job->input.type.name, job->input.type.size, job->operation.name, element.name,
                element.size);
  return EXIT_DONE;
}

// True if the operator only counts rows: no option leaves values out, and no other operator needs them.
static bool counts_rows(const struct job *job) {
  const struct args *args = job->args;
  return job->add == NULL && job->operation.op.op == CLRED_OP_COUNT && args->columns.count == 0 && args->type == NULL &&
         args->nan == NULL && (args->missing == NULL || row_file_given(args));
}

static int choose_input(struct job *job, struct request *request) {
  int code = input_choose(job->args, request);
  return code ? code : each_choose(&job->each, request, &job->progress);
}

static int open_input(struct job *job) {
  clred_type_info element;
  struct request request;
  int code = choose_input(job, &request);
  if (code)
    return code;
  if (operation_element(&job->operation, &element))
    request.otherwise = &element, request.asked = true;
  if (counts_rows(job))
    request.use = TEXT_ROWS, request.keyed = row_file_given(job->args);
  code = input_open(&job->input, &request);
  job->input.request.otherwise = NULL;
  return code ? code : check_element(job);
}

// ---- Further inputs

// Columns that no input has yet.
static size_t columns_left(const struct job *job) {
  size_t taken = 0;
  if (job->each.column_count > 0)
    return 0;
  for (size_t i = 0; i <= job->other_count; i++)
    taken += input_is_text(&job->inputs[i]);
  return job->args->columns.count > taken ? job->args->columns.count - taken : 0;
}

// A further input for which there is no --with is a further column of INPUT.
static int check_number(const struct job *job) {
  size_t given = job->args->with.count, needed = job->operation.inputs;
  if (given < needed && job->input.table != NULL)
    given += columns_left(job);
  if (given == needed || (given > needed && job->args->with.count <= needed))
    return EXIT_DONE;
  if (needed == 0)
    return fail(EXIT_BAD_USE, "--with: %s has no further input; %s", job->operation.name,
                job->operation.own ? "declare it by --input TYPE:NAME, or leave it out" : "leave it out");
  return fail(EXIT_BAD_USE, "%s needs %zu further input%s, %zu given; give each by --with FILE%s", job->operation.name,
              needed, needed == 1 ? "" : "s", given, job->input.table != NULL ? " or a further --column" : "");
}

// Operators of the library take all inputs in one type. An operator of the user declares a type for each.
static clred_type_info type_of_other(const struct job *job, size_t index) {
  clred_type_info type = job->input.type;
  if (job->operation.own && !type_of_opencl(job->operation.user.inputs[index].type, &type))
    return input_opaque_type(job->operation.user.inputs[index].type);
  return type;
}

static int check_other(const struct job *job, const struct input *other, const clred_type_info *needed) {
  bool known = needed->type != CLRED_TYPE_NONE;
  if (known && job->operation.own && needed->size != other->type.size)
    return fail(EXIT_BAD_USE, "%s: holds %s of %zu bytes, but the operator's input is %s of %zu", input_name(other),
                other->type.name, other->type.size, needed->name, needed->size);
  return EXIT_DONE;
}

static const char *next_column(const struct job *job) {
  const struct texts *columns = &job->args->columns;
  size_t left = columns_left(job);
  return left > 0 ? columns->list[columns->count - left] : NULL;
}

static int open_other(struct job *job, size_t index) {
  const char *name = index < job->args->with.count ? job->args->with.list[index] : job->input.request.name;
  clred_type_info type = type_of_other(job, index);
  struct request request = {.array = texts_at(&job->args->arrays, 1 + index),
                            .column = next_column(job),
                            .text = text_options_of(job->args),
                            .table = index < job->args->with.count ? NULL : job->input.table,
                            .otherwise = &type,
                            .asked = job->operation.own || job->args->type != NULL,
                            .exactly = !job->operation.own};
  struct input *other = &job->others[index];
  if (index >= job->args->with.count && request.column == NULL)
    return fail(EXIT_BAD_USE, "%s needs %zu further inputs; give each by --with FILE or a further --column",
                job->operation.name, job->operation.inputs);
  if (strncmp(name, generated, strlen(generated)) == 0)
    request.generate = name + strlen(generated);
  else
    request.name = name;
  int code = input_open(other, &request);
  other->request.otherwise = NULL;
  return code ? code : check_other(job, other, &type);
}

static int check_text_options(const struct job *job) {
  bool text = false;
  for (size_t i = 0; i <= job->other_count; i++)
    text = text || input_is_text(&job->inputs[i]);
  return input_check_text_options(job->args, text, columns_left(job));
}

// Call these after the element type of the operator is known.
static int open_others(struct job *job) {
  int code = check_number(job);
  for (; !code && job->other_count < job->operation.inputs; job->other_count++)
    code = open_other(job, job->other_count);
  return code ? code : check_text_options(job);
}

// ---- Counts

// For raw elements of a type that only the preamble knows. Their size is the bytes of the file, divided by the count of
// the first input. The library compares it with the compiler's size.
static int size_opaque(struct job *job, size_t index) {
  struct input *other = &job->others[index];
  uint64_t bytes = input_bytes(other), count = job->input.count;
  clred_operand *operand = &job->operation.user.inputs[index];
  if (count == 0 ? bytes != 0 : bytes % count != 0)
    return fail(EXIT_BAD_USE, "%s: %llu bytes do not divide into %llu elements, the count of the first input",
                input_name(other), (unsigned long long)bytes, (unsigned long long)count);
  if (count == 0)
    return EXIT_DONE;
  other->type.size = operand->size = (size_t)(bytes / count);
  other->count = count;
  other->unsized = false;
  return EXIT_DONE;
}

static int check_counts(struct job *job) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < job->other_count && !code; i++) {
    struct input *other = &job->others[i];
    if (!other->counted || job->input.unsized)
      continue;
    if (other->unsized)
      code = size_opaque(job, i);
    else if (other->count != job->input.count)
      code = fail(EXIT_BAD_USE, "%s: has %llu elements, but the first input has %llu; give inputs of equal length",
                  input_name(other), (unsigned long long)other->count, (unsigned long long)job->input.count);
  }
  return code;
}

// Offsets are checked after they are loaded.
static int check_segments(const struct job *job) {
  const char *needy = job->problem.scan ? NULL : operation_needy(&job->operation);
  if (job->segments.data == NULL)
    return EXIT_DONE;
  return segments_check(&job->segments, job->input.count, needy);
}

// The number of groups is not known before the elements are grouped. It is at most the number of elements.
static int take_groups(struct job *job) {
  job->problem.segment_type = CLRED_TYPE_ULONG;
  if (job->runs.data != NULL) {
    layout_take_segments(&job->runs, &job->layout);
    return EXIT_DONE;
  }
  layout_take_unknown_runs(CLRED_LAYOUT_SEGMENTS, &job->layout);
  if (job->input.unsized)
    return fail(EXIT_BAD_USE, "--group: only the compiler knows the size of a %s; sort by key and give --by-key",
                job->input.type.name);
  int code = EXIT_DONE;
  for (size_t i = 0; i < job->keys.count && !code; i++)
    code = runs_check(keys_at(job, i), job->args, &job->input, job->keys.names[i]);
  return code;
}

// Takes the rows from a file of offsets, keys or flags.
static int take_row_file(struct job *job) {
  const struct args *args = job->args;
  if (args->group != NULL)
    return take_groups(job);
  if (args->segments != NULL) {
    layout_take_segments(&job->segments, &job->layout);
    job->problem.segment_type = job->segments.type.type;
    return check_segments(job);
  }
  if (!runs_given(args))
    return EXIT_DONE;
  layout_take_unknown_runs(args->by_key != NULL ? CLRED_LAYOUT_KEYS : CLRED_LAYOUT_HEADS, &job->layout);
  job->problem.segment_type = args->by_key != NULL ? job->segments.type.type : CLRED_TYPE_NONE;
  return job->input.unsized ? EXIT_DONE : runs_check(&job->segments, args, &job->input, job->keys.names[0]);
}

static int check_result_exists(const struct job *job) {
  const struct layout *layout = &job->layout;
  bool exclusive = job->problem.scan == CLRED_SCAN_EXCLUSIVE, none = layout->call.count == 0;
  const char *needy = operation_needy(&job->operation);
  if (job->plain || needy == NULL || layout->results == 0 || job->args->partial != NULL)
    return EXIT_DONE;
  if (exclusive && !none)
    return fail(EXIT_BAD_USE, "--exclusive: the first result covers 0 elements, and %s has no result for them", needy);
  if (job->problem.scan || !none)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: %s of 0 elements has no result", input_name(&job->input), needy);
}

static void fill_work(struct job *job) {
  bool selects = job->operation.selects, scans = selects || job->problem.scan != CLRED_SCAN_NONE;
  bool runs = runs_given(job->args) && !scans, keys = runs && job->args->by_key != NULL;
  job->work = (struct work){.call = job->layout.call,
                            .results = scans ? layout_elements(&job->layout) : job->layout.results,
                            .scans = scans,
                            .words = operator_list_words(&job->operation.list),
                            .checked = job->problem.overflow == CLRED_OVERFLOW_DETECT,
                            .finds = selects || runs || (job->args->group != NULL && job->runs.data == NULL),
                            .key_type = keys ? job->segments.type.type : CLRED_TYPE_NONE};
  job->work.call.in = job->buffer;
  job->work.call.segments = job->segments_buffer;
  job->work.call.inputs = job->other_count > 0 ? job->buffers + 1 : NULL;
  job->work.call.parameters = job->operation.own ? job->operation.user.value_pointers : NULL;
}

int job_finalize(struct job *job) {
  int code = check_counts(job);
  code = code ? code : layout_take(job->args, &job->input, job->wants_lines, &job->layout);
  code = code ? code : take_row_file(job);
  if (!code && job->problem.scan)
    layout_take_scan(&job->input, &job->layout);
  code = code ? code : check_result_exists(job);
  job->problem.layout = job->layout.kind;
  job->problem.count_max = problem_count_max(job->layout.call.count);
  fill_work(job);
  return code;
}

int job_recount(struct job *job, uint64_t count) {
  for (size_t i = 0; i <= job->other_count; i++) {
    job->inputs[i].count = count;
    job->inputs[i].counted = true;
  }
  return job_finalize(job);
}

// Sets the size of an element of the user's operator, which the compiler found.
static int resolve_element(struct job *job, size_t size) {
  struct input *input = &job->input;
  if (!input->unsized && size == input->type.size)
    return EXIT_DONE;
  if (!input->unsized)
    return fail(EXIT_BAD_USE, "%s: holds %s of %zu bytes, but the elements of %s have %zu", input_name(input),
                input->type.name, input->type.size, job->operation.name, size);
  if (input->count % size != 0)
    return fail(EXIT_BAD_USE, "%s: %llu bytes are not a multiple of the %zu bytes of a %s", input_name(input),
                (unsigned long long)input->count, size, input->type.name);
  input->count /= size;
  input->type.size = size;
  input->unsized = false;
  return job_finalize(job);
}

// --initial is a state, and its type is known from the plan.
int job_take_initial(struct job *job, const clred_plan *plan, struct initial *initial) {
  const char *text = job->args->initial;
  clred_plan_info info;
  clred_type_info type;
  if (text == NULL)
    return EXIT_DONE;
  int code = session_check(&job->session, clred_plan_inspect(plan, 0, &info));
  if (code)
    return code;
  if (clred_type_inspect(info.state_type, &type) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "--initial: the state of %s is not a number; leave --initial out", job->operation.name);
  memset(initial, 0, sizeof *initial);
  if (!value_parse(type.type, text, initial))
    return fail(EXIT_BAD_USE, "--initial: '%s' is not a value of %s, the type of the state of %s", text, type.name,
                job->operation.name);
  job->work.call.initial = initial;
  return EXIT_DONE;
}

// ---------------------------------------------------------------- The steps that several verbs share

void job_begin(struct job *job, const struct args *args) {
  memset(job, 0, sizeof *job);
  job->args = args;
  job->input.stream.descriptor = job->segments.stream.descriptor = job->runs.stream.descriptor = -1;
  progress_begin(&job->progress, args->quiet);
}

// A scan may overwrite its input, but not if the input is packed or text: an array would replace the whole file.
static int check_in_place(const struct job *job) {
  const char *output = job->args->output, *name = job->input.request.name;
  bool array = job->input.stream.origin == NULL && !input_is_text(&job->input);
  if (output == NULL || name == NULL || array || !same_file(output, name))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--output %s: is also INPUT, which is packed or text; give another name", output);
}

int job_begin_operation(struct job *job, const struct args *args, const char *op_name) {
  job_begin(job, args);
  int code = each_begin(&job->each, args);
  code = code ? code : operation_take(&job->operation, args, op_name);
  return code || job->operation.inputs > 0 ? code : each_columns(&job->each);
}

// The operator was made for the type of the first file.
static int check_same_type(const struct job *job, const clred_type_info *first) {
  if (job->each.at == 0 || !job->operation.own || first->type == job->input.type.type)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: holds %s, but the files before it hold %s; give files of one type",
              input_name(&job->input), job->input.type.name, first->name);
}

// True if a built-in operator has a result of several parts: one of them may be an index.
static bool gives_places(const struct job *job) {
  const struct operator_list *list = &job->operation.list;
  clred_type type;
  bool parts = false;
  for (size_t i = 0; i < list->count || i == 0; i++) {
    clred_op op = list->count > 0 ? list->ops[i] : job->operation.op.op;
    parts = parts || (clred_result_type(op, job->input.type.type, &type) == CL_SUCCESS && type == CLRED_TYPE_NONE);
  }
  return parts && !job->operation.own;
}

// Buffers may use the memory of inputs, so they are released first.
static void release_buffers(struct job *job) {
  for (size_t i = 0; i <= job->other_count; i++)
    buffer_release(job->buffers[i]);
  buffer_release(job->segments_buffer);
  job->segments_buffer = NULL;
  memset(job->buffers, 0, sizeof job->buffers);
}

static void close_inputs(struct job *job) {
  release_buffers(job);
  for (size_t i = 0; i <= job->other_count; i++)
    input_close(&job->inputs[i]);
  input_close(&job->segments);
  input_close(&job->runs);
  keys_close(job);
  for (size_t i = 0; i < KEYS_MAX; i++)
    results_release(&job->group_keys[i]);
  free(job->places);
  job->places = NULL;
  job->segments.words = NULL;
  job->other_count = 0;
  job->layout = (struct layout){.axes = 0};
  job->streams = false;
}

int job_open_inputs(struct job *job) {
  const struct args *args = job->args;
  const clred_type_info before = job->input.type;
  close_inputs(job);
  int code = open_input(job);
  code = code ? code : check_same_type(job, &before);
  code = code ? code : check_in_place(job);
  if (!code && !job->plain)
    code = problem_take(args, &job->operation, &job->input.type, &job->problem);
  job->wants_places = !code && !job->plain && args->group != NULL && gives_places(job);
  code = code ? code : open_others(job);
  code = code ? code : layout_check_axes(args, &job->input);
  code = code ? code : keys_open(job);
  if (!code && job->input.counted)
    code = job_finalize(job);
  if (code || job->session.runtime != NULL)
    return code;
  code = session_open_picked(&job->session, args, !job->plain);
  return code || job->plain ? code : laws_require(&job->session, args, &job->operation);
}

int job_open(struct job *job, const struct args *args, const char *op_name) {
  int code = job_begin_operation(job, args, op_name);
  return code ? code : job_open_inputs(job);
}

// ---- Input on the device

// Refuses an input that no buffer can hold: before it is read if its count is known. With several devices each share
// has a buffer, so partial.c checks the sizes.
static int load(struct job *job, struct input *input) {
  const bool spreads = spread_wanted(job->args);
  const cl_ulong most = spreads ? INT64_MAX - 1 : session_fact(&job->session, "max_alloc", INT64_MAX - 1);
  int code = input->counted && !spreads ? run_check_size(&job->session, input) : EXIT_DONE;
  if (code)
    return code;
  bool unknown = !input->counted;
  if (unknown)
    code = input_hold(input, most + 1, &job->progress);
  if (!code && unknown && !input->counted)
    return run_too_large(&job->session, input, most + 1, most);
  code = code ? code : input_load(input, &job->progress);
  if (!code && job->layout.axes > 0)
    code = input_reorder(input, job->layout.merged, job->layout.axes, job->layout.order);
  return code;
}

// *buffer is NULL if there are no elements.
static int upload(const struct session *session, const struct input *input, cl_mem *buffer) {
  char about[64];
  *buffer = NULL;
  if (input->count == 0)
    return EXIT_DONE;
  snprintf(about, sizeof about, "the input, %llu bytes", (unsigned long long)input_bytes(input));
  return session_buffer(session, input->data, (size_t)input_bytes(input), about, buffer);
}

// Loads INPUT, the further inputs, and the files of rows: all of them, or only those that are not counted.
static int load_inputs(struct job *job, bool all) {
  int code = keys_load(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    if (all || !job->inputs[i].counted)
      code = load(job, &job->inputs[i]);
  for (size_t i = 0; row_file_given(job->args) && i < job->keys.count && !code; i++)
    if (all || !keys_at(job, i)->counted)
      code = load(job, keys_at(job, i));
  progress_end(&job->progress);
  return code ? code : job_finalize(job);
}

int job_count(struct job *job) {
  return load_inputs(job, false);
}

// Groups are made of elements in host memory, so nothing is copied before all is loaded.
int job_load_host(struct job *job) {
  int code = load_inputs(job, true);
  return code || job->args->group == NULL ? code : groups_gather(job);
}

int job_load(struct job *job) {
  int code = job_load_host(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    code = upload(&job->session, &job->inputs[i], &job->buffers[i]);
  if (!code && row_file_given(job->args))
    code = upload(&job->session, job->args->group != NULL ? &job->runs : &job->segments, &job->segments_buffer);
  return code ? code : job_finalize(job);
}

// With --each a plan serves all files of its size class, so that files of similar sizes share one.
static cl_int plan_or_keep(struct job *job, clred_plan **plan) {
  cl_ulong bound = 1;
  while (bound < job->problem.count_max)
    bound *= 2;
  if (job->each.count > 0 && job->problem.count_max > 0)
    job->problem.count_max = bound;
  if (*plan != NULL && memcmp(&job->planned, &job->problem, sizeof job->planned) == 0)
    return CL_SUCCESS;
  clred_plan_release(*plan);
  *plan = NULL;
  job->planned = job->problem;
  return session_plan(&job->session, &job->problem, plan);
}

// The library does not know which option asks for a width. If --overflow is given, too, either may be wrong.
static int plan_failed(const struct job *job, cl_int status) {
  const struct args *args = job->args;
  if (args->result_type == NULL || args->overflow != NULL || status != CLRED_OPERATOR_TYPE)
    return operation_failed(&job->operation, job->session.runtime, status);
  return fail(EXIT_BAD_USE, "--result-type %s: %s%s", args->result_type, clred_last_error(job->session.runtime),
              input_is_text(&job->input) && args->type == NULL ? "; --type long reads whole numbers" : "");
}

int job_plan(struct job *job, clred_plan **plan) {
  clred_plan_info info;
  cl_int status = plan_or_keep(job, plan);
  if (status == CL_SUCCESS && job->operation.own)
    status = clred_plan_inspect(*plan, 0, &info);
  if (status != CL_SUCCESS)
    return plan_failed(job, status);
  return job->operation.own ? resolve_element(job, info.element_size) : EXIT_DONE;
}

int job_find_runs(struct job *job) {
  if (!runs_given(job->args))
    return EXIT_DONE;
  int code = runs_find(&job->segments, job->args->by_key != NULL, &job->runs);
  if (!code)
    layout_take_runs(&job->runs, &job->layout);
  return code;
}

void job_close(struct job *job) {
  progress_end(&job->progress);
  release_buffers(job);
  session_close(&job->session);
  close_inputs(job);
  operation_release(&job->operation);
  each_end(&job->each, EXIT_WORK_FAILED);
}

uint64_t job_bytes(const struct job *job, const struct outcome *outcome) {
  uint64_t written = job->work.scans ? outcome->results.count * outcome->results.size : 0;
  uint64_t each = job->input.type.size + (runs_given(job->args) ? job->segments.type.size : 0);
  for (size_t i = 0; i < job->other_count; i++)
    each += job->others[i].type.size;
  return layout_elements(&job->layout) * each + written;
}
