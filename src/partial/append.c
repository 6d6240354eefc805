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

// Counts elements that are appended behind the last one.
static void add_count(clred_partial *partial, cl_ulong count) {
  partial->count += count;
  if (partial->any_order)
    clr_ranges_append(&partial->ranges, partial->first, count);
}

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
  add_count(partial, partial->tile << node.level);
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
    add_count(partial, count);
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
    clr_ranges_append(&partial->ranges, partial->first, partial->count);
  } else if (begin > end / tile) {
    partial->tail.count = partial->count;
  } else {
    partial->head.count = begin * tile - partial->first;
    partial->tail.count = end % tile;
    lay_out_nodes(partial, begin, end / tile);
  }
}

// --- Joining ---

static cl_int check_no_gap(const clred_partial *partial, const char *name, struct clr_status *status) {
  return partial->ranges.count <= 1
           ? CL_SUCCESS
           : clr_fail(status, CLRED_PARTIAL_GAP,
                      "%s lacks elements %llu to %llu, and has later ones; join the parts that have them", name,
                      (unsigned long long)partial->ranges.at[0].end,
                      (unsigned long long)partial->ranges.at[1].first - 1);
}

static cl_int check_place(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  const cl_ulong end = clr_partial_end(left);
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

static cl_int take_other(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  clr_ranges_unite(&left->ranges, &right->ranges);
  left->first = left->ranges.at[0].first;
  left->count += right->count;
  return take_state(left, (struct clr_node){0, 0}, right->states, status);
}

static cl_int take_all(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  if (left->any_order)
    return right->count ? take_other(left, right, status) : CL_SUCCESS;
  cl_int err = clr_partial_take_elements(left, (const void *const *)right->head.elements, right->head.count, status);
  for (size_t i = 0; i < right->node_count && !err; i++)
    err = clr_partial_take_node(left, right->nodes[i], state_at(right, i), status);
  return err ? err
             : clr_partial_take_elements(left, (const void *const *)right->tail.elements, right->tail.count, status);
}

cl_int clr_partial_check_neighbours(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  cl_int err = check_same(left, right, status);
  if (!err)
    err = check_no_gap(left, "left", status);
  if (!err)
    err = check_no_gap(right, "right", status);
  return err ? err : check_place(left, right, status);
}

static cl_int check_join(const clred_partial *left, const clred_partial *right, struct clr_status *status) {
  if (!left->any_order)
    return clr_partial_check_neighbours(left, right, status);
  cl_int err = check_same(left, right, status);
  return err ? err : clr_ranges_check_union(&left->ranges, &right->ranges, status);
}

cl_int clr_partial_join(clred_partial *left, const clred_partial *right, struct clr_status *status) {
  cl_int err = check_join(left, right, status);
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

// A result needs the elements from 0 on, without gaps.
static cl_int check_whole(const clred_partial *partial, struct clr_status *status) {
  struct clr_element_range gap;
  if (clr_ranges_find_gap(&partial->ranges, &gap))
    return clr_fail(status, CLRED_PARTIAL_GAP, "the partial lacks elements %llu to %llu; join the parts that have them",
                    (unsigned long long)gap.first, (unsigned long long)gap.end - 1);
  return partial->first
           ? clr_fail(status, CLRED_PARTIAL_GAP, "the partial begins at element %llu; join it to those before it",
                      (unsigned long long)partial->first)
           : CL_SUCCESS;
}

cl_int clr_partial_result(clred_partial *partial, void *result, struct clr_status *status) {
  union clr_room root;
  cl_int err = check_whole(partial, status);
  if (!err && partial->count)
    err = fold_all(partial, &root, status);
  if (!err)
    err = clr_partial_lower(partial, partial->count ? &root : NULL, result, status);
  return err ? err : clr_check_overflow(partial->plan, result, partial->count, status);
}
