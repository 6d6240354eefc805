// All steps of reduce, select, scan and histogram, from the inputs to what is printed.
#include "base/fail.h"
#include "cli/verbs.h"
#include "run/job.h"
#include "run/partial.h"
#include "run/streaming.h"

static bool is_in_parts(const struct job *job) {
  return job->args->partial != NULL || spread_wanted(job->args);
}

int job_load_or_stream(struct job *job) {
  const bool in_parts = is_in_parts(job);
  int code = spread_wanted(job->args) ? EXIT_DONE : streaming_choose(job);
  if (!code && !job->streams)
    code = in_parts ? job_load_host(job) : job_load(job);
  if (in_parts)
    job->problem.count_max = 0;  // as for streams: strategies for few elements make no partials
  return code;
}

static int compute_once(struct job *job) {
  struct initial initial;
  int code = job->open != NULL ? job->open(job->about) : job_open_inputs(job);
  if (!code)
    code = job->load != NULL ? job->load(job->about) : job_load_or_stream(job);
  if (!code && job->run == NULL)
    code = job_plan(job, &job->plan);
  code = code ? code : job_take_initial(job, job->plan, &initial);
  if (code)
    return code;
  return is_in_parts(job) ? partial_answer(job, job->plan) : answer(job, job->plan);
}

int job_compute(struct job *job, int code) {
  do
    code = code ? code : compute_once(job);
  while (each_next(&job->each, &code));
  code = each_end(&job->each, code);
  clred_plan_release(job->plan);
  job->plan = NULL;
  return code;
}
