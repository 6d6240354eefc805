// The memory of a stream's pieces: host memory, device buffers, and the transfers between them.

#include "opencl/session.h"
#include "platform/platform.h"
#include "stream/stream.h"

cl_int clr_piece_retire(clred_stream *stream, struct clr_piece *piece, struct clr_status *status) {
  cl_int err = piece->done ? clWaitForEvents(1, &piece->done) : CL_SUCCESS;
  clr_stream_forget(stream, &piece->first, &piece->done);
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
