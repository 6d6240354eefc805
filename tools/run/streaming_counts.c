// Streams of histograms: the counts of all chunks are added up.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "run/streaming.h"

struct counting {
  struct job *job;
  clred_plan *plan;
  struct results *total;
  cl_ulong chunk;  // elements
  void *memory;
  cl_ulong *counts;  // of one chunk
  uint64_t count;
  double seconds;
};

// With many bins a chunk is larger, because each chunk returns all counts.
static cl_ulong choose_chunk(const struct job *job, uint64_t bins) {
  enum { GOOD_BYTES = 4 << 20 };
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX) / job->input.type.size;
  cl_ulong good = GOOD_BYTES / job->input.type.size, chunk = good > 4 * bins ? good : 4 * bins;
  chunk = job->args->chunk.given ? job->args->chunk.value : chunk;
  chunk = chunk < most ? chunk : most;
  return chunk > 0 ? chunk : 1;
}

static int count_chunk(struct counting *at, uint64_t count) {
  double seconds = 0;
  const clred_host_call call = {.in = at->memory, .count = count, .out = at->counts};
  cl_int status = count > 0 ? clred_plan_run_host(at->job->session.queue, at->plan, &call) : CL_SUCCESS;
  for (uint64_t i = 0; i < at->total->count && count > 0 && status == CL_SUCCESS; i++)
    ((cl_ulong *)(void *)at->total->bytes)[i] += at->counts[i];
  if (count > 0 && clred_plan_seconds(at->plan, &seconds) == CL_SUCCESS)
    at->seconds += seconds;
  return session_check(&at->job->session, status);
}

static int count_all(struct counting *at) {
  struct input *input = &at->job->input;
  uint64_t got = at->chunk;
  int code = EXIT_DONE;
  while (!code && got == at->chunk) {
    code = input_read(input, at->memory, at->chunk, &got);
    code = code ? code : count_chunk(at, got);
    at->count += got;
    progress_show(&at->job->progress, "reading and counting", at->count, input->counted ? input->count : 0);
  }
  progress_end(&at->job->progress);
  input->count = at->count;
  input->counted = true;
  return code;
}

static int take_measures(const struct counting *at, double begun, struct outcome *outcome) {
  outcome->wall_seconds = seconds_now() - begun;
  outcome->kernel_seconds = at->seconds > 0 ? at->seconds : NAN;
  outcome->steady = true;
  outcome->calls = 1;
  outcome->chunk = at->chunk;
  return streaming_inspect(at->job, at->plan, at->chunk, at->count, &outcome->info);
}

int streaming_counts(struct job *job, clred_plan *plan, uint64_t bins, struct outcome *outcome) {
  struct counting at = {.job = job, .plan = plan, .total = &outcome->results, .chunk = choose_chunk(job, bins)};
  double begun = seconds_now();
  int code = session_check(&job->session, clred_plan_inspect(plan, 0, &outcome->info));
  code = code ? code : results_make(&outcome->results, plan, &outcome->info, bins, false, NULL);
  at.memory = pages_allocate(at.chunk * job->input.type.size);
  at.counts = calloc((size_t)bins, sizeof *at.counts);
  if (!code && (at.memory == NULL || at.counts == NULL))
    code = fail_memory();
  code = code ? code : count_all(&at);
  code = code ? code : take_measures(&at, begun, outcome);
  free(at.memory);
  free(at.counts);
  return code;
}
