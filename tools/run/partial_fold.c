// Folds the elements of a stream into a partial. The elements are read in chunks, which the devices get in turn: while
// they fold, the next chunk is read. Each chunk is a partial of its own, and joins the whole in the order of the
// chunks.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "run/partial.h"
#include "run/streaming.h"

enum { TURNS_EACH = 2, CHUNK_BYTES = 32 << 20 };

// A chunk of one device.
struct turn {
  size_t device;
  cl_command_queue transfers;
  cl_mem buffers[SPREAD_SOURCES];
  void *memory[SPREAD_SOURCES];  // while they are mapped
  clred_partial *partial;
  struct spread_fold fold;
};

struct folder {
  struct spread *spread;
  struct job *job;
  clred_partial *whole;
  struct turn *turns;
  size_t turn_count;
  cl_ulong chunk;  // elements
  uint64_t count;
};

static size_t size_of(const struct folder *folder, size_t source) {
  return folder->job->inputs[source].type.size;
}

// Chunks end at their multiples in the whole, so that they have large aligned parts.
static uint64_t room_of(const struct folder *folder) {
  return folder->chunk - (folder->job->args->first.value + folder->count) % folder->chunk;
}

static cl_ulong choose_chunk(const struct folder *folder) {
  const struct job *job = folder->job;
  size_t largest = 1;
  cl_ulong most = CL_ULONG_MAX, chunk = 1;
  for (size_t i = 0; i <= job->other_count; i++)
    largest = size_of(folder, i) > largest ? size_of(folder, i) : largest;
  for (size_t i = 0; i < folder->spread->count; i++) {
    const cl_ulong room = session_fact(folder->spread->devices[i].session, "max_alloc", CL_ULONG_MAX) / largest;
    most = room < most ? room : most;
  }
  if (job->args->chunk.given)
    return job->args->chunk.value < most ? job->args->chunk.value : most;
  while (2 * chunk <= CHUNK_BYTES / largest && 2 * chunk <= most)
    chunk *= 2;
  return chunk;
}

// ---- Buffers

static int open_turn(struct folder *folder, struct turn *turn) {
  const struct session *session = folder->spread->devices[turn->device].session;
  cl_int status;
  turn->transfers = clCreateCommandQueue(session->context, session->device.id, 0, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateCommandQueue", status, "the transfers of a stream");
  for (size_t k = 0; k <= folder->job->other_count; k++) {
    turn->buffers[k] = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                                      (size_t)folder->chunk * size_of(folder, k), NULL, &status);
    if (status != CL_SUCCESS)
      return fail_opencl("clCreateBuffer", status, "a chunk of the input");
  }
  return spread_partial(folder->spread, turn->device, 0, &turn->partial);
}

static int open_turns(struct folder *folder) {
  const size_t count = TURNS_EACH * folder->spread->count;
  folder->chunk = choose_chunk(folder);
  folder->turns = calloc(count, sizeof *folder->turns);
  int code = folder->turns == NULL ? fail_memory() : EXIT_DONE;
  for (; folder->turn_count < count && !code; folder->turn_count++) {
    struct turn *turn = &folder->turns[folder->turn_count];
    turn->device = folder->turn_count % folder->spread->count;
    code = open_turn(folder, turn);
  }
  return code;
}

// After a failure a fold may still read the buffers.
static void close_turn(const struct folder *folder, struct turn *turn) {
  if (turn->transfers != NULL)
    clFinish(turn->transfers);
  clFinish(folder->spread->devices[turn->device].session->queue);
  spread_drop(&turn->fold);
  clred_partial_release(turn->partial);
  for (size_t k = 0; k < SPREAD_SOURCES; k++)
    buffer_release(turn->buffers[k]);
  if (turn->transfers != NULL)
    clReleaseCommandQueue(turn->transfers);
}

static int map(const struct folder *folder, struct turn *turn, uint64_t room) {
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i <= folder->job->other_count && status == CL_SUCCESS; i++)
    turn->memory[i] = clEnqueueMapBuffer(turn->transfers, turn->buffers[i], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                         (size_t)room * size_of(folder, i), 0, NULL, NULL, &status);
  return status ? fail_opencl("clEnqueueMapBuffer", status, "a chunk of the input") : EXIT_DONE;
}

// *ready is the event of the last unmapping; the queue is in order.
static int unmap(const struct folder *folder, struct turn *turn, cl_event *ready) {
  cl_int status = CL_SUCCESS;
  const size_t last = folder->job->other_count;
  for (size_t i = 0; i <= last && status == CL_SUCCESS; i++)
    if (turn->memory[i] != NULL)
      status =
        clEnqueueUnmapMemObject(turn->transfers, turn->buffers[i], turn->memory[i], 0, NULL, i == last ? ready : NULL);
  memset(turn->memory, 0, sizeof turn->memory);
  if (status != CL_SUCCESS)
    return fail_opencl("clEnqueueUnmapMemObject", status, "a chunk of the input");
  status = clFlush(turn->transfers);
  return status ? fail_opencl("clFlush", status, "a chunk of the input") : EXIT_DONE;
}

// ---- Chunks

// Joins the chunk of this turn to the whole. It follows the chunks that were joined before.
static int finish_turn(struct folder *folder, struct turn *turn) {
  if (turn->fold.folded == NULL)
    return EXIT_DONE;
  int code = spread_wait(folder->spread, turn->device, turn->partial, &turn->fold);
  return code ? code : spread_check(folder->spread, 0, clred_partial_join(folder->whole, turn->partial));
}

static int fold_chunk(struct folder *folder, struct turn *turn, uint64_t count, cl_event ready) {
  const clred_call call = {
    .in = turn->buffers[0], .inputs = folder->job->other_count > 0 ? turn->buffers + 1 : NULL, .count = count};
  if (count == 0)
    return EXIT_DONE;
  folder->spread->devices[turn->device].count += count;
  int code = spread_check(folder->spread, turn->device,
                          clred_partial_reset(turn->partial, folder->job->args->first.value + folder->count));
  return code ? code : spread_enqueue(folder->spread, turn->device, turn->partial, &call, ready, &turn->fold);
}

static int take_chunk(struct folder *folder, struct turn *turn, bool *ends) {
  struct job *job = folder->job;
  const uint64_t room = room_of(folder);
  uint64_t got = 0;
  cl_event ready = NULL;
  int code = finish_turn(folder, turn);
  code = code ? code : map(folder, turn, room);
  if (code)
    return code;
  code = reader_read(job, turn->memory[0], turn->memory + 1, room, &got);
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

static int take_all(struct folder *folder) {
  bool ends = false;
  size_t turn = 0;
  int code = EXIT_DONE;
  for (; !code && !ends; turn++)
    code = take_chunk(folder, &folder->turns[turn % folder->turn_count], &ends);
  // The next turn has the first chunk that was not joined yet.
  for (size_t i = 0; i < folder->turn_count && !code; i++)
    code = finish_turn(folder, &folder->turns[(turn + i) % folder->turn_count]);
  return code;
}

int partial_fold_stream(struct spread *spread, clred_partial *whole) {
  struct folder folder = {.spread = spread, .job = spread->job, .whole = whole};
  int code = open_turns(&folder);
  code = code ? code : take_all(&folder);
  progress_end(&spread->job->progress);
  for (size_t i = 0; folder.turns != NULL && i < TURNS_EACH * spread->count; i++)
    close_turn(&folder, &folder.turns[i]);
  free(folder.turns);
  return code ? code : job_recount(spread->job, folder.count);
}
