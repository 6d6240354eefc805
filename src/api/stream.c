// The public functions of a stream.
#include "stream/stream.h"

static cl_int keep(clred_stream *stream, cl_int err, const struct clr_status *status) {
  return clr_runtime_keep(stream->plan->runtime, err, status);
}

cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                           clred_stream **stream) {
  static const clred_stream_options defaults;
  struct clr_status status = {0};
  if (stream)
    *stream = NULL;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(stream, "stream", &status);
  if (!err)
    err = clr_stream_create(queue, plan, options ? options : &defaults, stream, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count) {
  struct clr_status status = {0};
  return stream ? keep(stream, clr_stream_push(stream, in, inputs, count, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count) {
  struct clr_status status = {0};
  return stream ? keep(stream, clr_stream_room(stream, in, inputs, count, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_stream_commit(clred_stream *stream, cl_ulong count) {
  struct clr_status status = {0};
  return stream ? keep(stream, clr_stream_commit(stream, count, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_stream_finish(clred_stream *stream, void *result) {
  struct clr_status status = {0};
  return stream ? keep(stream, clr_stream_finish(stream, result, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info) {
  if (!stream || !info)
    return CLRED_INVALID_ARGUMENT;
  clr_stream_inspect(stream, info);
  return CL_SUCCESS;
}

void clred_stream_release(clred_stream *stream) {
  clr_stream_release(stream);
}
