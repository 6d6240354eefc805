// The numbers of a plan as lines of its program's text.
#ifndef CLR_PLANNING_SHAPE_DEFINES_H
#define CLR_PLANNING_SHAPE_DEFINES_H

#include "base/text.h"
#include "planning/strategy.h"

// All that the parts of cl/ for this strategy ask for, but what the operation defines.
void clr_shape_defines(const struct clr_strategy *strategy, const struct clr_shape *shape, enum clr_fence fence,
                       struct clr_text *text);

// How a state is folded into memory by atomics; for the finish `atomic`.
void clr_atomic_defines(const struct clr_operation *operation, struct clr_text *text);

#endif
