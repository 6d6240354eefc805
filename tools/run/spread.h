// The devices of a reduction or scan in parts. Usually it is one; with `--device 0,1` each of several devices takes a
// share of the elements. The results have the same bits as on one device.
#pragma once

#include <clreduce_partial.h>

#include "run/job.h"

enum { SPREAD_SOURCES = 1 + USER_INPUTS_MAX };

// A device and what it has folded.
struct spread_device {
  struct session *session;  // that of the job, or `own`
  struct session own;
  clred_plan *plan;
  clred_plan *folds;      // makes its partials: `plan`, or for a scan the plan that folds its elements
  uint64_t first, count;  // elements; chunks of a stream have no common first one
  double seconds;         // in which the device worked, by its own clock; NaN if it has no times
};

struct spread {
  struct job *job;
  struct spread_device *devices;
  size_t count;
};

// True if --device names several devices.
bool spread_wanted(const struct args *args);

// Opens the devices that --device names. `plan` is that of the first one, which is the job's; the others get plans of
// the same problem. Call spread_close in any case. Returns an exit code, like all functions here.
int spread_open(struct spread *spread, struct job *job, clred_plan *plan);
void spread_close(struct spread *spread);

// Makes a partial of the job's operator on a device. Its first element is element `first`.
int spread_partial(const struct spread *spread, size_t device, uint64_t first, clred_partial **partial);

// Folds the loaded elements of the job, a share on each device. `whole` is a partial of the first device.
int spread_fold(struct spread *spread, clred_partial *whole);

// Scans the loaded elements of the job, a share on each device. `results` has room for all results.
int spread_scan(struct spread *spread, const struct results *results);

// Prints a failure with the name of the device, if there are several.
int spread_check(const struct spread *spread, size_t device, cl_int status);

// A fold that is under way on a device.
struct spread_fold {
  cl_event begun, folded;  // NULL: nothing is under way
};

// Enqueues a fold that begins after `ready`, which may be NULL. It reads the buffers until spread_wait.
int spread_enqueue(const struct spread *spread, size_t device, clred_partial *partial, const clred_call *call,
                   cl_event ready, struct spread_fold *fold);

// Waits for the fold, and adds its time to that of the device.
int spread_wait(struct spread *spread, size_t device, clred_partial *partial, struct spread_fold *fold);

// Releases the events of a fold that nothing waits for.
void spread_drop(struct spread_fold *fold);

// The devices with their shares and times, for --json.
cJSON *spread_json(const struct spread *spread);

// Says the same on standard error, for --explain.
void spread_explain(const struct spread *spread);

// ---- For the files of run/spread alone

// What a device needs for its share.
struct spread_share {
  clred_partial *partial;
  cl_mem buffers[SPREAD_SOURCES];
  struct spread_fold fold;
};
