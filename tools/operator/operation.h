// What is computed: an operator of the library's, by name, or one of the user's own.

#ifndef CLREDUCE_TOOL_OPERATION_H
#define CLREDUCE_TOOL_OPERATION_H

#include "operator/user_operator.h"
#include <clreduce_device.h>

struct operation {
  const char *name;
  clred_op_info op;  // op.op is NONE where the operator is the user's own
  bool own;
  struct user_operator user;  // if `own`
  bool selects;               // a selection in its place, which is `own` as well
  clred_selection selection;
  size_t inputs;  // further ones
};

// The operator that the command line brings, else the one of this name; NULL is a missing one. An exit code;
// operation_release is due in any case.
int operation_take(struct operation *operation, const struct args *args, const char *name);

void operation_release(struct operation *operation);

// The element type, if the operator itself says so: true, and its row, or an opaque one where the library does not know
// it.
bool operation_element(const struct operation *operation, clred_type_info *type);

#endif
