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

// Folds the tree of clr_tree_doubling by a function for whole states.
static void double_by(clr_host_combine *combine, unsigned char *bytes, size_t size, cl_ulong present) {
  for (cl_ulong stride = 1; stride < present; stride *= 2)
    for (cl_ulong i = 0; i + stride < present; i += 2 * stride)
      combine(bytes + i * size, bytes + (i + stride) * size);
}

void clr_tree_doubling(const struct clr_states *states, cl_ulong base, cl_ulong present) {
  clr_host_combine *combine = clr_state_combiner(states->operation);
  if (combine) {
    double_by(combine, clr_state_at(states, base), states->operation->state_size, present);
    return;
  }
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

void clr_pairs_begin(struct clr_pairs *pairs, const struct clr_operation *operation) {
  pairs->operation = operation;
  pairs->pushed = pairs->depth = 0;
}

void clr_pairs_push(struct clr_pairs *pairs, const void *node, cl_ulong leaves) {
  size_t size = pairs->operation->state_size;
  union clr_room carried;
  memcpy(&carried, node, size);
  for (cl_ulong bits = pairs->pushed / leaves; bits & 1; bits >>= 1) {
    pairs->depth--;
    clr_state_combine(pairs->operation, &pairs->stack[pairs->depth], &carried);
    memcpy(&carried, &pairs->stack[pairs->depth], size);
  }
  memcpy(&pairs->stack[pairs->depth++], &carried, size);
  pairs->pushed += leaves;
}

void clr_pairs_root(struct clr_pairs *pairs, void *state) {
  for (; pairs->depth > 1; pairs->depth--)
    clr_state_combine(pairs->operation, &pairs->stack[pairs->depth - 2], &pairs->stack[pairs->depth - 1]);
  memcpy(state, &pairs->stack[0], pairs->operation->state_size);
}

void clr_fold_partials(const struct clr_operation *operation, const void *partials, cl_ulong count, bool in_pairs,
                       void *state) {
  const unsigned char *bytes = partials;
  size_t size = operation->state_size;
  struct clr_pairs pairs;
  clr_pairs_begin(&pairs, operation);
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
