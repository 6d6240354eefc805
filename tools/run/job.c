// The steps that several verbs share.
#include "run/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/same_file.h"
#include "device/session.h"
#include "input/row_files.h"
#include "input/unpack.h"
#include "run/groups.h"
#include "run/laws.h"

void job_begin(struct job *job, const struct args *args) {
  memset(job, 0, sizeof *job);
  job->args = args;
  job->input.stream.descriptor = job->segments.stream.descriptor = job->runs.stream.descriptor = -1;
  progress_begin(&job->progress, args->quiet);
}

int job_check_outputs(struct job *job) {
  const struct args *args = job->args;
  bool output = output_is_standard(args->output), keys = output_is_standard(args->keys_output);
  if (args->text && args->output == NULL && args->keys_output == NULL)
    return fail(EXIT_BAD_USE,
                "--text: applies only to --output and --keys-output; give --output FILE, or leave --text out");
  if (keys && (output || args->output == NULL))
    return fail(EXIT_BAD_USE, "--keys-output - and the results both want standard output; give --output FILE.npy");
  if ((output || keys) && args->json)
    return fail(EXIT_BAD_USE, "%s - and --json both want standard output; leave one of them out",
                output ? "--output" : "--keys-output");
  return each_begin(&job->each, args);
}

// A scan may overwrite its input, but not if the input is packed, text or has fields: an array would replace the whole
// file.
static int check_in_place(const struct job *job) {
  const char *output = job->args->output, *name = job->input.request.name;
  bool array = job->input.stream.origin == NULL && !input_is_text(&job->input);
  if (output == NULL || name == NULL || array || !same_file(output, name))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--output %s: is also INPUT, which is packed, text or has fields; give another name",
              output);
}

int job_begin_operation(struct job *job, const struct args *args, const char *op_name) {
  job_begin(job, args);
  int code = job_check_outputs(job);
  code = code ? code : layout_check(args);
  code = code ? code : operation_take(&job->operation, args, op_name);
  return code || job->operation.inputs > 0 ? code : each_columns(&job->each);
}

int job_choose(struct job *job, struct request *request) {
  int code = input_choose(job->args, request);
  return code ? code : each_choose(&job->each, request, &job->progress);
}

// An operator of the user's may have taken the type of the first file.
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

int job_open_inputs(struct job *job) {
  const struct args *args = job->args;
  const clred_type_info before = job->input.type;
  job_close_inputs(job);
  int code = job_open_input(job);
  code = code ? code : check_same_type(job, &before);
  code = code ? code : check_in_place(job);
  code = code ? code : problem_take(args, &job->operation, &job->input.type, &job->problem);
  job->wants_places = !code && args->group != NULL && gives_places(job);
  code = code ? code : job_open_others(job);
  code = code ? code : layout_check_axes(args, &job->input);
  code = code ? code : keys_open(job);
  if (!code && job->input.counted)
    code = job_settle(job);
  if (code || job->session.runtime != NULL)
    return code;
  code = session_open_picked(&job->session, args, true);
  return code ? code : laws_require(&job->session, args, &job->operation);
}

int job_open(struct job *job, const struct args *args, const char *op_name) {
  int code = job_begin_operation(job, args, op_name);
  return code ? code : job_open_inputs(job);
}

// ---- Input on the device

// Refuses an input that is larger than the largest buffer. If it is packed, the ratio shows a bomb.
static int too_large(const struct session *session, const struct input *input, uint64_t bytes, cl_ulong most) {
  char packed[96] = "";
  uint64_t in_file = stream_packed_bytes(&input->stream);
  if (in_file > 0 && bytes / in_file > 1)
    snprintf(packed, sizeof packed, ", %.0f times the %llu bytes of its file", (double)bytes / (double)in_file,
             (unsigned long long)in_file);
  return fail(EXIT_WORK_FAILED,
              "the input has %s%llu bytes%s, one buffer of %s holds at most %llu, and this cannot be streamed (see "
              "LARGE INPUT in the manual): split the file",
              input->counted ? "" : "at least ", (unsigned long long)bytes, packed, session->device.name,
              (unsigned long long)most);
}

int job_check_size(const struct job *job, const struct input *input) {
  const cl_ulong most = session_fact(&job->session, "max_alloc", INT64_MAX - 1);
  return input_bytes(input) > most ? too_large(&job->session, input, input_bytes(input), most) : EXIT_DONE;
}

// Before it is read, if its count is known. Otherwise no more is read than a buffer holds.
static int load(struct job *job, struct input *input) {
  const cl_ulong most = session_fact(&job->session, "max_alloc", INT64_MAX - 1);
  int code = input->counted ? job_check_size(job, input) : EXIT_DONE;
  if (code)
    return code;
  bool unknown = !input->counted && (input->source->count != NULL || input->source->hold != NULL);
  if (unknown)
    code = input_hold(input, most + 1, &job->progress);
  if (!code && unknown && !input->counted)
    return too_large(&job->session, input, most + 1, most);
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

int job_load_one(struct job *job, struct input *input, cl_mem *buffer) {
  int code = load(job, input);
  progress_end(&job->progress);
  return code ? code : upload(&job->session, input, buffer);
}

int job_count(struct job *job) {
  int code = keys_load(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    if (!job->inputs[i].counted)
      code = load(job, &job->inputs[i]);
  for (size_t i = 0; row_file_given(job->args) && i < job->keys.count && !code; i++)
    if (!keys_at(job, i)->counted)
      code = load(job, keys_at(job, i));
  progress_end(&job->progress);
  return code ? code : job_settle(job);
}

int job_load_host(struct job *job) {
  int code = EXIT_DONE;
  for (size_t i = 0; i <= job->other_count && !code; i++)
    code = load(job, &job->inputs[i]);
  for (size_t i = 0; job->args->group != NULL && i < job->keys.count && !code; i++)
    code = load(job, keys_at(job, i));
  progress_end(&job->progress);
  return code ? code : job_settle(job);
}

// Groups are made of elements in host memory, so nothing is copied before all is loaded.
int job_load_groups(struct job *job) {
  int code = keys_load(job);
  code = code ? code : job_load_host(job);
  return code ? code : groups_gather(job);
}

int job_load(struct job *job) {
  bool groups = job->args->group != NULL;
  int code = groups ? job_load_groups(job) : keys_load(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    code = job_load_one(job, &job->inputs[i], &job->buffers[i]);
  if (!code && groups)
    code = upload(&job->session, &job->runs, &job->segments_buffer);
  else if (!code && row_file_given(job->args))
    code = job_load_one(job, &job->segments, &job->segments_buffer);
  return code ? code : job_settle(job);
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
  return job->operation.own ? job_settle_element(job, info.element_size) : EXIT_DONE;
}

int job_find_runs(struct job *job) {
  if (!runs_given(job->args))
    return EXIT_DONE;
  int code = runs_find(&job->segments, job->args->by_key != NULL, &job->runs);
  if (!code)
    layout_take_runs(&job->runs, &job->layout);
  return code;
}

// Buffers may use the memory of inputs, so they are released first.
static void release_buffers(struct job *job) {
  for (size_t i = 0; i <= job->other_count; i++)
    buffer_release(job->buffers[i]);
  buffer_release(job->segments_buffer);
  job->segments_buffer = NULL;
  memset(job->buffers, 0, sizeof job->buffers);
}

void job_close_inputs(struct job *job) {
  release_buffers(job);
  for (size_t i = 0; i <= job->other_count; i++)
    input_close(&job->inputs[i]);
  input_close(&job->segments);
  input_close(&job->runs);
  keys_close(job);
  for (size_t i = 0; i < KEYS_MOST; i++)
    results_release(&job->group_keys[i]);
  free(job->places);
  job->places = NULL;
  job->segments.words = NULL;
  job->other_count = 0;
  job->layout = (struct layout){.axes = 0};
  job->streams = false;
}

void job_close(struct job *job) {
  progress_end(&job->progress);
  release_buffers(job);
  session_close(&job->session);
  job_close_inputs(job);
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
