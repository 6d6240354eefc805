// peer_cub_histogram.cu: cub::DeviceHistogram::HistogramEven on device memory, NVIDIA's own, with counters of 32 bits, at which it
// is at its best.

#include <cub/cub.cuh>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "histogram_side.h"

namespace {

histogram_task task;
void          *elements;
unsigned int  *counts_on_device;
void          *scratch;
size_t         scratch_bytes;
cudaEvent_t    started, stopped;

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

template <typename Element, typename Level, typename Count>
cudaError_t count_counted()
{
  return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, static_cast<const Element *>(elements), counts_on_device,
                                             static_cast<int>(task.bins) + 1, static_cast<Level>(task.low),
                                             static_cast<Level>(task.high), static_cast<Count>(task.count));
}

template <typename Element, typename Level>
cudaError_t count_as()
{
  return task.count <= INT32_MAX ? count_counted<Element, Level, int>() : count_counted<Element, Level, long long>();
}

// With no scratch yet, CUB only says how much it needs.
cudaError_t count()
{
  switch (task.type) {
  case HISTOGRAM_UCHAR:  return count_as<unsigned char, int>();
  case HISTOGRAM_USHORT: return count_as<unsigned short, int>();
  case HISTOGRAM_INT:    return count_as<int, int>();
  case HISTOGRAM_FLOAT:  return count_as<float, float>();
  default:               return cudaErrorInvalidValue;
  }
}

size_t element_size()
{
  return task.type == HISTOGRAM_UCHAR ? 1 : task.type == HISTOGRAM_USHORT ? 2 : 4;
}

int prepare(const histogram_task *asked)
{
  task = *asked;
  CHECKED(cudaMalloc(&elements, task.count * element_size()));
  CHECKED(cudaMemcpy(elements, task.elements, task.count * element_size(), cudaMemcpyHostToDevice));
  CHECKED(cudaMalloc(&counts_on_device, task.bins * sizeof *counts_on_device));
  CHECKED(count());
  CHECKED(cudaMalloc(&scratch, scratch_bytes));
  CHECKED(cudaEventCreate(&started));
  CHECKED(cudaEventCreate(&stopped));
  return 0;
}

int run_by_events(double *seconds)
{
  float milliseconds = 0;

  CHECKED(cudaEventRecord(started));
  CHECKED(count());
  CHECKED(cudaEventRecord(stopped));
  CHECKED(cudaEventSynchronize(stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, started, stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

int run_by_wall(double *seconds)
{
  auto start = std::chrono::steady_clock::now();

  CHECKED(count());
  CHECKED(cudaDeviceSynchronize());
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return 0;
}

int run(int device_clock, double *seconds)
{
  // So that a run that writes nothing is seen.
  CHECKED(cudaMemset(counts_on_device, 0xff, task.bins * sizeof *counts_on_device));
  CHECKED(cudaDeviceSynchronize());
  return device_clock ? run_by_events(seconds) : run_by_wall(seconds);
}

int result(uint64_t *counts)
{
  std::vector<unsigned int> narrow(task.bins);

  CHECKED(cudaMemcpy(narrow.data(), counts_on_device, task.bins * sizeof narrow[0], cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < task.bins; i++)
    counts[i] = narrow[i];
  return 0;
}

void release()
{
  cudaFree(elements);
  cudaFree(counts_on_device);
  cudaFree(scratch);
  cudaEventDestroy(started);
  cudaEventDestroy(stopped);
}

}  // namespace

extern "C" const histogram_side bench_cub_histogram = {"cub", 1, 1, prepare, run, result, release};
