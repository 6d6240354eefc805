// The generated files of a program: plan.clh with the numbers of the plan and of the operation, and the operator's
// functions. source.c calls this.
#pragma once

#include "base/text.h"
#include "model/operator.h"
#include "planning/strategy.h"

// --- shape_defines.c ---
// The numbers that the files of cl/ for this strategy use, except those of the operation.
void clr_shape_defines(const struct clr_strategy *strategy, const struct clr_shape *shape, struct clr_text *text);

// How the device orders memory between groups (cl/common/device_scope.clh).
void clr_fence_defines(enum clr_fence fence, struct clr_text *text);

// For the finish `atomic`: how atomics fold a state into memory.
void clr_atomic_defines(const struct clr_operation *operation, struct clr_text *text);

// The numbers of a histogram.
void clr_histogram_defines(const struct clr_operation *operation, const struct clr_shape *shape, struct clr_text *text);

// --- Lines "#define NAME VALUE" ---
void clr_define_number(struct clr_text *text, const char *name, unsigned long long value);
void clr_define_text(struct clr_text *text, const char *name, const char *value);

// --- operation_defines.c, operation_text.c ---
// What plan.clh says about the operation.
void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text);

// Write the lines before and after a text about lanes that are held in 32 bits (clr_operation.narrows).
void clr_operation_narrow(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_widen(const struct clr_operation *operation, struct clr_text *text);

// The files of a program that are made of the operator's texts (cl/common/operator.clh). Their meaning depends on the
// macros at the #include, so one file serves single states and lanes.
#define CLR_OPERATION_FILES 12
struct clr_operation_file {
  const char *name;
  void (*write)(const struct clr_operation *operation, struct clr_text *text);  // NULL: the file is empty
};
extern const struct clr_operation_file clr_operation_files[CLR_OPERATION_FILES];

// Lines before the text of a built-in lift: they declare the values that it reads, in the type of the arithmetic.
const char *clr_before_lift(const struct clr_operation *operation);

// clr_operation_padding declares clred_lower, which sets the bytes between the members of results to 0.
void clr_bins_defines(const struct clr_operation *operation, const struct clr_shape *shape, struct clr_text *text);
void clr_operation_words(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_padding(const struct clr_operation *operation, struct clr_text *text);

// --- several_text.c ---
// The same files for a list of operators.
extern const struct clr_operation_file clr_op_list_files[CLR_OPERATION_FILES];
