// Passes on the host: one row for each kind, with its function and the memory that it needs. The functions are pure;
// opencl/passes.c maps and reads the memory for them.
#pragma once

#include "host/scans.h"
#include "model/problem.h"
#include "planning/pass.h"

// The host memory that a pass reads and writes.
struct clr_host_work {
  const struct clr_problem *problem;
  const struct clr_pass *pass;
  struct clr_values values;  // elements
  struct clr_scan scan;      // with the results
  const void *partials;
  void *result;   // one result of a reduction, or all results of a histogram
  void *room;     // states of the sums of weights, one for each result of a histogram
  cl_ulong kept;  // for selections: the number of results written
};

enum clr_host_needs { CLR_NEEDS_ELEMENTS = 1, CLR_NEEDS_PARTIALS = 2, CLR_NEEDS_OUT = 4 };

struct clr_host_pass {
  unsigned needs;  // set of enum clr_host_needs
  void (*compute)(struct clr_host_work *work);
};

// Indexed by enum clr_pass_kind.
extern const struct clr_host_pass clr_host_passes[];
