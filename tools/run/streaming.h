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

// ---- For the files of streaming alone

struct opinion {
  clred_plan *own_plan;  // NULL where the host has it
  clred_stream *stream;  // NULL: none is wanted
};

struct reader {
  struct job *job;
  clred_stream *stream;
  struct opinion opinion;
  uint64_t count;
};

// Whether elements are folded where they lie in files.
bool reader_can_map(struct job *job);

// Gives the streams all elements, until the inputs end together. An exit code.
int reader_take_all(struct reader *reader);

// The line on standard error after a failure of the library's.
int reader_failed(const struct reader *reader, cl_int status);

#endif
