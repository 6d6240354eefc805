// cuda_turns.cuh: what the sides on CUDA share: errors told, and one call timed by events or several by the wall clock.

#ifndef BENCH_CUDA_TURNS_CUH
#define BENCH_CUDA_TURNS_CUH

#include <chrono>
#include <cstdio>

#include "side.h"

inline int cuda_failed(cudaError_t error, const char *call)
{
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

// `call` enqueues the work and gives a cudaError_t.
template <typename Call>
int run_by_events(Call call, double *seconds)
{
  cudaEvent_t started, stopped;
  float       milliseconds = 0;

  CHECKED(cudaEventCreate(&started));
  CHECKED(cudaEventCreate(&stopped));
  CHECKED(cudaDeviceSynchronize());
  CHECKED(cudaEventRecord(started));
  CHECKED(call());
  CHECKED(cudaEventRecord(stopped));
  CHECKED(cudaEventSynchronize(stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, started, stopped));
  CHECKED(cudaEventDestroy(started));
  CHECKED(cudaEventDestroy(stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

template <typename Call>
int run_by_wall(Call call, size_t calls, double *seconds)
{
  CHECKED(cudaDeviceSynchronize());
  auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < calls; i++)
    CHECKED(call());
  CHECKED(cudaDeviceSynchronize());
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
  return 0;
}

template <typename Call>
int run_by(bench_clock clock, Call call, size_t calls, double *seconds)
{
  return clock == BENCH_DEVICE ? run_by_events(call, seconds) : run_by_wall(call, calls, seconds);
}

#endif
