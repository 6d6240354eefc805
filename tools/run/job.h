// What reduce, scan, plan and ladder have in common: an operator, its inputs, a device, in the order in which mistakes
// are cheapest to find.

#ifndef CLREDUCE_TOOL_JOB_H
#define CLREDUCE_TOOL_JOB_H

#include "device/session.h"
#include "input/input.h"
#include "input/layout.h"
#include "operator/operation.h"
#include "operator/problem.h"
#include "run/run.h"

struct job {
  const struct args *args;
  struct operation operation;
  struct input input;
  struct input others[USER_INPUTS_MOST];  // the operator's further inputs
  size_t other_count;                     // that were opened
  struct input segments;                  // the offsets of --segments, or keys or flags
  struct input runs;                      // offsets of the runs that those make; after job_find_runs
  struct layout layout;                   // complete once the input is counted
  clred_problem problem;                  // count_max likewise
  struct session session;
  cl_mem buffer;  // NULL before job_load, and without elements
  cl_mem other_buffers[USER_INPUTS_MOST];
  cl_mem segments_buffer;
  struct work work;  // complete after job_plan
  struct progress progress;
  bool streams;  // the inputs are folded while they are read; after streaming_choose
};

// Reads the command line's words and the inputs' headers and opens the device. As all here it returns an exit code,
// with the line on standard error written; job_close is due in any case. The job must stay where it is.
int job_open(struct job *job, const struct args *args, const char *op_name);

// Counts the elements; reads them only if there is no other way.
int job_count(struct job *job);

// Reads or makes the elements and hands them to the device.
int job_load(struct job *job);

// Makes the plan. Where only the compiler knows the size of an element, the elements are counted now.
int job_plan(struct job *job, clred_plan **plan);

// Finds the runs of keys or flags on the host, for --verify; without any it does nothing.
int job_find_runs(struct job *job);

void job_close(struct job *job);

// The plan's description, to be freed; NULL if memory is short.
char *job_describe(const struct job *job, const clred_plan *plan);

// Bytes that a call reads and, if it scans, writes; of a reduction the results do not count.
uint64_t job_bytes(const struct job *job, const struct outcome *outcome);

#endif
