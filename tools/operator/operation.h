// The operation to compute: an operator of the library, an operator of the user, or a selection.

#ifndef CLREDUCE_TOOL_OPERATION_H
#define CLREDUCE_TOOL_OPERATION_H

#include "operator/user_operator.h"
#include <clreduce_device.h>

struct operation {
  const char *name;
  clred_op_info op;  // op.op is NONE for an operator of the user
  bool own;
  struct user_operator user;  // used if `own`
  bool selects;               // a selection; `own` is true as well
  clred_selection selection;
  size_t inputs;  // number of further inputs
};

// Takes the operator of the command line, else the one of this name (NULL: the name is missing). Returns an exit code.
// Call operation_release in any case.
int operation_take(struct operation *operation, const struct args *args, const char *name);

void operation_release(struct operation *operation);

// True if the operator declares its element type. The type is opaque if the library does not know it.
bool operation_element(const struct operation *operation, clred_type_info *type);

#endif
