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
  bool selects;             // serves selections, too
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

// --- passes.c ---
// Pass `index` of a call. False if there is no such pass. A call without elements has one pass, which delivers the
// identity, unless the strategy launches its kernels all the same.
bool clr_strategy_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                       struct clr_pass *pass);

// Step `index` of the analysis of a pass. False if there is no such step.
bool clr_strategy_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step);

#endif
