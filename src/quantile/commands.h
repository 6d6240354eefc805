// The commands of a run: transfers and launches, one after the other, and slices of the elements.
#pragma once

#include "opencl/session.h"
#include "quantile/quantile.h"

// clr_run_put writes to a buffer; `from` must not change before the next clr_run_take, which reads from a buffer and
// waits.
cl_int clr_run_put(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, const void *from);
cl_int clr_run_take(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, void *to);

cl_int clr_run_launch(struct clr_quantile_run *run, enum clr_quantile_kernel which, cl_ulong groups,
                      const struct clr_argument *arguments, cl_uint count);

// Returns the number of groups that share `count` values of this size. On GPUs they fill the device; on CPUs each takes
// a long run.
cl_ulong clr_quantile_groups(const clred_quantile *quantile, cl_ulong count, size_t size);

// Elements for one launch.
struct clr_slice {
  cl_mem buffer;
  cl_ulong first, count;
  bool is_owned;
};

// The slice that begins at element `at` of the call and does not reach beyond `end`.
cl_int clr_slice_open(struct clr_quantile_run *run, cl_ulong at, cl_ulong end, struct clr_slice *slice);
void clr_slice_close(struct clr_slice *slice);

// --- reading.c ---
// Reads the keys of a slice of at most CLR_SAMPLE elements to `keys`, in the order of the elements.
cl_int clr_reading_all(struct clr_quantile_run *run, const struct clr_slice *slice);
