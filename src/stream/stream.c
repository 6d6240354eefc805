// Streams: the caller pushes elements in pieces and gets one result for all of them.
#include "stream/stream.h"

#include <stdint.h>
#include <string.h>

#include "host/values.h"

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
  clr_stream_empty(stream);
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
  err = clr_stream_deliver(stream, result, status);
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
    clr_stream_forget(stream, &stream->call.first, &stream->call.last);
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
