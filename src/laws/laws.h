// Runs trials of an operator's laws on the device. clred_check_laws calls this.
#pragma once

#include "clreduce_device.h"
#include "host/law_check.h"
#include "opencl/session.h"
#include "plan/plan.h"

// Trials in one launch.
#define CLR_LAW_BATCH 1024

// The device's buffers of a run, and the host's copies of the results of one launch.
struct clr_law_run {
  const struct clr_operation *operation;
  struct clr_status *status;
  struct clr_session session;
  cl_kernel kernel;
  cl_mem triples, states, results, elements, inputs[CLR_INPUTS_MAX];
  unsigned char *states_read, *results_read;
};

// --- laws.c ---
// Implements clred_check_laws.
cl_int clr_check_laws(clred_runtime *runtime, const clred_problem *given, cl_ulong seed, clred_law *laws,
                      struct clr_status *status);

// --- law_run.c ---
// Builds the program and copies the pool to the device. Release also after a failure.
cl_int clr_law_run_open(clred_runtime *runtime, const struct clr_operation *operation, const struct clr_pool *pool,
                        struct clr_law_run *run, struct clr_status *status);
void clr_law_run_close(struct clr_law_run *run);

// Sets the operator's parameters for the next trials: `first`, first + step, ... in all their scalars. Before the first
// call they are 1.
cl_int clr_law_run_set_parameters(struct clr_law_run *run, int first, int step);

// Runs `count` trials, at most CLR_LAW_BATCH, and reads their results.
cl_int clr_law_run_batch(struct clr_law_run *run, const struct clr_triple *triples, size_t count);
