// Scans on the host: the reference of scan strategies, and scan_host_serial.
#include "host/scans.h"

#include <string.h>

struct clr_prefix clr_scan_start(const struct clr_scan *scan, const struct clr_operation *operation) {
  struct clr_prefix x = {.has_value = scan->start != NULL};
  if (!scan->start)
    return x;
  memcpy(&x.state, scan->start, operation->state_size);
  clr_state_normal(operation, &x.state);
  return x;
}

static cl_ulong place_of(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i) {
  return scan->reversed ? values->count - 1 - i : i;
}

void clr_scan_lift(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, void *state) {
  clr_lift(values, place_of(scan, values, i), state);
}

void clr_scan_put(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i,
                  const struct clr_prefix *x) {
  const struct clr_operation *operation = values->operation;
  union clr_room none, result;
  clr_state_identity(operation, &none);
  clr_state_lower(operation, x->has_value ? &x->state : &none, &result);
  memcpy(scan->results + place_of(scan, values, i) * scan->stride * operation->result_size, &result,
         operation->result_size);
}

void clr_prefix_add(const struct clr_operation *operation, struct clr_prefix *x, const void *node) {
  if (x->has_value)
    clr_state_combine(operation, &x->state, node);
  else
    memcpy(&x->state, node, operation->state_size);
  x->has_value = true;
}

// ---------------------------------------------------------------- fixed/1

void clr_counter_begin(struct clr_counter *counter, const struct clr_operation *operation, const void *start) {
  const struct clr_scan scan = {.start = start};
  counter->operation = operation;
  for (unsigned b = 0; b < sizeof counter->heads / sizeof *counter->heads; b++)
    counter->heads[b] = clr_scan_start(&scan, operation);
}

void clr_counter_add(struct clr_counter *counter, cl_ulong index, const union clr_room *node_of_it) {
  union clr_room own = *node_of_it;
  unsigned carried = 0;
  for (; index >> carried & 1; carried++) {
    union clr_room node = counter->nodes[carried];
    clr_state_combine(counter->operation, &node, &own);
    own = node;
  }
  struct clr_prefix x = counter->heads[carried + 1];
  clr_prefix_add(counter->operation, &x, &own);
  counter->nodes[carried] = own;
  for (unsigned b = 0; b <= carried; b++)
    counter->heads[b] = x;
}

static void put_lane(const struct clr_scan *scan, const struct clr_values *values, cl_ulong first, cl_ulong rows,
                     const struct clr_prefix *before, union clr_room *folded) {
  union clr_room lifted;
  for (cl_ulong row = 0; row < rows; row++) {
    struct clr_prefix x = *before;
    if (row)
      clr_prefix_add(values->operation, &x, folded);
    if (!scan->inclusive)
      clr_scan_put(scan, values, first + row, &x);
    clr_scan_lift(scan, values, first + row, &lifted);
    if (row)
      clr_state_combine(values->operation, folded, &lifted);
    else
      *folded = lifted;
    x = *before;
    clr_prefix_add(values->operation, &x, folded);
    if (scan->inclusive)
      clr_scan_put(scan, values, first + row, &x);
  }
}

void clr_scan_lanes(const struct clr_scan *scan, const struct clr_values *values, cl_ulong rows) {
  struct clr_counter counter;
  clr_counter_begin(&counter, values->operation, scan->start);
  for (cl_ulong first = 0; first < values->count; first += rows) {
    cl_ulong present = values->count - first < rows ? values->count - first : rows;
    union clr_room folded;
    put_lane(scan, values, first, present, &counter.heads[0], &folded);
    clr_counter_add(&counter, first / rows, &folded);
    // The result of the last position of a whole lane is the prefix of the next lane.
    if (scan->inclusive && present == rows)
      clr_scan_put(scan, values, first + rows - 1, &counter.heads[0]);
  }
}

// ---------------------------------------------------------------- Blelloch's

// Replaces up to `width` states (a power of two) by their prefixes: the states from `base` on and below `end`. x is the
// prefix of the first one; if x has no value, this state is not changed. `node` gets the reduction of these states.
static void before_each(struct clr_states *states, cl_ulong base, cl_ulong width, cl_ulong end,
                        const struct clr_prefix *x, union clr_room *node) {
  const struct clr_operation *operation = states->operation;
  size_t size = operation->state_size;
  if (width == 1) {
    memcpy(node, clr_state_at(states, base), size);
    if (x->has_value)
      memcpy(clr_state_at(states, base), &x->state, size);
    return;
  }
  union clr_room right;
  before_each(states, base, width / 2, end, x, node);
  if (base + width / 2 >= end)
    return;
  struct clr_prefix next = *x;
  clr_prefix_add(operation, &next, node);
  before_each(states, base + width / 2, width / 2, end, &next, &right);
  clr_state_combine(operation, node, &right);
}

// Replaces states by their prefixes within their blocks; the first state of a block has none. `nodes` gets the blocks'
// reductions. Without `nodes`, `first` is the prefix of the first block, and the prefix of a block contains all earlier
// blocks.
static void scan_each_block(struct clr_states *states, cl_ulong block, const struct clr_prefix *first,
                            struct clr_states *nodes) {
  struct clr_prefix x = *first;
  for (cl_ulong begin = 0; begin < states->count; begin += block) {
    union clr_room node;
    cl_ulong end = states->count - begin < block ? states->count : begin + block;
    before_each(states, begin, block, end, &x, &node);
    if (nodes)
      memcpy(clr_state_at(nodes, begin / block), &node, states->operation->state_size);
    else
      clr_prefix_add(states->operation, &x, &node);
  }
}

static struct clr_states lift_all(const struct clr_scan *scan, const struct clr_values *values) {
  struct clr_states states = clr_states_make(values->operation, values->count);
  for (cl_ulong i = 0; i < values->count && states.bytes; i++)
    clr_scan_lift(scan, values, i, clr_state_at(&states, i));
  return states;
}

static struct clr_prefix prefix_at(const struct clr_states *states, bool has_value, cl_ulong i) {
  struct clr_prefix x = {.has_value = has_value};
  if (has_value)
    memcpy(&x.state, clr_state_at(states, i), states->operation->state_size);
  return x;
}

// If the scan is inclusive, adds element i.
static void include(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, struct clr_prefix *x) {
  union clr_room lifted;
  if (!scan->inclusive)
    return;
  clr_scan_lift(scan, values, i, &lifted);
  clr_prefix_add(values->operation, x, &lifted);
}

cl_int clr_scan_tiles(const struct clr_scan *scan, const struct clr_values *values, cl_ulong tile) {
  const struct clr_prefix start = clr_scan_start(scan, values->operation);
  struct clr_states states = lift_all(scan, values);
  if (!states.bytes)
    return CL_OUT_OF_HOST_MEMORY;
  scan_each_block(&states, tile, &start, NULL);
  for (cl_ulong i = 0; i < values->count; i++) {
    struct clr_prefix x = prefix_at(&states, start.has_value || i, i);
    include(scan, values, i, &x);
    clr_scan_put(scan, values, i, &x);
  }
  clr_states_release(&states);
  return CL_SUCCESS;
}

static cl_int scan_nodes(struct clr_states *nodes, cl_ulong block);

// Scans each block, and the blocks' reductions, which become `nodes`: node g is the prefix of block g.
static cl_int scan_levels(struct clr_states *states, cl_ulong block, struct clr_states *nodes) {
  const struct clr_prefix none = {.has_value = false};
  *nodes = clr_states_make(states->operation, states->count / block + (states->count % block != 0));
  if (!states->bytes || !nodes->bytes)
    return CL_OUT_OF_HOST_MEMORY;
  scan_each_block(states, block, &none, nodes);
  return nodes->count > 1 ? scan_nodes(nodes, block) : CL_SUCCESS;
}

// Replaces the nodes by their prefixes, level after level. The first node has none.
static cl_int scan_nodes(struct clr_states *nodes, cl_ulong block) {
  struct clr_states above;
  cl_int err = scan_levels(nodes, block, &above);
  for (cl_ulong i = block; i < nodes->count && !err; i++) {
    struct clr_prefix x = prefix_at(&above, true, i / block);
    if (i % block)
      clr_prefix_add(nodes->operation, &x, clr_state_at(nodes, i));
    memcpy(clr_state_at(nodes, i), &x.state, nodes->operation->state_size);
  }
  clr_states_release(&above);
  return err;
}

cl_int clr_scan_blocks(const struct clr_scan *scan, const struct clr_values *values, cl_ulong block) {
  struct clr_states states = lift_all(scan, values), nodes;
  cl_int err = scan_levels(&states, block, &nodes);
  for (cl_ulong i = 0; i < values->count && !err; i++) {
    struct clr_prefix own = prefix_at(&states, i % block, i), x = prefix_at(&nodes, i >= block, i / block),
                      first = clr_scan_start(scan, values->operation);
    include(scan, values, i, &own);
    if (own.has_value)
      clr_prefix_add(values->operation, &x, &own.state);
    if (x.has_value)
      clr_prefix_add(values->operation, &first, &x.state);
    clr_scan_put(scan, values, i, &first);
  }
  clr_states_release(&nodes);
  clr_states_release(&states);
  return err;
}
