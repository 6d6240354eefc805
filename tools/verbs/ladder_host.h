// The rows of the ladder that take the elements from host memory.
#pragma once

#include "run/job.h"

// Runs host_serial or scan_host_serial.
int loop_run(const struct job *job, clred_plan *plan, struct repeats repeats, struct outcome *outcome);

// Why host_openmp cannot run; NULL if it can.
const char *openmp_refuses(const clred_plan_info *info, clred_op op);

// Runs it. `plan` is the plan of host_serial for `problem`.
int openmp_run(const struct job *job, const clred_problem *problem, clred_plan *plan, struct repeats repeats,
               struct outcome *outcome);
