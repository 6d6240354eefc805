// One pass of a plan, as data: a kernel launch, or work of the host. All kernels share one signature (cl/entry.clh), so
// one loop launches any list of passes.
#ifndef CLR_PLANNING_PASS_H
#define CLR_PLANNING_PASS_H

#include <stdbool.h>

#include "clreduce.h"

enum clr_kernel {
  CLR_KERNEL_ELEMENTS,
  CLR_KERNEL_STATES,
  CLR_KERNEL_DELIVER,
  CLR_KERNEL_BEGIN,
  CLR_KERNEL_APPLY,  // scans: writes results from elements and what stands before them
  CLR_KERNEL_CLEAR,  // look-back's board; counts
  CLR_KERNEL_CUT,    // segments: where the chunks begin
  CLR_KERNELS
};
enum clr_pass_kind {
  CLR_PASS_LAUNCH,
  CLR_PASS_FOLD_ON_HOST,  // the host folds `count` partials from scratch[first] on and writes the result
  CLR_PASS_WALK_ON_HOST,  // the host folds the caller's elements and writes the result
  CLR_PASS_SCAN_ON_HOST,  // the host scans them and writes the results
  CLR_PASS_COUNT_ON_HOST  // the host counts them in bins
};

struct clr_pass {
  enum clr_pass_kind kind;
  enum clr_kernel kernel;
  cl_ulong groups;
  cl_ulong group_size;
  cl_ulong first;   // of the source, in states; the caller's offset takes its place for elements
  cl_ulong count;   // values to fold
  cl_ulong span;    // the strategy's own number
  cl_ulong work;    // where in scratch the work area begins
  cl_ulong target;  // where in scratch the partials go
  cl_ulong launch;  // number of this launch, where several share the elements
  bool pairs;       // the host folds in adjacent pairs; else in order
};

#endif
