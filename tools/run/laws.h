// Refuses the user's operators that break a law of reductions: job.c and tune call this before they use one. The device
// tries the laws in each run; the cache has the program of the trials.
#pragma once

#include <stdbool.h>

#include "device/session.h"
#include "operator/operation.h"

// Tries the laws with the parameters' values of the command line. Does nothing for the library's operators, for
// selections, and with --unchecked. Returns EXIT_BAD_USE with the smallest counterexample if a law fails, and the
// compiler's message if the operator's text does not compile.
int laws_require(const struct session *session, const struct args *args, const struct operation *operation);
