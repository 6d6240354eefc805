// Steps of making a plan. plan.c calls these.
#ifndef CLR_PLAN_MAKE_H
#define CLR_PLAN_MAKE_H

#include "plan/plan.h"

// --- trial.c ---
// Builds a caller's operator alone, so that errors point to lines of the caller's text, and reads the sizes of its
// types on the device. If the caller gave sizes, they must be the same.
cl_int clr_probe(clred_runtime *runtime, struct clr_problem *problem, struct clr_status *status);

// Runs the plan on a few elements and compares with the host. Returns CLRED_WRONG_RESULT if they differ.
cl_int clr_trial(clred_plan *plan, struct clr_status *status);

#endif
