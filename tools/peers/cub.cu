// The peer `cub`: memory, clocks and results. NVIDIA's CUB does the work in the other files.
#include <cstring>

#include "cuda.cuh"

namespace {

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
      upload(&job.offsets, work.offsets, (work.results + 1) * sizeof *work.offsets))
    return 1;
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

// CUB is fastest with 32-bit counts. Only reductions and histograms also have 64-bit counts here.
bool fits(const bench_work &work) {
  return work.kind < BENCH_OTHER &&
         (work.count <= INT32_MAX || work.kind <= BENCH_ARGMIN || work.kind == BENCH_HISTOGRAM);
}

bench_job *prepare(const bench_work *work) {
  static cudaError_t (*const calls[])(cub_job &) = {cub_reduce, cub_reduce, cub_reduce,   cub_reduce,
                                                    cub_scan,   cub_scan,   cub_segments, cub_keys,
                                                    cub_keys,   cub_keys,   cub_histogram};
  if (!fits(*work))
    return nullptr;
  auto *job = new cub_job{};
  job->name = work->kind == BENCH_SEGMENTS ? cub_segments_name : "cub";
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
