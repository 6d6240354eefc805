// Streams of scans: each chunk is scanned from the prefix before it, and folded into a node for the prefix after it.
//
// A chunk is an aligned run of 2^k lanes. So a prefix within a chunk combines first the nodes before the chunk, then
// nodes of the chunk, as one long scan does (docs/order.md, "Scans"). Only the prefix after a whole chunk
// joins nodes of several chunks. The host computes it; in an inclusive scan it is the last result of the chunk.
#include "stream/stream.h"
#include "trial/trial.h"

#include <stdlib.h>
#include <string.h>

// --- Creation ---

static cl_int check_plan(const clred_plan *plan, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_int err = clr_plan_check_nodes(plan, status);
  if (err)
    return err;
  if (operation->custom)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "a scan stream takes built-in operators; %s is the caller's",
                    operation->name);
  if (operation->move)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "a scan stream takes no operators with indices such as %s",
                    operation->name);
  return CL_SUCCESS;
}

// A buffer must hold the elements of a chunk, and also its results.
static cl_ulong most_elements(const clred_plan *plan, cl_ulong wanted) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_ulong most = plan->runtime->facts.max_alloc / operation->result_size;
  cl_ulong good = (plan->runtime->facts.unified_memory ? 4u << 20 : 32u << 20) / clr_operand_bytes(operation);
  cl_ulong chunk = wanted ? wanted : good;
  chunk = chunk < most ? chunk : most;
  return chunk < plan->shape.count_max ? chunk : plan->shape.count_max;
}

static cl_int prepare(clred_scan_stream *stream, cl_command_queue queue, cl_ulong chunk, struct clr_status *status) {
  const clred_plan *plan = stream->plan;
  const clred_stream_options options = {.chunk = most_elements(plan, chunk)};
  cl_int err = clr_plan_make_nodes_tried(plan, &stream->nodes, status);
  if (!err)
    err = clr_stream_create(queue, stream->nodes, &options, &stream->folds, status);
  // A chunk has at least one tile of the reduction. This may be more elements than the plan takes.
  if (!err && stream->folds->chunk > clr_min(plan->shape.count_max, plan->shape.count_most))
    err = clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "a chunk has at least %llu elements, above the plan's count_max",
                   (unsigned long long)stream->folds->chunk);
  return err;
}

cl_int clr_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk, const void *initial,
                              clred_scan_stream **stream, struct clr_status *status) {
  cl_int err = check_plan(plan, status);
  if (err)
    return err;
  clred_scan_stream *made = calloc(1, sizeof *made);
  if (!made)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a stream");
  made->plan = plan;
  clr_counter_begin(&made->counter, &plan->problem.operation, initial);
  err = prepare(made, queue, chunk ? *chunk : 0, status);
  if (err) {
    clr_scan_stream_release(made);
    return err;
  }
  if (chunk)
    *chunk = made->folds->chunk;
  *stream = made;
  return CL_SUCCESS;
}

void clr_scan_stream_release(clred_scan_stream *stream) {
  if (!stream)
    return;
  clr_stream_release(stream->folds);
  clr_plan_release(stream->nodes);
  clr_release_buffers(&stream->out.buffer, 1);
  free(stream);
}

// --- A chunk ---

// The elements of a chunk in the caller's memory.
struct chunk {
  struct clr_host_sources sources;
  cl_ulong count;
  void *out;
};

static cl_int check_chunk(const clred_scan_stream *stream, cl_ulong count, struct clr_status *status) {
  if (stream->failed)
    return clr_fail(status, stream->failed, "the stream failed before");
  if (count && stream->ended)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "only the last chunk may be shorter than the others");
  if (count > stream->folds->chunk)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "count: %llu is above the chunk of %llu elements",
                    (unsigned long long)count, (unsigned long long)stream->folds->chunk);
  return CL_SUCCESS;
}

// Makes the elements visible to kernels, in buffers of the first piece.
static cl_int send(clred_stream *folds, const struct chunk *chunk, struct clr_status *status) {
  struct clr_piece *piece = &folds->pieces[0];
  if (folds->is_shared && clr_stream_is_aligned(folds, chunk->sources.memory))
    return clr_piece_send(folds, piece, chunk->sources.memory, chunk->count, status);
  cl_int err = clr_piece_prepare(folds, piece, status);
  for (size_t i = 0; i < folds->source_count && !err; i++)
    memcpy(piece->memory[i], chunk->sources.memory[i], (size_t)chunk->count * folds->sizes[i]);
  return err ? err : clr_piece_send(folds, piece, (const void *const *)piece->memory, chunk->count, status);
}

// A buffer of the device's own memory is kept for the next chunk.
static cl_int prepare_out(clred_scan_stream *stream, const struct chunk *chunk, struct clr_status *status) {
  struct clr_host_results *out = &stream->out;
  bool shared = clr_host_is_shared(stream->plan, chunk->out, stream->plan->problem.operation.result_size);
  out->memory = chunk->out;
  if (out->buffer && !out->shared && !shared)
    return CL_SUCCESS;
  clr_release_buffers(&out->buffer, 1);
  return clr_host_results_wrap(stream->plan, shared ? chunk->count : stream->folds->chunk, out, status);
}

static cl_int scan(clred_scan_stream *stream, const struct chunk *chunk, cl_event *scanned, struct clr_status *status) {
  struct clr_piece *piece = &stream->folds->pieces[0];
  const struct clr_prefix *before = &stream->counter.heads[0];
  const struct clr_request request = {
    .purpose = CLR_FOR_SCANS,
    .queue = stream->folds->queue,
    .call = {.in = piece->buffers[0],
             .inputs = piece->buffers + 1,
             .count = chunk->count,
             .stride = 1,
             .rows = 1,
             .columns = 1,
             .out = stream->out.buffer,
             .initial = before->has_value ? &before->state : NULL},
    .waits = piece->written ? 1 : 0,
    .wait_list = piece->written ? &piece->written : NULL,
    .event = scanned,
  };
  return clr_enqueue(stream->plan, &request, status);
}

// Computes the prefix after a whole chunk.
static cl_int carry(clred_scan_stream *stream, const struct chunk *chunk, struct clr_status *status) {
  const struct clr_operation *operation = &stream->plan->problem.operation;
  union clr_room node, result;
  cl_int err = clr_stream_root(stream->folds, &node, status);
  if (err)
    return err;
  clr_counter_add(&stream->counter, stream->chunks++, &node);
  if (stream->plan->problem.scan != CLRED_SCAN_INCLUSIVE)
    return CL_SUCCESS;
  clr_state_lower(operation, &stream->counter.heads[0].state, &result);
  memcpy((unsigned char *)chunk->out + (chunk->count - 1) * operation->result_size, &result, operation->result_size);
  return CL_SUCCESS;
}

static void add_seconds(clred_scan_stream *stream) {
  double seconds = 0;
  if (stream->plan->problem.profile && !clr_plan_seconds(stream->plan, &seconds))
    stream->seconds += seconds;
}

static cl_int take_chunk(clred_scan_stream *stream, const struct chunk *chunk, struct clr_status *status) {
  clred_stream *folds = stream->folds;
  struct clr_piece *piece = &folds->pieces[0];
  bool whole = chunk->count == folds->chunk;
  cl_event scanned = NULL;
  struct clr_status unused;
  cl_int err = prepare_out(stream, chunk, status);
  if (!err)
    err = send(folds, chunk, status);
  if (!err && whole)
    err = clr_stream_fold(folds, piece, chunk->count, status);
  if (!err)
    err = scan(stream, chunk, &scanned, status);
  if (!err)
    err = clr_host_results_fetch(folds->queue, &stream->out,
                                 (size_t)chunk->count * stream->plan->problem.operation.result_size, &scanned, status);
  if (!err && whole)
    err = carry(stream, chunk, status);
  if (!err)
    add_seconds(stream);
  clr_release_event(&scanned);
  // After a failure, commands may still read and write the caller's memory; wait for them.
  if (err)
    clFinish(folds->queue);
  cl_int retired = clr_piece_retire(folds, piece, err ? &unused : status);
  stream->ended = !whole;
  return err ? err : retired;
}

cl_int clr_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                            void *out, struct clr_status *status) {
  const clred_host_call call = {.in = in, .inputs = inputs, .count = count};
  struct chunk chunk = {.count = count, .out = out};
  cl_int err = check_chunk(stream, count, status);
  if (!err)
    err = clr_host_sources_take(stream->plan, &call, &chunk.sources, status);
  if (!err && count)
    err = clr_require(out, "out", status);
  if (err || !count)
    return err;
  return stream->failed = take_chunk(stream, &chunk, status);
}
