// Where runs begin, found on the device: for segments by heads and by keys.
#ifndef CLR_API_RUNS_H
#define CLR_API_RUNS_H

#include "plan/plan.h"

// What says where a run begins. Position 0 always is the head of one.
struct clr_runs {
  clred_type keys;  // a head stands where the key is not == to the one before, so a NaN is a run of its own; NONE:
                    // elements are uchar, and heads those that are not 0
  cl_ulong count_max;
  cl_uint in_flight;
  const char *strategy;  // one of those for selections; NULL: chosen
  bool profile;
};

// A plan whose calls write the positions of the heads, as ulong, and behind them the count: the offsets of the runs.
// The outcome's count is the number of runs. Release with clred_plan_release.
cl_int clr_runs_plan_create(clred_runtime *runtime, const struct clr_runs *runs, clred_plan **plan,
                            struct clr_status *status);

// A call of such a plan. `out` must have room for `count` + 1 offsets; of no elements only the outcome is written.
struct clr_runs_call {
  cl_command_queue queue;
  cl_mem in, out;  // keys or flags, and offsets
  cl_ulong in_offset, out_offset, count;
  cl_mem outcome_buffer;  // NULL: not wanted
  cl_ulong outcome_offset;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event *event;
  cl_event *first;  // as in clr_request
};
cl_int clr_runs_enqueue(clred_plan *plan, const struct clr_runs_call *call, struct clr_status *status);

#endif
