// An operator of the caller's own, copied and checked as far as that goes without a compiler.
#ifndef CLR_MODEL_CUSTOM_H
#define CLR_MODEL_CUSTOM_H

#include <stdbool.h>

#include "base/status.h"
#include "model/element.h"

#define CLR_OPERANDS_MAX 16
#define CLR_INPUTS_MAX 8
#define CLR_MEMBERS_MAX 16

struct clr_operand {
  char            *name, *type;
  enum clr_reading reading;
  size_t           size;  // as given; 0: the device is asked
};

// A type of the operator: a name, or a list of scalars in braces, which makes `members` and a size of its own.
struct clr_shape_of_type {
  char      *type;    // NULL where it has members
  char      *fields;  // "F(float, value) F(ulong, index) "; NULL where it has none
  clred_part members[CLR_MEMBERS_MAX];
  size_t     member_count;
  size_t     size;      // bytes; 0: not known yet
  clred_type scalar;    // the type, where it is a scalar or vector that the tables know; else NONE
};

struct clr_custom {
  char                    *name, *preamble, *identity, *lift, *combine, *lower;
  char                    *element;
  enum clr_reading         reading;
  size_t                   element_size;
  struct clr_shape_of_type state, result;
  struct clr_operand       inputs[CLR_INPUTS_MAX], parameters[CLR_OPERANDS_MAX];
  size_t                   input_count, parameter_count;
  bool                     commutative, elementwise, needs_fp64;
  bool                     has_host;
  clred_host_operator      host;
};

// Copies the caller's operator, or says what is missing or wrong in it. Sizes that neither the caller nor the tables know
// stay 0. Release with clr_custom_release, also after a failure.
cl_int clr_custom_make(const clred_operator *given, struct clr_custom *custom, struct clr_status *status);
void   clr_custom_release(struct clr_custom *custom);

#endif
