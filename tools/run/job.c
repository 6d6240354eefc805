// The steps that several verbs share.

#include "run/job.h"

#include <string.h>

#include "base/fail.h"
#include "device/session.h"
#include "input/row_files.h"

int job_open(struct job *job, const struct args *args, const char *op_name) {
  memset(job, 0, sizeof *job);
  job->args = args;
  job->input.stream.descriptor = job->segments.stream.descriptor = job->runs.stream.descriptor = -1;
  progress_begin(&job->progress, args->quiet);
  int code = operation_take(&job->operation, args, op_name);
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
  return code;
}

static int load_one(struct job *job, struct input *input, cl_mem *buffer) {
  int code = run_check_size(&job->session, input);
  if (code == EXIT_DONE)
    code = input_load(input, &job->progress);
  progress_end(&job->progress);
  return code == EXIT_DONE ? run_upload(&job->session, input, buffer) : code;
}

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
  int code = load_one(job, &job->input, &job->buffer);
  for (size_t i = 0; i < job->other_count && code == EXIT_DONE; i++)
    code = load_one(job, &job->others[i], &job->other_buffers[i]);
  if (code == EXIT_DONE && row_file_asked(job->args))
    code = load_one(job, &job->segments, &job->segments_buffer);
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
  if (!runs_asked(job->args))
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
  uint64_t each = job->input.type.size + (runs_asked(job->args) ? job->segments.type.size : 0);
  for (size_t i = 0; i < job->other_count; i++)
    each += job->others[i].type.size;
  return layout_elements(&job->layout) * each + written;
}
