// cub::DeviceScan, and the algorithms that use scans: ReduceByKey, InclusiveSumByKey, DeviceSelect::If.

#include "cuda.cuh"

namespace {

struct is_positive {
  __host__ __device__ bool operator()(const float &x) const {
    return x > 0;
  }
};

// CUB computes in the type of the initial value, which is that of the results, as in the library.
template <typename Element, typename Result> cudaError_t scan_as(cub_job &job) {
  const auto count = static_cast<int32_t>(job.work.count);
  const auto in = job.in<Element>();
  const auto out = job.out<Result>();
  const bool exclusive = job.work.kind == BENCH_EXCLUSIVE;

  if constexpr (std::is_same_v<Element, Result>)
    return exclusive ? cub::DeviceScan::ExclusiveSum(job.scratch, job.scratch_bytes, in, out, count)
                     : cub::DeviceScan::InclusiveSum(job.scratch, job.scratch_bytes, in, out, count);
  else if (exclusive)
    return cub::DeviceScan::ExclusiveScan(job.scratch, job.scratch_bytes, in, out, ::cuda::std::plus<>{}, Result{0},
                                          count);
  else
    return cub::DeviceScan::InclusiveScanInit(job.scratch, job.scratch_bytes, in, out, ::cuda::std::plus<>{}, Result{0},
                                              count);
}

}  // namespace

cudaError_t cub_scan(cub_job &job) {
  if (job.work.narrow == BENCH_OWN_BITS)
    return cub_by_type({scan_as<float, float>, scan_as<double, double>, scan_as<int32_t, int32_t>,
                        scan_as<unsigned char, unsigned char>},
                       job);
  if (job.work.narrow == BENCH_32_BITS)
    return cub_by_type(
      {scan_as<float, float>, scan_as<double, double>, scan_as<int32_t, int32_t>, scan_as<unsigned char, uint32_t>},
      job);
  return cub_by_type(
    {scan_as<float, float>, scan_as<double, double>, scan_as<int32_t, int64_t>, scan_as<unsigned char, uint64_t>}, job);
}

cudaError_t cub_keys(cub_job &job) {
  const auto count = static_cast<int32_t>(job.work.count);
  const int32_t *const keys = job.keys;
  const auto in = job.in<float>();
  const auto out = job.out<float>();
  const auto number = static_cast<uint64_t *>(job.parts[BENCH_NUMBER]);

  switch (job.work.kind) {
  case BENCH_REDUCE_BY_KEY:
    return cub::DeviceReduce::ReduceByKey(job.scratch, job.scratch_bytes, keys,
                                          static_cast<int32_t *>(job.parts[BENCH_KEYS_OUT]), in, out, number,
                                          ::cuda::std::plus<>{}, count);
  case BENCH_SCAN_BY_KEY:
    return cub::DeviceScan::InclusiveSumByKey(job.scratch, job.scratch_bytes, keys, in, out, count);
  default:
    return cub::DeviceSelect::If(job.scratch, job.scratch_bytes, in, out, number, count, is_positive{});
  }
}
