// Runs sides in turn, so that other work on the machine slows all of them alike. Called by reduce.c and beside.c.

#ifndef CLREDUCE_TOOL_BENCH_TURNS_H
#define CLREDUCE_TOOL_BENCH_TURNS_H

#include "bench/side.h"

struct turns_rule {
  uint64_t runs, warm_up;
  uint64_t calls;  // of one run by the wall clock; 0: as many as take 2 ms
  bool clocks[BENCH_CLOCKS];
  bool shuffled;  // the order changes from round to round; otherwise it is that of `sides`
  double budget;  // seconds for a side, after which it has no further run if it had 5; 0: no limit
};

// Runs each side `runs` times, after `warm_up` runs, and writes calls, times and correctness to the rows. Times of a
// clock that the rule leaves out stay. Returns an exit code.
int bench_take_turns(struct sides *sides, const struct turns_rule *rule);

#endif
