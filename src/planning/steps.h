// Analyses a tree step by step, as textbooks do: active work-items, divergent sub-groups, global requests. `clreduce
// plan` shows it.
#ifndef CLR_PLANNING_STEPS_H
#define CLR_PLANNING_STEPS_H

#include "clreduce_device.h"
#include "planning/pass.h"
#include "planning/shape.h"

// Active work-items of one group: `items` of them, every `apart`-th, starting at 0.
struct clr_activity {
  cl_ulong items, apart, stride;
};

// Fills in a step of a launch: the last group does `last`, all others `full`. Barriers and requests stay 0.
void clr_step_make(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                   struct clr_activity full, struct clr_activity last, const char *name, ...) CLR_PRINTF(6, 7);

// Fills in the step in which each group writes `partials` partials and the finish folds them. Returns true.
bool clr_step_partials(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                       cl_ulong partials);

#endif
