// What the strategies over many rows share: how a call's rows are cut into units, and the one or two launches that
// makes.
#ifndef CLR_STRATEGIES_ROWS_H
#define CLR_STRATEGIES_ROWS_H

#include "strategies/fixed_order.h"

// Pass `index` of units over rows along the fastest axis; `units_a_group` says how many units of so many nodes share a
// group.
bool clr_rows_pass(const struct clr_shape *shape, cl_ulong n, unsigned index,
                   cl_ulong (*units_a_group)(const struct clr_shape *shape, cl_ulong units, cl_ulong tiles),
                   struct clr_pass *pass);

bool clr_rows_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                   struct clred_step *step);
cl_ulong clr_rows_elements(const struct clr_shape *shape, cl_ulong n);

// Lanes of a row of n elements, in all its tiles.
cl_ulong clr_rows_lanes(const struct clr_shape *shape, cl_ulong n);

#endif
