// One pass of a plan, as data: a kernel launch, or work on the host. All kernels share one signature
// (cl/common/entry.clh), so one loop launches any list of passes.
#pragma once

#include <stdbool.h>

#include "clreduce.h"

// The elements of one call: clred_call with its defaults filled in.
struct clr_extent {
  cl_ulong count;  // elements of a row; for segments, of all rows together
  cl_ulong stride;
  cl_ulong rows, row_stride, columns;
};

// A call over one row of `count` neighbouring elements.
struct clr_extent clr_extent_line(cl_ulong count);

enum clr_kernel {
  CLR_KERNEL_ELEMENTS,
  CLR_KERNEL_STATES,
  CLR_KERNEL_DELIVER,
  CLR_KERNEL_BEGIN,
  CLR_KERNEL_APPLY,  // scans: writes results from elements and the prefixes of their runs
  CLR_KERNEL_CLEAR,  // clears the cells of look-back, or the counts of a histogram
  CLR_KERNEL_CUT,    // segments: finds where chunks begin
  CLR_KERNELS
};
enum clr_pass_kind {
  CLR_PASS_LAUNCH,
  CLR_PASS_FOLD_ON_HOST,  // the host folds `count` partials from scratch[first] on and writes the result
  CLR_PASS_WALK_ON_HOST,  // the host folds the elements and writes the result
  CLR_PASS_SCAN_ON_HOST,  // the host scans the elements and writes the results
  CLR_PASS_COUNT_ON_HOST  // the host counts the elements in bins
};

struct clr_pass {
  enum clr_pass_kind kind;
  enum clr_kernel kernel;
  cl_ulong groups;
  cl_ulong group_size;
  cl_ulong first;   // first value of the source, in states; a launch over elements takes the call's offset instead
  cl_ulong count;   // values to fold
  cl_ulong span;    // its meaning depends on the strategy; see the kernel in cl/strategies
  cl_ulong work;    // start of the work area in scratch, or another number of the strategy
  cl_ulong target;  // where the partials are written in scratch
  cl_ulong launch;  // number of this launch, if several launches share the elements
  bool pairs;       // the host folds in adjacent pairs; otherwise in order
  bool alone;       // one group writes the result, so the kernel gets neither scratch nor ticket, but NULL
};
