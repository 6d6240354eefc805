// Is a result right? The library's host reference says what bits it must have; where the order of a floating sum or
// product is free, a bound from the exact value does.

#ifndef CLREDUCE_TOOL_VERIFY_H
#define CLREDUCE_TOOL_VERIFY_H

#include "input.h"
#include "run.h"

struct verdict {
  bool   correct;
  double error_ulp;  // of a floating result; NaN where it means nothing
  number reference;  // what the host computed, in the result's type
};

// Judges the outcome of a plan over the input; `measure` asks for error_ulp. An exit code: being wrong is none.
int verify_outcome(const struct session *session, const clred_plan *plan, clred_op op, const struct input *input,
                   const struct outcome *outcome, bool measure, struct verdict *verdict);

// The exact value of a reduction as a double: of a floating sum or product the exact one, else the reference's.
double verify_exact_value(clred_op op, const struct input *input, clred_type result_type, const number *reference);

#endif
