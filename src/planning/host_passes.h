// Passes that the host computes: one row for each kind, with the memory that it needs and its function. Pure: the
// caller maps and reads memory (opencl/passes.c).
#ifndef CLR_PLANNING_HOST_PASSES_H
#define CLR_PLANNING_HOST_PASSES_H

#include "host/scans.h"
#include "model/problem.h"
#include "planning/pass.h"

// What a pass reads and writes, in host memory.
struct clr_host_work {
  const struct clr_problem *problem;
  const struct clr_pass *pass;
  struct clr_values values;  // elements
  struct clr_scan scan;      // with the results
  const void *partials;
  void *result;   // of a reduction one result, of a histogram all counts
  cl_ulong kept;  // selections: the number of results written
};

enum clr_host_needs { CLR_NEEDS_ELEMENTS = 1, CLR_NEEDS_PARTIALS = 2, CLR_NEEDS_OUT = 4 };

struct clr_host_pass {
  unsigned needs;  // set of enum clr_host_needs
  void (*compute)(struct clr_host_work *work);
};

// By enum clr_pass_kind.
extern const struct clr_host_pass clr_host_passes[];

#endif
