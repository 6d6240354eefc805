// What the programs over a list of problems share: the list, with the name of each problem; options, slices, the file
// of a resumable run, and the final counts.
#pragma once

#include "run.h"

struct combinations {
  struct combination *list;
  size_t count;
};

// Adds a problem. Its name lists its fields.
void combinations_add(struct combinations *all, const clred_problem *problem);

struct program {
  const char *name;
  const char *pairwise;  // the help of --pairwise, the default list
  const uint64_t *sizes;
  size_t size_count;
  bool thorough;  // see struct run
  void (*list)(struct combinations *all, bool full);
  bool repeats;                                                         // runs each long call many times
  enum outcome (*run)(struct run *run, const struct combination *one);  // NULL: run_combination
};

// Returns the exit code: 0 if all passed, 1 if some failed, 2 if the run could not begin.
int program_main(const struct program *program, int argc, char **argv);
