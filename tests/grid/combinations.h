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
};

// Adds all strategies with all finishes, operators and types, undefined pairs included. If not `full`, adds a part in
// which every pair of strategy, finish, operator and type occurs, of operators and types that cover all kinds of
// states; and with each strategy and finish sums of float and products of double, which show the order of combination.
void combinations_list(struct combinations *all, bool full);
void combinations_release(struct combinations *all);

// Adds a problem. Its name lists its fields.
void combinations_add(struct combinations *all, const clred_problem *problem);

// Keeps the problems whose names contain the text.
void combinations_filter(struct combinations *all, const char *text);

// Keeps slice `index` of `count`, from 1.
void combinations_slice(struct combinations *all, size_t index, size_t count);
