// The operation as program text: its types as defines, its functions for single values and for lanes.
#ifndef CLR_PLANNING_OPERATION_TEXT_H
#define CLR_PLANNING_OPERATION_TEXT_H

#include "base/text.h"
#include "model/operator.h"

// True if lower also works on several states at once: they are a vector, and forms.def allows it or the caller's
// operator has no text for lower.
bool clr_lowers_lanes(const struct clr_operation *operation);

// What plan.clh says of the operation.
void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text);

// Whether the text of combine is shorter where all indices of one side are known to lie above those of the other.
bool clr_follows_apart(const struct clr_operation *operation);

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
