// An operator of the user's own, put together from the operator file and from options. Both set it key by key, by one
// table; texts of a file keep the line and column that they have there.

#ifndef CLREDUCE_TOOL_USER_OPERATOR_H
#define CLREDUCE_TOOL_USER_OPERATOR_H

#include <clreduce.h>
#include <stdbool.h>

#include "base/value.h"
#include "cli/args.h"

enum { USER_INPUTS_MOST = 8, USER_PARAMETERS_MOST = 16 };

enum { USER_KEYS_MOST = 16 };

struct owned_text;

// Where a text comes from, for messages: a place in a file, or an option.
struct place {
  const char *file;  // NULL: the option
  unsigned line, column;
  const char *option;
};

struct user_operator {
  clred_operator made;  // what the library gets; its strings belong to `owned` or to the command line
  const char *file;     // NULL: options alone
  clred_operand inputs[USER_INPUTS_MOST];
  clred_operand parameters[USER_PARAMETERS_MOST];
  union value values[USER_PARAMETERS_MOST];
  bool valued[USER_PARAMETERS_MOST];
  const void *value_pointers[USER_PARAMETERS_MOST];
  unsigned long by_option;             // keys set by options, one bit each
  struct place words[USER_KEYS_MOST];  // where the values of keys of the kind WORD begin in the file
  struct owned_text *owned;
};

// "FILE:LINE:COLUMN: ..." or "--option: ...", as one line; returns EXIT_BAD_USE.
int fail_at(const struct place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

// TEXT: OpenCL C, whose place in the file is kept by blanks before it. WORD: without blanks around it. TRUTH: yes or
// no.
enum user_key_kind { KEY_TEXT, KEY_WORD, KEY_TRUTH, KEY_INPUT, KEY_PARAMETER };

struct user_key {
  const char *name;  // in the file; the option has the same one
  enum user_key_kind kind;
  size_t field;   // in clred_operator, but for inputs and parameters
  size_t option;  // in struct args
};

// Ended by a row whose name is NULL.
extern const struct user_key user_keys[];

// Copies `text` and sets what the key stands for. An exit code, as all here.
int user_operator_set(struct user_operator *user, const struct user_key *key, const char *text,
                      const struct place *place);

// Sets all keys that stand in the file: user_operator_file.c.
int user_operator_read(struct user_operator *user, const char *path);

// Reads --operator's file and lets the other options set their keys after it. user_operator_release is due in any case.
int user_operator_take(struct user_operator *user, const struct args *args);

// The same of a selection, which takes fewer of them: `keep` becomes its lift, and there is no combine.
int user_operator_take_selection(struct user_operator *user, const struct args *args, const char *keep);

// Fills in what was left out from the element type of the input. Afterwards `made` is complete and `user` must not
// move.
void user_operator_settle(struct user_operator *user, const char *element);

// The library or the compiler refuses it: the line on standard error says where in the file or in which option the
// fault is, as far as the sentence tells. An exit code.
int user_operator_failed(const struct user_operator *user, cl_int status, const char *sentence);

void user_operator_release(struct user_operator *user);

#endif
