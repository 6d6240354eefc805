// A caller's own operator: a copy of it, and all checks that need no compiler. problem.c calls this.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "model/element.h"

#define CLR_OPERANDS_MAX 16
#define CLR_INPUTS_MAX 8
#define CLR_MEMBERS_MAX 16

struct clr_operand {
  char *name, *type;
  enum clr_reading reading;
  size_t size;  // as given; 0: the device reports it
};

// A type of the operator: a name, or a list of scalars in braces. A list sets `members` and the size.
struct clr_shape_of_type {
  char *type;  // NULL if it has members
  clred_part members[CLR_MEMBERS_MAX];
  size_t member_count;
  size_t size;        // bytes; 0: not known yet
  clred_type scalar;  // the type if the tables have it as a scalar or vector; otherwise NONE
};

// The parts of a selection: lift returns whether an element is kept, and states count the kept elements.
struct clr_keeping {
  bool keeps;         // it is a selection
  bool indices;       // writes the positions of kept elements, as ulong, instead of the elements
  bool looks_before;  // the text may read the previous element
  bool ends;          // writes the number of elements after the last result
  bool wide;          // counts in 64 bits
};

struct clr_custom {
  char *name, *preamble, *identity, *lift, *combine, *lower;
  char *element;
  enum clr_reading reading;
  size_t element_size;
  struct clr_shape_of_type state, result;
  struct clr_operand inputs[CLR_INPUTS_MAX], parameters[CLR_OPERANDS_MAX];
  size_t input_count, parameter_count;
  bool commutative, elementwise, needs_fp64;
  bool has_host;
  clred_host_operator host;
  struct clr_keeping keeping;
  cl_uint (*keep)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                  void *user_data);  // the selection on the host; NULL: none
  void *keep_data;
};

// Copies the caller's operator, or reports what is missing or wrong. Sizes that neither the caller nor the tables know
// stay 0. Release with clr_custom_release, also after a failure.
cl_int clr_custom_make(const clred_operator *given, struct clr_custom *custom, struct clr_status *status);
// Does the same for a selection over elements of `type`; if `type` is NONE, over the selection's own type.
cl_int clr_custom_make_selection(const clred_selection *given, clred_type type, struct clr_keeping keeping,
                                 struct clr_custom *custom, struct clr_status *status);

// Returns the name of the text that decides about an element, for messages.
const char *clr_custom_lift_name(const struct clr_custom *custom);

void clr_custom_release(struct clr_custom *custom);
