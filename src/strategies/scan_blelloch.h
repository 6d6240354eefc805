// The analysis of the scans of textbooks.
#pragma once

#include "strategies/scans.h"

// One group scans block after block.
bool clr_blelloch_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step);

// Each group scans a block; other launches combine the prefixes of blocks with their values.
bool clr_blelloch_recursive_step(const struct clr_shape *shape, const struct clr_extent *extent,
                                 const struct clr_pass *pass, unsigned index, struct clred_step *step);
