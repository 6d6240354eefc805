// peer_cub.cu: cub::DeviceReduce on device memory, NVIDIA's own reduction. Sums of integers go into 64 bits, as ours do.

#include <cub/cub.cuh>
#include <cuda_fp16.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "side.h"

namespace {

void       *elements;
void       *result_on_device;
int64_t    *place_on_device;
void       *scratch;
size_t      scratch_bytes;
size_t      length;
bench_type  element_type;
bench_op    operation;
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

// Sums in a wider type than the elements', without an iterator between, which would keep CUB from wide loads.
template <typename Element, typename State, typename Count>
cudaError_t add(const Element *from, Count count)
{
  auto *to = static_cast<State *>(result_on_device);
  if constexpr (std::is_same_v<Element, __half>)
    return cub::DeviceReduce::Reduce(scratch, scratch_bytes, from, to, count, cuda::std::plus<float>(), 0.0f);
  else
    return cub::DeviceReduce::Sum(scratch, scratch_bytes, from, to, count);
}

template <typename Element, typename State, typename Count>
cudaError_t reduce_counted()
{
  auto *from = static_cast<const Element *>(elements);
  auto  count = static_cast<Count>(length);
  switch (operation) {
  case BENCH_ADD: return add<Element, State>(from, count);
  case BENCH_MIN: return cub::DeviceReduce::Min(scratch, scratch_bytes, from, static_cast<Element *>(result_on_device), count);
  case BENCH_MAX: return cub::DeviceReduce::Max(scratch, scratch_bytes, from, static_cast<Element *>(result_on_device), count);
  case BENCH_ARGMIN:
    return cub::DeviceReduce::ArgMin(scratch, scratch_bytes, from, static_cast<Element *>(result_on_device), place_on_device,
                                     static_cast<int64_t>(length));
  }
  return cudaErrorInvalidValue;
}

// CUB is at its best with 32-bit counts.
template <typename Element, typename State>
cudaError_t reduce_as()
{
  return length <= INT32_MAX ? reduce_counted<Element, State, int32_t>() : reduce_counted<Element, State, int64_t>();
}

// With no scratch yet, CUB only says how much it needs.
cudaError_t reduce()
{
  switch (element_type) {
  case BENCH_FLOAT:  return reduce_as<float, float>();
  case BENCH_DOUBLE: return reduce_as<double, double>();
  case BENCH_INT:    return reduce_as<int, int64_t>();
  case BENCH_UCHAR:  return reduce_as<unsigned char, uint64_t>();
  case BENCH_HALF:   return reduce_as<__half, float>();
  }
  return cudaErrorInvalidValue;
}

// The CUDA device of this name; of several the first.
int open(unsigned, const char *name)
{
  int count = 0;

  CHECKED(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++) {
    cudaDeviceProp properties;
    CHECKED(cudaGetDeviceProperties(&properties, i));
    if (std::strcmp(properties.name, name) == 0)
      return failed(cudaSetDevice(i), "cudaSetDevice");
  }
  return 1;
}

size_t element_size()
{
  return element_type == BENCH_DOUBLE ? 8 : element_type == BENCH_UCHAR ? 1 : element_type == BENCH_HALF ? 2 : 4;
}

int prepare(const void *data, bench_type type, bench_op op, size_t count)
{
  element_type = type;
  operation = op;
  scratch = nullptr;
  length = count;
  CHECKED(cudaMalloc(&elements, count * element_size()));
  CHECKED(cudaMemcpy(elements, data, count * element_size(), cudaMemcpyHostToDevice));
  CHECKED(cudaMalloc(&result_on_device, 8));
  CHECKED(cudaMalloc(&place_on_device, sizeof *place_on_device));
  CHECKED(reduce());
  CHECKED(cudaMalloc(&scratch, scratch_bytes));
  CHECKED(cudaEventCreate(&started));
  CHECKED(cudaEventCreate(&stopped));
  return 0;
}

int run_by_events(double *seconds)
{
  float milliseconds = 0;

  CHECKED(cudaEventRecord(started));
  CHECKED(reduce());
  CHECKED(cudaEventRecord(stopped));
  CHECKED(cudaEventSynchronize(stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, started, stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

int run_by_wall(size_t calls, double *seconds)
{
  auto start = std::chrono::steady_clock::now();

  for (size_t i = 0; i < calls; i++)
    CHECKED(reduce());
  CHECKED(cudaDeviceSynchronize());
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
  return 0;
}

int run(bench_clock clock, size_t calls, double *seconds)
{
  CHECKED(cudaMemset(place_on_device, 0xff, sizeof *place_on_device));
  CHECKED(cudaMemset(result_on_device, 0xff, 8));  // so that a run that writes nothing is seen
  CHECKED(cudaDeviceSynchronize());
  return clock == BENCH_DEVICE ? run_by_events(seconds) : run_by_wall(calls, seconds);
}

template <typename Result>
double as_double(const void *bytes)
{
  return static_cast<double>(*static_cast<const Result *>(bytes));
}

int result(double *value)
{
  alignas(8) unsigned char bytes[8];
  bool                     sum = operation == BENCH_ADD;
  int64_t                  place;

  CHECKED(cudaMemcpy(&place, place_on_device, sizeof place, cudaMemcpyDeviceToHost));
  if (operation == BENCH_ARGMIN) {
    *value = static_cast<double>(place);
    return 0;
  }
  CHECKED(cudaMemcpy(bytes, result_on_device, sizeof bytes, cudaMemcpyDeviceToHost));
  switch (element_type) {
  case BENCH_FLOAT:  *value = as_double<float>(bytes); break;
  case BENCH_DOUBLE: *value = as_double<double>(bytes); break;
  case BENCH_INT:    *value = sum ? as_double<int64_t>(bytes) : as_double<int>(bytes); break;
  case BENCH_UCHAR:  *value = sum ? as_double<uint64_t>(bytes) : as_double<unsigned char>(bytes); break;
  case BENCH_HALF:   *value = sum ? as_double<float>(bytes) : __half2float(*reinterpret_cast<__half *>(bytes)); break;
  }
  return 0;
}

void release()
{
  cudaFree(elements);
  cudaFree(result_on_device);
  cudaFree(place_on_device);
  cudaFree(scratch);
  cudaEventDestroy(started);
  cudaEventDestroy(stopped);
}

}  // namespace

extern "C" const bench_side bench_cub = {"cub", 1, 1, open, prepare, run, result, release};
