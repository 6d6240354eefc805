// The trees of docs/order.md and docs/strategies.md on arrays of states. Each folds in place; `base` is the index its
// values count from, and the result stands at base.
#ifndef CLR_HOST_TREES_H
#define CLR_HOST_TREES_H

#include "host/values.h"

// values base, base + apart, base + 2 apart, ... below `end`, in order.
void clr_tree_in_order(const struct clr_states *states, cl_ulong base, cl_ulong apart, cl_ulong end);

// Neighbours first: adjacent pairs of `present` values, then pairs of those; a last one rises unchanged.
void clr_tree_doubling(const struct clr_states *states, cl_ulong base, cl_ulong present);

// A tree of `width` places (a power of two) folded onto its lower half until `until` are left.
void clr_tree_halving(const struct clr_states *states, cl_ulong base, cl_ulong width, cl_ulong present, cl_ulong until);

// The upper half onto the lower, lengths rounding up.
void clr_tree_top_down(const struct clr_states *states, cl_ulong present);

// A list of nodes folded in adjacent pairs as they arrive: one held for each bit set in their number.
struct clr_pairs {
  const struct clr_operation *operation;
  cl_ulong pushed;
  unsigned depth;
  union clr_room stack[64];
};
void clr_pairs_push(struct clr_pairs *pairs, const void *node);
void clr_pairs_root(struct clr_pairs *pairs, void *state);  // at least one node was pushed

// Folds at least one element in order: one loop.
void clr_fold_elements(const struct clr_values *values, void *state);

// Folds an array of at least one state, in adjacent pairs or in order.
void clr_fold_partials(const struct clr_operation *operation, const void *partials, cl_ulong count, bool in_pairs,
                       void *state);

#endif
