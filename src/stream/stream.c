// Streams: the caller pushes elements in pieces and gets one result for all of them. A piece is folded into states, and
// many states into one.
#include "stream/stream.h"

#include <stdint.h>
#include <string.h>

#include "host/values.h"
#include "opencl/session.h"
#include "platform/platform.h"

// --- The memory of pieces: host memory, device buffers, and the transfers between them ---

// Adds the run times of finished launches to the stream's total and releases their events.
static bool ask_time(cl_event event, cl_profiling_info what, cl_ulong *nanoseconds) {
  return !clGetEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, NULL);
}

static void forget(clred_stream *stream, cl_event *first, cl_event *last) {
  cl_ulong begun, ended;
  if (*first && *last && ask_time(*first, CL_PROFILING_COMMAND_START, &begun) &&
      ask_time(*last, CL_PROFILING_COMMAND_END, &ended) && ended > begun)
    stream->seconds += 1e-9 * (double)(ended - begun);
  clr_release_event(first);
  clr_release_event(last);
}

cl_int clr_piece_retire(clred_stream *stream, struct clr_piece *piece, struct clr_status *status) {
  cl_int err = piece->done ? clWaitForEvents(1, &piece->done) : CL_SUCCESS;
  forget(stream, &piece->first, &piece->done);
  clr_release_event(&piece->written);
  // Buffers around shared memory are released after their launches: a buffer holds what the memory had when the buffer
  // was created.
  if (stream->is_shared)
    clr_release_buffers(piece->buffers, stream->source_count);
  return err ? clr_fail_call(status, err, "clWaitForEvents", "a chunk") : CL_SUCCESS;
}

static cl_int make_buffer(clred_stream *stream, cl_mem_flags flags, size_t bytes, const void *memory, cl_mem *buffer,
                          struct clr_status *status) {
  return clr_buffer_make(stream->plan->runtime->context, flags, bytes, memory, "a chunk", buffer, status);
}

// Allocates whole pages: devices that can use host memory in place accept these.
static cl_int allocate(struct clr_piece *piece, size_t source, size_t bytes, struct clr_status *status) {
  const size_t page = 4096;
  size_t whole = clr_round_up(bytes, page);
  piece->memory[source] = whole >= bytes ? clr_aligned_alloc(page, whole) : NULL;
  return piece->memory[source]
           ? CL_SUCCESS
           : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a chunk of %zu bytes", bytes);
}

// Pinned memory, from which the device can copy by itself, stays mapped until the stream is released.
static cl_int pin(clred_stream *stream, struct clr_piece *piece, size_t source, size_t bytes,
                  struct clr_status *status) {
  cl_int err =
    make_buffer(stream, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &piece->pinned[source], status);
  if (err)
    return err;
  piece->memory[source] =
    clEnqueueMapBuffer(stream->transfers, piece->pinned[source], CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &err);
  return err ? clr_fail_call(status, err, "clEnqueueMapBuffer", "a chunk")
             : make_buffer(stream, CL_MEM_READ_ONLY, bytes, NULL, &piece->buffers[source], status);
}

cl_int clr_piece_prepare(clred_stream *stream, struct clr_piece *piece, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < stream->source_count && !err; i++) {
    size_t bytes = (size_t)stream->chunk * stream->sizes[i];
    if (!piece->memory[i])
      err =
        stream->is_shared || stream->on_host ? allocate(piece, i, bytes, status) : pin(stream, piece, i, bytes, status);
  }
  return err;
}

static cl_int wrap(clred_stream *stream, struct clr_piece *piece, const void *const *memory, cl_ulong count,
                   struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < stream->source_count && !err; i++)
    err = make_buffer(stream, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (size_t)count * stream->sizes[i], memory[i],
                      &piece->buffers[i], status);
  return err;
}

static cl_int transfer(clred_stream *stream, struct clr_piece *piece, const void *const *memory, cl_ulong count,
                       struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < stream->source_count && !err; i++)
    err = clEnqueueWriteBuffer(stream->transfers, piece->buffers[i], CL_FALSE, 0, (size_t)count * stream->sizes[i],
                               memory[i], 0, NULL, i + 1 == stream->source_count ? &piece->written : NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "a chunk");
  err = clFlush(stream->transfers);
  return err ? clr_fail_call(status, err, "clFlush", "the transfer of a chunk") : CL_SUCCESS;
}

cl_int clr_piece_send(clred_stream *stream, struct clr_piece *piece, const void *const *memory, cl_ulong count,
                      struct clr_status *status) {
  return (stream->is_shared ? wrap : transfer)(stream, piece, memory, count, status);
}

void clr_piece_release(clred_stream *stream, struct clr_piece *piece) {
  struct clr_status ignored;
  clr_piece_retire(stream, piece, &ignored);
  clr_release_buffers(piece->buffers, stream->source_count);
  for (size_t i = 0; i < stream->source_count; i++) {
    if (piece->pinned[i] && piece->memory[i])
      clEnqueueUnmapMemObject(stream->transfers, piece->pinned[i], piece->memory[i], 0, NULL, NULL);
    if (piece->pinned[i])
      clReleaseMemObject(piece->pinned[i]);
    else
      clr_aligned_free(piece->memory[i]);
  }
}

// --- States ---

// Collects the events that the next launch waits for. Launches of in-order queues need none for the launch before them.
static void gather_waits(clred_stream *stream, cl_event written) {
  struct clr_call *call = &stream->call;
  call->waits = 0;
  if (written)
    stream->waits[call->waits++] = written;
  if (call->last && !call->in_order)
    stream->waits[call->waits++] = call->last;
  call->wait_list = call->waits ? stream->waits : NULL;
}

static cl_int launch(clred_stream *stream, const struct clr_pass *pass, struct clr_status *status) {
  stream->launches++;
  return clr_launch(&stream->call, pass, status);
}

static cl_int fold_list(clred_stream *stream, const struct clr_state_list *list, cl_ulong target,
                        struct clr_status *status) {
  const struct clr_pass pass = {.kernel = CLR_KERNEL_STATES,
                                .groups = 1,
                                .group_size = stream->shape.group_size,
                                .first = list->first,
                                .count = list->used,
                                .target = target};
  return launch(stream, &pass, status);
}

// Appends `states` states to the end of a list.
static cl_int append(clred_stream *stream, int index, cl_ulong states, struct clr_status *status) {
  struct clr_state_list *list = &stream->lists[index];
  list->used += states;
  if (list->used < list->room)
    return CL_SUCCESS;
  cl_int err = fold_list(stream, list, list[1].first + list[1].used, status);
  list->used = 0;
  return err ? err : append(stream, index + 1, 1, status);
}

// Keeps the events of the piece's first and last launch. The piece is done when its last launch is complete.
static cl_int keep_events(clred_stream *stream, struct clr_piece *piece, struct clr_status *status) {
  struct clr_call *call = &stream->call;
  cl_int err = clRetainEvent(call->last);
  if (err)
    return clr_fail_call(status, err, "clRetainEvent", "the last launch");
  piece->done = call->last;
  piece->first = call->first;
  call->first = NULL;
  err = clFlush(stream->queue);
  return err ? clr_fail_call(status, err, "clFlush", "the launches of a chunk") : CL_SUCCESS;
}

cl_int clr_stream_fold(clred_stream *stream, struct clr_piece *piece, cl_ulong count, struct clr_status *status) {
  const struct clr_extent extent = clr_extent_line(stream->chunk);
  struct clr_pass pass;
  cl_ulong tile = stream->shape.rows * stream->shape.lanes;
  // Cut a shorter chunk like a full one, so that its nodes have the same size.
  clr_strategy_pass(&stream->shape, &extent, 0, &pass);
  pass.groups = clr_ceil_divide(clr_ceil_divide(count, tile), pass.span);
  pass.alone = false;
  pass.count = stream->folded + count;
  pass.work = stream->folded / tile;
  pass.target = stream->lists[0].first + stream->lists[0].used;
  stream->asked.in = piece->buffers[0];
  stream->call.operands.inputs = piece->buffers + 1;
  gather_waits(stream, piece->written);
  cl_int err = piece->written ? clr_check_event(piece->written, "the transfer of a chunk", status) : CL_SUCCESS;
  if (!err)
    err = launch(stream, &pass, status);
  if (!err)
    err = append(stream, 0, pass.groups, status);
  stream->folded += count;
  return err ? err : keep_events(stream, piece, status);
}

// Folds all lists into one node: the rest of each list becomes the last node of the list above. `root` gets the node's
// index.
static cl_int fold_all(clred_stream *stream, cl_ulong *root, struct clr_status *status) {
  struct clr_state_list *list = stream->lists, *last = list + CLR_STREAM_LISTS - 1;
  cl_int err = CL_SUCCESS;
  while (last > list && !last->used)
    last--;
  for (; list < last && !err; list++)
    if (list->used)
      err = fold_list(stream, list, list[1].first + list[1].used++, status);
  *root = last->used > 1 ? stream->spare : last->first;
  return err || last->used == 1 ? err : fold_list(stream, last, stream->spare, status);
}

// Waiting for the event also reports errors of the launches. With an in-order queue no event is needed, because the
// read comes after the launches.
static cl_int wait_for_last(clred_stream *stream, struct clr_status *status) {
  cl_int err = stream->call.chains ? clWaitForEvents(1, &stream->call.last) : CL_SUCCESS;
  return err ? clr_fail_call(status, err, "clWaitForEvents", "the stream's launches") : CL_SUCCESS;
}

// Makes the lists of states empty.
static void empty_lists(clred_stream *stream) {
  for (int i = 0; i < CLR_STREAM_LISTS; i++)
    stream->lists[i].used = 0;
}

cl_int clr_stream_root(clred_stream *stream, void *state, struct clr_status *status) {
  const size_t size = (size_t)stream->shape.state_size;
  cl_ulong root;
  gather_waits(stream, NULL);
  cl_int err = fold_all(stream, &root, status);
  if (!err)
    err = wait_for_last(stream, status);
  if (err)
    return err;
  empty_lists(stream);
  err = clEnqueueReadBuffer(stream->queue, stream->slot.space.scratch, CL_TRUE, (size_t)root * size, size, state, 0,
                            NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the node of a chunk") : CL_SUCCESS;
}

// Folds all states (at least one) into the result and reads it.
static cl_int deliver_states(clred_stream *stream, void *result, struct clr_status *status) {
  struct clr_pass pass = {.kernel = CLR_KERNEL_DELIVER, .groups = 1, .group_size = 1, .count = 1, .span = 1};
  gather_waits(stream, NULL);
  cl_int err = fold_all(stream, &pass.first, status);
  if (!err)
    err = launch(stream, &pass, status);
  if (!err)
    err = wait_for_last(stream, status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(stream->queue, stream->slot.space.result, CL_TRUE, 0,
                            stream->plan->problem.operation.result_size, result, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the result") : CL_SUCCESS;
}

// --- Chunks ---

// After a failure the stream has lost elements, so all later calls on it fail too.
static cl_int fail(clred_stream *stream, const struct clr_status *status) {
  return stream->failed = status->code;
}

static cl_int check_usable(const clred_stream *stream, struct clr_status *status) {
  return stream->failed ? clr_fail(status, stream->failed, "the stream failed before") : CL_SUCCESS;
}

static void fold_on_host(clred_stream *stream, const void *const *memory, cl_ulong count) {
  const struct clr_values values = {.operation = &stream->plan->problem.operation,
                                    .elements = memory[0],
                                    .count = count,
                                    .stride = 1,
                                    .inputs = memory + 1,
                                    .parameters = stream->parameters,
                                    .first = stream->folded};
  stream->plan->strategy->reduce.fold(&stream->shape, &values, &stream->pairs);
  stream->folded += count;
}

// Sends and folds one chunk: either the current piece's memory, or memory that can be used in place.
static cl_int take_chunk(clred_stream *stream, const void *const *memory, cl_ulong count, struct clr_status *status) {
  struct clr_piece *piece = &stream->pieces[stream->current];
  cl_int err = CL_SUCCESS;
  stream->filled = 0;
  stream->has_room = false;
  if (stream->on_host) {
    fold_on_host(stream, memory, count);
    return CL_SUCCESS;
  }
  stream->current = (stream->current + 1) % CLR_STREAM_PIECES;
  err = clr_piece_retire(stream, piece, status);
  if (!err)
    err = clr_piece_send(stream, piece, memory, count, status);
  return err ? err : clr_stream_fold(stream, piece, count, status);
}

static cl_int take_filled(clred_stream *stream, struct clr_status *status) {
  return take_chunk(stream, (const void *const *)stream->pieces[stream->current].memory, stream->filled, status);
}

static cl_int make_room(clred_stream *stream, struct clr_status *status) {
  struct clr_piece *piece = &stream->pieces[stream->current];
  cl_int err = stream->filled ? CL_SUCCESS : clr_piece_retire(stream, piece, status);
  return err ? err : clr_piece_prepare(stream, piece, status);
}

static unsigned char *place(const clred_stream *stream, size_t source) {
  return (unsigned char *)stream->pieces[stream->current].memory[source] + stream->filled * stream->sizes[source];
}

// --- The caller fills the stream's memory ---

cl_int clr_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count, struct clr_status *status) {
  const size_t sources = stream->source_count;
  cl_int err = clr_require(in, "in", status);
  if (!err)
    err = clr_require(count, "count", status);
  if (!err && !inputs && sources > 1)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "inputs is NULL; the operator reads more than in");
  if (!err)
    err = check_usable(stream, status);
  if (err)
    return err;
  if (make_room(stream, status))
    return fail(stream, status);
  *in = place(stream, 0);
  for (size_t i = 1; i < sources; i++)
    inputs[i - 1] = place(stream, i);
  *count = stream->chunk - stream->filled;
  stream->has_room = true;
  return CL_SUCCESS;
}

static cl_int check_maximum(const clred_stream *stream, cl_ulong count, struct clr_status *status) {
  cl_ulong most = stream->plan->shape.count_max, so_far = stream->folded + stream->filled;
  if (count <= most && so_far <= most - count)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "%llu elements after %llu are above the plan's count_max %llu",
                  (unsigned long long)count, (unsigned long long)so_far, (unsigned long long)most);
}

cl_int clr_stream_commit(clred_stream *stream, cl_ulong count, struct clr_status *status) {
  cl_int err = check_usable(stream, status);
  if (!err && count && (!stream->has_room || count > stream->chunk - stream->filled))
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "count is above what clred_stream_acquire returned");
  if (!err)
    err = check_maximum(stream, count, status);
  if (err)
    return err;
  stream->filled += count;
  if (stream->filled == stream->chunk && take_filled(stream, status))
    return fail(stream, status);
  return CL_SUCCESS;
}

// --- The caller passes its own memory ---

bool clr_stream_is_aligned(const clred_stream *stream, const void *const *memory) {
  for (size_t i = 0; i < stream->source_count; i++)
    if ((uintptr_t)memory[i] % stream->sizes[i])
      return false;
  return true;
}

static cl_int copy_in(clred_stream *stream, const void *const *memory, cl_ulong count, struct clr_status *status) {
  cl_int err = make_room(stream, status);
  if (err)
    return err;
  for (size_t i = 0; i < stream->source_count; i++)
    memcpy(place(stream, i), memory[i], (size_t)count * stream->sizes[i]);
  stream->filled += count;
  return stream->filled == stream->chunk ? take_filled(stream, status) : CL_SUCCESS;
}

// Waits until all transfers and launches have finished.
static cl_int settle(clred_stream *stream, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (int i = 0; i < CLR_STREAM_PIECES && !err; i++)
    err = clr_piece_retire(stream, &stream->pieces[i], status);
  return err;
}

// Uses whole chunks in place, if the device or the host can read them there.
static cl_int take_all(clred_stream *stream, const void **memory, cl_ulong count, bool ends, bool *in_place,
                       struct clr_status *status) {
  bool may_be = stream->on_host || (stream->is_shared && clr_stream_is_aligned(stream, memory));
  cl_int err = CL_SUCCESS;
  while (count && !err) {
    cl_ulong taken = clr_min(count, stream->chunk - stream->filled);
    bool is = may_be && !stream->filled && (taken == stream->chunk || ends);
    err = is ? take_chunk(stream, memory, taken, status) : copy_in(stream, memory, taken, status);
    for (size_t i = 0; i < stream->source_count; i++)
      memory[i] = (const unsigned char *)memory[i] + taken * stream->sizes[i];
    count -= taken;
    *in_place = *in_place || is;
  }
  return err;
}

cl_int clr_stream_take(clred_stream *stream, const void *const *memory, cl_ulong count, bool ends,
                       struct clr_status *status) {
  const void *next[CLR_SOURCES_MAX];
  bool in_place = false;
  memcpy(next, memory, stream->source_count * sizeof *next);
  cl_int err = take_all(stream, next, count, ends, &in_place, status);
  // Wait: after this the caller may change its memory.
  if (err && stream->queue)
    clFinish(stream->queue);
  return err || !in_place ? err : settle(stream, status);
}

cl_int clr_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                       struct clr_status *status) {
  const clred_host_call call = {.in = in, .inputs = inputs, .count = count};
  struct clr_host_sources sources = {0};
  cl_int err = check_usable(stream, status);
  if (!err)
    err = clr_host_sources_take(stream->plan, &call, &sources, status);
  if (!err && count)
    err = check_maximum(stream, count, status);
  if (err || !count)
    return err;
  return clr_stream_take(stream, sources.memory, count, false, status) ? fail(stream, status) : CL_SUCCESS;
}

// --- The result ---

static void begin_anew(clred_stream *stream) {
  empty_lists(stream);
  clr_pairs_begin(&stream->pairs, &stream->plan->problem.operation, 1);
  stream->folded = stream->filled = 0;
}

static void lower_on_host(clred_stream *stream, void *result) {
  const struct clr_operation *operation = &stream->plan->problem.operation;
  union clr_room state, lowered;
  if (stream->folded)
    clr_pairs_root(&stream->pairs, &state);
  else
    clr_state_identity(operation, &state);
  clr_state_lower(operation, &state, &lowered);
  memcpy(result, &lowered, operation->result_size);
}

cl_int clr_reduce_nothing(clred_plan *plan, cl_command_queue queue, const void *const *parameters, void *result,
                          struct clr_status *status) {
  const struct clr_request request = {
    .purpose = CLR_FOR_REDUCTIONS,
    .queue = queue,
    .call = {.parameters = parameters, .stride = 1, .rows = 1, .columns = 1, .result = result, .blocking = CL_TRUE},
  };
  return clr_enqueue(plan, &request, status);
}

static cl_int deliver(clred_stream *stream, void *result, struct clr_status *status) {
  cl_int err = stream->filled ? take_filled(stream, status) : CL_SUCCESS;
  if (err)
    return err;
  if (stream->on_host) {
    lower_on_host(stream, result);
    return CL_SUCCESS;
  }
  if (!stream->folded)
    return clr_reduce_nothing(stream->plan, stream->queue, stream->parameters, result, status);
  err = deliver_states(stream, result, status);
  if (!err)
    err = settle(stream, status);
  if (!err)
    atomic_store(&stream->plan->built->launched, true);
  if (!err && stream->folding)
    atomic_store(&stream->folding->launched, true);
  // After a failure, release the events of the commands that are still running.
  if (err)
    clr_call_release(&stream->call);
  else
    forget(stream, &stream->call.first, &stream->call.last);
  return err;
}

cl_int clr_stream_finish(clred_stream *stream, void *result, struct clr_status *status) {
  cl_int err = clr_require(result, "result", status);
  if (!err)
    err = check_usable(stream, status);
  if (err)
    return err;
  if (deliver(stream, result, status))
    return fail(stream, status);
  cl_ulong count = stream->folded;
  begin_anew(stream);
  return clr_check_overflow(stream->plan, result, count, status);
}
