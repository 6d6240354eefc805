// Shared by reductions and scans of segments: chunks and the launches over them.
#pragma once

#include "strategies/fixed_order.h"

// Sets chunks of `units` times `unit` elements, rounded down to a power of two times `unit`, each with `states` states
// of scratch. A call has at most `most` chunks; in a long call, chunks are larger.
void clr_segments_chunks(struct clr_shape *shape, cl_ulong unit, cl_ulong units, cl_ulong most, cl_ulong states);

// Reserves local memory into which groups copy short segments: up to `wanted` elements, 0 if that does not help.
// `taken` bytes are already in use. Adds to local_bytes.
void clr_segments_stage(const struct clr_facts *facts, const struct clr_operation *operation, cl_ulong wanted,
                        cl_ulong taken, struct clr_shape *shape);

// False for half, which needs an extension to be copied, and for several inputs, each of which would need its own
// memory.
bool clr_segments_can_stage(const struct clr_operation *operation);

// Returns scratch for the table of chunks and their states.
cl_ulong clr_segments_scratch(const struct clr_shape *shape);

// Returns the elements of a chunk.
cl_ulong clr_segments_span(const struct clr_shape *shape, const struct clr_extent *extent);

// False if no segment can be longer than a chunk.
bool clr_segments_may_be_cut(const struct clr_shape *shape, const struct clr_extent *extent);

// Describes the launch of `kernel` over the call's chunks. Kernels that read elements have one group for each chunk.
struct clr_pass clr_segments_launch(const struct clr_shape *shape, const struct clr_extent *extent,
                                    enum clr_kernel kernel);

#define CLR_SEGMENTS_LAUNCHES \
  .launches = {[CLR_KERNEL_CUT] = "cut", \
               [CLR_KERNEL_ELEMENTS] = "segments", \
               [CLR_KERNEL_STATES] = "pieces", \
               [CLR_KERNEL_APPLY] = "scan"}
