// Folds elements of a buffer or of host memory into a partial. A fold leaves states of tiles on the device. Later these
// are read and added to the partial.
#include "partial/partial.h"

#include <string.h>

#include "base/arithmetic.h"
#include "call/check.h"

// --- Which runs of tiles a fold takes ---

// A fold of tiles `begin` to `end`, in runs of nodes from left to right.
struct cutting {
  struct clr_node_run *runs;
  size_t count;
};

static void add_run(struct cutting *cutting, cl_ulong tile, cl_ulong count, unsigned level) {
  if (count)
    cutting->runs[cutting->count++] = (struct clr_node_run){tile, count, level};
}

// Adds nodes of `level` for the middle of the range, and nodes of lower levels for both ends.
static void cut(struct cutting *cutting, cl_ulong begin, cl_ulong end, unsigned level) {
  const unsigned down = 8;  // the binary logarithm of CLR_PARTIAL_RATIO
  const unsigned below = level > down ? level - down : 0;
  const cl_ulong first = clr_ceil_divide(begin, 1ull << level), last = end >> level;
  if (begin >= end)
    return;
  if (first >= last && level > 0) {
    cut(cutting, begin, end, below);
    return;
  }
  cut(cutting, begin, first << level, below);
  add_run(cutting, first << level, last - first, level);
  cut(cutting, last << level, end, below);
}

// --- Which elements are read ---

// Elements `first` to `first + count` of the whole: `before` elements up to a tile boundary, tiles `begin` to `end`,
// and the `after` elements of a last tile.
struct division {
  cl_ulong before, begin, end, after;
};

static struct division divide(const clred_partial *partial, cl_ulong count) {
  const cl_ulong at = clr_partial_end(partial), tile = partial->tile;
  struct division it = {.before = clr_min((tile - at % tile) % tile, count)};
  it.begin = clr_ceil_divide(at, tile);
  it.end = it.begin + (count - it.before) / tile;
  it.after = count - it.before - (it.end - it.begin) * tile;
  return it;
}

// --- Reads and launches ---

struct folding {
  clred_partial *partial;
  const struct clr_request *request;
  clred_call asked;
  cl_ulong offsets[CLR_INPUTS_MAX];
  struct clr_call call;
  struct division division;
  cl_ulong states;  // of all runs
};

static cl_ulong stride_of(const struct folding *folding) {
  return folding->call.extent.stride;
}

static cl_ulong offset_of(const struct folding *folding, size_t source, cl_ulong element) {
  const clred_call *call = &folding->request->call;
  const cl_ulong offset = source == 0 ? call->in_offset : call->input_offsets ? call->input_offsets[source - 1] : 0;
  return offset + element * stride_of(folding);
}

// Copies `count` elements of a source from number `element` of the call on to this place of the scratch.
static cl_int copy_elements(struct folding *folding, size_t source, cl_ulong element, cl_ulong count, size_t to,
                            struct clr_status *status) {
  const size_t size = folding->partial->sizes[source], apart = (size_t)stride_of(folding) * size;
  const cl_mem buffer = source ? folding->request->call.inputs[source - 1] : folding->request->call.in;
  const cl_mem scratch = folding->partial->slot->space.scratch;
  const size_t from = (size_t)offset_of(folding, source, element) * size;
  const size_t origin[] = {from, 0, 0}, target[] = {to, 0, 0}, region[] = {size, (size_t)count, 1};
  cl_event copied = NULL;
  const struct clr_call *call = &folding->call;
  cl_int err = clr_check_last(call, status);
  if (err)
    return err;
  err = apart == size || apart == 0
          ? clEnqueueCopyBuffer(call->queue, buffer, scratch, from, to, apart ? (size_t)count * size : size,
                                call->waits, call->wait_list, &copied)
          : clEnqueueCopyBufferRect(call->queue, buffer, scratch, origin, target, region, apart, 0, size, 0,
                                    call->waits, call->wait_list, &copied);
  if (err)
    return clr_fail_call(status, err, "clEnqueueCopyBuffer", "the elements at an end of a partial");
  clr_call_continue(&folding->call, NULL, copied);
  return CL_SUCCESS;
}

static cl_int copy_tile(struct folding *folding, cl_ulong element, struct clr_incomplete_tile *tile,
                        struct clr_status *status) {
  const unsigned char *landing = folding->partial->flight.landing;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < folding->partial->source_count && tile->count && !err; i++)
    err = copy_elements(folding, i, element, tile->count, (size_t)(tile->elements[i] - landing), status);
  return err;
}

static cl_int launch_run(struct folding *folding, const struct clr_node_run *run, cl_ulong target,
                         struct clr_status *status) {
  const clred_partial *partial = folding->partial;
  const struct clr_shape *shape = &partial->plan->shape;
  const cl_ulong element = folding->division.before + (run->tile - folding->division.begin) * partial->tile;
  const struct clr_pass pass = {
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = run->count,
    .group_size = shape->group_size,
    .count = (run->tile + (run->count << run->level)) * partial->tile,
    .span = 1ull << run->level,
    .work = run->tile,
    .target = partial->base + target,
  };
  folding->asked.in_offset = offset_of(folding, 0, element);
  for (size_t i = 1; i < partial->source_count; i++)
    folding->offsets[i - 1] = offset_of(folding, i, element);
  return clr_launch(&folding->call, &pass, status);
}

// The level of most nodes of a fold over `count` elements. Such a node is as long as the run of tiles that a group
// folds in an ordinary call.
static unsigned level_of(const clred_plan *plan, cl_ulong count) {
  const struct clr_extent extent = clr_extent_line(count);
  struct clr_pass pass;
  unsigned level = 0;
  clr_strategy_pass(&plan->shape, &extent, 0, &pass);
  while (2ull << level <= pass.span)
    level++;
  return level;
}

// Launches the run with the most work first, so that the others are enqueued while it works.
static cl_int fold_tiles(struct folding *folding, struct clr_status *status) {
  struct clr_pending *flight = &folding->partial->flight;
  struct cutting cutting = {.runs = flight->runs};
  cl_ulong targets[CLR_PARTIAL_RUNS + 1] = {0};
  size_t largest = 0;
  cut(&cutting, folding->division.begin, folding->division.end,
      level_of(folding->partial->plan, folding->request->call.count));
  flight->run_count = cutting.count;
  for (size_t i = 0; i < cutting.count; i++) {
    targets[i + 1] = targets[i] + flight->runs[i].count;
    largest = flight->runs[i].level > flight->runs[largest].level ? i : largest;
  }
  folding->states = targets[cutting.count];
  cl_int err = cutting.count ? launch_run(folding, &flight->runs[largest], targets[largest], status) : CL_SUCCESS;
  for (size_t i = 0; i < cutting.count && !err; i++)
    if (i != largest)
      err = launch_run(folding, &flight->runs[i], targets[i], status);
  return err;
}

// Finds what is read: incomplete tiles lie before the states.
static void find_landing(struct folding *folding) {
  struct clr_pending *flight = &folding->partial->flight;
  const size_t size = folding->partial->plan->problem.operation.state_size,
               base = (size_t)folding->partial->base * size;
  const bool has_begun = flight->before.count || flight->after.count;
  flight->from = has_begun ? 0 : base;
  flight->bytes = base + (size_t)folding->states * size - flight->from;
}

// Reads what the latest fold leaves in the scratch.
static cl_int read_landing(const clred_partial *partial, cl_command_queue queue, cl_bool blocking, cl_uint waits,
                           const cl_event *wait_list, cl_event *read, struct clr_status *status) {
  const struct clr_pending *flight = &partial->flight;
  cl_int err = clEnqueueReadBuffer(queue, partial->slot->space.scratch, blocking, flight->from, flight->bytes,
                                   flight->landing + flight->from, waits, wait_list, read);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the states of a partial") : CL_SUCCESS;
}

static cl_int enqueue_read(struct folding *folding, struct clr_status *status) {
  cl_event read = NULL;
  cl_int err = clr_check_last(&folding->call, status);
  if (!err)
    err = read_landing(folding->partial, folding->call.queue, CL_FALSE, folding->call.waits, folding->call.wait_list,
                       &read, status);
  if (!err)
    clr_call_continue(&folding->call, NULL, read);
  return err;
}

static cl_int begin_call(struct folding *folding, struct clr_status *status) {
  const struct clr_request *request = folding->request;
  folding->asked = request->call;
  folding->asked.input_offsets = folding->offsets;
  folding->call = clr_partial_call(folding->partial, request->queue, &folding->asked);
  folding->call.waits = request->waits;
  folding->call.wait_list = request->wait_list;
  folding->call.has_events = true;
  folding->call.chains = true;
  return clr_queue_is_in_order(request->queue, &folding->call.in_order, status);
}

static cl_int enqueue_all(struct folding *folding, bool reads_later, struct clr_status *status) {
  struct clr_pending *flight = &folding->partial->flight;
  const struct division *division = &folding->division;
  flight->repeats = stride_of(folding) == 0;
  flight->before.count = division->before;
  flight->after.count = division->after;
  cl_int err = fold_tiles(folding, status);
  if (!err)
    err = copy_tile(folding, 0, &flight->before, status);
  if (!err)
    err = copy_tile(folding, folding->request->call.count - division->after, &flight->after, status);
  find_landing(folding);
  return err || reads_later ? err : enqueue_read(folding, status);
}

// --- Adding the results of a complete fold to the partial ---

// Stride 0: repeats the one element that was read.
static void repeat(const clred_partial *partial, struct clr_incomplete_tile *tile) {
  for (size_t i = 0; i < partial->source_count; i++)
    for (cl_ulong j = 1; j < tile->count; j++)
      memcpy(tile->elements[i] + (size_t)j * partial->sizes[i], tile->elements[i], partial->sizes[i]);
}

// Takes the nodes of a run, after joining them to the largest nodes that they contain.
static cl_int take_run(clred_partial *partial, const struct clr_node_run *run, unsigned char *states,
                       struct clr_status *status) {
  const size_t size = partial->plan->problem.operation.state_size;
  cl_int err = CL_SUCCESS;
  for (cl_ulong done = 0; done < run->count && !err;) {
    const cl_ulong place = (run->tile >> run->level) + done, left = run->count - done;
    unsigned more = 0;
    while (!(place >> more & 1) && 2ull << more <= left)
      more++;
    err = clr_partial_fold_states(partial, states + (size_t)done * size, 1ull << more, status);
    if (!err)
      err = clr_partial_take_node(partial, (struct clr_node){place << run->level, run->level + more},
                                  states + (size_t)done * size, status);
    done += 1ull << more;
  }
  return err;
}

static cl_int take_flight(clred_partial *partial, struct clr_status *status) {
  struct clr_pending *flight = &partial->flight;
  unsigned char *states = flight->states;
  if (flight->repeats) {
    repeat(partial, &flight->before);
    repeat(partial, &flight->after);
  }
  cl_int err =
    clr_partial_take_elements(partial, (const void *const *)flight->before.elements, flight->before.count, status);
  for (size_t i = 0; i < flight->run_count && !err; i++) {
    err = take_run(partial, &flight->runs[i], states, status);
    states += (size_t)flight->runs[i].count * partial->plan->problem.operation.state_size;
  }
  return err ? err
             : clr_partial_take_elements(partial, (const void *const *)flight->after.elements, flight->after.count,
                                         status);
}

// A read in an in-order queue waits for the commands before it.
static cl_int wait(const clred_partial *partial, struct clr_status *status) {
  const struct clr_pending *flight = &partial->flight;
  bool in_order = false;
  cl_int err = flight->reads ? clr_queue_is_in_order(flight->reads, &in_order, status) : CL_SUCCESS;
  if (err)
    return err;
  err = in_order ? CL_SUCCESS : clWaitForEvents(1, &flight->done);
  if (err)
    return clr_fail_call(status, err, "clWaitForEvents", "the fold of a partial");
  return flight->reads ? read_landing(partial, flight->reads, CL_TRUE, 0, NULL, NULL, status) : CL_SUCCESS;
}

cl_int clr_partial_take_results(clred_partial *partial, struct clr_status *status) {
  struct clr_pending *flight = &partial->flight;
  if (partial->failed)
    return clr_fail(status, partial->failed, "the partial failed before");
  if (!flight->done)
    return CL_SUCCESS;
  cl_int err = wait(partial, status);
  clReleaseEvent(flight->done);
  flight->done = NULL;
  flight->reads = NULL;
  if (!err)
    err = take_flight(partial, status);
  atomic_store(&partial->plan->built->launched, true);
  partial->failed = err;
  return err;
}

// --- The call ---

cl_int clr_partial_hand_event(const struct clr_request *request, cl_event last, struct clr_status *status) {
  cl_int err = request->event ? clRetainEvent(last) : CL_SUCCESS;
  if (request->event && !err)
    *request->event = last;
  if (!err)
    err = clFlush(request->queue);
  return err ? clr_fail_call(status, err, "clFlush", "the work of a partial") : CL_SUCCESS;
}

// Checks the call as if it had a result: the partial is its result.
static cl_int check(const clred_partial *partial, const struct clr_request *request, struct clr_status *status) {
  union clr_room result;
  struct clr_request checked = *request;
  const clred_call *call = &request->call;
  if (call->out || call->result || call->blocking)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: the partial keeps what is folded; leave it out",
                    call->out      ? "out"
                    : call->result ? "result"
                                   : "blocking");
  checked.purpose = CLR_FOR_REDUCTIONS;
  checked.call.result = &result;
  checked.call.parameters = partial->parameters;
  const struct clr_extent extent = clr_extent_of(partial->plan, &checked.call);
  cl_int err = clr_partial_check_fold(partial, call->count, call->parameters, status);
  return err ? err : clr_check_request(partial->plan, &checked, &extent, status);
}

// Keeps what clr_partial_take_results waits for.
static void take_off(struct folding *folding, bool reads_later) {
  struct clr_pending *flight = &folding->partial->flight;
  if (clRetainEvent(folding->call.last))
    return;
  flight->done = folding->call.last;
  flight->reads = reads_later ? folding->call.queue : NULL;
}

cl_int clr_partial_fold(clred_partial *partial, const struct clr_request *request, bool reads_later,
                        struct clr_status *status) {
  struct folding folding = {.partial = partial, .request = request};
  cl_int err = clr_partial_take_results(partial, status);
  if (!err)
    err = check(partial, request, status);
  if (err || !request->call.count)
    return err ? err : clr_enqueue_nothing(request, status);
  folding.division = divide(partial, request->call.count);
  err = begin_call(&folding, status);
  if (!err)
    err = enqueue_all(&folding, reads_later, status);
  if (!err)
    err = clr_partial_hand_event(request, folding.call.last, status);
  if (err && folding.call.last) {
    clWaitForEvents(1, &folding.call.last);
    partial->failed = err;
  }
  if (!err)
    take_off(&folding, reads_later);
  clr_call_release(&folding.call);
  return err;
}

// --- Elements in host memory ---

// Settles the partial, checks the call and takes its memory.
static cl_int check_host_call(clred_partial *partial, const clred_host_call *call, struct clr_host_sources *sources,
                              struct clr_status *status) {
  cl_int err = clr_partial_take_results(partial, status);
  if (!err && partial->plan->problem.layout != CLRED_LAYOUT_LINE)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "host memory is a line of neighbours; the plan has layout STRIDED");
  if (!err && (call->initial || call->out || call->kept))
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: the partial keeps what is folded; leave it out",
                   call->initial ? "initial"
                   : call->out   ? "out"
                                 : "kept");
  if (!err)
    err = clr_partial_check_fold(partial, call->count, call->parameters, status);
  return err ? err : clr_host_sources_take(partial->plan, call, sources, status);
}

cl_int clr_partial_fold_host(clred_partial *partial, const clred_host_call *call, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  struct clr_host_sources sources = {0};
  cl_int err = check_host_call(partial, call, &sources, status);
  if (!err && !clr_has_host(operation))
    err = clr_fail(status, CLRED_NO_HOST_OPERATOR, "%s has no host callbacks, so the host cannot fold its elements",
                   operation->name);
  return err ? err : clr_partial_take_elements(partial, sources.memory, call->count, status);
}

// The elements of a piece: as many as one buffer holds, or 32 MiB if they are copied.
static cl_ulong piece_of(const clred_partial *partial, const struct clr_host_sources *sources) {
  const clred_plan *plan = partial->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  cl_ulong most = plan->runtime->facts.max_alloc / clr_largest_operand(operation);
  for (size_t i = 0; i < sources->count; i++)
    if (!clr_host_is_shared(plan, sources->memory[i], sources->sizes[i]))
      most = clr_min(most, (32u << 20) / clr_operand_bytes(operation));
  return clr_min(most, plan->shape.count_max);
}

// Folds one piece on the device and waits for it, because its buffers are released.
static cl_int push_piece(cl_command_queue queue, clred_partial *partial, struct clr_host_sources sources, cl_ulong done,
                         cl_ulong count, struct clr_status *status) {
  for (size_t i = 0; i < sources.count; i++)
    sources.memory[i] = (const unsigned char *)sources.memory[i] + (size_t)done * sources.sizes[i];
  cl_int err = clr_host_sources_wrap(partial->plan, count, NULL, 0, &sources, status);
  const struct clr_request request = {
    .queue = queue, .call = {.in = sources.buffers[0], .inputs = sources.buffers + 1, .count = count, .stride = 1}};
  if (!err)
    err = clr_partial_fold(partial, &request, true, status);
  if (!err)
    err = clr_partial_take_results(partial, status);
  clr_host_sources_release(&sources);
  return err;
}

cl_int clr_partial_push(cl_command_queue queue, clred_partial *partial, const clred_host_call *call,
                        struct clr_status *status) {
  struct clr_host_sources sources = {0};
  cl_int err = check_host_call(partial, call, &sources, status);
  const cl_ulong piece = err ? 0 : piece_of(partial, &sources);
  for (cl_ulong done = 0; done < call->count && !err; done += piece) {
    err = push_piece(queue, partial, sources, done, clr_min(piece, call->count - done), status);
    if (err && done)
      partial->failed = err;
  }
  return err;
}
