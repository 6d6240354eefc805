// Several operators in one pass, as in `reduce sum,min,argmax`.
#pragma once

#include <clreduce.h>
#include <clreduce_device.h>

#include "cli/args.h"

// The operators of reduce that are no reductions, and stand alone.
#define QUANTILE_NAMES "median,quantile,top,bottom"

struct operator_list {
  clred_op ops[CLRED_LIST_MAX];
  const char *words[CLRED_LIST_MAX + 1];  // the operators as the user spells them; ends with NULL
  size_t count;                           // 0: there is one operator and no list
  const char *needy;                      // the first operator without a result for 0 elements; NULL: none
  char *copy;                             // of the text, holds the words
};

// True if the text of the command line is a list.
bool operator_list_is(const char *text);

// Reads the list. Returns an exit code. Call operator_list_release in any case.
int operator_list_take(struct operator_list *list, const struct args *args, const char *text);

// The words; NULL if there is no list.
const char *const *operator_list_words(const struct operator_list *list);

void operator_list_release(struct operator_list *list);
