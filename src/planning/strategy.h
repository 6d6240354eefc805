// A strategy: what it needs, its numbers, its launches and its tree. One row in strategies.def, one object in
// src/strategies, and one kernel in cl/strategies if it runs on the device. Everything here is arithmetic; nothing
// calls OpenCL.
#ifndef CLR_PLANNING_STRATEGY_H
#define CLR_PLANNING_STRATEGY_H

#include "clreduce_device.h"
#include "host/scans.h"
#include "host/trees.h"
#include "planning/pass.h"
#include "planning/shape.h"

// Finishes as a set, in the order of clr_finish_name.
#define CLR_FINISH_BIT(finish) (1u << (finish))

// Layouts as a set.
#define CLR_LAYOUT_BIT(layout) (1u << (layout))
#define CLR_LAYOUT_SEGMENTS \
  (CLR_LAYOUT_BIT(CLRED_LAYOUT_SEGMENTS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS))
#define CLR_LAYOUT_LINES (CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE) | CLR_LAYOUT_BIT(CLRED_LAYOUT_STRIDED))

// Kernels as a set.
#define CLR_KERNEL_BIT(kernel) (1u << (kernel))

// What a device must do right beyond what every strategy needs: a set.
enum clr_requirement {
  CLR_REQUIRES_ATOMICS = 1,  // in global memory
  CLR_REQUIRES_LOCAL_ATOMICS = 2,
  CLR_REQUIRES_WAITING = 4  // groups wait for each other in loops
};

enum clr_team {
  CLR_TEAM_GROUPS,   // groups of a size that is chosen
  CLR_TEAM_SINGLES,  // groups of one work-item
  CLR_TEAM_HOST      // no kernel at all
};

enum clr_task {
  CLR_TASK_REDUCE,
  CLR_TASK_SCAN,  // one result for every element; selections are scans, too
  CLR_TASK_COUNT  // elements in bins
};

struct clr_reduction {
  bool permutes;                          // combines elements out of order: needs an operator that commutes
  bool takes_elements;                    // the caller may set the elements a work-item folds
  unsigned tunables;                      // set of CLR_TUNE_BIT: numbers that can be measured, for lines of neighbours
  unsigned finishes;                      // set of CLR_FINISH_BIT; 0: no partials to finish
  enum clr_finish finish;                 // if the caller names none
  const struct clr_group_tree *in_group;  // for the callbacks in strategies/per_group.h
  // The strategy's tree on the host: the root's state.
  cl_int (*reference)(const struct clr_shape *shape, const struct clr_values *values, void *state);
  // The same tree over elements that come in pieces. Pieces are whole tiles, except the last. NULL: no streams. Its
  // kernels use `work` and `rows` as cl/entry.clh says.
  void (*fold)(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);
};

struct clr_scanning {
  bool selects;  // serves selections, too
  cl_int (*reference)(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan);
};

// Callbacks find the strategy itself in shape->strategy.
struct clr_strategy {
  const char *name;
  const char *sentence;
  enum clr_task task;
  enum clr_team team;
  unsigned layouts;       // set of CLR_LAYOUT_BIT; 0: lines, strided or not
  unsigned kernels;       // set of CLR_KERNEL_BIT; 0: those of a reduction
  unsigned requires;      // set of enum clr_requirement
  bool fixed_order;       // computes fixed/1; otherwise a tree of its own
  bool tree_in_global;    // its tree needs no local memory
  bool takes_groups;      // the caller may set how many groups
  bool launches_empty;    // launches its kernels also for a call without elements
  unsigned growing;       // set of CLR_FINISH_BIT: the finishes with which scratch grows with n
  cl_ulong local_states;  // of local memory that each work-item needs
  struct clr_reduction reduce;
  struct clr_scanning scan;

  // Computes the strategy's own numbers. Group size, finish and tile are set before. NULL: nothing to compute.
  cl_int (*fit)(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                struct clr_status *status);
  // Elements a work-item folds before the tree. NULL: those it reads at once, one or two.
  cl_ulong (*elements)(const struct clr_shape *shape, const struct clr_extent *extent);
  // States of scratch for calls over up to shape->count_max elements, if scratch grows. NULL: none.
  cl_ulong (*scratch)(const struct clr_shape *shape);
  // Pass `index` of a call over at least one element. False if there is no such pass.
  bool (*pass)(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *pass);
  // Upper bound of the turns that the loops of a work-item take in a launch. NULL: clr_trips_of_all.
  cl_ulong (*trips)(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);
  // Step `index` of a launch's tree. False if there is no such step. NULL: no analysis.
  bool (*step)(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
               unsigned index, struct clred_step *step);
};

// The kernels of a strategy, as a set.
unsigned clr_strategy_kernels(const struct clr_strategy *strategy);

// Those of them that calls of a plan of this shape launch.
unsigned clr_strategy_kernels_of(const struct clr_strategy *strategy, const struct clr_shape *shape);

// The groups that the caller asks for; otherwise `otherwise`.
static inline cl_ulong clr_groups_or(const struct clr_problem *problem, cl_ulong otherwise) {
  return problem->groups ? problem->groups : otherwise;
}

// --- shape.c ---
// Pass `index` of a call. False if there is no such pass. A call without elements has one pass, which delivers the
// identity, unless the strategy launches its kernels all the same.
bool clr_strategy_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *pass);

// Step `index` of the analysis of a pass. False if there is no such step.
bool clr_strategy_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step);

// --- Turns of loops ---
// Bounds the turns that the loops of a work-item take, for devices that end loops after a number of turns (fact
// loop_trips). Strategies choose shapes that stay below the bound, and calls that cannot are refused.

// Upper bounds for a launch, as `trips` of a strategy: as if one work-item took all values of the call.
cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);
// Every work-item takes the same share of the launch's values.
cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass);

// The strategy's bound for a launch.
cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// Whether all launches of the call stay below the device's bound.
bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent);

// The longest line for which they do; CL_ULONG_MAX if the device has no bound.
cl_ulong clr_trips_most(const struct clr_shape *shape);

// Groups for a reduction: at least `otherwise`; more if the device ends loops, as many as one work-item can fold the
// partials of.
cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise);

// --- Measured numbers ---
// Replaces numbers that follow from facts by numbers that were measured on the device.

// The problem's measured numbers that the strategy can use and the caller did not set. Only lines of neighbours are
// measured.
struct clr_tuned clr_tuned_of(const struct clr_strategy *strategy, const struct clr_problem *problem);

// Reduces the problem's measured numbers to these. Those that a caller can set are set in the problem.
void clr_tune_problem(const struct clr_strategy *strategy, struct clr_problem *problem);

// The shape's measured number if there is one; otherwise `otherwise`.
cl_ulong clr_tuned_or(const struct clr_shape *shape, enum clr_tunable tunable, cl_ulong otherwise);

// Replaces the numbers in shape->loads and shape->vector. Drops a measured number that registers cannot hold.
void clr_tune_loads(const struct clr_operation *operation, struct clr_shape *shape);

// Drops the measured numbers that the complete shape does not use.
void clr_tune_settle(struct clr_shape *shape);

// The number in use, measured or not.
cl_ulong clr_tunable_in_use(const struct clr_shape *shape, enum clr_tunable tunable);

#endif
