// The public functions of streams.
#include "stream/stream.h"
#include "api/struct_versions.h"

static cl_int keep(clred_stream *stream, cl_int err, const struct clr_status *status) {
  return clr_runtime_keep(stream->plan->runtime, err, status);
}

cl_int clred_stream_create_v(cl_uint header, cl_command_queue queue, clred_plan *plan,
                             const clred_stream_options *options, clred_stream **stream) {
  clred_stream_options full;
  struct clr_status status = {0};
  if (stream)
    *stream = NULL;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(stream, "stream", &status);
  if (!err)
    err = clr_struct_import(CLR_STRUCT_STREAM_OPTIONS, header, options, &full, &status);
  if (!err)
    err = clr_stream_create(queue, plan, &full, stream, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count) {
  struct clr_status status = {0};
  return stream ? keep(stream, clr_stream_push(stream, in, inputs, count, &status), &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_stream_acquire(clred_stream *stream, void **in, void **inputs, cl_ulong *count) {
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

cl_int clred_stream_inspect_v(cl_uint header, const clred_stream *stream, clred_stream_info *info) {
  clred_stream_info full;
  if (!stream)
    return CLRED_INVALID_ARGUMENT;
  clr_stream_inspect(stream, &full);
  return clr_struct_export(CLR_STRUCT_STREAM_INFO, header, &full, 1, info);
}

void clred_stream_release(clred_stream *stream) {
  clr_stream_release(stream);
}

cl_int clred_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk, const void *initial,
                                clred_scan_stream **stream) {
  struct clr_status status = {0};
  if (stream)
    *stream = NULL;
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(stream, "stream", &status);
  if (!err)
    err = clr_scan_stream_create(queue, plan, chunk, initial, stream, &status);
  return clr_runtime_keep(plan->runtime, err, &status);
}

cl_int clred_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                              void *out) {
  struct clr_status status = {0};
  if (!stream)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_scan_stream_next(stream, in, inputs, count, out, &status);
  return clr_runtime_keep(stream->plan->runtime, err, &status);
}

cl_int clred_scan_stream_seconds(const clred_scan_stream *stream, double *seconds) {
  if (!stream || !seconds)
    return CLRED_INVALID_ARGUMENT;
  *seconds = stream->seconds + stream->folds->seconds;
  return CL_SUCCESS;
}

void clred_scan_stream_release(clred_scan_stream *stream) {
  clr_scan_stream_release(stream);
}
