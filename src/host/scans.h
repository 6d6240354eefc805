// Scans on the host, by the trees of docs/order.md and docs/strategies.md. Strategies' references and host passes use
// them.
#pragma once

#include "host/values.h"

// A scan. Position i is element i, or if the scan is reversed, element i from the end.
struct clr_scan {
  bool inclusive, reversed;
  const void *start;       // the state before the first position; may be NULL
  unsigned char *results;  // in the order of the elements
  cl_ulong stride;         // distance from one result to the next, in results
};

// The prefix of a position: the reduction of all elements before it. The first position has a prefix only if a start is
// given.
struct clr_prefix {
  union clr_room state;
  bool has_value;
};

struct clr_prefix clr_scan_start(const struct clr_scan *scan, const struct clr_operation *operation);
void clr_scan_lift(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, void *state);
void clr_scan_put(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, const struct clr_prefix *x);

// Sets x to combine(x, node); the node's elements follow those of x.
void clr_prefix_add(const struct clr_operation *operation, struct clr_prefix *x, const void *node);

// A binary counter of nodes of one size, such as lanes, in the order fixed/1: nodes[b] is the node of digit b. heads[b]
// is the start of the scan, combined with the nodes of digit b and of all higher digits. heads[0] is the prefix of the
// next node.
struct clr_counter {
  const struct clr_operation *operation;
  union clr_room nodes[64];
  struct clr_prefix heads[65];
};

// `start` is the state before the first node; NULL: none.
void clr_counter_begin(struct clr_counter *counter, const struct clr_operation *operation, const void *start);

// Adds the node with this index. Indices count from 0.
void clr_counter_add(struct clr_counter *counter, cl_ulong index, const union clr_room *node);

// Scans in the order fixed/1 with lanes of `rows` elements.
void clr_scan_lanes(const struct clr_scan *scan, const struct clr_values *values, cl_ulong rows);

// Blelloch's scan of one tile after another. The reduction of all earlier tiles is the prefix of a tile.
cl_int clr_scan_tiles(const struct clr_scan *scan, const struct clr_values *values, cl_ulong tile);

// Scans each block, scans the blocks' reductions in the same way, and combines both.
cl_int clr_scan_blocks(const struct clr_scan *scan, const struct clr_values *values, cl_ulong block);
