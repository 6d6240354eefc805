// peer_cub.cu: cub::DeviceReduce::Sum on device memory, NVIDIA's own reduction. Sums of integers go into 64 bits, as
// ours do.

#include <cub/cub.cuh>

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "side.h"

namespace {

void       *elements;
void       *sum_on_device;
void       *scratch;
size_t      scratch_bytes;
size_t      length;
bench_type  element_type;
cudaEvent_t started, stopped;

int failed(cudaError_t error, const char *call)
{
  if (error == cudaSuccess)
    return 0;
  std::fprintf(stderr, "clreduce: cub: %s: %s\n", call, cudaGetErrorString(error));
  return 1;
}

#define CHECKED(call) \
  do { \
    if (failed(call, #call)) \
      return 1; \
  } while (0)

template <typename Element, typename State, typename Count>
cudaError_t sum_counted()
{
  return cub::DeviceReduce::Sum(scratch, scratch_bytes, static_cast<const Element *>(elements),
                                static_cast<State *>(sum_on_device), static_cast<Count>(length));
}

// CUB is at its best with 32-bit counts.
template <typename Element, typename State>
cudaError_t sum_as()
{
  return length <= INT32_MAX ? sum_counted<Element, State, int32_t>() : sum_counted<Element, State, int64_t>();
}

// With no scratch yet, CUB only says how much it needs.
cudaError_t sum()
{
  switch (element_type) {
  case BENCH_FLOAT:  return sum_as<float, float>();
  case BENCH_DOUBLE: return sum_as<double, double>();
  case BENCH_INT:    return sum_as<int, int64_t>();
  case BENCH_UCHAR:  return sum_as<unsigned char, uint64_t>();
  }
  return cudaErrorInvalidValue;
}

size_t element_size()
{
  return element_type == BENCH_DOUBLE ? 8 : element_type == BENCH_UCHAR ? 1 : 4;
}

int prepare(const void *data, bench_type type, size_t count)
{
  element_type = type;
  length = count;
  CHECKED(cudaMalloc(&elements, count * element_size()));
  CHECKED(cudaMemcpy(elements, data, count * element_size(), cudaMemcpyHostToDevice));
  CHECKED(cudaMalloc(&sum_on_device, 8));
  CHECKED(sum());
  CHECKED(cudaMalloc(&scratch, scratch_bytes));
  CHECKED(cudaEventCreate(&started));
  CHECKED(cudaEventCreate(&stopped));
  return 0;
}

int run_by_events(double *seconds)
{
  float milliseconds = 0;

  CHECKED(cudaEventRecord(started));
  CHECKED(sum());
  CHECKED(cudaEventRecord(stopped));
  CHECKED(cudaEventSynchronize(stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, started, stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

int run_by_wall(double *seconds)
{
  auto start = std::chrono::steady_clock::now();

  CHECKED(sum());
  CHECKED(cudaDeviceSynchronize());
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return 0;
}

int run(bench_clock clock, double *seconds)
{
  CHECKED(cudaMemset(sum_on_device, 0xff, 8));  // so that a run that writes nothing is seen
  CHECKED(cudaDeviceSynchronize());
  return clock == BENCH_DEVICE ? run_by_events(seconds) : run_by_wall(seconds);
}

int result(double *sum_read)
{
  alignas(8) unsigned char bytes[8];

  CHECKED(cudaMemcpy(bytes, sum_on_device, sizeof bytes, cudaMemcpyDeviceToHost));
  switch (element_type) {
  case BENCH_FLOAT:  *sum_read = *reinterpret_cast<float *>(bytes); break;
  case BENCH_DOUBLE: *sum_read = *reinterpret_cast<double *>(bytes); break;
  case BENCH_INT:    *sum_read = static_cast<double>(*reinterpret_cast<int64_t *>(bytes)); break;
  case BENCH_UCHAR:  *sum_read = static_cast<double>(*reinterpret_cast<uint64_t *>(bytes)); break;
  }
  return 0;
}

void release()
{
  cudaFree(elements);
  cudaFree(sum_on_device);
  cudaFree(scratch);
  cudaEventDestroy(started);
  cudaEventDestroy(stopped);
}

}  // namespace

extern "C" const bench_side bench_cub = {"cub", 1, 1, prepare, run, result, release};
