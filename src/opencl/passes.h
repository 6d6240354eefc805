// Runs the passes of one call, one after another: launches kernels, or maps memory and computes on the host.
#ifndef CLR_OPENCL_PASSES_H
#define CLR_OPENCL_PASSES_H

#include "opencl/launch.h"

// True if the call writes no results. It still writes the outcome, if the plan has one.
bool clr_writes_nothing(const struct clr_problem *problem, const struct clr_strategy *strategy,
                        const struct clr_extent *extent);

// Runs all passes. If the last pass runs on the host, `on_host` becomes true, the call has waited for it, and `result`
// (room for one) holds the result of a reduction.
cl_int clr_run_passes(struct clr_call *call, void *result, bool *on_host, struct clr_status *status);

#endif
