// Inputs read and folded at the same time, a chunk after another: what a buffer of the device cannot hold, or what
// would take more memory than a tool should.

#ifndef CLREDUCE_TOOL_STREAMING_H
#define CLREDUCE_TOOL_STREAMING_H

#include "run/job.h"
#include "verify/verify.h"

// Whether the job's inputs are to be streamed, into job->streams. To know it of a pipe some of it is read, and kept for
// later. An exit code.
int streaming_choose(struct job *job);

// Reads and folds, in place of job_load, run_plan and verify_outcome, all of which it does. The elements are counted
// after it.
int streaming_run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict);

#endif
