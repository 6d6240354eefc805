// The common course of a command.

#include "job.h"

#include <stdlib.h>

#include "fail.h"

int job_open(struct job *job, const struct args *args, const char *op_name)
{
  *job = (struct job){.args = args, .input = {.stream = {.descriptor = -1}}};
  progress_begin(&job->progress, args->quiet);
  int code = problem_take_op(args, op_name, &job->op);
  if (code == EXIT_DONE)
    code = input_open(&job->input, args);
  if (code == EXIT_DONE)
    code = problem_take(args, &job->op, &job->input.type, &job->problem);
  if (code == EXIT_DONE)
    code = session_open_picked(&job->session, args->device, args->assume);
  return code;
}

int job_count(struct job *job)
{
  int code = job->input.counted ? EXIT_DONE : input_load(&job->input, &job->progress);
  progress_end(&job->progress);
  job->problem.count_max = problem_count_max(job->input.count);
  return code;
}

int job_load(struct job *job)
{
  int code = run_check_size(&job->session, &job->input);
  if (code == EXIT_DONE)
    code = input_load(&job->input, &job->progress);
  progress_end(&job->progress);
  if (code == EXIT_DONE)
    code = run_upload(&job->session, &job->input, &job->buffer);
  job->problem.count_max = problem_count_max(job->input.count);
  return code;
}

int job_plan(struct job *job, clred_plan **plan)
{
  cl_int status = session_plan(&job->session, &job->problem, plan);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(job->session.runtime));
}

// The buffer may use the input's memory, so it goes first.
void job_close(struct job *job)
{
  progress_end(&job->progress);
  if (job->buffer != NULL)
    clReleaseMemObject(job->buffer);
  session_close(&job->session);
  input_close(&job->input);
}

char *job_describe(const struct job *job, const clred_plan *plan)
{
  size_t length = clred_plan_describe(plan, job->input.count, NULL, 0);
  char  *text = malloc(length + 1);
  if (text != NULL)
    clred_plan_describe(plan, job->input.count, text, length + 1);
  return text;
}
