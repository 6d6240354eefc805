// Results computed a second time: on the host, or for operators that only the device knows, by another plan.

#ifndef CLREDUCE_TOOL_REFERENCE_H
#define CLREDUCE_TOOL_REFERENCE_H

#include "run/job.h"

// A row's elements and those of the further inputs, as neighbours.
struct row {
  const void *in;
  uint64_t count;
  const void *inputs[USER_INPUTS_MOST];
  void *copies[1 + USER_INPUTS_MOST];  // NULL where the input itself serves
};

int row_make(struct row *row, const struct job *job);
void row_release(struct row *row);

// Brings the elements of one result together.
void row_take(struct row *row, const struct job *job, uint64_t result);

// Fills `reference`, made like the outcome's results.
int reference_of_builtin(const struct job *job, const clred_plan *plan, struct results *reference);
int reference_of_own(const struct job *job, const clred_plan_info *info, struct results *reference);

// What the latter asks: one work-item, over one line.
cl_int reference_plan_line(const struct job *job, clred_plan **plan);

#endif
