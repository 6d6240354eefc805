// peer_segments_cub.cu: cub::DeviceSegmentedReduce::Sum, by offsets of 32 bits and for segments of one length. Where the CUB at hand
// has no form for one length (before CCCL 3.1, so in CUDA 13.0), a kernel from CUB's own parts stands for it, in the shape that CUB's
// has: a thread up to 16 elements, a warp up to 512, a block of 256 beyond. That side is called cub/parts.

#include <cub/cub.cuh>

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

// --- One length ---

constexpr int block_threads = 256, items = 16;

// What one of `threads` threads has of a row: loads of 16 bytes while all have 16 elements, then single ones.
template <int threads>
__device__ float sum_of_lane(const float *row, int length, int lane)
{
  constexpr int tile = threads * items;
  float         sum = 0;
  int           at = 0;

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

template <int threads>
__device__ float sum_over_lanes(float sum)
{
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

// Rows behind the last are a thread's or a whole warp's.
template <int threads>
__global__ void __launch_bounds__(block_threads) sum_rows(const float *in, float *out, int length, int64_t count)
{
  const int64_t row = static_cast<int64_t>(blockIdx.x) * (block_threads / threads) + threadIdx.x / threads;
  const int     lane = threadIdx.x % threads;

  if (row >= count)
    return;
  const float sum = sum_over_lanes<threads>(sum_of_lane<threads>(in + row * length, length, lane));
  if (lane == 0)
    out[row] = sum;
}

template <int threads>
cudaError_t launch_rows()
{
  constexpr size_t rows = block_threads / threads;

  sum_rows<threads><<<static_cast<unsigned>((segment_count + rows - 1) / rows), block_threads>>>(
    elements, results, segment_length, static_cast<int64_t>(segment_count));
  return cudaGetLastError();
}

cudaError_t sum_by_parts()
{
  if (scratch == nullptr) {
    scratch_bytes = 1;
    return cudaSuccess;
  }
  return segment_length <= items        ? launch_rows<1>()
         : segment_length <= 32 * items ? launch_rows<32>()
                                        : launch_rows<block_threads>();
}

template <typename Reduce, typename = void>
struct has_fixed : std::false_type {};

template <typename Reduce>
struct has_fixed<Reduce, std::void_t<decltype(Reduce::Sum(std::declval<void *>(), std::declval<size_t &>(),
                                                          std::declval<const float *>(), std::declval<float *>(),
                                                          std::declval<int64_t>(), std::declval<int>()))>> : std::true_type {};

template <typename Reduce>
cudaError_t sum_of_one_length()
{
  if constexpr (has_fixed<Reduce>::value)
    return Reduce::Sum(scratch, scratch_bytes, static_cast<const float *>(elements), results, static_cast<int64_t>(segment_count),
                       static_cast<int>(segment_length));
  else
    return sum_by_parts();
}

// --- Both ---

// With no scratch yet, CUB only says how much it needs.
cudaError_t sum()
{
  if (segment_length)
    return sum_of_one_length<cub::DeviceSegmentedReduce>();
  return cub::DeviceSegmentedReduce::Sum(scratch, scratch_bytes, static_cast<const float *>(elements), results,
                                         static_cast<int64_t>(segment_count), static_cast<const int32_t *>(offsets),
                                         static_cast<const int32_t *>(offsets) + 1);
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

constexpr const char *name = has_fixed<cub::DeviceSegmentedReduce>::value ? "cub" : "cub/parts";

}  // namespace

extern "C" const segments_side segments_cub = {{name, 1, 1, run}, prepare, choose, spoil, read_results, release};
