// A stream: pieces of host memory on their way to the device, and the states that are left of them there.
#ifndef CLR_API_STREAM_H
#define CLR_API_STREAM_H

#include "call/call.h"
#include "host/trees.h"
#include "opencl/buffer_check.h"
#include "plan/slots.h"
#include "stream/host.h"

// One is filled, one transferred and one folded at a time.
#define CLR_STREAM_PIECES 3

// A chunk on its way.
struct clr_piece {
  void *memory[CLR_SOURCES_MAX];    // for the host to fill; NULL before it is needed
  cl_mem pinned[CLR_SOURCES_MAX];   // that the memory is mapped from; NULL where the device shares the host's
  cl_mem buffers[CLR_SOURCES_MAX];  // that kernels read
  cl_event written;                 // the end of the transfer
  cl_event first, done;             // launches over it; NULL where nothing is under way
};

// Lists of states in the stream's scratch, as a number with many digits has them: a list that is full is folded into
// one node, which goes to the end of the next. All nodes of a list are aligned and of one size, but for the last of
// all.
#define CLR_STREAM_LISTS 8
struct clr_state_list {
  cl_ulong first, room, used;
};

struct clred_stream {
  clred_plan *plan;
  cl_command_queue queue;      // the caller's; NULL on the host
  cl_command_queue transfers;  // the stream's own; NULL where there are none
  bool on_host, is_shared;
  struct clr_shape shape;     // the plan's, with as many groups as a chunk is worth
  struct clr_slot slot;       // kernels and states, apart from those of calls
  struct clr_built *folding;  // the program with the kernel for states, where calls have none
  clred_call asked;           // what `call` reads: the chunk
  struct clr_call call;
  cl_event waits[2];
  struct clr_state_list lists[CLR_STREAM_LISTS];
  cl_ulong spare;          // the place of one more state
  struct clr_pairs pairs;  // on the host: what the lists are elsewhere
  size_t source_count;
  size_t sizes[CLR_SOURCES_MAX];  // of an element in each
  unsigned char *parameter_bytes;
  const void *parameters[CLR_OPERANDS_MAX];
  cl_ulong chunk;  // elements
  struct clr_piece pieces[CLR_STREAM_PIECES];
  unsigned current;  // piece that is being filled
  cl_ulong filled;   // elements in it
  bool has_room;     // the caller was told where the next go
  cl_ulong folded;   // elements before it
  cl_ulong launches;
  double seconds;
  cl_int failed;  // the status that ended it; CL_SUCCESS: none did
};

// --- stream_make.c ---
// Whether a plan's reductions can be cut into chunks at all; otherwise why not.
cl_int clr_stream_check(const clred_plan *plan, struct clr_status *status);

// As the public functions of these names. `options` is not NULL; release takes NULL.
cl_int clr_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                         clred_stream **stream, struct clr_status *status);
void clr_stream_release(clred_stream *stream);
void clr_stream_inspect(const clred_stream *stream, clred_stream_info *info);

// --- stream.c ---
// As the public functions of these names.
cl_int clr_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                       struct clr_status *status);
cl_int clr_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count, struct clr_status *status);
cl_int clr_stream_commit(clred_stream *stream, cl_ulong count, struct clr_status *status);
cl_int clr_stream_finish(clred_stream *stream, void *result, struct clr_status *status);

// Folds elements of the caller's. With `ends` they are the last, and nothing is copied that can be used in place.
cl_int clr_stream_take(clred_stream *stream, const void *const *memory, cl_ulong count, bool ends,
                       struct clr_status *status);

// --- stream_chunk.c ---
// The stream's numbers: how many elements a chunk has, how many groups fold it, where the lists are. `states` is the
// scratch needed.
cl_int clr_stream_size(clred_stream *stream, cl_ulong chunk, cl_ulong *states, struct clr_status *status);

// --- stream_pieces.c ---
// Waits until nothing is under way with the piece.
cl_int clr_piece_retire(clred_stream *stream, struct clr_piece *piece, struct clr_status *status);

// Memory for the host to fill.
cl_int clr_piece_prepare(clred_stream *stream, struct clr_piece *piece, struct clr_status *status);

// Brings `count` elements from `memory`, which is the piece's own or may be used in place, to where kernels read.
cl_int clr_piece_send(clred_stream *stream, struct clr_piece *piece, const void *const *memory, cl_ulong count,
                      struct clr_status *status);
void clr_piece_release(clred_stream *stream, struct clr_piece *piece);

// --- stream_states.c ---
// Folds a piece that was sent into states, behind those that are there.
cl_int clr_stream_fold(clred_stream *stream, struct clr_piece *piece, cl_ulong count, struct clr_status *status);

// Folds all states, of which there is at least one, and reads the result.
cl_int clr_stream_deliver(clred_stream *stream, void *result, struct clr_status *status);

// Adds up the times of launches that are over, and lets go of their events.
void clr_stream_forget(clred_stream *stream, cl_event *first, cl_event *last);

#endif
