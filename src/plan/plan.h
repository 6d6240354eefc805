// A plan: what was chosen and built for a problem, and the slots in which its calls work.
#ifndef CLR_PLAN_PLAN_H
#define CLR_PLAN_PLAN_H

#include "clreduce_device.h"
#include "opencl/launch.h"
#include "runtime/runtime.h"
#include "strategies/strategies.h"

// Memory and kernels of one call in flight.
struct clr_slot {
  struct clr_workspace space;
  bool busy;               // a thread enqueues with it, or does the host's work
  cl_event pending;        // the end of its latest call; NULL if that is known to be complete
  bool unmarked;           // the latest call has no event: it is complete when its queue has got so far
  cl_command_queue queue;  // of the latest call, retained
  cl_event first, last;    // launches of the latest call, kept for clred_plan_seconds
};

// Arguments that only kernels of a histogram take: the edges, and numbers.
#define CLR_HISTOGRAM_NUMBERS 7
union clr_number {
  cl_uint narrow;
  cl_ulong wide;
  cl_float real;
  cl_double wide_real;
};
struct clr_histogram_arguments {
  cl_mem edges;  // NULL: not made yet, or not needed
  union clr_number numbers[CLR_HISTOGRAM_NUMBERS];
  size_t sizes[CLR_HISTOGRAM_NUMBERS];
  const void *pointers[CLR_HISTOGRAM_NUMBERS];
  struct clr_operands operands;  // all of these; none if the host does the work
};

struct clred_plan {
  clred_runtime *runtime;
  const struct clr_strategy *strategy;
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_built *built;  // the runtime's program; NULL: the host does the work
  clred_plan *runs;         // finds runs by flags or keys first; NULL: there are none
  struct clr_histogram_arguments histogram;
  struct clr_slot *slots;             // problem.in_flight of them
  cl_uint next;                       // the slot that a call waits for if none is free
  struct clr_slot *latest;            // of the latest call that was enqueued; NULL before the first
  const struct clr_tuned *candidate;  // while the plan is made: numbers to use instead of the runtime's; NULL: none
  cl_ulong kernel_limit;              // the kernel's group size as the driver reports it
  mtx_t lock;                         // of the slots; never held while anything is waited for
  cnd_t given;                        // a slot is no longer busy
};

// --- plan.c ---
// Makes a plan for a problem. `keeping` says more of a selection than the problem can.
cl_int clr_plan_make(clred_runtime *runtime, const clred_problem *problem, struct clr_keeping keeping,
                     clred_plan **made, struct clr_status *status);

// The same with these measured numbers, whatever the runtime knows.
cl_int clr_plan_make_tuned(clred_runtime *runtime, const clred_problem *problem, const struct clr_tuned *tuned,
                           clred_plan **made, struct clr_status *status);

// NULL does nothing.
void clr_plan_release(clred_plan *plan);

// Where runs begin. Position 0 always begins one.
struct clr_runs {
  clred_type keys;  // a run begins where the key is not == to the one before, so that each NaN is a run; NONE: elements
                    // are uchar, and a run begins at each that is not 0
  cl_ulong count_max;
  cl_uint in_flight;
  const char *strategy;  // one for selections; NULL: chosen
  bool profile;
};

// Makes a plan whose calls write the positions at which runs begin, as ulong, and behind them the count: the offsets of
// the runs. The outcome's count is the number of runs.
cl_int clr_runs_plan_make(clred_runtime *runtime, const struct clr_runs *runs, clred_plan **made,
                          struct clr_status *status);

// Runs by flags or keys need the problem's count_max, and buffers for so many offsets.
cl_int clr_runs_check_bound(const struct clr_problem *problem, const struct clr_facts *facts,
                            struct clr_status *status);

// --- describe.c ---
// As the public functions of these names.
void clr_strategy_describe(const struct clr_strategy *row, clred_strategy_info *info);
cl_int clr_strategy_applies(const struct clr_facts *facts, const char *strategy, const clred_problem *problem,
                            struct clr_status *status);
cl_int clr_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);
void clr_plan_describe(const clred_plan *plan, cl_ulong count, struct clr_text *lines);
cl_int clr_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);
cl_int clr_plan_seconds(clred_plan *plan, double *seconds);

// --- trial.c ---
// As clred_plan_reference; writes to `result`.
cl_int clr_plan_reference(const clred_plan *plan, const clred_host_call *call, void *result);

// Whether two results have the same bits, part by part: bytes between the parts do not count.
bool clr_same_parts(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b);

#endif
