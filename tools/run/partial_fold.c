// Folds the elements of a job into a partial. A stream is read into two buffers by turns: while the device folds one,
// the other is filled.
#include <string.h>

#include "base/fail.h"
#include "run/partial.h"
#include "run/streaming.h"

enum { TURNS = 2, SOURCES_MOST = 1 + USER_INPUTS_MOST, CHUNK_BYTES = 32 << 20 };

struct turn {
  cl_mem buffers[SOURCES_MOST];
  void *memory[SOURCES_MOST];  // while they are mapped
  cl_event folded;             // NULL: nothing was folded
};

struct folder {
  struct job *job;
  clred_partial *partial;
  cl_command_queue transfers;
  struct turn turns[TURNS];
  cl_ulong chunk;  // elements
  uint64_t count;
};

static size_t size_of(const struct folder *folder, size_t source) {
  return job_input(folder->job, source)->type.size;
}

// Chunks end at their multiples in the whole, so that they have large aligned parts.
static uint64_t room_of(const struct folder *folder) {
  return folder->chunk - (folder->job->args->first.value + folder->count) % folder->chunk;
}

static cl_ulong choose_chunk(const struct folder *folder) {
  const struct job *job = folder->job;
  size_t largest = 1;
  for (size_t i = 0; i <= job->other_count; i++)
    largest = size_of(folder, i) > largest ? size_of(folder, i) : largest;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX) / largest, chunk = 1;
  if (job->args->chunk.given)
    return job->args->chunk.value < most ? job->args->chunk.value : most;
  while (2 * chunk <= CHUNK_BYTES / largest && 2 * chunk <= most)
    chunk *= 2;
  return chunk;
}

// ---- Buffers

static int open_turns(struct folder *folder) {
  const struct session *session = &folder->job->session;
  cl_int status;
  folder->chunk = choose_chunk(folder);
  folder->transfers = clCreateCommandQueue(session->context, session->device.id, 0, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateCommandQueue", status, "the transfers of --partial");
  for (size_t i = 0; i < TURNS; i++)
    for (size_t k = 0; k <= folder->job->other_count; k++) {
      folder->turns[i].buffers[k] = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                                                   (size_t)folder->chunk * size_of(folder, k), NULL, &status);
      if (status != CL_SUCCESS)
        return fail_opencl("clCreateBuffer", status, "a chunk of the input");
    }
  return EXIT_DONE;
}

static void close_turns(struct folder *folder) {
  if (folder->transfers != NULL)
    clFinish(folder->transfers);
  for (size_t i = 0; i < TURNS; i++) {
    if (folder->turns[i].folded != NULL)
      clReleaseEvent(folder->turns[i].folded);
    for (size_t k = 0; k < SOURCES_MOST; k++)
      buffer_release(folder->turns[i].buffers[k]);
  }
  if (folder->transfers != NULL)
    clReleaseCommandQueue(folder->transfers);
}

// Waits until the fold that read these buffers is complete.
static int map(struct folder *folder, struct turn *turn, uint64_t room) {
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i <= folder->job->other_count && status == CL_SUCCESS; i++)
    turn->memory[i] = clEnqueueMapBuffer(folder->transfers, turn->buffers[i], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                         0, (size_t)room * size_of(folder, i), turn->folded != NULL,
                                         turn->folded != NULL ? &turn->folded : NULL, NULL, &status);
  if (turn->folded != NULL)
    clReleaseEvent(turn->folded);
  turn->folded = NULL;
  return status ? fail_opencl("clEnqueueMapBuffer", status, "a chunk of the input") : EXIT_DONE;
}

// *ready is the event of the last unmapping; the queue is in order.
static int unmap(struct folder *folder, struct turn *turn, cl_event *ready) {
  cl_int status = CL_SUCCESS;
  const size_t last = folder->job->other_count;
  for (size_t i = 0; i <= last && status == CL_SUCCESS; i++)
    if (turn->memory[i] != NULL)
      status = clEnqueueUnmapMemObject(folder->transfers, turn->buffers[i], turn->memory[i], 0, NULL,
                                       i == last ? ready : NULL);
  memset(turn->memory, 0, sizeof turn->memory);
  if (status == CL_SUCCESS)
    status = clFlush(folder->transfers);
  return status ? fail_opencl("clEnqueueUnmapMemObject", status, "a chunk of the input") : EXIT_DONE;
}

// ---- Chunks

static int fold_chunk(struct folder *folder, struct turn *turn, uint64_t count, cl_event ready) {
  const struct session *session = &folder->job->session;
  const clred_call call = {
    .in = turn->buffers[0], .inputs = folder->job->other_count > 0 ? turn->buffers + 1 : NULL, .count = count};
  if (count == 0)
    return EXIT_DONE;
  return session_check(session, clred_partial_fold(session->queue, folder->partial, &call, 1, &ready, &turn->folded));
}

static int take_chunk(struct folder *folder, struct turn *turn, bool *ends) {
  struct job *job = folder->job;
  const uint64_t room = room_of(folder);
  uint64_t got = 0;
  cl_event ready = NULL;
  int code = map(folder, turn, room);
  code = code ? code : reader_read(job, turn->memory[0], turn->memory + 1, room, &got);
  int unmapped = unmap(folder, turn, &ready);
  code = code ? code : unmapped;
  code = code ? code : fold_chunk(folder, turn, got, ready);
  if (ready != NULL)
    clReleaseEvent(ready);
  folder->count += got;
  *ends = got < room;
  progress_bytes(&job->progress, "reading and folding", folder->count * job->input.type.size,
                 job->input.counted ? input_bytes(&job->input) : 0);
  return code;
}

static int fold_stream(struct folder *folder) {
  bool ends = false;
  int code = open_turns(folder);
  for (size_t i = 0; !code && !ends; i++)
    code = take_chunk(folder, &folder->turns[i % TURNS], &ends);
  progress_end(&folder->job->progress);
  // A fold that still runs reads the buffers.
  clFinish(folder->job->session.queue);
  close_turns(folder);
  return code ? code : job_recount(folder->job, folder->count);
}

static int fold_loaded(struct job *job, clred_partial *partial) {
  if (job->work.call.count == 0)
    return EXIT_DONE;
  return session_check(&job->session, clred_partial_fold(job->session.queue, partial, &job->work.call, 0, NULL, NULL));
}

int partial_fold(struct job *job, clred_partial *partial) {
  struct folder folder = {.job = job, .partial = partial};
  clred_partial_info info;
  int code = job->streams ? fold_stream(&folder) : fold_loaded(job, partial);
  // Waits for the last fold, which may have failed.
  return code ? code : session_check(&job->session, clred_partial_inspect(partial, &info));
}
