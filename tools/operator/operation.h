// The operation to compute: an operator of the library, an operator of the user, or a selection.
#pragma once

#include <clreduce.h>
#include <clreduce_device.h>

#include "base/guess.h"
#include "cli/args.h"
#include "operator/user_operator.h"

// ---- Several operators in one pass, as in `reduce sum,min,argmax`

// The operators of reduce that are not reductions. No plan computes them.
#define QUANTILE_NAMES "median,quantile,top,bottom"

struct operator_list {
  clred_op ops[CLRED_LIST_MAX];
  const char *words[CLRED_LIST_MAX + 1];  // the operators as the user spells them; ends with NULL
  size_t count;                           // 0: there is one operator and no list
  const char *needy;                      // the first operator that has no result for 0 elements; NULL: all have one
  char *copy;                             // a copy of the list; `words` points into it
};

// The words; NULL if there is no list.
const char *const *operator_list_words(const struct operator_list *list);

struct operation {
  const char *name;
  clred_op_info op;  // op.op is NONE for an operator of the user, and for a list
  struct operator_list list;
  bool own;
  struct user_operator user;  // used if `own`
  bool selects;               // a selection; `own` is true as well
  clred_selection selection;
  size_t inputs;  // number of further inputs
};

// True if NumPy, datamash or another tool has an operator of this name. `guess` then names our operator or option.
bool operation_of_others(struct guess *guess, const char *word);

// Returns the text of a guess: the operator whose name is nearest to an unknown word.
const char *operation_guess(struct guess *guess, const char *word);

// Takes the operator that options give, or else the operator of this name (NULL: the name is missing). Returns an exit
// code. Call operation_release in any case.
int operation_take(struct operation *operation, const struct args *args, const char *name);

void operation_release(struct operation *operation);

// The operator that has no result for 0 elements, as the user spells it; NULL if there is none.
const char *operation_needy(const struct operation *operation);

// For min and max, returns the user's word: their identity, the result for 0 elements, looks like an element. NULL for
// other operators.
const char *operation_odd_identity(const struct operation *operation);

// True if the operator declares its element type. The type is opaque if the library does not know it.
bool operation_element(const struct operation *operation, clred_type_info *type);

// Reports a failure of the library. If the operator's text caused it, names its position. Returns an exit code.
int operation_failed(const struct operation *operation, const clred_runtime *runtime, cl_int status);

// ---- The library's problem

// Sets everything but layout and count_max. Refuses an operator that is not defined for the type, before data is read.
// Returns an exit code. `operation` must not move while the problem is used.
int problem_take(const struct args *args, struct operation *operation, const clred_type_info *type,
                 clred_problem *problem);

// Refuses a name that is no strategy. NULL and "auto" are fine. Returns an exit code.
int problem_check_strategy(const char *name);

// "inclusive" or "exclusive"; NULL for a reduction.
const char *problem_scan_name(const clred_problem *problem);

// count_max for this count. It is at least 1, because 0 means no bound.
cl_ulong problem_count_max(cl_ulong count);
