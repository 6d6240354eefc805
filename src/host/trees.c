// The trees of reductions on the host.
#include "host/trees.h"

#include <string.h>

void clr_tree_in_order(const struct clr_states *states, cl_ulong base, cl_ulong apart, cl_ulong end) {
  for (cl_ulong i = base + apart; i < end; i += apart)
    clr_combine(states, base, i);
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

void clr_pairs_push(struct clr_pairs *pairs, const void *node) {
  size_t size = pairs->operation->state_size;
  union clr_room carried;
  memcpy(&carried, node, size);
  for (cl_ulong bits = pairs->pushed++; bits & 1; bits >>= 1) {
    pairs->depth--;
    clr_state_combine(pairs->operation, &pairs->stack[pairs->depth], &carried);
    memcpy(&carried, &pairs->stack[pairs->depth], size);
  }
  memcpy(&pairs->stack[pairs->depth++], &carried, size);
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
  struct clr_pairs pairs = {.operation = operation};
  for (cl_ulong i = 0; i < count && in_pairs; i++)
    clr_pairs_push(&pairs, bytes + i * size);
  if (in_pairs) {
    clr_pairs_root(&pairs, state);
    return;
  }
  memcpy(state, bytes, size);
  for (cl_ulong i = 1; i < count; i++)
    clr_state_combine(operation, state, bytes + i * size);
}

// Widen neighbouring elements in pieces that fit the first-level cache.
static void fold_piece(const struct clr_values *values, cl_ulong from, cl_ulong count, void *state) {
  enum { PIECE = 512 };
  const struct clr_operation *operation = values->operation;
  size_t value_size = clr_type_row(clr_kind_type(operation->kind))->size;
  cl_double wide[PIECE];
  union clr_room lifted;
  for (; count; from += PIECE) {
    cl_ulong length = count < PIECE ? count : PIECE;
    operation->element.row->widen[operation->kind](
      (const unsigned char *)values->elements + from * operation->element.size, length, wide);
    for (cl_ulong i = 0; i < length; i++) {
      const struct clr_host_element given = {(const unsigned char *)wide + i * value_size, NULL, from + i,
                                             operation->ignores_nan};
      operation->host->lift(&given, &lifted);
      operation->host->combine(state, &lifted);
    }
    count -= length;
  }
}

void clr_fold_elements(const struct clr_values *values, void *state) {
  const struct clr_operation *operation = values->operation;
  union clr_room lifted;
  clr_lift(values, 0, state);
  if (operation->form && operation->form->inputs == 1 && operation->element.components == 1 && values->stride == 1 &&
      operation->element.row->class != CLR_COMPLEX) {
    fold_piece(values, 1, values->count - 1, state);
    return;
  }
  for (cl_ulong i = 1; i < values->count; i++) {
    clr_lift(values, i, &lifted);
    clr_state_combine(operation, state, &lifted);
  }
}
