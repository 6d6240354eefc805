// Sides that take turns, so that what else the machine does falls on all alike.

#ifndef CLREDUCE_TOOL_BENCH_TURNS_H
#define CLREDUCE_TOOL_BENCH_TURNS_H

#include "bench_side.h"

enum { SIDES_MOST = BENCH_LIST_MOST + 2 + PEERS_MOST };

// Runs each side `runs` times in turn, in rounds of changing order, after some runs to warm up, and writes calls, times
// and judgement to rows[i] of sides[i]. `count` is up to SIDES_MOST. A side that takes long has fewer runs, but at
// least five. An exit code.
int bench_take_turns(struct side sides[], struct bench_row rows[], size_t count, uint64_t runs);

#endif
