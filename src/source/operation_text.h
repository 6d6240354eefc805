// The operation as program text: its types as defines, its functions for single values and for lanes.
#ifndef CLR_PLANNING_OPERATION_TEXT_H
#define CLR_PLANNING_OPERATION_TEXT_H

#include "base/text.h"
#include "model/operator.h"

// Whether lower's text holds for vectors as it stands: of states that are vectors, by built-in words.
bool clr_lowers_lanes(const struct clr_operation *operation);

// The defines of cl/words.clh and cl/entry.clh.
void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text);

// After words.clh: the declarations a caller's own operator brings.
void clr_operation_declarations(const struct clr_operation *operation, struct clr_text *text);

// The functions of cl/single.clh; and of lanes.clh for `width` lanes, where they are not loops over single ones.
void clr_operation_single(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_lanes(const struct clr_operation *operation, bool narrow, struct clr_text *text);

// Around what is written of lanes that are carried in 32 bits (clr_narrows).
void clr_operation_narrow(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_widen(const struct clr_operation *operation, struct clr_text *text);

#endif
