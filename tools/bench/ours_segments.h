// ours_segments.h: the library as a side of a comparison of segmented sums, and its plain sum of all elements, which is
// the measure of them on a CPU.

#ifndef BENCH_OURS_SEGMENTS_H
#define BENCH_OURS_SEGMENTS_H

#include "segments_side.h"
#include "session.h"

extern const struct segments_side segments_ours;
extern const struct segments_side segments_plain_sum;  // gives no results to be checked

void ours_segments_set(const struct session *session, const char *strategy);  // before all else
int ours_segments_describe(char *text, size_t size);                          // after choose

#endif
