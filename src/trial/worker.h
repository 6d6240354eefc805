// Trials in a process of their own, where a driver may crash or hang. The other process runs the same library: it makes
// the same plan in the same way, and sends a note when the trial of a program begins and ends.
#pragma once

#include "clreduce_quantile.h"
#include "clreduce_sort.h"
#include "runtime/runtime.h"

// A message: its kind, and how many bytes follow.
enum clr_message {
  CLR_MESSAGE_OPEN,
  CLR_MESSAGE_PROBLEM,
  CLR_MESSAGE_QUANTILE,
  CLR_MESSAGE_SORT,
  CLR_MESSAGE_NOTE,
  CLR_MESSAGE_DONE,
  CLR_MESSAGE_FAILED  // the other process cannot try: a message that says why
};
struct clr_message_head {
  cl_ulong kind, size;
};

// The device of a runtime: the names of the platform and the device, and how many devices with these names come before
// it.
#define CLR_DEVICE_NAME_SIZE 512
struct clr_device_identity {
  char version[32];  // version of the library; with `sizes`, it shows that both sides are the same build
  cl_ulong sizes;
  char platform[CLR_DEVICE_NAME_SIZE], device[CLR_DEVICE_NAME_SIZE];
  cl_ulong before;
};
bool clr_device_identify(cl_device_id device, struct clr_device_identity *identity);
cl_device_id clr_device_find(const struct clr_device_identity *identity);  // NULL if there is none

// Has the other process make a plan of this problem, so that the programs that the problem may get are tried. The
// runtime then knows the notes about these programs. If the process ends or hangs in a trial, the program counts as
// wrong and a new process goes on. False if no process can try the programs; then this process must.
bool clr_worker_try(clred_runtime *runtime, const clred_problem *problem);
bool clr_worker_try_quantile(clred_runtime *runtime, const clred_quantile_problem *problem);
bool clr_worker_try_sort(clred_runtime *runtime, const clred_sort_problem *problem);

// Implements clred_serve_trials.
int clr_worker_serve(void);
