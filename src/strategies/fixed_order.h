// What wide and chunked share: the order fixed/1 (docs/order.md), cut into aligned power-of-two runs of tiles.
#ifndef CLR_STRATEGIES_FIXED_ORDER_H
#define CLR_STRATEGIES_FIXED_ORDER_H

#include "host/trees.h"
#include "planning/steps.h"
#include "planning/strategy.h"

#define CLR_FIXED_FINISHES \
  (CLR_FINISH_BIT(CLR_FINISH_HOST) | CLR_FINISH_BIT(CLR_FINISH_RELAUNCH) | CLR_FINISH_BIT(CLR_FINISH_LAST_GROUP))

// How many neighbouring elements one work-item takes at once where memory is read side by side: 16 bytes, the widest
// that one instruction loads, unless states are large; and how many rows of them are in flight.
void clr_fixed_columns(const struct clr_operation *operation, struct clr_shape *shape);

// The same where one work-item walks whole tiles: the widest vectors there are.
void clr_fixed_vectors(const struct clr_facts *facts, const struct clr_operation *operation, struct clr_shape *shape);

// The same where neighbouring columns are taken side by side: vectors of at most so many bytes.
void clr_fixed_beside(const struct clr_operation *operation, cl_ulong most_bytes, struct clr_shape *shape);

// Nodes a group folds in one turn: local memory for few enough that several groups share a compute unit. Refuses states
// that local memory cannot hold, by the strategy's name.
cl_int clr_fixed_nodes(const char *name, const struct clr_facts *facts, struct clr_shape *shape,
                       struct clr_status *status);

// At most so many groups, or as many as the caller says.
void clr_fixed_groups(const struct clr_problem *problem, cl_ulong groups_max, struct clr_shape *shape);

// Sets how many groups there may be (each a run of tiles) and, unless the caller named one, the finish: the last group
// where it is certain to see what the others wrote, a second launch elsewhere.
void clr_fixed_fit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_max,
                   struct clr_shape *shape);

// Of wide and chunked: see struct clr_strategy.
cl_ulong clr_chunked_trips(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass);
cl_ulong clr_wide_trips(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass);

cl_ulong clr_fixed_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded);
cl_ulong clr_fixed_elements(const struct clr_shape *shape, cl_ulong n);
bool clr_fixed_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass);
bool clr_fixed_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                    struct clred_step *step);
void clr_fixed_fold(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);
cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state);

#endif
