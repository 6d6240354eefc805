// Scans of host memory, chunk by chunk. The stream carries the nodes of all chunks so far from chunk to chunk, not a
// single state. So the results have the bits of one call over all elements.
#pragma once

#include "clreduce_scan_stream.h"
#include "host/scans.h"
#include "stream/host.h"
#include "stream/stream.h"

struct clred_scan_stream {
  clred_plan *plan;             // the caller's plan
  clred_plan *nodes;            // reduces a chunk to its node
  clred_stream *folds;          // a stream of `nodes`; its first piece holds the chunk
  struct clr_counter counter;   // counts chunks; heads[0] is the prefix of the next chunk
  cl_ulong chunks;              // whole chunks so far
  bool ended;                   // the last chunk was not whole
  struct clr_host_results out;  // the results of a chunk
  double seconds;               // run time of complete scans
  cl_int failed;                // the status of the first failure, or CL_SUCCESS
};

// Implement the public functions of these names; release accepts NULL.
cl_int clr_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk, const void *initial,
                              clred_scan_stream **stream, struct clr_status *status);
cl_int clr_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                            void *out, struct clr_status *status);
void clr_scan_stream_release(clred_scan_stream *stream);
