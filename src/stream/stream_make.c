// Creates and releases streams.
#include <stdlib.h>
#include <string.h>

#include "call/check.h"
#include "host/values.h"
#include "planning/strategy.h"
#include "platform/platform.h"
#include "stream/stream.h"

cl_int clr_stream_check(const clred_plan *plan, struct clr_status *status) {
  if (plan->strategy->reduce.fold && plan->problem.layout == CLRED_LAYOUT_LINE)
    return CL_SUCCESS;
  if (plan->strategy->reduce.fold)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "a stream is one line of neighbours; the plan has another layout");
  return clr_fail(status, CLRED_INVALID_ARGUMENT, "strategy %s takes no streams; wide and chunked do",
                  plan->strategy->name);
}

// --- Chunks: how many elements one has, and how many groups fold it ---

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

// Sets the chunk's elements, the groups that fold it, and the positions of the lists in scratch. `states` gets the
// scratch needed.
static cl_int choose_chunk(clred_stream *stream, cl_ulong chunk, cl_ulong *states, struct clr_status *status) {
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

// --- Streams ---

// Copies each parameter to memory that is aligned for any type.
static cl_int copy_parameters(clred_stream *stream, const void *const *given, struct clr_status *status) {
  const struct clr_operation *operation = &stream->plan->problem.operation;
  const size_t place = sizeof(cl_double16);
  size_t bytes = 0;
  cl_int err = clr_check_parameters(operation, given, status);
  for (size_t i = 0; i < operation->parameter_count; i++)
    bytes += clr_round_up(operation->parameter_sizes[i], place);
  if (err || !bytes)
    return err;
  unsigned char *next = stream->parameter_bytes = clr_aligned_alloc(place, bytes);
  if (!next)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes of parameters", bytes);
  for (size_t i = 0; i < operation->parameter_count; i++) {
    stream->parameters[i] = memcpy(next, given[i], operation->parameter_sizes[i]);
    next += clr_round_up(operation->parameter_sizes[i], place);
  }
  return CL_SUCCESS;
}

static cl_int open_queues(clred_stream *stream, cl_command_queue queue, struct clr_status *status) {
  const clred_runtime *runtime = stream->plan->runtime;
  cl_int err = clr_check_queue(queue, runtime->context, runtime->device, status);
  if (err)
    return err;
  err = clRetainCommandQueue(queue);
  if (err)
    return clr_fail_call(status, err, "clRetainCommandQueue", "queue");
  stream->queue = queue;
  stream->is_shared = runtime->facts.unified_memory;
  if (!stream->is_shared)
    stream->transfers = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  return err ? clr_fail_call(status, err, "clCreateCommandQueue", "the stream's transfers")
             : clr_queue_is_in_order(queue, &stream->call.in_order, status);
}

cl_int clr_folding_kernel(const clred_plan *plan, struct clr_slot *slot, struct clr_built **folding,
                          struct clr_status *status) {
  cl_kernel *kernel = &slot->space.kernels[CLR_KERNEL_STATES];
  char name[80];
  if (*kernel)
    return CL_SUCCESS;
  cl_int err = clr_runtime_program(plan->runtime, plan->strategy, &plan->problem.operation, &plan->shape,
                                   CLR_KERNEL_BIT(CLR_KERNEL_STATES), &(struct clr_vet){CLR_VET_NOTHING, 0}, folding,
                                   NULL, status);
  if (err)
    return err;
  clr_source_entry(plan->strategy, CLR_KERNEL_STATES, name, sizeof name);
  *kernel = clCreateKernel((*folding)->program, name, &err);
  return err ? clr_fail_call(status, err, "clCreateKernel", name) : CL_SUCCESS;
}

static void make_call(clred_stream *stream) {
  const struct clr_operation *operation = &stream->plan->problem.operation;
  struct clr_call *call = &stream->call;
  call->asked = &stream->asked;
  call->problem = &stream->plan->problem;
  call->strategy = stream->plan->strategy;
  call->shape = &stream->shape;
  call->queue = stream->queue;
  call->workspace = &stream->slot.space;
  call->out = stream->slot.space.result;
  call->extent = (struct clr_extent){.stride = 1, .columns = 1};
  call->operands = (struct clr_operands){.input_count = operation->input_count,
                                         .parameter_count = operation->parameter_count,
                                         .parameter_sizes = operation->parameter_sizes,
                                         .parameters = stream->parameters};
  call->has_events = true;
  call->chains = !call->in_order;
  call->keep_first = stream->plan->problem.profile;
}

static cl_int prepare_device(clred_stream *stream, cl_command_queue queue, cl_ulong states, struct clr_status *status) {
  clred_plan *plan = stream->plan;
  cl_int err = open_queues(stream, queue, status);
  if (!err)
    err = clr_slot_make(plan, states, &stream->slot, status);
  if (!err)
    err = clr_folding_kernel(plan, &stream->slot, &stream->folding, status);
  make_call(stream);
  return err;
}

static cl_int prepare(clred_stream *stream, cl_command_queue queue, const clred_stream_options *options,
                      struct clr_status *status) {
  const struct clr_operation *operation = &stream->plan->problem.operation;
  cl_ulong states = 0;
  cl_int err = clr_stream_check(stream->plan, status);
  if (!err && stream->on_host && !clr_has_host(operation))
    err = clr_fail(status, CLRED_NO_HOST_OPERATOR, "on_host: %s has no host callbacks", operation->name);
  if (err)
    return err;
  stream->shape = stream->plan->shape;
  clr_pairs_begin(&stream->pairs, operation, 1);
  stream->is_shared = !stream->on_host && stream->plan->runtime->facts.unified_memory;
  stream->source_count = clr_source_sizes(operation, stream->sizes);
  err = copy_parameters(stream, options->parameters, status);
  if (!err)
    err = choose_chunk(stream, options->chunk, &states, status);
  return err || stream->on_host ? err : prepare_device(stream, queue, states, status);
}

cl_int clr_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                         clred_stream **stream, struct clr_status *status) {
  cl_int err = clr_plan_check_program(plan, status);
  clred_stream *made = err ? NULL : calloc(1, sizeof *made);
  if (err)
    return err;
  if (!made)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a stream");
  made->plan = plan;
  made->on_host = options->on_host;
  err = prepare(made, queue, options, status);
  if (err)
    clr_stream_release(made);
  else
    *stream = made;
  return err;
}

void clr_stream_release(clred_stream *stream) {
  if (!stream)
    return;
  if (stream->transfers)
    clFinish(stream->transfers);
  if (stream->call.last)
    clWaitForEvents(1, &stream->call.last);
  clr_call_release(&stream->call);
  for (int i = 0; i < CLR_STREAM_PIECES; i++)
    clr_piece_release(stream, &stream->pieces[i]);
  if (stream->transfers) {
    clFinish(stream->transfers);
    clReleaseCommandQueue(stream->transfers);
  }
  clr_slot_discard(&stream->slot);
  if (stream->queue)
    clReleaseCommandQueue(stream->queue);
  clr_aligned_free(stream->parameter_bytes);
  free(stream);
}

void clr_stream_inspect(const clred_stream *stream, clred_stream_info *info) {
  size_t bytes = 0, states = (size_t)((stream->spare + 1) * stream->shape.state_size);
  for (size_t i = 0; i < CLR_STREAM_PIECES; i++)
    for (size_t j = 0; j < stream->source_count; j++)
      bytes += stream->pieces[i].memory[j] ? stream->sizes[j] * (size_t)stream->chunk : 0;
  *info = (clred_stream_info){
    .chunk = stream->chunk,
    .count = stream->folded + stream->filled,
    .host_bytes = bytes,
    .device_bytes = stream->on_host ? 0 : states + (stream->is_shared ? 0 : bytes),
    .launches = stream->launches,
    .seconds = stream->seconds,
  };
}
