// The operators of a list on the host. values.c and in_order.c call these.
#pragma once

#include "host/values.h"
#include "model/several.h"

// Copies the members of one of the states from a state of the product, and back.
void clr_part_take(const struct clr_kept_state *kept, const void *state, void *part);
void clr_part_put(const struct clr_kept_state *kept, const void *part, void *state);

// As clr_state_identity and so on, for every part.
void clr_parts_identity(const struct clr_several *several, void *state);
void clr_parts_combine(const struct clr_several *several, void *a, const void *b);
void clr_parts_lower(const struct clr_several *several, const void *state, void *result);
