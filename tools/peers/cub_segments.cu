// cub::DeviceSegmentedReduce::Sum, by offsets of 32 bits and for segments of one length. CUB before CCCL 3.1 (so in
// CUDA 13.0) has no function for one length. There a kernel made of CUB's own parts replaces it. It has the same shape:
// a thread sums up to 16 elements, a warp up to 512, and a block of 256 threads more. The side is then called
// cub/parts.

#include <type_traits>
#include <utility>

#include "cuda.cuh"

namespace {

// --- One length ---

constexpr int block_threads = 256, items = 16;

// The sum of the elements of a row that one of `threads` threads reads: loads of 16 bytes while all threads have 16
// elements, then single loads.
template <int threads> __device__ float sum_of_lane(const float *row, int length, int lane) {
  constexpr int tile = threads * items;
  float sum = 0;
  int at = 0;

  if (reinterpret_cast<size_t>(row) % sizeof(float4) == 0)
    for (; at + tile <= length; at += tile) {
      float4 loaded[items / 4];
#pragma unroll
      for (int i = 0; i < items / 4; i++)
        loaded[i] = __ldg(reinterpret_cast<const float4 *>(row + at) + threads * i + lane);
#pragma unroll
      for (int i = 0; i < items / 4; i++)
        sum += (loaded[i].x + loaded[i].y) + (loaded[i].z + loaded[i].w);
    }
  for (at += lane; at < length; at += threads)
    sum += __ldg(row + at);
  return sum;
}

template <int threads> __device__ float sum_over_lanes(float sum) {
  if constexpr (threads == 32) {
    using reduce = cub::WarpReduce<float>;
    __shared__ typename reduce::TempStorage storage[block_threads / 32];
    sum = reduce(storage[threadIdx.x / 32]).Sum(sum);
  } else if constexpr (threads == block_threads) {
    using reduce = cub::BlockReduce<float, block_threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    __shared__ typename reduce::TempStorage storage;
    sum = reduce(storage).Sum(sum);
  }
  return sum;
}

// The return splits no warp and no block: a row that does not exist belongs to one thread, to a whole warp or to a
// whole block.
template <int threads>
__global__ void __launch_bounds__(block_threads) sum_rows(const float *in, float *out, int length, int64_t count) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * (block_threads / threads) + threadIdx.x / threads;
  const int lane = threadIdx.x % threads;

  if (row >= count)
    return;
  const float sum = sum_over_lanes<threads>(sum_of_lane<threads>(in + row * length, length, lane));
  if (lane == 0)
    out[row] = sum;
}

template <int threads> cudaError_t launch_rows(cub_job &job) {
  constexpr size_t rows = block_threads / threads;

  sum_rows<threads><<<static_cast<unsigned>((job.work.results + rows - 1) / rows), block_threads>>>(
    job.in<float>(), job.out<float>(), static_cast<int>(job.work.length), static_cast<int64_t>(job.work.results));
  return cudaGetLastError();
}

cudaError_t sum_by_parts(cub_job &job) {
  if (job.scratch == nullptr) {
    job.scratch_bytes = 1;
    return cudaSuccess;
  }
  return job.work.length <= items        ? launch_rows<1>(job)
         : job.work.length <= 32 * items ? launch_rows<32>(job)
                                         : launch_rows<block_threads>(job);
}

template <typename Reduce, typename = void> struct has_fixed : std::false_type {};

template <typename Reduce>
struct has_fixed<Reduce, std::void_t<decltype(Reduce::Sum(std::declval<void *>(), std::declval<size_t &>(),
                                                          std::declval<const float *>(), std::declval<float *>(),
                                                          std::declval<int64_t>(), std::declval<int>()))>>
    : std::true_type {};

template <typename Reduce> cudaError_t sum_of_one_length(cub_job &job) {
  if constexpr (has_fixed<Reduce>::value)
    return Reduce::Sum(job.scratch, job.scratch_bytes, job.in<float>(), job.out<float>(),
                       static_cast<int64_t>(job.work.results), static_cast<int>(job.work.length));
  else
    return sum_by_parts(job);
}

}  // namespace

const char *const cub_segments_name = has_fixed<cub::DeviceSegmentedReduce>::value ? "cub" : "cub/parts";

cudaError_t cub_segments(cub_job &job) {
  const int32_t *const offsets = job.offsets;

  if (job.work.length)
    return sum_of_one_length<cub::DeviceSegmentedReduce>(job);
  return cub::DeviceSegmentedReduce::Sum(job.scratch, job.scratch_bytes, job.in<float>(), job.out<float>(),
                                         static_cast<int64_t>(job.work.results), offsets, offsets + 1);
}
