// Strategies whose groups fold runs of values to one partial each. A finish folds the partials. Launches, scratch, the
// host's tree and its analysis follow from the rules in struct clr_group_tree.
#ifndef CLR_STRATEGIES_PER_GROUP_H
#define CLR_STRATEGIES_PER_GROUP_H

#include "planning/steps.h"
#include "planning/strategy.h"

#define CLR_ALL_FINISHES \
  (CLR_FINISH_BIT(CLR_FINISH_HOST) | CLR_FINISH_BIT(CLR_FINISH_RELAUNCH) | CLR_FINISH_BIT(CLR_FINISH_LAST_GROUP) | \
   CLR_FINISH_BIT(CLR_FINISH_ATOMIC))

// The tree works in scratch if the strategy says tree_in_global, otherwise in local memory.
struct clr_group_tree {
  unsigned places;  // places of the tree a work-item: 2 if it begins with two values, otherwise 1
  bool doubling;    // the stride doubles; otherwise it halves
  bool persistent;  // at most groups_max groups, which take further values in turns; otherwise as many as n needs
  // Neighbouring values a group takes in a call over n elements; for n = 0 the fewest of any call. NULL: one a place.
  cl_ulong (*values)(const struct clr_shape *shape, cl_ulong n);
  // Folds the values of one group on the host. Returns the partial's index. NULL: the tree over the group's places.
  cl_ulong (*fold)(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                   cl_ulong groups);
};

cl_ulong clr_per_group_scratch(const struct clr_shape *shape);
bool clr_per_group_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                        struct clr_pass *pass);
bool clr_per_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step);
cl_int clr_per_group_reference(const struct clr_shape *shape, const struct clr_values *values, void *state);

// The finish on the host, over states[0 .. count), in the order of finish.clh. The root goes to `state`.
void clr_finish_reference(const struct clr_shape *shape, struct clr_states *states, void *state);

// The three launches of finish atomic; the second one is the caller's launch over the elements.
bool clr_atomic_pass(unsigned index, cl_ulong accumulator, struct clr_pass *pass);

#endif
