// The analysis of chunked and of wide.
#pragma once

#include "strategies/fixed_order.h"

bool clr_chunked_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                      unsigned index, struct clred_step *step);
bool clr_wide_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                   unsigned index, struct clred_step *step);
