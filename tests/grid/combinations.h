// Every strategy with every finish, operator and type, as the library lists them, and which of them a run takes.

#ifndef CLREDUCE_TESTS_GRID_COMBINATIONS_H
#define CLREDUCE_TESTS_GRID_COMBINATIONS_H

#include "../oracle.h"

// A strategy with one of its finishes.
struct way {
  const char *strategy;
  const char *finish;  // NULL where the strategy has none
};

struct combination {
  struct way way;
  clred_op   op;
  clred_type type;
  char       name[96];  // "local_sequential+host add float"
};

struct combinations {
  struct combination *list;
  size_t              count;
  size_t              ways;
};

// All of them, operator by operator and type by type, so that neighbours share their data; with `undefined` those
// whose operator is not defined for the type, too. Aborts where memory is out.
void combinations_list(struct combinations *all, bool undefined);
void combinations_release(struct combinations *all);

// Keeps those whose names contain the text.
void combinations_filter(struct combinations *all, const char *text);

// Keeps slice `index` of `count`, from 1.
void combinations_slice(struct combinations *all, size_t index, size_t count);

// Keeps a small part in which every pair of (way, operator), (way, type) and (operator, type) occurs. Float sums and
// double products are kept for every way, for there the order of combination shows.
void combinations_cover(struct combinations *all);

#endif
