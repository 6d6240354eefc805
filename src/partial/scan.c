// Scans the elements of a partial, given the partial of everything before them, with the bits of one scan over the
// whole (docs/order.md, "Scans").
//
// A run is a scan call that begins at tile t, with the prefix of t as initial state. Its prefixes are those of one long
// scan if it has at most 2^k tiles, where 2^k is the largest power of two that divides t: then no node of the long
// scan contains tiles on both sides of t. So the elements are scanned in such runs. The prefix after a run needs nodes
// of both sides; it comes from `before`, to which each run is appended. In an inclusive scan it is also the last result
// of the run. If the part begins within a tile, its elements of this tile are scanned together with the earlier
// elements of the tile.
#include <string.h>

#include "base/arithmetic.h"
#include "call/check.h"
#include "host/scans.h"
#include "opencl/session.h"
#include "partial/partial.h"

struct scan_of_part {
  clred_plan *scan;
  clred_partial *before;      // takes the elements as they are scanned
  const clred_partial *mine;  // the elements
  const struct clr_request *request;
  cl_ulong at;    // the next element
  size_t next;    // the next node of `mine`
  size_t ends;    // results at ends of runs so far
  cl_event last;  // the last command; NULL: none yet
};

static const struct clr_operation *operation_of(const struct scan_of_part *scanning) {
  return &scanning->scan->problem.operation;
}

static size_t state_size(const struct scan_of_part *scanning) {
  return operation_of(scanning)->state_size;
}

// --- Scanning elements in host memory ---

static void scan_on_host(const struct scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong first,
                         cl_ulong count) {
  const clred_partial *before = scanning->before;
  const struct clr_values values = {.operation = &before->plan->problem.operation,
                                    .elements = before->tail.elements[0],
                                    .count = count,
                                    .stride = 1,
                                    .inputs = (const void *const *)before->tail.elements + 1,
                                    .parameters = before->parameters,
                                    .first = first};
  const struct clr_scan scan = {.inclusive = scanning->scan->problem.scan == CLRED_SCAN_INCLUSIVE,
                                .start = prefix->has_value ? &prefix->state : NULL,
                                .results = before->results,
                                .stride = 1};
  clr_scan_lanes(&scan, &values, before->plan->shape.rows);
}

static cl_int enqueue_and_read(const struct scan_of_part *scanning, const struct clr_prefix *prefix,
                               const cl_mem *buffers, cl_mem out, cl_ulong count, struct clr_status *status) {
  cl_event scanned = NULL;
  const cl_command_queue queue = scanning->request->queue;
  const struct clr_request request = {.purpose = CLR_FOR_SCANS,
                                      .queue = queue,
                                      .call = {.in = buffers[0],
                                               .inputs = buffers + 1,
                                               .parameters = scanning->mine->parameters,
                                               .count = count,
                                               .stride = 1,
                                               .initial = prefix->has_value ? &prefix->state : NULL,
                                               .out = out},
                                      .first_index = scanning->at - scanning->at % scanning->before->tile,
                                      .event = &scanned};
  cl_int err = clr_enqueue(scanning->scan, &request, status);
  if (err)
    return err;
  // PoCL 3.1 never ends a blocking command that waits for a failed event.
  err = clr_finish_event(&scanned, "the results of a tile", status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, (size_t)count * scanning->scan->problem.operation.result_size,
                            scanning->before->results, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the results of a tile") : CL_SUCCESS;
}

static cl_int scan_on_device(const struct scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong count,
                             struct clr_status *status) {
  const clred_partial *before = scanning->before;
  const cl_context context = scanning->scan->runtime->context;
  cl_mem buffers[CLR_SOURCES_MAX] = {NULL}, out = NULL;
  cl_int err =
    clr_buffer_make(context, CL_MEM_READ_WRITE, (size_t)count * scanning->scan->problem.operation.result_size, NULL,
                    "the results of a tile", &out, status);
  for (size_t i = 0; i < before->source_count && !err; i++)
    err = clr_buffer_make(context, CL_MEM_COPY_HOST_PTR, (size_t)count * before->sizes[i], before->tail.elements[i],
                          "the elements of a tile", &buffers[i], status);
  if (!err)
    err = enqueue_and_read(scanning, prefix, buffers, out, count, status);
  clr_release_buffers(buffers, before->source_count);
  clr_release_buffers(&out, 1);
  return err;
}

// Scans the first `count` elements in the memory of the tail of `before`; the first of them begins a tile: on the host
// if the operator has host callbacks, otherwise on the device. Writes the results to before->results, and waits for
// them.
static cl_int scan_tile(const struct scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong count,
                        struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(&scanning->scan->problem.operation))
    return scan_on_device(scanning, prefix, count, status);
  const clred_partial *before = scanning->before;
  scan_on_host(scanning, prefix, scanning->at - scanning->at % before->tile, count);
  return CL_SUCCESS;
}

// --- Prefixes ---

// Finds the prefix after the nodes of `before`: the initial state, then the nodes from left to right.
static cl_int find_prefix(const struct scan_of_part *scanning, struct clr_prefix *prefix, struct clr_status *status) {
  const clred_partial *before = scanning->before;
  const void *initial = scanning->request->call.initial;
  const size_t size = state_size(scanning);
  union clr_room pair[2];
  unsigned char *bytes = (unsigned char *)pair;
  size_t next = initial ? 0 : 1;
  cl_int err = CL_SUCCESS;
  prefix->has_value = initial || before->node_count;
  if (!prefix->has_value)
    return CL_SUCCESS;
  memcpy(bytes, initial ? initial : before->states, size);
  clr_state_normal(operation_of(scanning), bytes);
  for (; next < before->node_count && !err; next++) {
    memcpy(bytes + size, before->states + next * size, size);
    err = clr_partial_fold_states(before, bytes, 2, status);
  }
  memcpy(&prefix->state, bytes, size);
  return err;
}

// --- Commands; each waits for the previous one ---

static void set_waits(const struct scan_of_part *scanning, struct clr_request *request) {
  request->waits = scanning->last ? 1 : scanning->request->waits;
  request->wait_list = scanning->last ? &scanning->last : scanning->request->wait_list;
}

static void take_event(struct scan_of_part *scanning, cl_event event) {
  clr_keep_event(&scanning->before->slot->space.kept, scanning->last);
  scanning->last = event;
}

static cl_int check_last(const struct scan_of_part *scanning, struct clr_status *status) {
  return scanning->last ? clr_check_event(scanning->last, "the run before", status) : CL_SUCCESS;
}

// Scans the elements up to `end` with this prefix as initial state.
static cl_int scan_up_to(struct scan_of_part *scanning, cl_ulong end, const struct clr_prefix *prefix,
                         struct clr_status *status) {
  const cl_ulong done = scanning->at - scanning->mine->first;
  cl_ulong offsets[CLR_INPUTS_MAX];
  cl_event event = NULL;
  struct clr_request request = *scanning->request;
  clred_call *call = &request.call;
  for (size_t i = 0; i < operation_of(scanning)->input_count; i++)
    offsets[i] = done + (call->input_offsets ? call->input_offsets[i] : 0);
  call->input_offsets = offsets;
  call->in_offset += done;
  call->out_offset += done;
  call->count = end - scanning->at;
  call->initial = prefix->has_value ? &prefix->state : NULL;
  call->parameters = scanning->mine->parameters;
  request.first_index = scanning->at;
  request.event = &event;
  set_waits(scanning, &request);
  cl_int err = check_last(scanning, status);
  if (!err)
    err = clr_enqueue(scanning->scan, &request, status);
  if (!err)
    take_event(scanning, event);
  return err;
}

// Writes `count` results from the memory of `before`, the first of them for element `element` of the whole.
static cl_int write_results(struct scan_of_part *scanning, const unsigned char *results, cl_ulong element,
                            cl_ulong count, struct clr_status *status) {
  const clred_call *call = &scanning->request->call;
  const size_t size = operation_of(scanning)->result_size;
  const size_t offset = (size_t)(call->out_offset + element - scanning->mine->first) * size;
  struct clr_request waits;
  cl_event event;
  set_waits(scanning, &waits);
  cl_int err = check_last(scanning, status);
  if (err)
    return err;
  err = clEnqueueWriteBuffer(scanning->request->queue, call->out, CL_FALSE, offset, (size_t)count * size, results,
                             waits.waits, waits.wait_list, &event);
  if (err)
    return clr_fail_call(status, err, "clEnqueueWriteBuffer", "results at an end of a run");
  take_event(scanning, event);
  return CL_SUCCESS;
}

static bool is_inclusive(const struct scan_of_part *scanning) {
  return scanning->scan->problem.scan == CLRED_SCAN_INCLUSIVE;
}

// The prefix after the elements so far, as a result.
static cl_int find_result(const struct scan_of_part *scanning, unsigned char *result, struct clr_status *status) {
  struct clr_prefix prefix;
  union clr_room lowered;
  cl_int err = find_prefix(scanning, &prefix, status);
  if (!err)
    err = clr_partial_lower(scanning->before, &prefix.state, &lowered, status);
  if (!err)
    memcpy(result, &lowered, operation_of(scanning)->result_size);
  return err;
}

// --- The elements that belong to the tile in which `before` ends ---

static cl_int scan_begun_tile(struct scan_of_part *scanning, struct clr_status *status) {
  clred_partial *before = scanning->before;
  const clred_partial *mine = scanning->mine;
  const cl_ulong begun = before->tail.count, left = before->tile - begun;
  const cl_ulong taken = clr_min(left, mine->count);
  const struct clr_incomplete_tile *from = mine->head.count ? &mine->head : &mine->tail;
  const size_t size = operation_of(scanning)->result_size;
  struct clr_prefix prefix;
  cl_int err = find_prefix(scanning, &prefix, status);
  if (!err)
    err = clr_partial_take_elements(before, (const void *const *)from->elements, taken, status);
  // The elements of the tile stay in the memory of the tail, also if the tile is whole and has become a node.
  if (!err)
    err = scan_tile(scanning, &prefix, begun + taken, status);
  if (!err && taken == left && is_inclusive(scanning))
    err = find_result(scanning, before->results + (before->tile - 1) * size, status);
  if (!err)
    err = write_results(scanning, before->results + begun * size, scanning->at, taken, status);
  scanning->at += taken;
  return err;
}

// --- Runs of whole tiles ---

// Appends the elements of `mine` up to `end` to `before`.
static cl_int append_up_to(struct scan_of_part *scanning, cl_ulong end, struct clr_status *status) {
  const clred_partial *mine = scanning->mine;
  cl_int err = CL_SUCCESS;
  for (size_t *next = &scanning->next; !err && *next < mine->node_count; ++*next) {
    if (mine->nodes[*next].tile * mine->tile >= end)
      break;
    err =
      clr_partial_take_node(scanning->before, mine->nodes[*next], mine->states + *next * state_size(scanning), status);
  }
  if (!err && end == mine->first + mine->count)
    err =
      clr_partial_take_elements(scanning->before, (const void *const *)mine->tail.elements, mine->tail.count, status);
  scanning->at = end;
  return err;
}

// Scans from a tile boundary on, up to the end or to where the next run begins.
static cl_int scan_run(struct scan_of_part *scanning, struct clr_status *status) {
  const cl_ulong tile = scanning->before->tile, begin = scanning->at / tile, run = begin & (0 - begin);
  const cl_ulong end = scanning->mine->first + scanning->mine->count;
  const bool ends = run && run <= (end - scanning->at) / tile;
  const cl_ulong stop = ends ? scanning->at + run * tile : end;
  struct clr_prefix prefix;
  unsigned char *last = scanning->before->results + (tile + scanning->ends) * operation_of(scanning)->result_size;
  cl_int err = find_prefix(scanning, &prefix, status);
  if (!err)
    err = scan_up_to(scanning, stop, &prefix, status);
  if (!err)
    err = append_up_to(scanning, stop, status);
  if (err || !ends || !is_inclusive(scanning))
    return err;
  scanning->ends++;
  err = find_result(scanning, last, status);
  return err ? err : write_results(scanning, last, stop - 1, 1, status);
}

static cl_int scan_in_any_order(struct scan_of_part *scanning, struct clr_status *status) {
  struct clr_prefix prefix;
  cl_int err = find_prefix(scanning, &prefix, status);
  if (!err)
    err = scan_up_to(scanning, scanning->mine->first + scanning->mine->count, &prefix, status);
  return err ? err : clr_partial_join(scanning->before, scanning->mine, status);
}

static cl_int scan_all(struct scan_of_part *scanning, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  if (scanning->before->any_order)
    return scan_in_any_order(scanning, status);
  if (scanning->before->tail.count)
    err = scan_begun_tile(scanning, status);
  while (!err && scanning->at < scanning->mine->first + scanning->mine->count)
    err = scan_run(scanning, status);
  return err;
}

// --- Checks ---

static cl_int check_partials(const struct scan_of_part *scanning, struct clr_status *status) {
  const clred_partial *before = scanning->before, *mine = scanning->mine;
  if (!before->plan->makes_nodes)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "before: its plan is for reductions; make it with a plan of clred_plan_create_scan_partials");
  if (!clr_partial_is_of_scan(mine, scanning->scan))
    return clr_fail(status, CLRED_PARTIAL_MISMATCH,
                    "mine: its elements were folded for another problem than the scan of %s over %s",
                    operation_of(scanning)->name, operation_of(scanning)->element.name);
  if (before->first)
    return clr_fail(status, CLRED_PARTIAL_GAP, "before begins at element %llu; join it to the elements before it",
                    (unsigned long long)before->first);
  cl_int err = clr_partial_check_same(before, mine, status);
  if (!err && mine->first != clr_partial_end(before))
    err = clr_fail(status, CLRED_PARTIAL_GAP, "mine begins at element %llu, but before ends before element %llu: %s",
                   (unsigned long long)mine->first, (unsigned long long)clr_partial_end(before),
                   mine->first > clr_partial_end(before) ? "the elements between them are missing" : "they overlap");
  return err;
}

// Fails if the host cannot write to `out`: some results of a part come from the host.
static cl_int check_written(const struct scan_of_part *scanning, struct clr_status *status) {
  const clred_call *call = &scanning->request->call;
  const struct clr_range out =
    clr_range("out", call->out, call->out_offset, call->count, operation_of(scanning)->result_size,
              CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
  return call->count ? clr_check_range(&out, scanning->scan->runtime->context, status) : CL_SUCCESS;
}

static cl_int check(const struct scan_of_part *scanning, struct clr_status *status) {
  const clred_partial *mine = scanning->mine;
  struct clr_request checked = *scanning->request;
  const struct clr_extent extent = clr_extent_of(scanning->scan, &checked.call);
  cl_int err = clr_plan_check_nodes(scanning->scan, status);
  if (!err)
    err = check_partials(scanning, status);
  if (!err && checked.call.count != mine->count)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT, "count is %llu, but mine has %llu elements",
                   (unsigned long long)checked.call.count, (unsigned long long)mine->count);
  if (!err && checked.call.initial_buffer)
    err = clr_fail(status, CLRED_INVALID_ARGUMENT,
                   "initial_buffer: the host needs the state before the first element; set initial instead");
  if (!err)
    err = clr_partial_check_fold(mine, 0, checked.call.parameters, status);
  checked.call.parameters = mine->parameters;
  if (!err)
    err = clr_check_request(scanning->scan, &checked, &extent, status);
  return err ? err : check_written(scanning, status);
}

// --- The call ---

cl_int clr_partial_scan(clred_plan *scan, clred_partial *before, const clred_partial *mine,
                        const struct clr_request *request, struct clr_status *status) {
  struct scan_of_part scanning = {.scan = scan, .before = before, .mine = mine, .request = request, .at = mine->first};
  struct clr_status ignored;
  cl_int err = check(&scanning, status);
  if (err || !mine->count)
    return err ? err : clr_enqueue_nothing(request, status);
  clr_partial_finish_scan(before, &ignored);
  err = scan_all(&scanning, status);
  if (!err)
    err = clr_partial_hand_event(request, scanning.last, status);
  before->scanned = scanning.last;
  if (!err)
    return CL_SUCCESS;
  clr_partial_finish_scan(before, &ignored);
  return before->failed = err;
}
