// The offsets of --segments: where each of the segments begins, and where the last one ends.

#ifndef CLREDUCE_TOOL_SEGMENTS_H
#define CLREDUCE_TOOL_SEGMENTS_H

#include "input/input.h"

// Opens the file and looks at its header: one dimension of whole numbers of 32 or 64 bits, at least one. An exit code,
// as all here.
int segments_open(struct input *segments, const char *name);

// Whether the offsets, which have been loaded, ascend within `count` elements; and whether no segment is empty, if `op`
// is not NULL: it names an operator that has no result for none.
int segments_check(const struct input *segments, uint64_t count, const char *op);

uint64_t segments_number(const struct input *segments);

// Offset `index`; of a file that passed segments_check.
uint64_t segments_offset(const struct input *segments, uint64_t index);

#endif
