// What the files of the peer `cub` share: one job on device memory, and checked calls of CUDA.

#pragma once

#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>

#include "peer_side.h"

struct cub_job : bench_job {
  void *elements;  // in device memory, as are all pointers here
  int32_t *keys, *offsets;
  void *scratch;
  size_t scratch_bytes;
  cudaEvent_t started, stopped;
  cudaError_t (*call)(cub_job &);

  template <typename Element> const Element *in() const {
    return static_cast<const Element *>(elements);
  }
  template <typename Result> Result *out() const {
    return static_cast<Result *>(parts[BENCH_RESULTS]);
  }
};

// Each function enqueues the work of a job once. If `scratch` is NULL, CUB only stores how many bytes it needs.
cudaError_t cub_reduce(cub_job &job);
bench_type cub_result_type(const bench_work &work);  // of a reduction
cudaError_t cub_scan(cub_job &job);
cudaError_t cub_keys(cub_job &job);
cudaError_t cub_segments(cub_job &job);
cudaError_t cub_histogram(cub_job &job);

// Calls the function for the type of the elements; NULL: there is none. The list has the order of enum bench_type.
inline cudaError_t cub_by_type(cudaError_t (*const (&functions)[BENCH_TYPES])(cub_job &), cub_job &job) {
  const auto function = functions[job.work.type];
  return function == nullptr ? cudaErrorInvalidValue : function(job);
}

extern const char *const cub_segments_name;

inline int cuda_failed(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return 0;
  std::fprintf(stderr, "clreduce: cub: %s: %s\n", call, cudaGetErrorString(error));
  return 1;
}

#define CHECKED(call) \
  do { \
    if (cuda_failed(call, #call)) \
      return 1; \
  } while (0)
