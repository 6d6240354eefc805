// peer_keys_cub.cu: cub::DeviceReduce::ReduceByKey, cub::DeviceScan::InclusiveSumByKey and cub::DeviceSelect::If.

#include <cub/cub.cuh>

#include <cstdint>

#include "cuda_turns.cuh"
#include "keys_side.h"

namespace {

int32_t  *keys, *keys_out, *number;
float    *values, *results;
void     *scratch;
size_t    scratch_bytes;
int32_t   length;  // CUB is at its best with 32-bit counts
keys_task task;

struct is_positive {
  __host__ __device__ bool operator()(const float &x) const { return x > 0; }
};

// With no scratch yet, CUB only says how much it needs.
cudaError_t work()
{
  auto keys_in = static_cast<const int32_t *>(keys);
  auto values_in = static_cast<const float *>(values);

  switch (task) {
  case KEYS_REDUCE:
    return cub::DeviceReduce::ReduceByKey(scratch, scratch_bytes, keys_in, keys_out, values_in, results, number,
                                          ::cuda::std::plus<>{}, length);
  case KEYS_SCAN:
    return cub::DeviceScan::InclusiveSumByKey(scratch, scratch_bytes, keys_in, values_in, results, length);
  case KEYS_SELECT:
    return cub::DeviceSelect::If(scratch, scratch_bytes, values_in, results, number, length, is_positive{});
  default:
    return cudaErrorInvalidValue;
  }
}

template <typename Element>
int claim(Element **memory, size_t count)
{
  CHECKED(cudaMalloc(reinterpret_cast<void **>(memory), count * sizeof(Element)));
  return 0;
}

int prepare(const keys_work *given)
{
  const size_t bytes = given->count * 4;

  if (given->count > INT32_MAX)
    return cuda_failed(cudaErrorInvalidValue, "more elements than 32-bit counts have");
  length = static_cast<int32_t>(given->count);
  if (claim(&keys, given->count) || claim(&keys_out, given->count) || claim(&values, given->count) ||
      claim(&results, given->count) || claim(&number, 1))
    return 1;
  CHECKED(cudaMemcpy(keys, given->keys, bytes, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(values, given->values, bytes, cudaMemcpyHostToDevice));
  return 0;
}

int choose(keys_task chosen)
{
  task = chosen;
  CHECKED(cudaFree(scratch));
  scratch = nullptr;
  CHECKED(cudaMemset(keys_out, 0xff, static_cast<size_t>(length) * 4));
  CHECKED(cudaMemset(results, 0xff, static_cast<size_t>(length) * 4));
  CHECKED(cudaMemset(number, 0xff, sizeof *number));
  CHECKED(work());
  CHECKED(cudaMalloc(&scratch, scratch_bytes ? scratch_bytes : 1));
  return 0;
}

int run(bench_clock clock, size_t calls, double *seconds)
{
  return run_by(clock, work, calls, seconds);
}

int read_results(size_t count, float *results_read, int32_t *keys_read, uint64_t *number_read)
{
  int32_t said = 0;

  CHECKED(cudaMemcpy(results_read, results, count * 4, cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpy(keys_read, keys_out, count * 4, cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpy(&said, number, sizeof said, cudaMemcpyDeviceToHost));
  *number_read = task == KEYS_SCAN ? 0 : static_cast<uint64_t>(said);
  return 0;
}

void release()
{
  cudaFree(keys);
  cudaFree(keys_out);
  cudaFree(values);
  cudaFree(results);
  cudaFree(number);
  cudaFree(scratch);
  keys = keys_out = number = nullptr;
  values = results = nullptr;
  scratch = nullptr;
}

}  // namespace

extern "C" const keys_side keys_cub = {{"cub", 1, 1, run}, prepare, choose, read_results, release};
