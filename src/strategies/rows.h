// Shared by the strategies over rows and over columns.
#ifndef CLR_STRATEGIES_ROWS_H
#define CLR_STRATEGIES_ROWS_H

#include "strategies/fixed_order.h"

bool clr_rows_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step);

#endif
