// The analysis of scan_reduce_then_scan.
#pragma once

#include "strategies/scans.h"

bool clr_reduce_then_scan_step(const struct clr_shape *shape, const struct clr_extent *extent,
                               const struct clr_pass *pass, unsigned index, struct clred_step *step);
