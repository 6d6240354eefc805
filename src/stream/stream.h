// A stream: it copies pieces of host memory to the device, folds each into states, and at the end folds the states.
#pragma once

#include "call/call.h"
#include "clreduce_scan_stream.h"
#include "host/scans.h"
#include "host/trees.h"
#include "opencl/buffer_check.h"
#include "stream/host.h"

// One piece is filled, one transferred and one folded at the same time.
#define CLR_STREAM_PIECES 3

// One chunk: its host memory, its device buffers and the events of its commands.
struct clr_piece {
  void *memory[CLR_SOURCES_MAX];    // the host fills it; NULL until it is needed
  cl_mem pinned[CLR_SOURCES_MAX];   // buffers from which the memory is mapped; NULL if the device shares the host's
                                    // memory
  cl_mem buffers[CLR_SOURCES_MAX];  // kernels read these
  cl_event written;                 // the transfer has finished
  cl_event first, done;             // its launches; NULL if none is running
};

// Lists of states in the stream's scratch, like the digits of a number: a full list is folded into one node, which is
// appended to the next list. The nodes of a list are aligned and of one size, except the last node of the stream.
#define CLR_STREAM_LISTS 8
struct clr_state_list {
  cl_ulong first, room, used;
};

struct clred_stream {
  clred_plan *plan;
  cl_command_queue queue;      // from the caller; NULL on the host
  cl_command_queue transfers;  // the stream's queue for transfers; NULL if it has none
  bool on_host, is_shared;
  struct clr_shape shape;     // the plan's shape, with the number of groups that suits a chunk
  struct clr_slot slot;       // the stream's kernels and states; other calls of the plan use other slots
  struct clr_built *folding;  // the program with the kernel that folds states; NULL if it is the plan's program
  clred_call asked;           // the call description for `call`: it reads the chunk
  struct clr_call call;
  cl_event waits[2];
  struct clr_state_list lists[CLR_STREAM_LISTS];
  cl_ulong spare;          // index of a free state behind the lists
  struct clr_pairs pairs;  // on the host, it replaces the lists
  size_t source_count;
  size_t sizes[CLR_SOURCES_MAX];  // bytes of one element of each source
  unsigned char *parameter_bytes;
  const void *parameters[CLR_OPERANDS_MAX];
  cl_ulong chunk;  // elements of a full chunk
  struct clr_piece pieces[CLR_STREAM_PIECES];
  unsigned current;  // index of the piece that is being filled
  cl_ulong filled;   // elements in that piece
  bool has_room;     // clred_stream_acquire returned memory that is not yet committed
  cl_ulong folded;   // elements in the pieces before it
  cl_ulong launches;
  double seconds;
  cl_int failed;  // the status of the first failure, or CL_SUCCESS
};

// --- stream_make.c ---
// Succeeds if the plan's reduction can be cut into chunks; otherwise the status says why not.
cl_int clr_stream_check(const clred_plan *plan, struct clr_status *status);

// Gives the slot the kernel that folds lists of states. If the plan's calls launch this kernel, too, it is in the
// plan's program. Otherwise this builds another program, and `folding` becomes that program.
cl_int clr_folding_kernel(const clred_plan *plan, struct clr_slot *slot, struct clr_built **folding,
                          struct clr_status *status);

// Implement the public functions of these names. `options` must not be NULL; release accepts NULL.
cl_int clr_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                         clred_stream **stream, struct clr_status *status);
void clr_stream_release(clred_stream *stream);
void clr_stream_inspect(const clred_stream *stream, clred_stream_info *info);

// --- stream.c ---
// Implement the public functions of these names.
cl_int clr_stream_push(clred_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                       struct clr_status *status);
cl_int clr_stream_room(clred_stream *stream, void **in, void **inputs, cl_ulong *count, struct clr_status *status);
cl_int clr_stream_commit(clred_stream *stream, cl_ulong count, struct clr_status *status);
cl_int clr_stream_finish(clred_stream *stream, void *result, struct clr_status *status);

// Reduces no elements: computes the result of the identity, and waits for it.
cl_int clr_reduce_nothing(clred_plan *plan, cl_command_queue queue, const void *const *parameters, void *result,
                          struct clr_status *status);

// True if each source's memory is aligned to its elements.
bool clr_stream_is_aligned(const clred_stream *stream, const void *const *memory);

// Folds elements in the caller's memory. Whole chunks are used in place if possible, others are copied. With `ends`,
// these are the stream's last elements, and the last chunk is used in place even if it is not whole.
cl_int clr_stream_take(clred_stream *stream, const void *const *memory, cl_ulong count, bool ends,
                       struct clr_status *status);

// Waits until the piece's transfer and launches have finished.
cl_int clr_piece_retire(clred_stream *stream, struct clr_piece *piece, struct clr_status *status);

// Allocates memory for the host to fill.
cl_int clr_piece_prepare(clred_stream *stream, struct clr_piece *piece, struct clr_status *status);

// Makes `count` elements visible to kernels. `memory` is the piece's memory, or memory that can be used in place.
cl_int clr_piece_send(clred_stream *stream, struct clr_piece *piece, const void *const *memory, cl_ulong count,
                      struct clr_status *status);
void clr_piece_release(clred_stream *stream, struct clr_piece *piece);

// Folds a piece that was sent into states and appends them to the lists.
cl_int clr_stream_fold(clred_stream *stream, struct clr_piece *piece, cl_ulong count, struct clr_status *status);

// Folds all states (at least one) into one, reads it, and makes the lists empty.
cl_int clr_stream_root(clred_stream *stream, void *state, struct clr_status *status);

// --- scan_stream.c ---
// Scans of host memory, chunk by chunk. The stream carries the nodes of all chunks so far from chunk to chunk, not a
// single state. So the results have the bits of one call over all elements.
struct clred_scan_stream {
  clred_plan *plan;             // the caller's plan
  clred_plan *nodes;            // reduces a chunk to its node
  clred_stream *folds;          // a stream of `nodes`; its first piece holds the chunk
  struct clr_counter counter;   // counts chunks; heads[0] is the prefix of the next chunk
  cl_ulong chunks;              // whole chunks so far
  bool ended;                   // the last chunk was not whole
  struct clr_host_results out;  // the results of a chunk
  double seconds;               // run time of complete scans
  cl_int failed;                // the status of the first failure, or CL_SUCCESS
};

// Implement the public functions of these names; release accepts NULL.
cl_int clr_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk, const void *initial,
                              clred_scan_stream **stream, struct clr_status *status);
cl_int clr_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs, cl_ulong count,
                            void *out, struct clr_status *status);
void clr_scan_stream_release(clred_scan_stream *stream);
