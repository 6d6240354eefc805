// The steps that several verbs share.

#include "run/job.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/output.h"
#include "device/session.h"
#include "input/row_files.h"
#include "run/laws.h"

void job_begin(struct job *job, const struct args *args) {
  memset(job, 0, sizeof *job);
  job->args = args;
  job->input.stream.descriptor = job->segments.stream.descriptor = job->runs.stream.descriptor = -1;
  progress_begin(&job->progress, args->quiet);
}

int job_check_outputs(const struct args *args) {
  bool output = output_is_standard(args->output), keys = output_is_standard(args->keys_output);
  if (keys && (output || args->output == NULL))
    return fail(EXIT_BAD_USE, "--keys-output - and the results both want standard output; give --output FILE.npy");
  if ((output || keys) && args->json)
    return fail(EXIT_BAD_USE, "%s - and --json both want standard output; leave one of them out",
                output ? "--output" : "--keys-output");
  return EXIT_DONE;
}

int job_open(struct job *job, const struct args *args, const char *op_name) {
  job_begin(job, args);
  int code = job_check_outputs(args);
  if (code == EXIT_DONE)
    code = operation_take(&job->operation, args, op_name);
  if (code == EXIT_DONE)
    code = job_open_input(job);
  if (code == EXIT_DONE)
    code = problem_take(args, &job->operation, &job->input.type, &job->problem);
  if (code == EXIT_DONE)
    code = job_open_others(job);
  if (code == EXIT_DONE)
    code = row_file_open(&job->segments, args);
  if (code == EXIT_DONE && job->input.counted)
    code = job_settle(job);
  if (code == EXIT_DONE)
    code = session_open_tuned(&job->session, args);
  return code == EXIT_DONE ? laws_require(&job->session, args, &job->operation) : code;
}

// ---- Input on the device

// Refuses an input that is larger than the largest buffer; before it is read, if its count is known.
static int check_size(const struct session *session, const struct input *input) {
  cl_ulong most = session_fact(session, "max_alloc", CL_ULONG_MAX);
  if (input->counted && input_bytes(input) > most)
    return fail(EXIT_WORK_FAILED,
                "the input has %llu bytes, one buffer of %s holds at most %llu; reduce can stream it, scan and select "
                "cannot: split the file",
                (unsigned long long)input_bytes(input), session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

static int upload_failed(const char *call, cl_int status, const struct input *input) {
  char about[64];
  snprintf(about, sizeof about, "the input, %llu bytes", (unsigned long long)input_bytes(input));
  return fail_opencl(call, status, about);
}

static int share(const struct session *session, const struct input *input, cl_mem *buffer) {
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (size_t)input_bytes(input),
                           input->data, &status);
  return status == CL_SUCCESS ? EXIT_DONE : upload_failed("clCreateBuffer", status, input);
}

static int copy(const struct session *session, const struct input *input, cl_mem *buffer) {
  size_t bytes = (size_t)input_bytes(input);
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  if (status != CL_SUCCESS)
    return upload_failed("clCreateBuffer", status, input);
  status = clEnqueueWriteBuffer(session->queue, *buffer, CL_TRUE, 0, bytes, input->data, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    return EXIT_DONE;
  clReleaseMemObject(*buffer);
  *buffer = NULL;
  return upload_failed("clEnqueueWriteBuffer", status, input);
}

// In place if the device shares the host's memory, else a copy. *buffer is NULL if there are no elements.
static int upload(const struct session *session, const struct input *input, cl_mem *buffer) {
  *buffer = NULL;
  if (input->count == 0)
    return EXIT_DONE;
  int code = check_size(session, input);
  if (code != EXIT_DONE)
    return code;
  bool shares = session_fact(session, "unified_memory", 0) != 0;
  return shares ? share(session, input, buffer) : copy(session, input, buffer);
}

int job_load_one(struct job *job, struct input *input, cl_mem *buffer) {
  int code = check_size(&job->session, input);
  if (code == EXIT_DONE)
    code = input_load(input, &job->progress);
  progress_end(&job->progress);
  return code == EXIT_DONE ? upload(&job->session, input, buffer) : code;
}

// ---- The steps

int job_count(struct job *job) {
  int code = EXIT_DONE;
  if (!job->input.counted)
    code = input_load(&job->input, &job->progress);
  for (size_t i = 0; i < job->other_count && code == EXIT_DONE; i++)
    if (!job->others[i].counted)
      code = input_load(&job->others[i], &job->progress);
  progress_end(&job->progress);
  return code == EXIT_DONE ? job_settle(job) : code;
}

int job_load(struct job *job) {
  int code = job_load_one(job, &job->input, &job->buffer);
  for (size_t i = 0; i < job->other_count && code == EXIT_DONE; i++)
    code = job_load_one(job, &job->others[i], &job->other_buffers[i]);
  if (code == EXIT_DONE && row_file_given(job->args))
    code = job_load_one(job, &job->segments, &job->segments_buffer);
  return code == EXIT_DONE ? job_settle(job) : code;
}

static int plan_failed(const struct job *job, cl_int status) {
  const char *sentence = clred_last_error(job->session.runtime);
  if (job->operation.own)
    return user_operator_failed(&job->operation.user, status, sentence);
  return fail_library(status, sentence);
}

int job_plan(struct job *job, clred_plan **plan) {
  clred_plan_info info;
  cl_int status = session_plan(&job->session, &job->problem, plan);
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
  if (code == EXIT_DONE)
    layout_take_runs(&job->runs, &job->layout);
  return code;
}

// Buffers may use the memory of inputs, so they are released first.
void job_close(struct job *job) {
  progress_end(&job->progress);
  if (job->buffer != NULL)
    clReleaseMemObject(job->buffer);
  for (size_t i = 0; i < job->other_count; i++)
    if (job->other_buffers[i] != NULL)
      clReleaseMemObject(job->other_buffers[i]);
  if (job->segments_buffer != NULL)
    clReleaseMemObject(job->segments_buffer);
  session_close(&job->session);
  input_close(&job->input);
  input_close(&job->segments);
  input_close(&job->runs);
  for (size_t i = 0; i < job->other_count; i++)
    input_close(&job->others[i]);
  operation_release(&job->operation);
}

uint64_t job_bytes(const struct job *job, const struct outcome *outcome) {
  uint64_t written = job->work.scans ? outcome->results.count * outcome->results.size : 0;
  uint64_t each = job->input.type.size + (runs_given(job->args) ? job->segments.type.size : 0);
  for (size_t i = 0; i < job->other_count; i++)
    each += job->others[i].type.size;
  return layout_elements(&job->layout) * each + written;
}
