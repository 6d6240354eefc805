// Puts numbers that were measured in place of those that follow from facts.
#ifndef CLR_PLANNING_TUNE_H
#define CLR_PLANNING_TUNE_H

#include "planning/strategy.h"

// Those of the problem's measured numbers that the strategy has free and the caller left free. Only lines of neighbours
// are measured.
struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem);

// Reduces the problem's measured numbers to those, and asks for the ones that callers can ask for as well.
void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem);

// The shape's measured number, or the one given.
cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise);

// How elements are read: once `vector` and its like follow from facts. What registers cannot hold is dropped.
void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape);

// Once the shape is whole: what it has not come to after all is no measured number of it.
void clr_tune_settle(struct clr_shape *shape);

// The number in use, measured or not.
cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable);

#endif
