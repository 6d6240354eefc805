// The numbers of a plan as lines of its program's text.
#ifndef CLR_PLANNING_SHAPE_DEFINES_H
#define CLR_PLANNING_SHAPE_DEFINES_H

#include "base/text.h"
#include "planning/strategy.h"

// All numbers that the files of cl/ for this strategy ask for, but those of the operation.
void clr_shape_defines(const struct clr_strategy *strategy, const struct clr_shape *shape, struct clr_text *text);

// What the device has to order memory between groups (cl/words/device_scope.clh).
void clr_fence_defines(enum clr_fence fence, struct clr_text *text);

// How a state is folded into memory by atomics; for the finish `atomic`.
void clr_atomic_defines(const struct clr_operation *operation, struct clr_text *text);

// The numbers of a histogram.
void clr_histogram_defines(const struct clr_operation *operation, const struct clr_shape *shape, struct clr_text *text);

// --- Lines "#define NAME VALUE" ---
void clr_define_number(struct clr_text *text, const char *name, unsigned long long value);
void clr_define_text(struct clr_text *text, const char *name, const char *value);

#endif
