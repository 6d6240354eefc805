// Measures whether the device ends loops early.
#include "runtime/loop_limit.h"

#include "opencl/session.h"

// llvmpipe ends loops after 65535 iterations. An interpreter such as Oclgrind needs a second for a million iterations.
#define TURNS 70000u

cl_uint clr_loop_turns(cl_uint wanted, cl_uint count) {
  cl_uint state = 0;
  for (cl_uint i = 0; i < count; i++) {
    if (state == wanted)
      return i;
    state = state * 1664525u + 1013904223u;
  }
  return state == wanted ? count : count + 1;
}

static cl_int run_loops(struct clr_session *session, cl_program program, cl_uint *state, struct clr_status *status) {
  const cl_uint count = TURNS;
  cl_kernel kernel = NULL;
  cl_mem out = NULL;
  cl_int err = clr_session_kernel(session, program, "probe_two_loops", &kernel, status);
  if (!err)
    err = clr_session_buffer(session, sizeof *state, state, &out, status);
  if (!err &&
      ((err = clSetKernelArg(kernel, 0, sizeof out, &out)) || (err = clSetKernelArg(kernel, 1, sizeof count, &count))))
    err = clr_fail_call(status, err, "clSetKernelArg", session->purpose);
  if (!err)
    err = clr_session_launch(session, kernel, 1, 1, status);
  return err ? err : clr_session_read(session, out, sizeof *state, state, status);
}

static cl_int measure(clred_runtime *runtime, struct clr_status *status) {
  struct clr_session session;
  struct clr_built *built = NULL;
  cl_uint state = 0;
  cl_int err = clr_session_open(runtime->context, runtime->device, "the measurement of loops", &session, status);
  if (!err)
    err = clr_runtime_own_file(runtime, "probes/loops.cl", &built, status);
  if (!err)
    err = run_loops(&session, built->program, &state, status);
  if (built)
    atomic_store(&built->launched, true);
  clr_session_close(&session);
  // If no number of iterations leaves this state, it says nothing about loops.
  cl_uint turns = clr_loop_turns(state, TURNS);
  runtime->loop_trips = turns < TURNS ? turns : 0;
  runtime->has_loop_trips = !err;
  return err;
}

cl_int clr_loop_limit_find(clred_runtime *runtime, struct clr_facts *facts, struct clr_status *status) {
  if (facts->loop_trips)
    return CL_SUCCESS;
  clr_mutex_lock(&runtime->measuring);
  cl_int err = runtime->has_loop_trips ? CL_SUCCESS : measure(runtime, status);
  if (!err)
    facts->loop_trips = runtime->loop_trips;
  clr_mutex_unlock(&runtime->measuring);
  return err;
}
