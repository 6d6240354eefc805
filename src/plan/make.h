// Steps in the making of a plan.
#ifndef CLR_PLAN_MAKE_H
#define CLR_PLAN_MAKE_H

#include "plan/plan.h"

// --- probe.c ---
// Builds a caller's operator by itself, so that its mistakes are found in the caller's text, and reads the sizes of its
// types on the device. Sizes that the caller gave must be the same.
cl_int clr_probe(clred_runtime *runtime, struct clr_problem *problem, struct clr_status *status);

// --- trial.c ---
// Runs the plan on a few elements whose result the host computes; CLRED_WRONG_RESULT if the device differs.
cl_int clr_trial(clred_plan *plan, struct clr_status *status);

#endif
