// Folds elements into states, and many states into one.
#include "stream/stream.h"

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

void clr_stream_empty(clred_stream *stream) {
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
  clr_stream_empty(stream);
  err = clEnqueueReadBuffer(stream->queue, stream->slot.space.scratch, CL_TRUE, (size_t)root * size, size, state, 0,
                            NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the node of a chunk") : CL_SUCCESS;
}

cl_int clr_stream_deliver(clred_stream *stream, void *result, struct clr_status *status) {
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

static bool ask_time(cl_event event, cl_profiling_info what, cl_ulong *nanoseconds) {
  return !clGetEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, NULL);
}

void clr_stream_forget(clred_stream *stream, cl_event *first, cl_event *last) {
  cl_ulong begun, ended;
  if (*first && *last && ask_time(*first, CL_PROFILING_COMMAND_START, &begun) &&
      ask_time(*last, CL_PROFILING_COMMAND_END, &ended) && ended > begun)
    stream->seconds += 1e-9 * (double)(ended - begun);
  clr_release_event(first);
  clr_release_event(last);
}
