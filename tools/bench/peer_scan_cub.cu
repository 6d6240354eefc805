// peer_scan_cub.cu: cub::DeviceScan's sums on device memory, NVIDIA's own scan. One side has results of 64 bits for integers,
// as ours are: CUB computes in the type of the initial value. The other, narrow, has results of the elements' own type.

#include <cub/cub.cuh>

#include <cstdint>

#include "cuda_turns.cuh"
#include "scan_side.h"

namespace {

struct scan_state {
  void      *elements, *results, *scratch;
  size_t     scratch_bytes, result_size;
  int32_t    length;  // CUB is at its best with 32-bit counts
  bench_type type;
  bool       exclusive;
};

template <bool narrow>
scan_state state;

// With no scratch yet, CUB only says how much it needs.
template <typename Element, typename Result>
cudaError_t scan_wide(scan_state &s)
{
  auto elements = static_cast<const Element *>(s.elements);
  auto results = static_cast<Result *>(s.results);

  if (s.exclusive)
    return cub::DeviceScan::ExclusiveScan(s.scratch, s.scratch_bytes, elements, results, ::cuda::std::plus<>{}, Result{0},
                                          s.length);
  return cub::DeviceScan::InclusiveScanInit(s.scratch, s.scratch_bytes, elements, results, ::cuda::std::plus<>{}, Result{0},
                                            s.length);
}

template <typename Element>
cudaError_t scan_plain(scan_state &s)
{
  auto elements = static_cast<const Element *>(s.elements);
  auto results = static_cast<Element *>(s.results);

  if (s.exclusive)
    return cub::DeviceScan::ExclusiveSum(s.scratch, s.scratch_bytes, elements, results, s.length);
  return cub::DeviceScan::InclusiveSum(s.scratch, s.scratch_bytes, elements, results, s.length);
}

template <bool narrow>
cudaError_t scan()
{
  scan_state &s = state<narrow>;

  switch (s.type) {
  case BENCH_FLOAT:  return scan_plain<float>(s);
  case BENCH_DOUBLE: return scan_plain<double>(s);
  case BENCH_INT:
    if constexpr (narrow)
      return scan_plain<int32_t>(s);
    else
      return scan_wide<int32_t, int64_t>(s);
  case BENCH_UCHAR:
    if constexpr (narrow)
      return scan_plain<unsigned char>(s);
    else
      return scan_wide<unsigned char, uint64_t>(s);
  }
  return cudaErrorInvalidValue;
}

size_t element_size(bench_type type)
{
  return type == BENCH_DOUBLE ? 8 : type == BENCH_UCHAR ? 1 : 4;
}

template <bool narrow>
int prepare(const void *data, bench_type type, size_t count)
{
  scan_state &s = state<narrow>;

  s = scan_state{};
  if (count > INT32_MAX)
    return cuda_failed(cudaErrorInvalidValue, "more elements than 32-bit counts have");
  s.type = type;
  s.length = static_cast<int32_t>(count);
  s.result_size = narrow || type == BENCH_FLOAT ? element_size(type) : 8;
  CHECKED(cudaMalloc(&s.elements, count * element_size(type)));
  CHECKED(cudaMalloc(&s.results, count * s.result_size));
  CHECKED(cudaMemcpy(s.elements, data, count * element_size(type), cudaMemcpyHostToDevice));
  return 0;
}

template <bool narrow>
int choose(int exclusive)
{
  scan_state &s = state<narrow>;

  CHECKED(cudaFree(s.scratch));
  s.scratch = nullptr;
  s.exclusive = exclusive != 0;
  CHECKED(scan<narrow>());
  CHECKED(cudaMalloc(&s.scratch, s.scratch_bytes));
  return 0;
}

template <bool narrow>
int run(bench_clock clock, size_t calls, double *seconds)
{
  return run_by(clock, scan<narrow>, calls, seconds);
}

template <bool narrow>
int spoil(size_t first, size_t count)
{
  scan_state &s = state<narrow>;

  CHECKED(cudaMemset(static_cast<char *>(s.results) + first * s.result_size, 0xff, count * s.result_size));
  return 0;
}

template <bool narrow>
int read(size_t first, size_t count, void *results)
{
  scan_state &s = state<narrow>;

  CHECKED(cudaMemcpy(results, static_cast<char *>(s.results) + first * s.result_size, count * s.result_size,
                     cudaMemcpyDeviceToHost));
  return 0;
}

template <bool narrow>
void release()
{
  scan_state &s = state<narrow>;

  cudaFree(s.elements);
  cudaFree(s.results);
  cudaFree(s.scratch);
  s = scan_state{};
}

}  // namespace

extern "C" const scan_side scan_cub = {
  {"cub", 1, 1, run<false>}, 0, prepare<false>, choose<false>, spoil<false>, read<false>, release<false>};
extern "C" const scan_side scan_cub_narrow = {
  {"cub-narrow", 1, 1, run<true>}, 1, prepare<true>, choose<true>, spoil<true>, read<true>, release<true>};
