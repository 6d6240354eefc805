// clreduce reduce, and clreduce select, which takes the same steps.

#include "base/fail.h"
#include "cli/verbs.h"
#include "run/job.h"
#include "run/streaming.h"

int cmd_reduce(const struct args *args) {
  struct job job;
  clred_plan *plan = NULL;
  int code = job_open(&job, args, args_op(args));
  if (code == EXIT_DONE)
    code = streaming_choose(&job);
  if (code == EXIT_DONE && !job.streams)
    code = job_load(&job);
  if (code == EXIT_DONE)
    code = job_plan(&job, &plan);
  if (code == EXIT_DONE)
    code = answer(&job, plan);
  clred_plan_release(plan);
  job_close(&job);
  return code;
}

int cmd_select(const struct args *args) {
  return cmd_reduce(args);
}
