// The peer `cub`: memory, clocks and results. NVIDIA's CUB does the work in the other files.

#include <cuda_fp16.h>

#include <chrono>
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
  cudaFree(job->place);
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
    if (bench_part_count(&work, which))
      CHECKED(cudaMalloc(&job.parts[part], bench_part_count(&work, which) * bench_part_size(&work, which)));
  }
  CHECKED(cudaMalloc(reinterpret_cast<void **>(&job.place), sizeof *job.place));
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
  job->call = calls[work->kind];
  if (fill(*job) == 0)
    return job;
  release(job);
  return nullptr;
}

int run_by_events(cub_job &job, double *seconds) {
  float milliseconds = 0;

  CHECKED(cudaEventRecord(job.started));
  CHECKED(job.call(job));
  CHECKED(cudaEventRecord(job.stopped));
  CHECKED(cudaEventSynchronize(job.stopped));
  CHECKED(cudaEventElapsedTime(&milliseconds, job.started, job.stopped));
  *seconds = milliseconds * 1e-3;
  return 0;
}

int run_by_wall(cub_job &job, size_t calls, double *seconds) {
  auto start = std::chrono::steady_clock::now();

  for (size_t i = 0; i < calls; i++)
    CHECKED(job.call(job));
  CHECKED(cudaDeviceSynchronize());
  *seconds =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
  return 0;
}

int run(bench_job *base, bench_clock clock, size_t calls, double *seconds) {
  auto &job = *static_cast<cub_job *>(base);

  CHECKED(cudaDeviceSynchronize());
  return clock == BENCH_DEVICE ? run_by_events(job, seconds) : run_by_wall(job, calls, seconds);
}

char *item(const bench_job &job, bench_part part, size_t first) {
  return static_cast<char *>(job.parts[part]) + first * bench_part_size(&job.work, part);
}

int spoil(bench_job *base, bench_part part, size_t first, size_t count) {
  CHECKED(cudaMemset(item(*base, part, first), 0xff, count * bench_part_size(&base->work, part)));
  CHECKED(cudaMemset(static_cast<cub_job *>(base)->place, 0xff, sizeof(int64_t)));
  return 0;
}

template <typename Result> double as_double(const void *bytes) {
  return static_cast<double>(*static_cast<const Result *>(bytes));
}

double half_as_double(const void *bytes) {
  return __half2float(*static_cast<const __half *>(bytes));
}

// For each type: converts the result of a sum, and that of an extreme.
double (*const values[][2])(const void *) = {{as_double<float>, as_double<float>},
                                             {as_double<double>, as_double<double>},
                                             {as_double<int64_t>, as_double<int>},
                                             {as_double<uint64_t>, as_double<unsigned char>},
                                             {as_double<float>, half_as_double}};

int read(bench_job *base, bench_part part, size_t first, size_t count, void *to) {
  auto &job = *static_cast<cub_job *>(base);
  alignas(8) unsigned char bytes[8];
  int64_t place;

  if (job.work.kind > BENCH_ARGMIN) {
    CHECKED(cudaMemcpy(to, item(job, part, first), count * bench_part_size(&job.work, part), cudaMemcpyDeviceToHost));
    return 0;
  }
  CHECKED(cudaMemcpy(bytes, job.parts[BENCH_RESULTS], sizeof bytes, cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpy(&place, job.place, sizeof place, cudaMemcpyDeviceToHost));
  *static_cast<double *>(to) = job.work.kind == BENCH_ARGMIN ? static_cast<double>(place)
                                                             : values[job.work.type][job.work.kind != BENCH_SUM](bytes);
  return 0;
}

}  // namespace

extern "C" const bench_side bench_peer = {"cub", 1, 1, open, prepare, run, spoil, read, release, nullptr};
