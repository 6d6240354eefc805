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

// Appends a state. While the last two nodes are the halves of one node, joins them. If any order is exact, one state
// stands for all elements, and places of nodes do not matter.
static cl_int take_state(clred_partial *partial, struct clr_node node, const void *state, struct clr_status *status) {
  struct clr_node *nodes = partial->nodes;
  cl_int err = CL_SUCCESS;
  memcpy(state_at(partial, partial->node_count), state, state_size(partial));
  nodes[partial->node_count++] = node;
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

cl_int clr_partial_take_node(clred_partial *partial, struct clr_node node, const void *state,
                             struct clr_status *status) {
  partial->count += partial->tile << node.level;
  return take_state(partial, node, state, status);
}

// --- Elements ---

static void swap(struct clr_incomplete_tile *a, struct clr_incomplete_tile *b) {
  const struct clr_incomplete_tile was = *a;
  *a = *b;
  *b = was;
}

// The incomplete tile has reached a tile boundary. It becomes a node if it is whole; otherwise the partial began within
// it.
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
  const cl_ulong at = clr_partial_end(partial);
  if (partial->any_order) {
    cl_int err = clr_partial_fold_tile(partial, sources, at, count, &state, status);
    partial->count += count;
    return err ? err : take_state(partial, (struct clr_node){0, 0}, &state, status);
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
    const cl_ulong room = partial->tile - clr_partial_end(partial) % partial->tile;
    const cl_ulong taken = clr_min(room, count - done);
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

cl_int clr_partial_check_same(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  char ours[80], theirs[80];
  if (left->fingerprint == right->fingerprint)
    return CL_SUCCESS;
  clr_partial_describe(left->plan, ours, sizeof ours);
  clr_partial_describe(right->plan, theirs, sizeof theirs);
  return clr_fail(status, CLRED_PARTIAL_MISMATCH,
                  "left is of %s and right of %s: operator, types, policies and parameters must be the same", ours,
                  theirs);
}

// Adds the elements of `right`, which begin where `left` ends. If any order is exact, they may also end where `left`
// begins.
static cl_int take_all(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  if (left->any_order) {
    left->first = clr_min(left->first, right->first);
    left->count += right->count;
    return take_state(left, (struct clr_node){0, 0}, right->states, status);
  }
  cl_int err = clr_partial_take_elements(left, (const void *const *)right->head.elements, right->head.count, status);
  for (size_t i = 0; i < right->node_count && !err; i++)
    err = clr_partial_take_node(left, right->nodes[i], state_at(right, i), status);
  return err ? err
             : clr_partial_take_elements(left, (const void *const *)right->tail.elements, right->tail.count, status);
}

static void move_tile(const clred_partial *partial, struct clr_incomplete_tile *tile,
                      const struct clr_incomplete_tile *to) {
  for (size_t i = 0; i < partial->source_count; i++)
    tile->elements[i] = memcpy(to->elements[i], tile->elements[i], (size_t)tile->count * partial->sizes[i]);
}

// Adds the elements of `right`, which end where `left` begins. The old elements and states of `left` first move to the
// memory of its folds, none of which is under way.
static cl_int take_in_front(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  clred_partial later = *left;
  if (left->any_order)
    return take_all(left, right, status);
  later.states = memcpy(left->flight.states, left->states, left->node_count * state_size(left));
  move_tile(left, &later.head, &left->flight.before);
  move_tile(left, &later.tail, &left->flight.after);
  clr_partial_empty(left, right->first);
  cl_int err = take_all(left, right, status);
  return err ? err : take_all(left, &later, status);
}

static cl_int fail_apart(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  const cl_ulong left_end = clr_partial_end(left), right_end = clr_partial_end(right);
  const bool overlap = right->first < left_end && left->first < right_end;
  return clr_fail(status, CLRED_PARTIAL_GAP, "left has elements %llu to %llu and right %llu to %llu: %s",
                  (unsigned long long)left->first, (unsigned long long)left_end - 1, (unsigned long long)right->first,
                  (unsigned long long)right_end - 1,
                  overlap ? "they overlap; each element must be in one part"
                          : "they are not neighbours; join parts in the order of their elements");
}

cl_int clr_partial_join(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  cl_int err = clr_partial_check_same(left, right, status);
  if (err || !right->count)
    return err;
  if (!left->count)
    left->first = right->first;
  if (right->first == clr_partial_end(left))
    return keep_failure(left, take_all(left, right, status));
  return clr_partial_end(right) == left->first ? keep_failure(left, take_in_front(left, right, status))
                                               : fail_apart(left, right, status);
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

static cl_int check_beginning(const clred_partial *partial, struct clr_status *status) {
  return partial->first
           ? clr_fail(status, CLRED_PARTIAL_GAP, "the partial begins at element %llu; join it to those before it",
                      (unsigned long long)partial->first)
           : CL_SUCCESS;
}

cl_int clr_partial_result(clred_partial *partial, void *result, struct clr_status *status) {
  union clr_room root;
  cl_int err = check_beginning(partial, status);
  if (!err && partial->count)
    err = fold_all(partial, &root, status);
  if (!err)
    err = clr_partial_lower(partial, partial->count ? &root : NULL, result, status);
  return err ? err : clr_check_overflow(partial->plan, result, partial->count, status);
}
