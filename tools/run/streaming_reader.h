// Elements on their way from inputs to a stream, and to a second one that holds an opinion.

#ifndef CLREDUCE_TOOL_STREAMING_READER_H
#define CLREDUCE_TOOL_STREAMING_READER_H

#include "run/job.h"

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
