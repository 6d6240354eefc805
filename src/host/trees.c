// The trees of reductions on the host.
#include "host/trees.h"

#include <string.h>

#include "base/arithmetic.h"

cl_ulong clr_tree_of_group(const struct clr_states *states, cl_ulong base, cl_ulong group_size, cl_ulong apart,
                           cl_ulong end) {
  for (cl_ulong item = base; item < base + group_size && item < end; item++)
    for (cl_ulong i = item + apart; i < end; i += apart)
      clr_combine(states, item, i);
  clr_tree_halving(states, base, group_size, clr_min(end - base, group_size), 1);
  return base;
}

void clr_tree_doubling(const struct clr_states *states, cl_ulong base, cl_ulong present) {
  for (cl_ulong stride = 1; stride < present; stride *= 2)
    for (cl_ulong i = 0; i + stride < present; i += 2 * stride)
      clr_combine(states, base + i, base + i + stride);
}

void clr_tree_halving(const struct clr_states *states, cl_ulong base, cl_ulong width, cl_ulong present,
                      cl_ulong until) {
  for (cl_ulong stride = width / 2; stride >= until && stride > 0; stride /= 2)
    for (cl_ulong i = 0; i < stride && i + stride < present; i++)
      clr_combine(states, base + i, base + i + stride);
}

void clr_tree_top_down(const struct clr_states *states, cl_ulong present) {
  while (present > 1) {
    cl_ulong half_length = (present + 1) / 2;
    for (cl_ulong i = 0; i + half_length < present; i++)
      clr_combine(states, i, i + half_length);
    present = half_length;
  }
}

void clr_pairs_begin(struct clr_pairs *pairs, const struct clr_operation *operation, cl_ulong width) {
  pairs->operation = operation;
  pairs->width = width;
  pairs->pushed = pairs->depth = 0;
}

void clr_pairs_push(struct clr_pairs *pairs, const void *nodes, cl_ulong leaves) {
  const size_t size = pairs->width * pairs->operation->state_size;
  union clr_room carried;
  memcpy(&carried, nodes, size);
  for (cl_ulong bits = pairs->pushed / leaves; bits & 1; bits >>= 1) {
    pairs->depth--;
    clr_states_combine(pairs->operation, &pairs->stack[pairs->depth], &carried, pairs->width);
    memcpy(&carried, &pairs->stack[pairs->depth], size);
  }
  memcpy(&pairs->stack[pairs->depth++], &carried, size);
  pairs->pushed += leaves;
}

void clr_pairs_root(struct clr_pairs *pairs, void *states) {
  for (; pairs->depth > 1; pairs->depth--)
    clr_states_combine(pairs->operation, &pairs->stack[pairs->depth - 2], &pairs->stack[pairs->depth - 1],
                       pairs->width);
  memcpy(states, &pairs->stack[0], pairs->width * pairs->operation->state_size);
}

void clr_fold_partials(const struct clr_operation *operation, const void *partials, cl_ulong count, bool in_pairs,
                       void *state) {
  const unsigned char *bytes = partials;
  size_t size = operation->state_size;
  struct clr_pairs pairs;
  clr_pairs_begin(&pairs, operation, 1);
  for (cl_ulong i = 0; i < count && in_pairs; i++)
    clr_pairs_push(&pairs, bytes + i * size, 1);
  if (in_pairs) {
    clr_pairs_root(&pairs, state);
    return;
  }
  memcpy(state, bytes, size);
  for (cl_ulong i = 1; i < count; i++)
    clr_state_combine(operation, state, bytes + i * size);
}
