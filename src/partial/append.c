// Appends elements and nodes to a partial, joins partials, and computes results.
#include "partial/partial.h"

#include <string.h>

#include "base/arithmetic.h"
#include "host/values.h"

static size_t state_size(const clred_partial *partial) {
  return partial->plan->problem.operation.state_size;
}

static unsigned char *state_at(const clred_partial *partial, size_t index) {
  return partial->states + index * state_size(partial);
}

// After a failure the partial has lost elements, so all later calls on it fail, too.
static cl_int keep_failure(clred_partial *partial, cl_int err) {
  if (err && !partial->failed)
    partial->failed = err;
  return err;
}

// --- Nodes ---

// Appends a state. While the last two nodes are the halves of one node, joins them.
cl_int clr_partial_take_node(clred_partial *partial, struct clr_node node, const void *state,
                             struct clr_status *status) {
  struct clr_node *nodes = partial->nodes;
  cl_int err = CL_SUCCESS;
  memcpy(state_at(partial, partial->node_count), state, state_size(partial));
  nodes[partial->node_count++] = node;
  partial->count += partial->tile << node.level;
  while (partial->node_count > 1 && !err) {
    const size_t left = partial->node_count - 2;
    const bool are_halves = nodes[left].level == nodes[left + 1].level && !(nodes[left].tile >> nodes[left].level & 1);
    if (!are_halves && !partial->any_order)
      break;
    err = clr_partial_fold_states(partial, state_at(partial, left), 2, status);
    nodes[left].level++;
    partial->node_count--;
  }
  return keep_failure(partial, err);
}

// If any order is exact, one state stands for all elements, and places of nodes do not matter.
static cl_int take_in_any_order(clred_partial *partial, cl_ulong count, const void *state, struct clr_status *status) {
  const cl_ulong all = partial->count + count;
  cl_int err = clr_partial_take_node(partial, (struct clr_node){0, 0}, state, status);
  partial->count = all;
  return err;
}

// --- Elements ---

static void swap(struct clr_begun_tile *a, struct clr_begun_tile *b) {
  const struct clr_begun_tile was = *a;
  *a = *b;
  *b = was;
}

// The begun tile has reached a tile boundary. It becomes a node if it is whole; otherwise the partial began within it.
static cl_int end_tile(clred_partial *partial, struct clr_status *status) {
  union clr_room state;
  const cl_ulong begin = partial->first + partial->count - partial->tile;
  if (partial->tail.count < partial->tile) {
    swap(&partial->head, &partial->tail);
    return CL_SUCCESS;
  }
  cl_int err =
    clr_partial_fold_tile(partial, (const void *const *)partial->tail.elements, begin, partial->tile, &state, status);
  partial->tail.count = 0;
  partial->count -= partial->tile;
  return err ? err : clr_partial_take_node(partial, (struct clr_node){begin / partial->tile, 0}, &state, status);
}

static cl_int take_within_tile(clred_partial *partial, const void *const *sources, cl_ulong count,
                               struct clr_status *status) {
  union clr_room state;
  const cl_ulong at = partial->first + partial->count;
  if (partial->any_order) {
    cl_int err = clr_partial_fold_tile(partial, sources, at, count, &state, status);
    return err ? err : take_in_any_order(partial, count, &state, status);
  }
  for (size_t i = 0; i < partial->source_count; i++)
    memcpy(partial->tail.elements[i] + (size_t)partial->tail.count * partial->sizes[i], sources[i],
           (size_t)count * partial->sizes[i]);
  partial->tail.count += count;
  partial->count += count;
  return (at + count) % partial->tile ? CL_SUCCESS : end_tile(partial, status);
}

cl_int clr_partial_take_elements(clred_partial *partial, const void *const *sources, cl_ulong count,
                                 struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  for (cl_ulong done = 0; done < count && !err;) {
    const void *here[CLR_SOURCES_MAX];
    const cl_ulong room = partial->tile - (partial->first + partial->count) % partial->tile;
    const cl_ulong taken = clr_at_most(room, count - done);
    for (size_t i = 0; i < partial->source_count; i++)
      here[i] = (const unsigned char *)sources[i] + (size_t)done * partial->sizes[i];
    err = take_within_tile(partial, here, taken, status);
    done += taken;
  }
  return keep_failure(partial, err);
}

// --- What a range has ---

// Sets the nodes of tiles `begin` to `end`: from both ends the nodes become larger.
static void lay_out_nodes(clred_partial *partial, cl_ulong begin, cl_ulong end) {
  while (begin < end) {
    unsigned level = 0;
    while (!(begin >> level & 1) && level < 63 && 2ull << level <= end - begin)
      level++;
    partial->nodes[partial->node_count++] = (struct clr_node){begin, level};
    begin += 1ull << level;
  }
}

void clr_partial_lay_out(clred_partial *partial) {
  const cl_ulong tile = partial->tile, end = partial->first + partial->count;
  const cl_ulong begin = clr_ceil_divide(partial->first, tile);
  if (partial->any_order) {
    partial->node_count = partial->count != 0;
  } else if (begin > end / tile) {
    partial->tail.count = partial->count;
  } else {
    partial->head.count = begin * tile - partial->first;
    partial->tail.count = end % tile;
    lay_out_nodes(partial, begin, end / tile);
  }
}

// --- Joining ---

static cl_int check_neighbours(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  const cl_ulong end = left->first + left->count;
  if (right->first != end)
    return clr_fail(status, CLRED_PARTIAL_GAP, "right begins at element %llu, but left ends before element %llu: %s",
                    (unsigned long long)right->first, (unsigned long long)end,
                    right->first > end ? "the elements between them are missing" : "they overlap");
  return right->count <= CL_ULONG_MAX - end
           ? CL_SUCCESS
           : clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "%llu elements after element %llu are more than 64 bits count",
                      (unsigned long long)right->count, (unsigned long long)end);
}

static cl_int check_same(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  char ours[80], theirs[80];
  if (left->fingerprint == right->fingerprint)
    return CL_SUCCESS;
  clr_partial_describe(left->plan, ours, sizeof ours);
  clr_partial_describe(right->plan, theirs, sizeof theirs);
  return clr_fail(status, CLRED_PARTIAL_MISMATCH,
                  "left is of %s and right of %s: operator, types, policies and parameters must be the same", ours,
                  theirs);
}

static cl_int take_all(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  if (left->any_order)
    return right->count ? take_in_any_order(left, right->count, right->states, status) : CL_SUCCESS;
  cl_int err = clr_partial_take_elements(left, (const void *const *)right->head.elements, right->head.count, status);
  for (size_t i = 0; i < right->node_count && !err; i++)
    err = clr_partial_take_node(left, right->nodes[i], state_at(right, i), status);
  return err ? err
             : clr_partial_take_elements(left, (const void *const *)right->tail.elements, right->tail.count, status);
}

cl_int clr_partial_check_join(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  cl_int err = check_same(left, right, status);
  return err ? err : check_neighbours(left, right, status);
}

cl_int clr_partial_join(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  cl_int err = clr_partial_check_join(left, right, status);
  return err ? err : keep_failure(left, take_all(left, right, status));
}

// --- The result ---

// Folds the nodes from the right, as adjacent pairs do when nodes without a neighbour rise.
static cl_int fold_all(clred_partial *partial, void *root, struct clr_status *status) {
  const size_t size = state_size(partial);
  size_t left = partial->node_count;
  union clr_room pair[2];
  unsigned char *first = (unsigned char *)pair;
  cl_int err = CL_SUCCESS;
  if (partial->tail.count)
    err =
      clr_partial_fold_tile(partial, (const void *const *)partial->tail.elements,
                            partial->first + partial->count - partial->tail.count, partial->tail.count, root, status);
  else
    memcpy(root, state_at(partial, --left), size);
  while (left > 0 && !err) {
    memcpy(first, state_at(partial, --left), size);
    memcpy(first + size, root, size);
    err = clr_partial_fold_states(partial, first, 2, status);
    memcpy(root, first, size);
  }
  return err;
}

cl_int clr_partial_result(clred_partial *partial, void *result, struct clr_status *status) {
  union clr_room root;
  if (partial->first)
    return clr_fail(status, CLRED_PARTIAL_GAP, "the partial begins at element %llu; join it to those before it",
                    (unsigned long long)partial->first);
  cl_int err = partial->count ? fold_all(partial, &root, status) : CL_SUCCESS;
  if (!err)
    err = clr_partial_lower(partial, partial->count ? &root : NULL, result, status);
  return err ? err : clr_check_overflow(partial->plan, result, partial->count, status);
}
