// Is a result right? The library's host reference says what bits it must have, row by row; where the order of rounding
// operations is free, or exp and log take part, a bound from the exact value does. An operator of the user's own is
// held against one work-item that walks the same tree. Of a scan every result is.

#ifndef CLREDUCE_TOOL_VERIFY_H
#define CLREDUCE_TOOL_VERIFY_H

#include "run/job.h"

struct verdict {
  bool correct;
  uint64_t wrong;            // the first result that is wrong, if one is
  double error_ulp;          // the largest of all floating parts; NaN where it means nothing, and of scans
  struct results reference;  // what it was held against
};

// Judges the outcome of a plan for the job; `ulp` asks for error_ulp. An exit code: being wrong is none.
// verdict_release is due in any case.
int verify_outcome(const struct job *job, const clred_plan *plan, const struct outcome *outcome, bool ulp,
                   struct verdict *verdict);

void verdict_release(struct verdict *verdict);

// The exact value of a job's one result, or of a scan's last, as a double: that of the reference where no rounding
// takes part.
double verify_exact_value(const struct job *job, const struct results *reference);

#endif
