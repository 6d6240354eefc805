// A plan: the strategy and program chosen for a problem, and the slots in which its calls run.
#pragma once

#include "clreduce_device.h"
#include "opencl/launch.h"
#include "runtime/runtime.h"
#include "strategies/strategies.h"

// Memory and kernels of one call in flight.
struct clr_slot {
  struct clr_workspace space;
  bool busy;               // a thread uses it to enqueue, or for work on the host
  cl_event pending;        // the end of its latest call; NULL if that call is complete
  bool unmarked;           // its latest call has no event; the call ends when `queue` reaches a marker enqueued now
  cl_command_queue queue;  // the queue of its latest call, retained
  cl_event first, last;    // launches of the latest call, kept for clred_plan_seconds
};

// Arguments that only histogram kernels take: a buffer of edges, and numbers.
#define CLR_HISTOGRAM_NUMBERS 11
struct clr_histogram_arguments {
  cl_mem edges;  // NULL: not created yet, or not needed
  cl_ulong numbers[CLR_HISTOGRAM_NUMBERS];
  size_t sizes[CLR_HISTOGRAM_NUMBERS];
  const void *pointers[CLR_HISTOGRAM_NUMBERS];
  struct clr_operands operands;  // refers to the fields above; empty if the host does the work
};

struct clred_plan {
  clred_runtime *runtime;
  const struct clr_strategy *strategy;
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_built *built;  // owned by the runtime; NULL: the host does the work
  clred_plan *runs;         // finds runs from flags or keys first; NULL if the plan has no runs
  struct clr_histogram_arguments histogram;
  struct clr_slot *slots;                // problem.in_flight slots
  cl_uint next;                          // if no slot is free, the next call takes this slot and waits for it
  struct clr_slot *latest;               // the slot of the latest call; NULL before the first
  const struct clr_making *how;          // while the plan is made
  bool is_right;                         // a trial has found its program right
  cl_ulong kernel_limit;                 // the kernel's group size as the driver reports it
  bool makes_nodes;                      // made by clr_plan_make_nodes
  bool for_host_calls;                   // has no program and no slots, but the three fields below
  clred_plan *on_device;                 // the plan with a program; NULL until a call needs the device
  clred_problem device_problem;          // what `on_device` is made from
  clred_op device_list[CLRED_LIST_MAX];  // device_problem.list points to it
  clr_mutex lock;                        // protects the slots and `on_device`. A thread that holds this lock waits for
                                         // events only while it makes `on_device`
  clr_condition given;                   // signaled when a slot is no longer busy
};

// --- plan.c ---
// How a plan is made. Only src/trial allows group sizes above the driver's hint, because it tries such plans.
struct clr_making {
  const struct clr_tuned *tuned;  // measured numbers to use instead of the runtime's; may be NULL
  enum clr_vetting vetting;       // what to do if no trial has found the program right
  bool above_hint;
};
cl_int clr_plan_make(clred_runtime *runtime, const clred_problem *problem, const struct clr_making *how,
                     clred_plan **made, struct clr_status *status);

// The most elements of a call in a trial (trial/cases.c), and the most bytes of its elements or results.
#define CLR_TRIAL_ELEMENTS ((cl_ulong)65539)
#define CLR_TRIAL_BYTES ((cl_ulong)4 << 20)

// A number that stands for what a trial of the plan covers. Plans that share a program may have other layouts and
// longer calls, which need another trial.
unsigned clr_plan_cover(const clred_plan *plan);

// Makes a plan without a program, if the host can compute small calls of the problem; otherwise *made becomes NULL.
cl_int clr_plan_make_for_host_calls(clred_runtime *runtime, const clred_problem *problem, clred_plan **made,
                                    struct clr_status *status);

// True if the host has the operation, and the problem asks for nothing that only the device gives.
bool clr_plan_fits_host(const clred_plan *plan);

// Does nothing with NULL.
void clr_plan_release(clred_plan *plan);

// Returns CLRED_STRATEGY_REFUSED if the bins of a histogram need more than half of the device's memory. The caller
// checks this before it computes the edges.
cl_int clr_bins_check_bound(const clred_problem *problem, const struct clr_facts *facts, struct clr_status *status);

// Fails if the plan is not a scan that can be cut into chunks or parts.
cl_int clr_plan_check_nodes(const clred_plan *scan, struct clr_status *status);

// The operation of the plan that clr_plan_make_nodes makes.
struct clr_operation clr_plan_nodes_operation(const clred_plan *scan);

// Makes a plan that reduces an aligned run of 2^k lanes to the node that `scan` computes for this run. The new plan
// uses the operator of `scan`: release the new plan first.
cl_int clr_plan_make_nodes(const clred_plan *scan, const struct clr_making *how, clred_plan **made,
                           struct clr_status *status);

// --- slots.c ---
// Fails if the plan has no program and no slots, because it is for calls on host memory.
cl_int clr_plan_check_program(const clred_plan *plan, struct clr_status *status);

cl_int clr_slots_create(clred_plan *plan, struct clr_status *status);
void clr_slots_release(clred_plan *plan);

// Makes a slot with scratch for `states` states. Discard it also after a failure.
cl_int clr_slot_make(const clred_plan *plan, cl_ulong states, struct clr_slot *slot, struct clr_status *status);
void clr_slot_discard(struct clr_slot *slot);

// Acquires a slot for the next call; the slot is busy until it is released. Prefers a free slot. Otherwise the next
// call must wait on the device for the slot's latest call. Blocks only while threads are busy with all slots.
struct clr_slot *clr_slot_acquire(clred_plan *plan);

// Releases the slot. The slot's next call waits for `end`, if this call enqueued commands. If the plan profiles, the
// slot keeps the call's first and last launch. Takes ownership of these events. With `warms` the call does not become
// the plan's latest call.
void clr_slot_release(clred_plan *plan, struct clr_slot *slot, struct clr_call *call, cl_event end, bool succeeded,
                      bool warms);

// Copies the edges of a histogram to the device, once, and fills in the numbers that its kernels get. Does nothing for
// other plans.
cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status);
void clr_histogram_release_arguments(clred_plan *plan);

// Returns the values of one result: a histogram has one for each bin.
static inline cl_ulong clr_values_per_result(const struct clr_problem *problem) {
  return problem->histogram ? problem->histogram->results : 1;
}

// True if the plan's groups are larger than the driver's hint for its kernels.
static inline bool clr_plan_is_above_hint(const clred_plan *plan) {
  return plan->built && plan->shape.group_size > plan->kernel_limit;
}

// --- describe.c ---
// Implement the public functions of these names.
void clr_strategy_describe(const struct clr_strategy *row, clred_strategy_info *info);
cl_int clr_strategy_applies(const struct clr_facts *facts, const char *strategy, const clred_problem *problem,
                            struct clr_status *status);
cl_int clr_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);
void clr_plan_describe(const clred_plan *plan, cl_ulong count, struct clr_text *lines);
cl_int clr_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);
cl_int clr_plan_analysis(const clred_plan *plan, cl_ulong count, clred_analysis *analysis);
cl_int clr_plan_seconds(clred_plan *plan, double *seconds);

// --- operator.c ---
// Builds a caller's operator alone, so that errors point to lines of the caller's text, and reads the sizes of its
// types on the device. If the caller gave sizes, the device's sizes must be equal to them.
cl_int clr_probe(clred_runtime *runtime, struct clr_problem *problem, struct clr_status *status);

// As clred_plan_reference; writes to `result`.
cl_int clr_plan_reference(const clred_plan *plan, const clred_host_call *call, void *result);
