// Passes that the host runs itself. They block until the device has what they need.
#ifndef CLR_OPENCL_HOST_WORK_H
#define CLR_OPENCL_HOST_WORK_H

#include "host/histograms.h"
#include "host/scans.h"
#include "opencl/launch.h"

// Maps the caller's elements and folds them in order; count 0 gives the identity. Behind the call's waits.
cl_int clr_walk_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *state, struct clr_status *status);

// Maps elements and results and scans in order. Behind the call's waits.
cl_int clr_scan_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        struct clr_scan scan, struct clr_status *status);

// Maps elements and counts and counts them in bins. Behind the call's waits.
cl_int clr_count_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                         const struct clr_histogram *histogram, struct clr_status *status);

// Reads the partials of the launches before into `partials` and folds them.
cl_int clr_fold_on_host(struct clr_call *call, const struct clr_pass *pass, const struct clr_operation *operation,
                        void *partials, void *state, struct clr_status *status);

#endif
