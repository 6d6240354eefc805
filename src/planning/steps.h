// The analysis of a tree, step by step, as in textbooks: active work-items, divergent sub-groups, global requests.
#ifndef CLR_PLANNING_STEPS_H
#define CLR_PLANNING_STEPS_H

#include "clreduce_device.h"
#include "planning/pass.h"
#include "planning/shape.h"

// Active work-items of one group: `items` of them, from work-item 0 on, `apart` from each other.
struct clr_activity {
  cl_ulong items, apart, stride;
};

// Fills a step of a launch: every group but the last is as `full`. Barriers and requests stay 0.
void clr_step_make(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                   struct clr_activity full, struct clr_activity last, const char *name, ...) CLR_PRINTF(6, 7);

// The step in which each group writes `partials` partials and the finish folds them. Returns true.
bool clr_step_partials(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                       cl_ulong partials);

#endif
