// Problems with their names, in lists: every strategy with every finish, operator and type, as the library lists them,
// and which of them a run takes.

#ifndef CLREDUCE_TESTS_GRID_COMBINATIONS_H
#define CLREDUCE_TESTS_GRID_COMBINATIONS_H

#include "oracle/oracle.h"

struct combination {
  clred_problem problem;
  char name[96];  // "local_sequential+host add float"
};

struct combinations {
  struct combination *list;
  size_t count;
  size_t ways;  // strategies with their finishes
};

// All strategies, operator by operator and type by type, so that neighbours share their data: `whole` has all operators
// and types, those whose operator is not defined for the type too; otherwise those that show all kinds of states there
// are. Aborts where memory is out.
void combinations_list(struct combinations *all, bool whole);
void combinations_release(struct combinations *all);

// Adds a problem, named after what stands in it; the list grows.
void combinations_add(struct combinations *all, const clred_problem *problem);

// Keeps those whose names contain the text.
void combinations_filter(struct combinations *all, const char *text);

// Keeps slice `index` of `count`, from 1.
void combinations_slice(struct combinations *all, size_t index, size_t count);

// Keeps a small part in which every pair of (way, operator), (way, type) and (operator, type) occurs. Float sums and
// double products are kept for every way, for there the order of combination shows.
void combinations_cover(struct combinations *all);

#endif
