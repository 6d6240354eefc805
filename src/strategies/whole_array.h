// What the strategies over the whole array share: one tree, no partials, no finish.
#ifndef CLR_STRATEGIES_WHOLE_ARRAY_H
#define CLR_STRATEGIES_WHOLE_ARRAY_H

#include "host/trees.h"
#include "planning/steps.h"
#include "planning/strategy.h"

// Launches a tree over n values takes when each halves their number: ceil(log2 n), at least 1.
unsigned clr_levels(cl_ulong n);

// Scratch for one state a pair of elements.
cl_ulong clr_scratch_of_pairs(const struct clr_shape *shape, cl_ulong n, bool *bounded);

// One launch of one group over all n values.
bool clr_mono_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass);

// Round `index` of a launch of one group, in which `pairs` pairs `stride` apart are combined.
bool clr_mono_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass, unsigned index,
                   cl_ulong stride, cl_ulong pairs, cl_ulong requests);

// A launch of many groups with `items` work-items active.
bool clr_many_step(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong stride,
                   cl_ulong items, cl_ulong requests);

bool clr_no_steps(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                  struct clred_step *step);

// Trees on the host: left to right; adjacent pairs; upper half onto lower.
cl_int clr_reference_in_order(const struct clr_shape *shape, const struct clr_values *values, void *state);
cl_int clr_reference_doubling(const struct clr_shape *shape, const struct clr_values *values, void *state);
cl_int clr_reference_top_down(const struct clr_shape *shape, const struct clr_values *values, void *state);

#endif
