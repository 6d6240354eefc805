// Tries the program of a plan: runs calls of lengths around every boundary of the plan's geometry, with guard bytes
// around the results, and compares with the host. A compiler or driver that computes wrong is found before the first
// result.
#pragma once

#include "call/call.h"
#include "opencl/session.h"
#include "quantile/quantile.h"
#include "sort/sort.h"

// --- tried.c ---
// Makes a plan as clr_plan_make does, and tries its program unless there is a record that it is right. If the program
// is wrong or does not build, the next strategy or finish of `auto` that passes its trial is used instead.
// CLRED_WRONG_RESULT: none passes; the message names the driver, the kernel and the case.
cl_int clr_plan_make_tried(clred_runtime *runtime, const clred_problem *problem, clred_plan **made,
                           struct clr_status *status);

// Makes a plan with these measured numbers instead of the runtime's. Tries it only if its group size is above the
// driver's hint.
cl_int clr_plan_make_tuned(clred_runtime *runtime, const clred_problem *problem, const struct clr_tuned *tuned,
                           clred_plan **made, struct clr_status *status);

// If the plan is for calls on host memory, replaces it by its plan with a program. If there is no such plan yet, makes
// and tries it.
cl_int clr_plan_take_program(clred_plan **plan, struct clr_status *status);

// Records the outcome of a trial and logs it. `found` is the status of the trial. If the results are wrong, `status`
// gets a message with the driver, the kernel and the case. An error of OpenCL is returned but not recorded: it may have
// other causes than the program. Lack of memory for the trial is no failure.
struct clr_tried_program {
  clred_runtime *runtime;
  struct clr_built *built;
  unsigned cover;
  const char *strategy, *operation, *kernel;
};
cl_int clr_trial_conclude(const struct clr_tried_program *program, cl_int err, const struct clr_status *found,
                          struct clr_status *status);

// Writes the name of the plan's first kernel.
void clr_plan_kernel_name(const clred_plan *plan, char *name, size_t size);

// As clr_plan_make_tried, but by clr_plan_make_nodes, in this process, and with no other strategy or finish to try.
cl_int clr_plan_make_nodes_tried(const clred_plan *scan, clred_plan **made, struct clr_status *status);

// --- quantiles.c ---
// Makes a quantile and tries its program in the same way; there is no other program to try.
cl_int clr_quantile_make_tried(clred_runtime *runtime, const clred_quantile_problem *problem, clred_quantile **made,
                               struct clr_status *status);

// --- sorts.c ---
// Makes a sorter and tries its program in the same way. With host_calls nothing is built.
cl_int clr_sorter_make_tried(clred_runtime *runtime, const clred_sort_problem *problem, clred_sorter **made,
                             struct clr_status *status);

// Sorts a few keys, alone and by passes, so that drivers compile what they compile at a first launch.
cl_int clr_sorter_warm(cl_command_queue queue, clred_sorter *sorter, struct clr_status *status);

// Implement the calls of host memory, with a sorter and without.
cl_int clr_sorter_run_host(cl_command_queue queue, clred_sorter *sorter, const clred_sort_host_call *call,
                           struct clr_status *status);
cl_int clr_sort_host_planless(clred_runtime *runtime, const clred_sort_problem *problem,
                              const clred_sort_host_call *call, struct clr_status *status);

// --- trial.c ---
// Runs the calls and compares. With a group size above the driver's hint, results of a caller's operator must have the
// host's bits, and results of the order `any` are compared: a plan with the hint can take the place. Returns CL_SUCCESS
// if all results are right or nothing can be compared, CLRED_WRONG_RESULT with a message about the case, or the error
// of the call that failed.
cl_int clr_trial_run(clred_plan *plan, struct clr_status *status);

// Launches each kernel in every form that a driver may compile at a first launch, and waits for the last.
cl_int clr_plan_warm(cl_command_queue queue, clred_plan *plan, struct clr_status *status);

// --- cases.c ---
// The rows of a call. ONES: rows of one element each. MIXED: rows of many lengths.
enum clr_trial_rows { CLR_TRIAL_EQUAL, CLR_TRIAL_ONES, CLR_TRIAL_MIXED };

// A call of a trial. With segments and runs, `count` is the number of elements of all rows together.
struct clr_trial_case {
  cl_ulong count, rows, columns;
  enum clr_trial_rows lengths;
  cl_ulong first;  // the first element; with layout LINE only
  // With `decides` > 0, element decides - 1 has the bytes `other`; all other elements have the bytes `common`. Such
  // calls are the last of a trial.
  cl_ulong decides;
  unsigned char common, other;
};

// What launches differ by. PoCL compiles a kernel once for each group size, and again for launches of 65536 work-items
// or more.
struct clr_launch_form {
  enum clr_kernel kernel;
  cl_ulong group_size;
  bool has_groups, is_large;  // more than one group; many work-items
};

#define CLR_TRIAL_CASES 128
#define CLR_TRIAL_FORMS 64
#define CLR_TRIAL_EDGES 48    // elements with NaNs, infinities, zeros, ends of ranges; they follow all others
#define CLR_TRIAL_GUARD 0xa5  // every byte around the results

struct clr_trial {
  clred_plan *plan;
  bool warms;              // the calls are made without comparing; elements and parameters are 1
  cl_command_queue queue;  // the session's, or the caller's
  struct clr_session session;
  struct clr_trial_case cases[CLR_TRIAL_CASES];
  size_t case_count;
  struct clr_launch_form forms[CLR_TRIAL_FORMS];  // of the launches of some of the cases
  size_t form_count;
  cl_ulong elements, results, rows;  // the largest numbers of all cases, without edges
  cl_ulong guards;                   // results before and after those of a call; they must not change
  cl_ulong kept;                     // elements that a selection must keep in the current call
  cl_ulong longest_kept;             // elements that the selection kept in the longest call; they are in `made`
  // Host memory; without comparing, NULL from `line` on. `line` and `line_inputs` have the elements of one row, one
  // after another.
  unsigned char *in, *inputs[CLR_INPUTS_MAX], *segments, *line, *line_inputs[CLR_INPUTS_MAX], *expected, *got, *made;
  cl_ulong *begins;  // with segments and runs: where row i begins; rows + 1 numbers
  unsigned char parameters[CLR_OPERANDS_MAX][CLR_OWN_SIZE_MAX];
  cl_mem in_buffer, input_buffers[CLR_INPUTS_MAX], out_buffer, segments_buffer;
};

// Chooses the calls: around every boundary of the plan's geometry, and short calls that launch further kernels.
void clr_trial_choose(struct clr_trial *trial);

// Chooses calls that together have every form of a launch.
void clr_trial_choose_to_warm(struct clr_trial *trial);

// Return the number of elements, and of results, of one call from the first position to the last.
cl_ulong clr_trial_elements(const struct clr_trial *trial, const struct clr_trial_case *one);
cl_ulong clr_trial_results(const struct clr_trial *trial, const struct clr_trial_case *one);

// Returns the stride of strided calls.
cl_ulong clr_trial_stride(const struct clr_trial *trial);

// With segments and runs: the elements of a row; the last row has the elements that are left.
cl_ulong clr_trial_length(const clred_plan *plan, const struct clr_trial_case *one, cl_ulong row);

// --- data.c ---
// Makes the elements, inputs and parameters for the longest call, and room for the results. Release also after a
// failure.
cl_int clr_trial_open(struct clr_trial *trial, struct clr_status *status);
void clr_trial_close(struct clr_trial *trial);

// The bytes of `segments` for calls with up to this many elements and rows. Segments have one offset more than rows,
// runs a key or flag for each element.
static inline size_t clr_trial_segment_bytes(cl_ulong elements, cl_ulong rows) {
  return (size_t)((elements > rows ? elements : rows) + 1) * sizeof(cl_ulong);
}

// Fills `begins` and `segments` for a call over segments or runs.
void clr_trial_lay_rows(struct clr_trial *trial, const struct clr_trial_case *one);

// --- expect.c ---
// Fills `out` as it is before the call: guards, and with a scan in place the elements between them.
void clr_trial_lay_out(const struct clr_trial *trial, const struct clr_trial_case *one, unsigned char *out);

// Fills `expected` with guards and the results that the host computes. `known` becomes false if the host cannot
// compute them. Returns CL_SUCCESS or CL_OUT_OF_HOST_MEMORY.
cl_int clr_trial_expect(struct clr_trial *trial, const struct clr_trial_case *one, bool *known);

// True if result `index` (from the first guard on) is as expected.
bool clr_trial_same(const struct clr_trial *trial, cl_ulong index);
