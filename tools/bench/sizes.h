// The numbers of elements to measure for one device and type.

#ifndef CLREDUCE_TOOL_BENCH_SIZES_H
#define CLREDUCE_TOOL_BENCH_SIZES_H

#include "bench/request.h"
#include "device/session.h"

struct bench_sizes {
  uint64_t list[BENCH_SIZES_MOST];  // in increasing order
  size_t count;                     // at least 1
};

// Takes the requested sizes, or powers of 4 up to what fits. `room`: bytes that the shared file may take. Returns an
// exit code.
int bench_sizes_choose(struct bench_sizes *sizes, const struct bench_request *request, const struct session *session,
                       const clred_type_info *type, uint64_t room);

#endif
