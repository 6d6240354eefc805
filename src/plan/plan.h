// A plan and its slots.
#ifndef CLR_API_PLAN_H
#define CLR_API_PLAN_H

#include "clreduce_device.h"
#include "opencl/launch.h"
#include "runtime/runtime.h"

// What one call in flight holds.
struct clr_slot {
  struct clr_workspace space;
  cl_mem result;        // for calls whose result is read into host memory
  void *host_partials;  // for finish host
  cl_mem offsets;       // of runs that the plan's own plan finds, and how many there are; NULL: there is none
  cl_mem run_count;
  cl_uint tag;                  // of its next launch on look-back's board; 0: the board is to be cleared
  bool busy;                    // a thread is enqueueing with it, or doing the host's work
  cl_event pending;             // the end of its latest call; NULL if that is known to be done
  struct clr_kept_events kept;  // of that call and what it waited for
  bool unmarked;                // that call went without an event: it is over when its queue has got so far
  cl_command_queue queue;       // of that call, retained
  cl_event first, last;         // launches of its latest call, kept for clred_plan_seconds
};

// What kernels of a histogram take beside what all do: the edges, and numbers that go with them.
#define CLR_HISTOGRAM_NUMBERS 7
union clr_number {
  cl_uint narrow;
  cl_ulong wide;
  cl_float real;
  cl_double wide_real;
};
struct clr_histogram_arguments {
  cl_mem edges;
  union clr_number numbers[CLR_HISTOGRAM_NUMBERS];
  size_t sizes[CLR_HISTOGRAM_NUMBERS];
  const void *pointers[CLR_HISTOGRAM_NUMBERS];
};

struct clred_plan {
  clred_runtime *runtime;
  const struct clr_strategy *strategy;
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_built *built;  // the runtime's program; NULL: the host does the work
  clred_plan *runs;         // finds runs by flags or keys first; NULL: there are none
  struct clr_histogram_arguments histogram;
  struct clr_slot *slots;   // problem.in_flight of them
  cl_uint next;             // slot that a call is put behind if none is done
  struct clr_slot *latest;  // of the latest call that was enqueued; NULL before the first
  const struct clr_tuned
    *candidate;           // while it is made: numbers to take in place of those the runtime knows; NULL: none
  cl_ulong kernel_limit;  // what the driver says of the kernel's group size
  mtx_t lock;             // of the slots; never held while anything is waited for
  cnd_t given;            // a slot is no longer busy
};

// --- plan.c ---
// A plan for a problem; of a selection what it is beside what the problem says.
cl_int clr_plan_make(clred_runtime *runtime, const clred_problem *problem, struct clr_keeping keeping,
                     clred_plan **made, struct clr_status *status);

// The same with these measured numbers, whatever the runtime knows.
cl_int clr_plan_make_tuned(clred_runtime *runtime, const clred_problem *problem, const struct clr_tuned *tuned,
                           clred_plan **made, struct clr_status *status);

// NULL does nothing.
void clr_plan_release(clred_plan *plan);

// --- slots.c ---
cl_int clr_slots_create(clred_plan *plan, struct clr_status *status);
void clr_slots_release(clred_plan *plan);

// One slot with room for so many states, and its end; clr_slot_release is due even after a failure.
cl_int clr_slot_make(const clred_plan *plan, cl_ulong states, struct clr_slot *slot, struct clr_status *status);
void clr_slot_release(struct clr_slot *slot);

// A slot for the next call, busy until it is given back: one that is done if there is any, else one to be put behind.
// Only if threads are busy with all of them does it wait.
struct clr_slot *clr_slot_take(clred_plan *plan);

// Gives the slot back. If the call enqueued anything, `end` (taken over) is what its next user must wait for; the
// call's first and last launch (taken over) are kept if the plan profiles.
void clr_slot_give(clred_plan *plan, struct clr_slot *slot, struct clr_call *call, cl_event end, bool succeeded);

// --- trial.c ---
// Runs the plan on a few elements whose result the host knows; CLRED_WRONG_RESULT if the device disagrees.
cl_int clr_trial(clred_plan *plan, struct clr_status *status);

// Whether two results have the same bits, part by part: what lies between them is anything.
bool clr_same_parts(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b);

// --- enqueue.c ---
struct clr_request {
  enum {
    CLR_FOR_ANY,
    CLR_FOR_REDUCTIONS,
    CLR_FOR_SCANS,
    CLR_FOR_SELECTIONS,
    CLR_FOR_HISTOGRAMS
  } purpose;  // plans that the call is for
  cl_command_queue queue;
  clred_call call;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event *event;
  cl_event *first;  // gets the event of the first launch, retained, if the plan profiles; NULL: not wanted
};

// Checks the request and enqueues it.
cl_int clr_enqueue(clred_plan *plan, const struct clr_request *request, struct clr_status *status);

cl_int clr_queue_is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status);

// CLRED_OVERFLOW if the result that the caller has now says that a sum of `count` elements left its range.
cl_int clr_check_overflow(const clred_plan *plan, const void *result, cl_ulong count, struct clr_status *status);

// A call that only tells that it has nothing to tell, if that.
bool clr_has_no_results(const clred_plan *plan, const struct clr_extent *extent);

// --- deliver.c ---
// A result the host computed goes where the caller wants it; the call is over on return.
cl_int clr_deliver_from_host(const clred_plan *plan, const struct clr_request *request, const struct clr_call *call,
                             const void *state, struct clr_status *status);

// A result on the device is read back if the caller wants it in host memory. `end` completes with it.
cl_int clr_deliver_from_device(const clred_plan *plan, const struct clr_request *request, const struct clr_slot *slot,
                               const struct clr_call *call, cl_event *end, struct clr_status *status);

// --- axis.c ---
// As clred_call_along_axis.
cl_int clr_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions, const cl_ulong *shape,
                           cl_uint axis);

// --- request.c ---
// The call's extent with its defaults filled in, and the number of its results.
struct clr_extent clr_extent_of(const clred_plan *plan, const clred_call *call);

// Values that one result has: those of a histogram are its counts.
cl_ulong clr_values_a_result(const clred_plan *plan);
cl_ulong clr_result_count(const struct clr_extent *extent);

// That everything the request names is there, belongs together, and is large enough.
cl_int clr_request_check(const clred_plan *plan, const struct clr_request *request, const struct clr_extent *extent,
                         struct clr_status *status);

// --- scan_call.c ---
// The scan a plan makes, without what a call adds to it.
struct clr_scan clr_scan_of(const clred_plan *plan);

// What a call adds; of a reduction nothing.
struct clr_scan_call clr_scan_call_of(const clred_plan *plan, const clred_call *call);

// That results and the initial state have their places, and no result lies where something else is yet to be read.
cl_int clr_scan_check(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent, cl_ulong reach,
                      struct clr_status *status);

// Gives the call's next launch a tag of its own on the slot's board, clearing the board first where it must be.
cl_int clr_scan_tag(const clred_plan *plan, struct clr_slot *slot, struct clr_call *call, struct clr_status *status);

// --- select_call.c ---
// That all that may be kept has a place, which is none where something is yet to be read.
cl_int clr_select_check(const clred_plan *plan, const clred_call *call, cl_ulong reach, struct clr_status *status);

// --- outcome.c ---
// That the plan has an outcome where one is asked for, and that it has its place.
cl_int clr_outcome_check(const clred_plan *plan, const clred_call *call, struct clr_status *status);

struct clr_outcome_call clr_outcome_call_of(const clred_plan *plan, const clred_call *asked,
                                            const struct clr_slot *slot);

// Enqueues what brings the outcome to the host, if that is asked for, behind `end`, which becomes the event of that.
cl_int clr_outcome_deliver(const struct clr_request *request, const struct clr_call *call, cl_event *end,
                           struct clr_status *status);

// Hands out what the host found itself.
cl_int clr_outcome_deliver_from_host(const struct clr_request *request, const struct clr_call *call,
                                     struct clr_status *status);

// Whether the outcome is there when the call returns.
bool clr_outcome_waits(const clred_plan *plan, const clred_call *call);

// CLRED_INVALID_SEGMENTS where an outcome that the caller has now tells of a fault.
cl_int clr_outcome_judge(const clred_plan *plan, const struct clr_request *request, struct clr_status *status);

// --- histogram_call.c ---
// Brings the edges to the device, once; nothing for other plans. clr_histogram_forget takes them back.
cl_int clr_histogram_prepare(clred_plan *plan, struct clr_status *status);
void clr_histogram_forget(clred_plan *plan);

struct clr_operands clr_histogram_operands(const clred_plan *plan);

// --- probe.c ---
// Builds a caller's operator by itself, so that its mistakes are found in its own words, and asks the device for the
// sizes of its types; sizes that the caller gave must agree.
cl_int clr_probe(clred_runtime *runtime, struct clr_problem *problem, struct clr_status *status);

// --- applies.c ---
// As clred_strategy_at and clred_strategy_applies.
void clr_strategy_describe(const struct clr_strategy *row, clred_strategy_info *info);
cl_int clr_strategy_applies(const struct clr_facts *facts, const char *strategy, const clred_problem *problem,
                            struct clr_status *status);

// --- inspect.c ---
const char *clr_plan_order(const clred_plan *plan);

// As the public functions of these names.
cl_int clr_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info);
void clr_plan_describe(const clred_plan *plan, cl_ulong count, struct clr_text *lines);
cl_int clr_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);
cl_int clr_plan_reference(const clred_plan *plan, const clred_host_call *call, void *result);
cl_int clr_plan_seconds(clred_plan *plan, double *seconds);

#endif
