// Macros, and the conditions of #if in the kernels' sources: integers, macros without arguments, and C's operators on
// them. resolve.c calls this.
#pragma once

#include "source/files.h"

struct clr_macro {
  struct clr_word name, body;
  bool takes_arguments;
};

struct clr_macros {
  struct clr_macro *at;
  size_t count, capacity;
};

const struct clr_macro *clr_macro_find(const struct clr_macros *macros, struct clr_word name);

// Defines a macro, or replaces its definition. False if memory runs out.
bool clr_macro_define(struct clr_macros *macros, struct clr_macro macro);
void clr_macro_undefine(struct clr_macros *macros, struct clr_word name);

// --- The conditions that are open in a file: #if, #ifdef, #ifndef, #elif, #else, #endif ---

#define CLR_BRANCHES_MAX 64

struct clr_branch {
  bool active;     // lines between this directive and the next one are kept
  bool taken;      // an earlier branch of the same #if was active
  bool left_open;  // only the compiler can decide the condition
};

struct clr_branches {
  struct clr_branch at[CLR_BRANCHES_MAX];
  size_t depth;
};

enum clr_branching {
  CLR_BRANCHING_NONE,       // the directive does not belong to conditions
  CLR_BRANCHING_DONE,       // the directive is left out of the text
  CLR_BRANCHING_LEFT_OPEN,  // the directive stays in the text: the compiler decides
  CLR_BRANCHING_TOO_DEEP,   // from here on: errors
  CLR_BRANCHING_NO_IF,
  CLR_BRANCHING_NO_CONDITION
};

// True if lines at this point of the file are kept.
bool clr_branch_is_active(const struct clr_branches *branches);

// Opens, changes or closes a branch if the directive does that.
enum clr_branching clr_branch(struct clr_branches *branches, const struct clr_macros *macros, struct clr_word directive,
                              struct clr_word condition);
