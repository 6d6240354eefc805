// The operation as program text: its types as defines, its functions for single values and for lanes.
#ifndef CLR_PLANNING_OPERATION_TEXT_H
#define CLR_PLANNING_OPERATION_TEXT_H

#include "base/text.h"
#include "model/operator.h"

// What several states side by side are in the kernel: cl/lanes.clh.
enum clr_lanes_form { CLR_LANES_VECTOR, CLR_LANES_FIELDS, CLR_LANES_ARRAY };
enum clr_lanes_form clr_lanes_form(const struct clr_operation *operation);

// Whether lower's text holds for vectors as it stands: of states that are vectors, by built-in words.
bool clr_lowers_lanes(const struct clr_operation *operation);

// The defines of cl/words.clh and cl/entry.clh.
void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text);

// The text that moves its states; NULL where nothing in them counts positions.
const char *clr_operation_move(const struct clr_operation *operation);

// The words that choose between its keys; NULL where keys alone do not say which element it is.
const struct clr_words_of_choice *clr_operation_choice(const struct clr_operation *operation);

// After words.clh: the declarations a caller's own operator brings.
void clr_operation_declarations(const struct clr_operation *operation, struct clr_text *text);

// The functions of cl/single.clh; and of lanes.clh for `width` lanes, where they are not loops over single ones.
void clr_operation_single(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_lanes(const struct clr_operation *operation, bool narrow, struct clr_text *text);

// Around what is written of lanes that are carried in 32 bits (clr_narrows).
void clr_operation_narrow(const struct clr_operation *operation, struct clr_text *text);
void clr_operation_widen(const struct clr_operation *operation, struct clr_text *text);

#endif
