// The trees of docs/order.md and docs/strategies.md on arrays of states. Each function folds in place. `base` is the
// index of the tree's first value, and of the tree's result.
#pragma once

#include "host/values.h"

// Folds the values below `end` as a group does: each work-item folds, in order, values at a distance of `apart`, then
// the group folds the values of its work-items by halves. Returns `base`.
cl_ulong clr_tree_of_group(const struct clr_states *states, cl_ulong base, cl_ulong group_size, cl_ulong apart,
                           cl_ulong end);

// Folds adjacent pairs of `present` values, then adjacent pairs of the results, and so on. A last value without a
// partner is kept.
void clr_tree_doubling(const struct clr_states *states, cl_ulong base, cl_ulong present);

// Folds the upper half of `width` positions (a power of two) onto the lower half until `until` positions are left.
void clr_tree_halving(const struct clr_states *states, cl_ulong base, cl_ulong width, cl_ulong present, cl_ulong until);

// Folds the upper half onto the lower half until one value is left; the lower half of an odd length is the longer one.
void clr_tree_top_down(const struct clr_states *states, cl_ulong present);

// Folds `width` lists of nodes, side by side, in adjacent pairs as the nodes arrive. The stack holds one node of each
// list for each bit set in `pushed`.
struct clr_pairs {
  const struct clr_operation *operation;
  cl_ulong pushed, width;  // `width` nodes must fit a union clr_room
  unsigned depth;
  union clr_room stack[64];
};
// Starts empty lists. An initializer would set the whole stack to 0, which takes longer than folding a tile.
void clr_pairs_begin(struct clr_pairs *pairs, const struct clr_operation *operation, cl_ulong width);

// Pushes one state for each list: the fold of its next `leaves` nodes. `leaves` is a power of two that divides
// `pushed`.
void clr_pairs_push(struct clr_pairs *pairs, const void *nodes, cl_ulong leaves);
void clr_pairs_root(struct clr_pairs *pairs, void *states);  // needs at least one push

// Folds an array of at least one state, in adjacent pairs or in order.
void clr_fold_partials(const struct clr_operation *operation, const void *partials, cl_ulong count, bool in_pairs,
                       void *state);
