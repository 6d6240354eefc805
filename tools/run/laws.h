// Refuses the user's operators that break a law of reductions: job.c and tune call this before they use one. The device
// tries the laws once for each operator; the verdict is kept in the cache's directory.
#pragma once

#include <stdbool.h>

#include "device/session.h"
#include "operator/operation.h"

// Tries the laws with the parameters' values of the command line, unless a verdict is kept. Does nothing for the
// library's operators, for selections, and with --unchecked. Returns EXIT_BAD_USE with the smallest counterexample if a
// law fails, and the compiler's message if the operator's text does not compile.
int laws_require(const struct session *session, const struct args *args, const struct operation *operation);

// ---- saved_laws.c: verdicts in files

enum { COUNTEREXAMPLE_SIZE = sizeof((clred_law *)0)->counterexample };

struct law_verdict {
  unsigned broken;  // index of the law that fails; CLRED_LAWS if all hold
  char counterexample[COUNTEREXAMPLE_SIZE];
};

// Everything that decides a verdict, as text to be freed; NULL if memory is short.
char *law_key(const struct device *device, const struct args *args, const struct user_operator *user);

// Loads the verdict from the directory. False if there is none, or if the file is damaged. "" stands for no directory.
bool law_verdict_load(const char *directory, const char *key, struct law_verdict *verdict);

// Keeps the verdict. A failure is no error: the next call tries the laws again.
void law_verdict_keep(const char *directory, const char *key, const struct law_verdict *verdict);
