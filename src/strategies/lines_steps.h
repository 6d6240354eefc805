// The analysis of wide and chunked.
#pragma once

#include "strategies/fixed_order.h"

bool clr_line_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step);

// wide: wide_steps.c.
bool clr_wide_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step);

// The same as RADIX in cl/group/nodes.clh.
cl_ulong clr_line_radix(const struct clr_shape *shape);

// Returns the levels of a tree of adjacent pairs over so many nodes.
cl_ulong clr_line_levels(cl_ulong nodes);
