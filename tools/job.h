// What reduce, plan and ladder have in common: an operator, an input, a device, in the order in which mistakes are
// cheapest to find.

#ifndef CLREDUCE_TOOL_JOB_H
#define CLREDUCE_TOOL_JOB_H

#include "input.h"
#include "problem.h"
#include "run.h"
#include "session.h"

struct job {
  const struct args *args;
  clred_op_info      op;
  struct input       input;
  clred_problem      problem;  // count_max is set once the input is counted
  struct session     session;
  cl_mem             buffer;   // NULL before job_load, and without elements
  struct progress    progress;
};

// Reads the command line's words and the input's header and opens the device. As all here it returns an exit code, with
// the line on standard error written; job_close is due in any case.
int job_open(struct job *job, const struct args *args, const char *op_name);

// Counts the elements; reads them only if there is no other way.
int job_count(struct job *job);

// Reads or makes the elements and hands them to the device.
int job_load(struct job *job);

int job_plan(struct job *job, clred_plan **plan);

void job_close(struct job *job);

// The plan's description, to be freed; NULL if memory is short.
char *job_describe(const struct job *job, const clred_plan *plan);

#endif
