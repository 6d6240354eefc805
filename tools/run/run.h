// Work on the device: the input as a buffer, and one plan run and timed over it.

#ifndef CLREDUCE_TOOL_RUN_H
#define CLREDUCE_TOOL_RUN_H

#include <clreduce.h>
#include <stdbool.h>

#include "device/session.h"
#include "input/input.h"
#include "run/results.h"

// What a plan is called with.
struct work {
  clred_call call;      // all but where the results go
  cl_ulong results;     // that the call yields; with 0 it is not made
  bool scans;           // results go into a buffer, be it one alone
  bool checked;         // CLRED_OVERFLOW_DETECT
  bool finds;           // how many of the results there are only the call knows
  clred_type key_type;  // of the key of each result, which is wanted too; NONE: is not
};

struct outcome {
  clred_plan_info info;
  struct results results;  // of the last call
  struct results keys;     // likewise; none where work has no key_type
  bool steady;             // every call gave the same bits
  double kernel_seconds;   // median; NaN where no kernel ran or the device does not say
  double wall_seconds;     // median, from enqueue to finished
  cl_ulong calls;          // that were timed
  cl_ulong chunk;          // elements that were read and folded at a time; 0: all
};

struct repeats {
  cl_ulong count;  // at least 1
  double budget;   // once so many seconds are spent, three calls are enough; 0: no limit
  bool warm;       // one untimed call first
};

// A buffer with the input's elements: on a device that shares the host's memory in place, else a copy. NULL in *buffer
// where there are none. Refuses what is larger than the device's largest buffer. An exit code, as all here.
int run_upload(const struct session *session, const struct input *input, cl_mem *buffer);

// Says so beforehand, if the count is known and the elements do not fit one buffer.
int run_check_size(const struct session *session, const struct input *input);

// Calls the plan as often as asked and takes medians. outcome_release is due in any case.
int run_plan(const struct session *session, clred_plan *plan, const struct work *work, struct repeats repeats,
             struct outcome *outcome);

// One call for one result, not timed.
int run_call(const struct session *session, clred_plan *plan, const clred_call *call);

void outcome_release(struct outcome *outcome);

#endif
