// The conditions of #if in the kernels' sources: integers, macros without arguments, and C's operators on them.
#ifndef CLR_SOURCE_CONDITION_H
#define CLR_SOURCE_CONDITION_H

#include "source/lines.h"

struct clr_macro {
  struct clr_word name, body;
  bool takes_arguments;
};

struct clr_macros {
  struct clr_macro *at;
  size_t count, capacity;
};

const struct clr_macro *clr_macro_find(const struct clr_macros *macros, struct clr_word name);

// Defines a macro anew. False if memory runs out.
bool clr_macro_define(struct clr_macros *macros, struct clr_macro macro);
void clr_macro_undefine(struct clr_macros *macros, struct clr_word name);

enum clr_truth {
  CLR_FALSE,
  CLR_TRUE,
  CLR_LEFT_OPEN,  // it names something that only the compiler knows: a word that begins with two underscores
  CLR_NO_CONDITION
};

// As C says: a name that no macro has is 0.
enum clr_truth clr_condition(const struct clr_macros *macros, struct clr_word condition);

#endif
