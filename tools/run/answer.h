// What reduce and scan do once there is a plan.

#ifndef CLREDUCE_TOOL_ANSWER_H
#define CLREDUCE_TOOL_ANSWER_H

#include "run/job.h"

// Runs the plan as the command line asks, holds the results against a second opinion if it does, and writes them where
// they belong. An exit code: EXIT_WRONG where the second opinion is another; then the results are written all the same.
int answer(struct job *job, clred_plan *plan);

#endif
