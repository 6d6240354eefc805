// An operator of the user, from an operator file and options. Both use one table of keys. Texts from a file keep their
// line and column for messages.
#pragma once

#include <clreduce.h>
#include <stdbool.h>

#include "base/value.h"
#include "cli/args.h"

enum { USER_INPUTS_MAX = 8, USER_PARAMETERS_MAX = 16, USER_KEYS_MAX = 16 };

struct owned_text;

// Source of a text, for messages: a position in a file, or an option.
struct place {
  const char *file;  // NULL for an option
  unsigned line, column;
  const char *option;
};

struct user_operator {
  clred_operator made;  // passed to the library; its strings belong to `owned` or to the command line
  const char *file;     // NULL if there are only options
  clred_operand inputs[USER_INPUTS_MAX];
  clred_operand parameters[USER_PARAMETERS_MAX];
  union value values[USER_PARAMETERS_MAX];
  bool valued[USER_PARAMETERS_MAX];
  const void *value_pointers[USER_PARAMETERS_MAX];
  unsigned long by_option;            // keys set by options, one bit each
  struct place words[USER_KEYS_MAX];  // positions in the file of values of kind WORD
  struct owned_text *owned;
};

// Reads the file of --operator, then the options. Call user_operator_release in any case.
int user_operator_take(struct user_operator *user, const struct args *args);

// The same for a selection: `keep` becomes the lift, and there is no combine.
int user_operator_take_selection(struct user_operator *user, const struct args *args, const char *keep);

// Completes `made` with the element type of the input. `user` must not move afterwards.
void user_operator_resolve(struct user_operator *user, const char *element);

// Reports that the library or the compiler refused the operator, with the position in the file or the option. Returns
// an exit code.
int user_operator_failed(const struct user_operator *user, cl_int status, const char *message);

void user_operator_release(struct user_operator *user);

// Names the source of a text of the operator, for messages: "FILE: KEY", or "--KEY 'TEXT'".
void user_operator_culprit(const struct user_operator *user, const char *key, char *text, size_t size);
