// cub::DeviceReduce and cub::DeviceHistogram::HistogramEven.

#include <cuda_fp16.h>

#include "cuda.cuh"

namespace {

// The type of sums is wider than the type of the elements. No iterator converts the elements, because CUB would then
// not use wide loads.
template <typename Element, typename State, typename Count> cudaError_t reduce_counted(cub_job &job) {
  const auto in = job.in<Element>();
  const auto count = static_cast<Count>(job.work.count);

  switch (job.work.kind) {
  case BENCH_SUM:
    if constexpr (std::is_same_v<Element, __half>)
      return cub::DeviceReduce::Reduce(job.scratch, job.scratch_bytes, in, job.out<State>(), count,
                                       ::cuda::std::plus<float>(), 0.0f);
    else
      return cub::DeviceReduce::Sum(job.scratch, job.scratch_bytes, in, job.out<State>(), count);
  case BENCH_MIN:
    return cub::DeviceReduce::Min(job.scratch, job.scratch_bytes, in, job.out<Element>(), count);
  case BENCH_MAX:
    return cub::DeviceReduce::Max(job.scratch, job.scratch_bytes, in, job.out<Element>(), count);
  default:
    return cub::DeviceReduce::ArgMin(job.scratch, job.scratch_bytes, in,
                                     reinterpret_cast<Element *>(job.out<int64_t>() + 1), job.out<int64_t>(),
                                     static_cast<int64_t>(job.work.count));
  }
}

// CUB is fastest with 32-bit counts.
template <typename Element, typename State> cudaError_t reduce_as(cub_job &job) {
  return job.work.count <= INT32_MAX ? reduce_counted<Element, State, int32_t>(job)
                                     : reduce_counted<Element, State, int64_t>(job);
}

template <typename Element, typename Level, typename Count> cudaError_t count_counted(cub_job &job) {
  return cub::DeviceHistogram::HistogramEven(job.scratch, job.scratch_bytes, job.in<Element>(), job.out<unsigned int>(),
                                             static_cast<int>(job.work.results) + 1, static_cast<Level>(job.work.low),
                                             static_cast<Level>(job.work.high), static_cast<Count>(job.work.count));
}

template <typename Element, typename Level> cudaError_t count_as(cub_job &job) {
  return job.work.count <= INT32_MAX ? count_counted<Element, Level, int>(job)
                                     : count_counted<Element, Level, long long>(job);
}

}  // namespace

bench_type cub_result_type(const bench_work &work) {
  const bool is_float = work.type == BENCH_FLOAT || work.type == BENCH_DOUBLE;
  if (work.kind == BENCH_ARGMIN)
    return BENCH_LONG;
  return work.kind != BENCH_SUM || is_float ? work.type : work.type == BENCH_HALF ? BENCH_FLOAT : BENCH_LONG;
}

cudaError_t cub_reduce(cub_job &job) {
  return cub_by_type({reduce_as<float, float>, reduce_as<double, double>, reduce_as<int, int64_t>,
                      reduce_as<unsigned char, uint64_t>, reduce_as<__half, float>},
                     job);
}

// Counters have 32 bits, because CUB is fastest with these.
cudaError_t cub_histogram(cub_job &job) {
  if (!job.work.narrow)
    return cudaErrorInvalidValue;
  return cub_by_type({count_as<float, float>, nullptr, count_as<int, int>, count_as<unsigned char, int>, nullptr,
                      count_as<unsigned short, int>},
                     job);
}
