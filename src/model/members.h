// Lists of scalars in braces: "{ float value; ulong index; }".
#ifndef CLR_MODEL_MEMBERS_H
#define CLR_MODEL_MEMBERS_H

#include "model/custom.h"

// Parses type->type and replaces it by fields, members and the size of the struct. Messages use `name` and `what`.
cl_int clr_members_parse(const char *name, const char *what, struct clr_shape_of_type *type, struct clr_status *status);
void clr_members_release(struct clr_shape_of_type *type);

#endif
