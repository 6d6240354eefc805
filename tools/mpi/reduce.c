// Reduces the elements of all ranks: each reads its share of the files and folds it, then the partials are joined.
#include "mpi/work.h"
#include "run/partial.h"

static int answer_all(struct ranks_job *work) {
  struct job *job = &work->job;
  int code = session_check(&job->session, clred_mpi_allreduce_partial(work->handle, work->partial));
  const double seconds = seconds_now() - work->begun;
  code = ranks_agree(work->ranks, code);
  if (code)
    return code;
  cJSON *more = ranks_describe(work);
  if (work->ranks->rank == 0) {
    code = partial_finish(job, work->plan, work->partial, seconds, more);
    if (!code && work->args.explain && !work->args.quiet)
      code = session_explain(&job->session, work->plan, job->layout.call.count);
  }
  return ranks_agree(work->ranks, code);
}

int ranks_reduce(struct ranks *ranks, const struct args *args) {
  struct ranks_job work;
  ranks_job_begin(&work, ranks, args);
  int code = ranks_fold(&work);
  code = code ? code : answer_all(&work);
  ranks_job_close(&work);
  return code;
}
