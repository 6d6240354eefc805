// What the per-group strategies share: a group folds a run of values to one partial, and a finish folds the partials.
// Their launches, scratch, tree on the host and steps follow from a few rules each strategy states.
#ifndef CLR_STRATEGIES_PER_GROUP_H
#define CLR_STRATEGIES_PER_GROUP_H

#include "host/trees.h"
#include "planning/steps.h"
#include "planning/strategy.h"

#define CLR_ALL_FINISHES \
  (CLR_FINISH_BIT(CLR_FINISH_HOST) | CLR_FINISH_BIT(CLR_FINISH_RELAUNCH) | CLR_FINISH_BIT(CLR_FINISH_LAST_GROUP) | \
   CLR_FINISH_BIT(CLR_FINISH_ATOMIC))

struct clr_per_group {
  unsigned places;  // of the tree, a work-item: 2 if it begins with two values, else 1
  bool in_global;   // the tree works in a copy of the values in scratch
  bool doubling;    // stride doubling; else halving
  bool persistent;  // at most groups_max groups, which take turns with what is left; else as many as n needs
  // Neighbouring values a group takes, in a call over n elements; with n = 0 the fewest of any call. NULL: a value a
  // place.
  cl_ulong (*values)(const struct clr_shape *shape, cl_ulong n);
  // Folds the values of one group on the host; the partial's index is returned. NULL: the tree over the group's places.
  cl_ulong (*fold)(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                   cl_ulong groups);
};

// Where a group takes a single value, a relaunch would leave as many as it found: refused if the caller named it, else
// the last group folds, or the host where that is not certain.
cl_int clr_fit_finish(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong values,
                      struct clr_shape *shape, struct clr_status *status);

cl_ulong clr_per_group_scratch(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                               bool *bounded);
bool clr_per_group_pass(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n, unsigned index,
                        struct clr_pass *pass);
bool clr_per_group_step(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                        const struct clr_pass *pass, unsigned index, struct clred_step *step);
cl_int clr_per_group_reference(const struct clr_per_group *rules, const struct clr_shape *shape,
                               const struct clr_values *values, void *state);

// The finish on the host, over states[0 .. count): as finish.clh and the host do it; the root goes to `state`.
void clr_finish_reference(const struct clr_shape *shape, struct clr_states *states, void *state);

// The three launches of finish atomic around a launch that folds.
bool clr_atomic_pass(unsigned index, cl_ulong accumulator, struct clr_pass *pass);

// Groups of a launch over `count` values, in a call over n elements.
cl_ulong clr_per_group_groups(const struct clr_per_group *rules, const struct clr_shape *shape, cl_ulong n,
                              cl_ulong count);

// A strategy's functions as one-line calls of the above.
#define CLR_PER_GROUP_FUNCTIONS(rules) \
  static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) { \
    return clr_per_group_scratch(&(rules), shape, n, bounded); \
  } \
  static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) { \
    return clr_per_group_pass(&(rules), shape, n, index, out); \
  } \
  static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index, \
                   struct clred_step *out) { \
    return clr_per_group_step(&(rules), shape, n, of, index, out); \
  } \
  static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, void *state) { \
    return clr_per_group_reference(&(rules), shape, values, state); \
  }

#endif
