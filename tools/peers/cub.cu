// The peer `cub`: NVIDIA's CUB. Each work has a function that enqueues it once; if job.scratch is NULL, CUB only stores
// how many bytes it needs.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cub/cub.cuh>
#include <type_traits>

#include "peer_side.h"

namespace {

struct cub_job : bench_job {
  void *elements;  // in device memory, as are all pointers here
  int32_t *keys, *offsets;
  uint32_t *values;
  void *sorted;  // ARGSORT: the keys, which SortPairs also writes
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

// Calls the function for the type of the elements; NULL: there is none. The list has the order of enum bench_type.
cudaError_t cub_by_type(cudaError_t (*const (&functions)[BENCH_TYPES])(cub_job &), cub_job &job) {
  const auto function = functions[job.work.type];
  return function == nullptr ? cudaErrorInvalidValue : function(job);
}

// CUB is fastest with 32-bit counts. Only reductions and histograms also have 64-bit counts here.
template <typename Call> cudaError_t with_count(const cub_job &job, Call call) {
  return job.work.count <= INT32_MAX ? call(static_cast<int32_t>(job.work.count))
                                     : call(static_cast<int64_t>(job.work.count));
}

// ---- cub::DeviceReduce and cub::DeviceHistogram::HistogramEven

// The type of sums is wider than the type of the elements. No iterator converts the elements, because CUB would then
// not use wide loads.
template <typename Element, typename State> cudaError_t reduce_as(cub_job &job) {
  const auto in = job.in<Element>();
  if (job.work.kind == BENCH_ARGMIN)
    return cub::DeviceReduce::ArgMin(job.scratch, job.scratch_bytes, in,
                                     reinterpret_cast<Element *>(job.out<int64_t>() + 1), job.out<int64_t>(),
                                     static_cast<int64_t>(job.work.count));
  return with_count(job, [&](auto count) {
    if (job.work.kind == BENCH_MIN)
      return cub::DeviceReduce::Min(job.scratch, job.scratch_bytes, in, job.out<Element>(), count);
    if (job.work.kind == BENCH_MAX)
      return cub::DeviceReduce::Max(job.scratch, job.scratch_bytes, in, job.out<Element>(), count);
    if constexpr (std::is_same_v<Element, __half>)
      return cub::DeviceReduce::Reduce(job.scratch, job.scratch_bytes, in, job.out<State>(), count,
                                       ::cuda::std::plus<float>(), 0.0f);
    else
      return cub::DeviceReduce::Sum(job.scratch, job.scratch_bytes, in, job.out<State>(), count);
  });
}

template <typename Element, typename Level> cudaError_t count_as(cub_job &job) {
  return with_count(job, [&](auto count) {
    return cub::DeviceHistogram::HistogramEven(job.scratch, job.scratch_bytes, job.in<Element>(),
                                               job.out<unsigned int>(), static_cast<int>(job.work.results) + 1,
                                               static_cast<Level>(job.work.low), static_cast<Level>(job.work.high),
                                               count);
  });
}

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

// ---- cub::DeviceScan, and the algorithms that use scans: ReduceByKey, InclusiveSumByKey, DeviceSelect::If

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

// ---- cub::DeviceSegmentedReduce::Sum, by offsets of 32 bits and for segments of one length

cudaError_t cub_segments(cub_job &job) {
  const auto in = job.in<float>();
  const auto out = job.out<float>();
  const auto count = static_cast<int64_t>(job.work.results);
  if (job.work.length == 0)
    return cub::DeviceSegmentedReduce::Sum(job.scratch, job.scratch_bytes, in, out, count, job.offsets,
                                           job.offsets + 1);
#if CUB_VERSION >= 300100
  return cub::DeviceSegmentedReduce::Sum(job.scratch, job.scratch_bytes, in, out, count,
                                         static_cast<int>(job.work.length));
#else  // CUDA 13.0 and before
  return cudaErrorNotSupported;
#endif
}

// ---- cub::DeviceRadixSort, cub::DeviceSegmentedSort and cub::DeviceSegmentedRadixSort, from one memory to another

// Indices are values of SortPairs. The time to write them before the sort is not counted.
template <typename Key> cudaError_t sort_as(cub_job &job) {
  const auto count = static_cast<uint32_t>(job.work.count);
  const bool indices = job.work.kind == BENCH_ARGSORT;
  if (job.work.kind == BENCH_SORT_KEYS)
    return cub::DeviceRadixSort::SortKeys(job.scratch, job.scratch_bytes, job.in<Key>(), job.out<Key>(), count);
  return cub::DeviceRadixSort::SortPairs(
    job.scratch, job.scratch_bytes, job.in<Key>(), indices ? static_cast<Key *>(job.sorted) : job.out<Key>(),
    static_cast<const uint32_t *>(job.values),
    static_cast<uint32_t *>(job.parts[indices ? BENCH_RESULTS : BENCH_VALUES_OUT]), count);
}

cudaError_t cub_sort(cub_job &job) {
  return cub_by_type({sort_as<float>, sort_as<double>, sort_as<int32_t>, sort_as<unsigned char>, sort_as<__half>,
                      sort_as<unsigned short>, sort_as<int64_t>, sort_as<uint32_t>, sort_as<uint64_t>},
                     job);
}

cudaError_t cub_segmented_sort(cub_job &job) {
  const auto count = static_cast<int>(job.work.count), segments = static_cast<int>(job.work.results);
  const auto in = job.in<float>();
  const auto out = job.out<float>();
  const int32_t *const offsets = job.offsets;
  if (job.work.type != BENCH_FLOAT)
    return cudaErrorInvalidValue;
  if (job.work.strategy != nullptr)
    return cub::DeviceSegmentedRadixSort::SortKeys(job.scratch, job.scratch_bytes, in, out, count, segments, offsets,
                                                   offsets + 1);
  return cub::DeviceSegmentedSort::SortKeys(job.scratch, job.scratch_bytes, in, out, count, segments, offsets,
                                            offsets + 1);
}

// ---- Memory, clocks and results

int cuda_failed(cudaError_t error, const char *call) {
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

// The CUDA device of this name; if there are several, the first.
int open(unsigned, const char *name) {
  int count = 0;
  CHECKED(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++) {
    cudaDeviceProp properties;
    CHECKED(cudaGetDeviceProperties(&properties, i));
    if (std::strcmp(properties.name, name) == 0)
      return cuda_failed(cudaSetDevice(i), "cudaSetDevice");
  }
  return 1;
}

void release(bench_job *base) {
  auto *job = static_cast<cub_job *>(base);
  for (void *part : job->parts)
    cudaFree(part);
  cudaFree(job->elements);
  cudaFree(job->keys);
  cudaFree(job->offsets);
  cudaFree(job->values);
  cudaFree(job->sorted);
  cudaFree(job->scratch);
  if (job->started)
    cudaEventDestroy(job->started);
  if (job->stopped)
    cudaEventDestroy(job->stopped);
  delete job;
}

template <typename Element> int upload(Element **to, const void *from, size_t bytes) {
  if (from == nullptr)
    return 0;
  CHECKED(cudaMalloc(reinterpret_cast<void **>(to), bytes));
  CHECKED(cudaMemcpy(*to, from, bytes, cudaMemcpyHostToDevice));
  return 0;
}

int fill(cub_job &job) {
  const bench_work &work = job.work;
  if (upload(&job.elements, work.elements, work.count * bench_size(work.type)) ||
      upload(&job.keys, work.keys, work.count * sizeof *work.keys) ||
      upload(&job.offsets, work.offsets, (work.results + 1) * sizeof *work.offsets) ||
      upload(&job.values, work.values, work.count * sizeof *work.values))
    return 1;
  if (work.kind == BENCH_ARGSORT)
    CHECKED(cudaMalloc(&job.sorted, work.count * bench_size(work.type)));
  for (int part = 0; part < BENCH_PARTS; part++) {
    const auto which = static_cast<bench_part>(part);
    const size_t count = bench_part_count(&work, which);
    if (count > 0)  // behind the index of ArgMin is room for the minimum
      CHECKED(cudaMalloc(&job.parts[part], count * bench_part_size(&work, which) + sizeof(int64_t)));
  }
  CHECKED(cudaEventCreate(&job.started));
  CHECKED(cudaEventCreate(&job.stopped));
  CHECKED(job.call(job));
  CHECKED(cudaMalloc(&job.scratch, job.scratch_bytes ? job.scratch_bytes : 1));
  return 0;
}

bool fits(const bench_work &work) {
  const bool radix = work.strategy != nullptr && std::strcmp(work.strategy, "radix") == 0;
  if (work.strategy != nullptr && !(radix && work.kind == BENCH_SEGMENTED_SORT))
    return false;
  if (bench_is_sort(&work) && work.kind != BENCH_SEGMENTED_SORT)
    return work.count <= UINT32_MAX;
  return work.kind < BENCH_OTHER &&
         (work.count <= INT32_MAX || work.kind <= BENCH_ARGMIN || work.kind == BENCH_HISTOGRAM);
}

bench_job *prepare(const bench_work *work) {
  static cudaError_t (*const calls[])(cub_job &) = {cub_reduce, cub_reduce, cub_reduce,   cub_reduce,
                                                    cub_scan,   cub_scan,   cub_segments, cub_keys,
                                                    cub_keys,   cub_keys,   cub_histogram, cub_sort,
                                                    cub_sort,   cub_sort,   cub_segmented_sort};
  if (!fits(*work))
    return nullptr;
  auto *job = new cub_job{};
  job->name = work->strategy == nullptr ? "cub" : "cub:radix";
  job->work = *work;
  job->result_type = cub_result_type(*work);
  job->call = calls[work->kind];
  if (fill(*job) == 0)
    return job;
  release(job);
  return nullptr;
}

int enqueue(bench_job *base) {
  auto &job = *static_cast<cub_job *>(base);
  CHECKED(job.call(job));
  return 0;
}

int finish(bench_job *) {
  CHECKED(cudaDeviceSynchronize());
  return 0;
}

int time_on_device(bench_job *base, double *seconds) {
  auto &job = *static_cast<cub_job *>(base);
  float milliseconds = 0;
  CHECKED(cudaEventRecord(job.started));
  CHECKED(job.call(job));
  CHECKED(cudaEventRecord(job.stopped));
  CHECKED(cudaEventSynchronize(job.stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, job.started, job.stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

int copy(bench_job *job, bench_part part, int into_part, size_t at, size_t bytes, void *memory) {
  void *const item = static_cast<char *>(job->parts[part]) + at;
  CHECKED(cudaMemcpy(into_part ? item : memory, into_part ? memory : item, bytes, cudaMemcpyDefault));
  return 0;
}

}  // namespace

extern "C" const bench_side bench_peer = {"cub",  1,      open,           prepare, release, enqueue,
                                          finish, time_on_device, copy, nullptr};
