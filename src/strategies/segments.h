// What the strategies over segments share: chunks of segments and elements counted together (cl/segments.clh), and the
// launches that makes.
#ifndef CLR_STRATEGIES_SEGMENTS_H
#define CLR_STRATEGIES_SEGMENTS_H

#include "strategies/rows.h"

// Chunks of `units` times `unit` elements, rounded down to a power of two times that, each with `states` of scratch; at
// most `most` of them: of a longer call they are larger.
void clr_segments_chunks(struct clr_shape *shape, cl_ulong unit, cl_ulong units, cl_ulong most, cl_ulong states);

// Up to `wanted` elements of short segments in local memory, beside the `taken` bytes of it, as far as that serves;
// adds to local_bytes.
void clr_segments_stage(const struct clr_facts *facts, const struct clr_operation *operation, cl_ulong wanted,
                        cl_ulong taken, struct clr_shape *shape);

// The table of chunks and their states.
cl_ulong clr_segments_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded);

// Elements of a chunk of a call over n.
cl_ulong clr_segments_span(const struct clr_shape *shape, cl_ulong n);

// Where work-items take chunks one after another: how many, if that is little work.
#define CLR_CHUNKS_AN_ITEM 64

// Launch `index` of a reduction's: the cut, the segments, and the pieces if there can be any.
bool clr_segments_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, cl_ulong chunks_a_group,
                       struct clr_pass *pass);

// Launch `index` of a scan's: the cut, the nodes of pieces and what stands before them if there can be any, and the
// scan.
bool clr_segments_scan_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, cl_ulong chunks_a_group,
                            struct clr_pass *pass);

bool clr_segments_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                       struct clred_step *step);

#endif
