// Runs and times one plan over buffers on the device.
#pragma once

#include <clreduce.h>
#include <stdbool.h>

#include "device/session.h"
#include "input/input.h"
#include "run/results.h"

// The arguments of a call.
struct work {
  clred_call call;           // everything but the destination of the results
  cl_ulong results;          // number of results; with 0 nothing is called
  bool scans;                // results go into a buffer, even a single one
  bool checked;              // CLRED_OVERFLOW_DETECT
  const char *const *words;  // the operators of a list, as the user spells them; NULL: no list
  bool finds;                // only the call finds the number of results
  clred_type key_type;       // type of the keys to return as well; NONE: no keys
  // Computes the results from elements in host memory, instead of the plan. Returns a status. NULL: the plan runs.
  cl_int (*by_hand)(void *about, void *results);
  void *about;
};

struct outcome {
  clred_plan_info info;
  struct results results;  // of the first call
  struct results keys;     // of the last call; empty without key_type. Of several quantiles: their numbers
  bool steady;             // all calls gave the same bits
  double kernel_seconds;   // median; NaN if no kernel ran or the device has no times
  double wall_seconds;     // median, from enqueue to finished
  cl_ulong calls;          // timed calls
  cl_ulong chunk;          // elements taken at a time in a stream; 0: not a stream
  cJSON *more;             // an object with further members for --json; NULL: none
  bool written;            // the results are in their file; `results` has their number only
};

struct repeats {
  cl_ulong count;  // at least 1
  double budget;   // after this many seconds, three calls are enough; 0: no limit
  bool warm;       // one untimed call first
};

// The number of --repeat. If times are printed, `warm` is set, so that they do not include the driver's compiling.
struct repeats repeats_wanted(const struct args *args);

// Calls the plan `repeats` times and computes medians. Call outcome_release in any case. Returns an exit code,
// like all functions here.
int run_plan(const struct session *session, clred_plan *plan, const struct work *work, struct repeats repeats,
             struct outcome *outcome);

// The same for another kind of call, which fills results like outcome->results and sets its times; `kernel` is NaN if
// they are not known.
typedef int run_once(void *about, struct results *results, double *kernel, double *wall);
int run_repeatedly(run_once *once, void *about, struct repeats repeats, struct outcome *outcome);

// Refuses a counted input that no buffer of the device can hold.
int run_check_size(const struct session *session, const struct input *input);

// Says that an input of `bytes` is larger than `most`, the largest buffer. Returns an exit code.
int run_too_large(const struct session *session, const struct input *input, uint64_t bytes, cl_ulong most);

// One call, not timed.
int run_call(const struct session *session, clred_plan *plan, const clred_call *call);

// Writes the times and the speed on standard error; `bytes` are those that a call reads and writes.
void outcome_explain(const struct outcome *outcome, uint64_t bytes);

void outcome_release(struct outcome *outcome);
