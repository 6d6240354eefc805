// peer_segments_cub.cu: cub::DeviceSegmentedReduce::Sum, by offsets of 32 bits and for segments of one length. Where the CUB at hand
// has no form for one length (before CCCL 3.1), its form by offsets is given counted ones, which are not read from memory.

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuda_turns.cuh"
#include "segments_side.h"

namespace {

float   *elements, *results;
int32_t *offsets;
void    *scratch;
size_t   scratch_bytes, segment_count;
int32_t  segment_length;

struct times_length {
  int32_t length;
  __host__ __device__ int32_t operator()(int32_t i) const { return i * length; }
};

template <typename Reduce, typename = void>
struct has_fixed : std::false_type {};

template <typename Reduce>
struct has_fixed<Reduce, std::void_t<decltype(Reduce::Sum(std::declval<void *>(), std::declval<size_t &>(),
                                                          std::declval<const float *>(), std::declval<float *>(),
                                                          std::declval<int64_t>(), std::declval<int>()))>> : std::true_type {};

template <typename Reduce>
cudaError_t sum_of_one_length()
{
  const auto count = static_cast<int64_t>(segment_count);

  if constexpr (has_fixed<Reduce>::value) {
    return Reduce::Sum(scratch, scratch_bytes, const_cast<const float *>(elements), results, count,
                       static_cast<int>(segment_length));
  } else {
    auto begins = thrust::make_transform_iterator(thrust::counting_iterator<int32_t>(0), times_length{segment_length});
    return Reduce::Sum(scratch, scratch_bytes, const_cast<const float *>(elements), results, count, begins, begins + 1);
  }
}

// With no scratch yet, CUB only says how much it needs.
cudaError_t sum()
{
  if (segment_length)
    return sum_of_one_length<cub::DeviceSegmentedReduce>();
  return cub::DeviceSegmentedReduce::Sum(scratch, scratch_bytes, const_cast<const float *>(elements), results,
                                         static_cast<int64_t>(segment_count), const_cast<const int32_t *>(offsets),
                                         const_cast<const int32_t *>(offsets) + 1);
}

int prepare(const float *data, size_t count)
{
  if (count > INT32_MAX)
    return cuda_failed(cudaErrorInvalidValue, "more elements than 32-bit offsets reach");
  CHECKED(cudaMalloc(reinterpret_cast<void **>(&elements), count * sizeof *elements));
  CHECKED(cudaMemcpy(elements, data, count * sizeof *elements, cudaMemcpyHostToDevice));
  return 0;
}

void forget()
{
  cudaFree(scratch);
  cudaFree(offsets);
  cudaFree(results);
  scratch = nullptr;
  offsets = nullptr;
  results = nullptr;
}

int choose(const segments *chosen)
{
  forget();
  segment_count = chosen->count;
  segment_length = static_cast<int32_t>(chosen->length);
  CHECKED(cudaMalloc(reinterpret_cast<void **>(&results), segment_count * sizeof *results));
  if (!chosen->length) {
    CHECKED(cudaMalloc(reinterpret_cast<void **>(&offsets), (segment_count + 1) * sizeof *offsets));
    CHECKED(cudaMemcpy(offsets, chosen->offsets, (segment_count + 1) * sizeof *offsets, cudaMemcpyHostToDevice));
  }
  CHECKED(sum());
  CHECKED(cudaMalloc(&scratch, scratch_bytes ? scratch_bytes : 1));
  return 0;
}

int run(bench_clock clock, size_t calls, double *seconds)
{
  return run_by(clock, sum, calls, seconds);
}

int spoil()
{
  CHECKED(cudaMemset(results, 0xff, segment_count * sizeof *results));
  return 0;
}

int read_results(float *out)
{
  CHECKED(cudaMemcpy(out, results, segment_count * sizeof *results, cudaMemcpyDeviceToHost));
  return 0;
}

void release()
{
  forget();
  cudaFree(elements);
  elements = nullptr;
}

constexpr const char *name = has_fixed<cub::DeviceSegmentedReduce>::value ? "cub" : "cub-no-fixed";

}  // namespace

extern "C" const segments_side segments_cub = {{name, 1, 1, run}, prepare, choose, spoil, read_results, release};
