// What the programs over a list of problems share: options, slices, a file to go on from, and the counts at the end.

#ifndef CLREDUCE_TESTS_GRID_PROGRAM_H
#define CLREDUCE_TESTS_GRID_PROGRAM_H

#include "combinations.h"
#include "run.h"

struct program {
  const char *name;
  const char *usage;  // its own first line, and the sentence on what it takes without --full
  const uint64_t *sizes;
  size_t size_count;
  size_t small_count;  // sizes that --sizes small leaves
  bool thorough;       // see struct run
  void (*list)(struct combinations *all, bool full);
  enum outcome (*check)(struct run *run, const struct combination *one);  // run_combination, or the like
};

// What main returns: 0 if all passed, 1 if some failed, 2 if the run could not begin.
int program_main(const struct program *program, int argc, char **argv);

#endif
