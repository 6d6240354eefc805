// Computes how many elements a chunk of a stream has, and how many groups fold a chunk.
#include "planning/strategy.h"
#include "stream/stream.h"

// Units: bytes. In shared memory a chunk is small enough to be still in a cache when it is folded. Otherwise it is
// large enough that the copy to the device runs at full speed.
static cl_ulong chosen_bytes(const clred_stream *stream) {
  return stream->is_shared ? 2u << 20 : 32u << 20;
}

static const struct clr_operation *operation_of(const clred_stream *stream) {
  return &stream->plan->problem.operation;
}

// A group takes at least `group_bytes`, so that writing its partial costs almost nothing.
static cl_ulong groups_for(const clred_stream *stream, cl_ulong tiles) {
  const cl_ulong group_bytes = 32u << 10, most = 1024;
  cl_ulong groups = clr_multiply(stream->chunk, clr_operand_bytes(operation_of(stream))) / group_bytes;
  groups = groups < stream->shape.groups_max ? groups : stream->shape.groups_max;
  groups = groups < most ? groups : most;
  return clr_pow2_floor(groups < tiles ? groups : tiles);
}

// If the device ends loops early (fact loop_trips), checks that a chunk needs no more iterations.
static bool loops_suffice(const clred_stream *stream) {
  const struct clr_extent extent = clr_extent_line(stream->chunk);
  return stream->on_host || !stream->shape.loop_trips || stream->chunk == 0 || clr_trips_hold(&stream->shape, &extent);
}

static cl_ulong lay_out_lists(clred_stream *stream, cl_ulong states_a_chunk) {
  const cl_ulong chunks_a_list = 8, nodes_a_list = 256;
  cl_ulong place = 0;
  for (int i = 0; i < CLR_STREAM_LISTS; i++) {
    stream->lists[i] =
      (struct clr_state_list){.first = place, .room = i ? nodes_a_list : chunks_a_list * states_a_chunk};
    place += stream->lists[i].room;
  }
  stream->spare = place;
  return place + 1;
}

cl_int clr_stream_size(clred_stream *stream, cl_ulong chunk, cl_ulong *states, struct clr_status *status) {
  cl_ulong tile = stream->shape.rows * stream->shape.lanes, max_alloc = stream->plan->runtime->facts.max_alloc;
  cl_ulong most = max_alloc / clr_largest_operand(operation_of(stream));
  if (most < tile && !stream->on_host)
    return clr_fail(status, CL_INVALID_BUFFER_SIZE,
                    "a tile of %llu elements of %llu bytes is larger than a buffer of this device can be",
                    (unsigned long long)tile, (unsigned long long)clr_largest_operand(operation_of(stream)));
  cl_ulong elements = chunk ? chunk : chosen_bytes(stream) / clr_operand_bytes(operation_of(stream));
  elements = elements < most || stream->on_host ? elements : most;
  cl_ulong tiles = clr_pow2_floor(elements / tile), groups_max = stream->shape.groups_max;
  do {
    stream->chunk = clr_multiply(tiles, tile);
    stream->shape.groups_max = groups_max;
    stream->shape.groups_max = groups_for(stream, tiles);
  } while (!loops_suffice(stream) && (tiles /= 2) > 0);
  if (tiles == 0)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "this device ends loops after %llu turns (fact loop_trips), too few for a tile of %llu elements",
                    (unsigned long long)stream->shape.loop_trips, (unsigned long long)tile);
  *states = lay_out_lists(stream, stream->shape.groups_max);
  return CL_SUCCESS;
}
