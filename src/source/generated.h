// The generated files of a program: plan.clh with the numbers of the plan and of the operation, and the operator's
// functions. source.c calls this.
#ifndef CLR_SOURCE_GENERATED_H
#define CLR_SOURCE_GENERATED_H

#include "base/text.h"
#include "model/operator.h"
#include "planning/strategy.h"

// --- shape_defines.c ---
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

// --- operation_defines.c, operation_text.c ---
// True if lower also works on several states at once: they are a vector, and forms.def allows it or the caller's
// operator has no text for lower.
bool clr_lowers_lanes(const struct clr_operation *operation);

// What plan.clh says of the operation.
void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text);

// Around what is written of lanes that are carried in 32 bits (clr_narrows).
void clr_operation_narrow(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_widen(const struct clr_operation *operation, struct clr_text *text);

// The files of a program that are made of the operator's texts: cl/words/operator.clh says what is in them. What a text
// means depends on the context of its #include, so one file serves single states and lanes.
#define CLR_OPERATION_FILES 10
struct clr_operation_file {
  const char *name;
  void (*write)(const struct clr_operation *operation, struct clr_text *text);
};
extern const struct clr_operation_file clr_operation_files[CLR_OPERATION_FILES];

#endif
