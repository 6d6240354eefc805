// What strategies for histograms share: bins and passes.
#ifndef CLR_STRATEGIES_HISTOGRAMS_H
#define CLR_STRATEGIES_HISTOGRAMS_H

#include "planning/strategy.h"

// The bins of a problem and the groups that count in them: as many as the caller said, else `groups`.
void clr_histogram_fit(const struct clr_problem *problem, cl_ulong groups, struct clr_shape *shape);

// Where counts go that groups add up by atomics, and so how many elements a launch may take.
void clr_histogram_add_up(const struct clr_facts *facts, struct clr_shape *shape);

// What a counter of 32 bits bears, with room for what groups take beside their share.
#define CLR_COUNTER_BEARS ((cl_ulong)1 << 31)

cl_ulong clr_histogram_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded);

// Counters are cleared; elements are counted, in slices and in turns; and what are no totals yet is added to them.
bool clr_histogram_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass);

#define CLR_HISTOGRAM_KERNELS \
  (CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_CLEAR) | CLR_KERNEL_BIT(CLR_KERNEL_DELIVER))

#endif
