// Element types: the rows of CLRED_TYPE_MAP as the library needs them.
#ifndef CLR_MODEL_ELEMENT_H
#define CLR_MODEL_ELEMENT_H

#include <stdbool.h>

#include "clreduce.h"

enum clr_class { CLR_SIGNED, CLR_UNSIGNED, CLR_FLOATING };
enum clr_need { CLR_NEEDS_NOTHING, CLR_NEEDS_FP64 };

struct clr_type {
  clred_type     id;
  const char    *name;
  const char    *numpy_name;
  enum clr_class class;
  clred_type     wide;     // whose type carries sums of this one
  const char    *lowest;   // kernel text
  const char    *highest;
  enum clr_need  need;
  size_t         size;
  void (*widen)(const void *elements, cl_ulong count, void *wide);  // to an array of the wide type's host form
};

// The row of a type, NULL for a value outside the table.
const struct clr_type *clr_type_row(clred_type type);
const struct clr_type *clr_type_at(size_t index);

#endif
