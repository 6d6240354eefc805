// Strategies in which each group folds a run of values to one partial, and a finish folds the partials. Launches,
// scratch, the host's tree and the analysis follow from the rules in struct clr_group_tree.
#pragma once

#include "planning/strategy.h"

#define CLR_ALL_FINISHES \
  (CLR_FINISH_BIT(CLR_FINISH_HOST) | CLR_FINISH_BIT(CLR_FINISH_RELAUNCH) | CLR_FINISH_BIT(CLR_FINISH_LAST_GROUP) | \
   CLR_FINISH_BIT(CLR_FINISH_ATOMIC))

// The tree is in scratch if the strategy sets tree_in_global, otherwise in local memory.
struct clr_group_tree {
  unsigned places;  // places of the tree for each work-item: 2 if it begins with two values, otherwise 1
  bool doubling;    // the stride doubles; otherwise it halves
  bool persistent;  // at most groups_max groups, each of which loops over further values; otherwise as many groups as n
                    // needs
  // Returns how many neighbouring values a group takes at once in a call over n elements. With n = 0, returns the least
  // of all calls. NULL: one value for each place.
  cl_ulong (*values)(const struct clr_shape *shape, cl_ulong n);
  // Folds the values of one group on the host and returns the partial's index. NULL: the tree over the group's places.
  cl_ulong (*fold)(const struct clr_shape *shape, cl_ulong n, const struct clr_states *states, cl_ulong group,
                   cl_ulong groups);
};

// Returns the groups of a launch over `count` values, in a call over n elements.
cl_ulong clr_per_group_groups(const struct clr_shape *shape, cl_ulong n, cl_ulong count);

// The launches, if their steps are not described.
#define CLR_GROUP_LAUNCHES \
  .launches = {[CLR_KERNEL_ELEMENTS] = "elements", \
               [CLR_KERNEL_STATES] = "partials", \
               [CLR_KERNEL_BEGIN] = "begin", \
               [CLR_KERNEL_DELIVER] = "deliver"}

// Members of the rows of these strategies: `first` is the finish that `auto` chooses.
#define PER_GROUP(finishes_, first, trips_) \
  .reduce.finishes = (finishes_), .reduce.finish = (first), .reduce.reference = clr_per_group_reference, \
  .scratch = clr_per_group_scratch, .pass = clr_per_group_pass, .trips = (trips_), CLR_GROUP_LAUNCHES

#define TREE(...) \
  .reduce.in_group = &(const struct clr_group_tree) { \
    __VA_ARGS__ \
  }

// With finish atomic and trees in local memory, scratch is one state and does not grow.
#define ALL_BUT_ATOMIC (CLR_ALL_FINISHES & ~CLR_FINISH_BIT(CLR_FINISH_ATOMIC))

cl_ulong clr_per_group_scratch(const struct clr_shape *shape);
bool clr_per_group_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                        struct clr_pass *pass);
bool clr_per_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step);

// How a launch ends, for its analysis.
struct clr_group_end {
  bool is_result;  // the only group writes the result; otherwise groups leave partials
  cl_ulong until;  // a group stops its tree when this number of values is left
  bool publishes;  // partials are stored so that other groups of the launch may read them
};

bool clr_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                    struct clr_group_end end, unsigned index, struct clred_step *step);

cl_int clr_per_group_reference(const struct clr_shape *shape, const struct clr_values *values, void *state);

// Computes the finish on the host, over states[0 .. count), in the order of finish.clh. `state` gets the root.
void clr_finish_reference(const struct clr_shape *shape, struct clr_states *states, void *state);

// Describes the three launches of finish atomic; the caller describes the second one, which reads the elements.
bool clr_atomic_pass(unsigned index, cl_ulong accumulator, struct clr_pass *pass);
