// A strategy: its requirements, numbers, launches and tree. It has one row in strategies.def, one object in
// src/strategies, and one kernel in cl/strategies if it runs on the device. Everything here is arithmetic; nothing
// calls OpenCL.
#pragma once

#include "clreduce_device.h"
#include "host/scans.h"
#include "host/trees.h"
#include "planning/pass.h"
#include "planning/shape.h"
#include "planning/steps.h"

// Finishes as a set, in the order of clr_finish_name.
#define CLR_FINISH_BIT(finish) (1u << (finish))

// Layouts as a set.
#define CLR_LAYOUT_BIT(layout) (1u << (layout))
#define CLR_LAYOUT_SEGMENTS \
  (CLR_LAYOUT_BIT(CLRED_LAYOUT_SEGMENTS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS))
#define CLR_LAYOUT_LINES (CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE) | CLR_LAYOUT_BIT(CLRED_LAYOUT_STRIDED))

// Kernels as a set.
#define CLR_KERNEL_BIT(kernel) (1u << (kernel))

// What the device must do correctly, in addition to what every strategy needs; a set.
enum clr_requirement {
  CLR_REQUIRES_ATOMICS = 1,  // in global memory
  CLR_REQUIRES_LOCAL_ATOMICS = 2,
  CLR_REQUIRES_WAITING = 4  // groups wait for each other by polling
};

enum clr_exec {
  CLR_EXEC_GROUPS,       // groups of a size that the library chooses
  CLR_EXEC_SINGLE_ITEM,  // groups of one work-item
  CLR_EXEC_HOST          // no kernel
};

enum clr_task {
  CLR_TASK_REDUCE,
  CLR_TASK_SCAN,  // one result for every element; selections are scans, too
  CLR_TASK_COUNT  // elements in bins
};

struct clr_reduction {
  bool permutes;                          // combines elements out of order, so it needs an operator that commutes
  bool takes_elements;                    // the caller may set the elements for each work-item
  bool takes_stage;                       // the caller may choose where a group keeps its values
  bool takes_stop;                        // the caller may set how many partials a group hands to the next launch
  unsigned tunables;                      // set of CLR_TUNE_BIT: numbers that can be measured, for lines of
                                          // neighbouring elements
  unsigned finishes;                      // set of CLR_FINISH_BIT; 0: the strategy leaves no partials
  enum clr_finish finish;                 // used if the caller names none
  const struct clr_group_tree *in_group;  // for the callbacks in strategies/per_group.h
  // Computes the strategy's tree on the host and gives the root's state.
  cl_int (*reference)(const struct clr_shape *shape, const struct clr_values *values, void *state);
  // Computes the same tree over elements that arrive in pieces. Pieces are whole tiles, except the last. NULL: the
  // strategy cannot stream. cl/common/entry.clh says what kernels use `work` and `rows` for in a stream.
  void (*fold)(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);
};

struct clr_scanning {
  bool selects;  // serves selections, too
  cl_int (*reference)(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan);
};

// Callbacks get the strategy itself as shape->strategy.
struct clr_strategy {
  const char *name;
  const char *summary;
  enum clr_task task;
  enum clr_exec exec;
  unsigned layouts;       // set of CLR_LAYOUT_BIT; 0: lines, with any stride
  unsigned kernels;       // set of CLR_KERNEL_BIT; 0: the kernels of a reduction
  unsigned requires;      // set of enum clr_requirement
  bool fixed_order;       // computes the order fixed/1; otherwise it has its own tree
  bool tree_in_global;    // its tree needs no local memory
  bool takes_groups;      // the caller may set how many groups
  bool sums_weights;      // CLR_TASK_COUNT: also sums weights, and counts along several axes
  bool finds_runs;        // its kernels find the runs of keys or flags; otherwise another plan finds them first
  bool launches_empty;    // launches its kernels also for a call without elements
  unsigned growing;       // set of CLR_FINISH_BIT: the finishes with which scratch grows with n
  cl_ulong local_states;  // states in local memory that each work-item needs
  cl_ulong items_wanted;  // work-items of a group where the device allows it; 0: a few sub-groups
  struct clr_reduction reduce;
  struct clr_scanning scan;

  // Computes the strategy's own numbers. Group size, finish and tile are already set. May be NULL.
  cl_int (*fit)(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                struct clr_status *status);
  // Returns how many elements a work-item folds before the tree. NULL: only the one or two elements that it reads at
  // once.
  cl_ulong (*elements)(const struct clr_shape *shape, const struct clr_extent *extent);
  // Returns the states of scratch for calls of up to shape->count_max elements, if scratch grows. May be NULL.
  cl_ulong (*scratch)(const struct clr_shape *shape);
  // Gives pass `index` of a call over at least one element. False if there is no such pass.
  bool (*pass)(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *pass);
  // Returns an upper bound of the iterations of a work-item's loops in a launch. NULL: the bound for one work-item that
  // folds all values of the call.
  cl_ulong (*trips)(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);
  // The launches of a plan without steps, by their kernels: each is one step, of which no number is stated.
  const char *launches[CLR_KERNELS];
  // Gives step `index` of a launch's tree. False if there is no such step. NULL: no steps. Not called for finishes
  // last_group and atomic.
  bool (*step)(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
               unsigned index, struct clred_step *step);
};

// The layouts that a strategy can run, as a set of CLR_LAYOUT_BIT.
unsigned clr_strategy_layouts(const struct clr_strategy *strategy);

// The kernels of a strategy, as a set.
unsigned clr_strategy_kernels(const struct clr_strategy *strategy);

// Returns the kernels of a strategy that the calls of a plan with this shape launch.
unsigned clr_strategy_kernels_of(const struct clr_strategy *strategy, const struct clr_shape *shape);

// Returns the number of groups that the caller set, or `otherwise`.
static inline cl_ulong clr_groups_or(const struct clr_problem *problem, cl_ulong otherwise) {
  return problem->groups ? problem->groups : otherwise;
}

// --- shape.c ---
// Refuses the problem, because local memory is too small for the shape's groups.
cl_int clr_refuse_local_memory(const struct clr_facts *facts, const struct clr_shape *shape, struct clr_status *status);

// Gives pass `index` of a call. False if there is no such pass. A call without rows or columns has no pass. A call of
// rows without elements has one pass, which delivers the identity, unless the strategy launches its kernels even then
// (launches_empty).
bool clr_strategy_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *pass);

// True if the strategy describes the steps of its launches. Otherwise each launch is one step without numbers.
bool clr_strategy_has_steps(const struct clr_shape *shape);

// Gives step `index` of the analysis of a pass. False if there is no such step.
bool clr_strategy_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step);

// --- analysis.c ---
// Gives step `index` of a call over a line of `count` elements. False if there is no such step.
bool clr_call_step(const struct clr_shape *shape, cl_ulong count, cl_ulong index, struct clred_step *step);

// Sums up the steps of a call over a line of `count` elements. Operations that the steps do not state are counted in
// the strategy's tree on the host, unless `is_selection`.
clred_analysis clr_call_analysis(const struct clr_shape *shape, cl_ulong count, bool is_selection);

// --- Iterations of loops ---
// Bounds the iterations of a work-item's loops, for devices that end loops early (fact loop_trips). Strategies choose
// shapes that stay below the bound; calls that would exceed it are refused.

// A bound for a launch, to be used as `trips` of a strategy. The bound assumes that every work-item folds the same
// share of the launch's values.
cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass);

// A bound that assumes that one work-item folds all values of the call.
cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// The iterations for each value of a work-item.
cl_ulong clr_turns_per_value(const struct clr_shape *shape);

// The strategy's bound for a launch.
cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// True if all launches of the call stay below the device's bound.
bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent);

// Returns the longest line whose launches stay below the bound; CL_ULONG_MAX if the device has no bound.
cl_ulong clr_trips_most(const struct clr_shape *shape);

// Returns the number of groups for a reduction: usually `otherwise`. If the device ends loops early, there may be more
// groups, but at most as many as one work-item can fold partials of.
cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise);

// --- Measured numbers ---
// Replaces numbers that follow from facts by numbers that clred_tune measured.

// Returns the problem's measured numbers that the strategy uses and that the caller did not set. Only lines of
// neighbouring elements are measured.
struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem);

// Keeps only these measured numbers in the problem. If they include group_size or groups, sets that field of the
// problem.
void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem);

// Returns the shape's measured number, or `otherwise` if there is none.
cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise);

// Replaces numbers in shape->loads and shape->vector. Drops a measured number that needs too many registers.
void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape);

// Drops the measured numbers that the complete shape does not use.
void clr_tune_settle(struct clr_shape *shape);

// Returns the number in use, measured or not.
cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable);
