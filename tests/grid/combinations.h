// Lists of problems with names: every strategy with every finish, operator and type of the library's tables, and the
// parts of a list that a run takes.
#pragma once

#include "oracle/oracle.h"

struct combination {
  clred_problem problem;
  char name[128];  // "local_sequential+host sum float"
};

struct combinations {
  struct combination *list;
  size_t count;
  size_t ways;  // strategies with their finishes
};

// All strategies, operator by operator and type by type. If `whole`, the list has all operators and types, undefined
// pairs included. Otherwise it has only some, which cover all kinds of states. Aborts if memory is out.
void combinations_list(struct combinations *all, bool whole);
void combinations_release(struct combinations *all);

// Adds a problem. Its name lists its fields.
void combinations_add(struct combinations *all, const clred_problem *problem);

// Keeps the problems whose names contain the text.
void combinations_filter(struct combinations *all, const char *text);

// Keeps slice `index` of `count`, from 1.
void combinations_slice(struct combinations *all, size_t index, size_t count);

// Keeps a small part with every pair of (way, operator), (way, type) and (operator, type). Float sums and double
// products are kept for every way, because they show the order of combination.
void combinations_cover(struct combinations *all);
