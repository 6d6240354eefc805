// An operator of the user, from an operator file and options. Both set it key by key through one table. Texts from a
// file keep their line and column for messages.
#pragma once

#include <clreduce.h>
#include <stdbool.h>

#include "base/value.h"
#include "cli/args.h"

enum { USER_INPUTS_MAX = 8, USER_PARAMETERS_MAX = 16 };

enum { USER_KEYS_MAX = 16 };

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

// Prints "FILE:LINE:COLUMN: ..." or "--option: ..." as one line. Returns EXIT_BAD_USE.
int fail_at(const struct place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

// TEXT: OpenCL C; blanks before it keep its position in the file. WORD: a text without blanks around it. TRUTH: yes or
// no.
enum user_key_kind { KEY_TEXT, KEY_WORD, KEY_TRUTH, KEY_INPUT, KEY_PARAMETER };

struct user_key {
  const char *name;  // the key in the operator file, and the name of the option
  enum user_key_kind kind;
  size_t field;   // offset in clred_operator; unused for inputs and parameters
  size_t option;  // offset in struct args
};

// The last row has the name NULL.
extern const struct user_key user_keys[];

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

// True if the command line gives the key as an option.
bool user_key_given(const struct user_key *key, const struct args *args);
