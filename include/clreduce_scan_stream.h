// clreduce_scan_stream.h: scans of data that arrives in host memory chunk by chunk. Memory need not have room for all
// elements or all results at once. Units, errors and threads: see the head of clreduce.h.
//
//   clred_scan_stream *stream;
//   cl_ulong chunk = 0;
//   clred_scan_stream_create(queue, plan, &chunk, NULL, &stream);
//   while ((count = read_elements(in, chunk)) > 0)
//     clred_scan_stream_next(stream, in, NULL, count, out);
//   clred_scan_stream_release(stream);

#ifndef CLREDUCE_SCAN_STREAM_H
#define CLREDUCE_SCAN_STREAM_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// The results have the bits of one call over all elements, for every chunk size: the stream keeps the nodes of the
// chunks so far, not only one state. Release a stream before its plan. Streams of one plan are independent, and you may
// use the plan while streams exist; one thread at a time may use a stream.
typedef struct clred_scan_stream clred_scan_stream;

// Creates a stream without elements. The plan must be a scan that is not reversed, with layout LINE and a strategy of
// the order fixed/1. Its operator must be built-in and without indices: not argmin, argmax or argminmax. `chunk` points
// to the number of elements that you want per chunk. The function sets it to the number that the stream takes: rounded
// down to 2^k tiles (docs/order.md) that fit buffers, at least one tile. If `chunk` is NULL or the number is 0, a chunk
// has 4 MiB of elements if the device shares the memory of the host, else 32 MiB. `initial` is a state before the first
// element, as in clred_call; it is copied. NULL: none. Kernels run on `queue`, which is retained. Builds a program, for
// the first stream of a kind. Errors: those of clred_stream_create, clred_plan_create, and CLRED_COUNT_ABOVE_MAXIMUM (a
// chunk is above count_max).
CLRED_API cl_int clred_scan_stream_create(cl_command_queue queue, clred_plan *plan, cl_ulong *chunk,
                                          const void *initial, clred_scan_stream **stream);

// Scans the next `count` elements of `in`, with `count` elements of each of `inputs` (NULL if there are none), and
// writes `count` results to `out`. `out` must not overlap `in` or `inputs`. Waits for the results. `count` must be the
// chunk of the stream; only the last call may have fewer elements. With count 0 it does nothing and all pointers may be
// NULL. CLRED_INVALID_ARGUMENT changes nothing. After other errors the stream can only be released.
CLRED_API cl_int clred_scan_stream_next(clred_scan_stream *stream, const void *in, const void *const *inputs,
                                        cl_ulong count, void *out);

// Device time of all chunks so far in seconds; 0 without profiling. Errors: CLRED_INVALID_ARGUMENT.
CLRED_API cl_int clred_scan_stream_seconds(const clred_scan_stream *stream, double *seconds);

// Releases the stream. NULL does nothing.
CLRED_API void clred_scan_stream_release(clred_scan_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
