// Replaces numbers that follow from facts by numbers that clred_tune measured.
#ifndef CLR_PLANNING_TUNE_H
#define CLR_PLANNING_TUNE_H

#include "planning/strategy.h"

// Returns the problem's measured numbers that the strategy uses and that the caller did not set. Only lines of
// neighbouring elements are measured.
struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem);

// Reduces the problem's measured numbers to these, and sets those that a caller can set in the problem.
void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem);

// Returns the shape's measured number, or `otherwise` if there is none.
cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise);

// Replaces numbers in shape->loads and shape->vector. Drops a measured number that needs too many registers.
void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape);

// Drops the measured numbers that the complete shape does not use.
void clr_tune_settle(struct clr_shape *shape);

// Returns the number in use, measured or not.
cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable);

#endif
