// Verifies results. The host's reference has the bits of each row. If the order of rounding operations is free, or the
// operator uses exp and log, the result must be within a bound around the exact value. Results of the user's operators
// are compared with those of one work-item that folds the same tree.
#pragma once

#include "run/job.h"

struct verdict {
  bool correct;
  uint64_t wrong;            // index of the first wrong result
  double error_ulp;          // largest error of floating parts; NaN if there are none, and for scans
  struct results reference;  // the reference results
};

// Verifies the outcome of a plan; `ulp` requests error_ulp. Returns an exit code, EXIT_DONE also for wrong results.
// Call verdict_release in any case.
int verify_outcome(const struct job *job, const clred_plan *plan, const struct outcome *outcome, bool ulp,
                   struct verdict *verdict);

// An upper bound of the number of combines between an element and the result: in its work-item, the tree and the
// groups.
double verify_depth(const clred_plan_info *info, cl_ulong count);

void verdict_release(struct verdict *verdict);

// The plan that computes the reference of an operator of the user: one work-item over one line.
cl_int reference_plan_line(const struct job *job, clred_plan **plan);

// The exact value of the single result, or of the last of a scan, as a double. Without rounding operations it is the
// reference.
double verify_exact_value(const struct job *job, const struct results *reference);
