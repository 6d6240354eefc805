// Measures whether the device ends loops early.
#include "runtime/loop_limit.h"

#include "opencl/session.h"
#include "source/source.h"

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

static cl_int write_text(const clred_runtime *runtime, struct clr_text *text, struct clr_status *status) {
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  const struct clr_made_file made[] = {{"plan.clh", ""}, {NULL, NULL}};
  const struct clr_sources sources = {.made = made, .from = {clr_kernel_read, &reader, runtime->programs.options}};
  cl_int err = clr_resolve(&sources, "probes/loops.cl", text, status);
  return clr_runtime_read_to(&reader, err, status);
}

// Loads or builds the program. The program is kept with the programs of plans, but the runtime's numbers of builds and
// loads, which users see, do not count it.
static cl_int get_program(clred_runtime *runtime, cl_program *program, struct clr_status *status) {
  struct clr_text text = {0};
  struct clr_built *built = NULL;
  cl_int err = write_text(runtime, &text, status);
  clr_mutex_lock(&runtime->lock);
  size_t builds = runtime->programs.builds, loads = runtime->programs.loads;
  if (!err)
    err = clr_programs_get(&runtime->programs, text.bytes, false, &built, status);
  runtime->programs.builds = builds;
  runtime->programs.loads = loads;
  clr_mutex_unlock(&runtime->lock);
  clr_text_release(&text);
  if (!err) {
    *program = built->program;
    atomic_store(&built->launched, true);
  }
  return err;
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
  cl_program program = NULL;
  cl_uint state = 0;
  cl_int err = clr_session_open(runtime->context, runtime->device, "the measurement of loops", &session, status);
  if (!err)
    err = get_program(runtime, &program, status);
  if (!err)
    err = run_loops(&session, program, &state, status);
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
