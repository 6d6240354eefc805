// The textbooks' analysis of a tree, step by step: who is active, how sub-groups fare, what goes to global memory.
#ifndef CLR_PLANNING_STEPS_H
#define CLR_PLANNING_STEPS_H

#include "clreduce_device.h"
#include "planning/pass.h"
#include "planning/shape.h"

// Work-items active in one group: `items` of them, `apart` from each other, from work-item 0 on.
struct clr_activity {
  cl_ulong items, apart, stride;
};

// Fills a step of a launch in which every group but the last is as `full`; barriers and requests are left 0.
void clr_step_make(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                   struct clr_activity full, struct clr_activity last, const char *name, ...) CLR_PRINTF(6, 7);

// The step in which groups hand over `partials` partials each and the finish takes them; always true.
bool clr_step_partials(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                       cl_ulong partials);

#endif
