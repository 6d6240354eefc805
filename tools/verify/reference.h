// Computes results a second time: on the host, or for operators of the user by another plan on the device.
#pragma once

#include "run/job.h"

// The elements of a row, and those of the further inputs, adjacent in memory.
struct row {
  const void *in;
  uint64_t count;
  const void *inputs[USER_INPUTS_MAX];
  void *copies[1 + USER_INPUTS_MAX];  // NULL if the input itself is used
};

int row_make(struct row *row, const struct job *job);
void row_release(struct row *row);

// Gathers the elements of one row.
void row_take(struct row *row, const struct job *job, uint64_t result);

// Fill `reference`, which results_make_like made from the outcome. Both return an exit code.
int reference_of_builtin(const struct job *job, const clred_plan *plan, struct results *reference);
int reference_of_own(const struct job *job, const clred_plan_info *info, struct results *reference);

// The plan of reference_of_own: one work-item over one line.
cl_int reference_plan_line(const struct job *job, clred_plan **plan);
