// Scans on the host, by the trees of docs/order.md and docs/strategies.md.
#ifndef CLR_HOST_SCANS_H
#define CLR_HOST_SCANS_H

#include "host/values.h"

// A scan. Position i is element i; if the scan is reversed, it is element i from the end.
struct clr_scan {
  bool inclusive, reversed;
  const void *start;       // the state before the first position; NULL: none
  unsigned char *results;  // in the order of the elements
  cl_ulong stride;         // results from one to the next
};

// The prefix of a position: the reduction of all before it. The first position has one only if there is a start.
struct clr_prefix {
  union clr_room state;
  bool is_there;
};

struct clr_prefix clr_scan_start(const struct clr_scan *scan, const struct clr_operation *operation);
void clr_scan_lift(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, void *state);
void clr_scan_put(const struct clr_scan *scan, const struct clr_values *values, cl_ulong i, const struct clr_prefix *x);

// x becomes x combined with the node that follows it.
void clr_prefix_add(const struct clr_operation *operation, struct clr_prefix *x, const void *node);

// One loop.
void clr_scan_in_order(const struct clr_scan *scan, const struct clr_values *values);

// The order fixed/1 with lanes of `rows` elements.
void clr_scan_lanes(const struct clr_scan *scan, const struct clr_values *values, cl_ulong rows);

// Blelloch's scan of tiles one after another; the root of each is its prefix.
cl_int clr_scan_tiles(const struct clr_scan *scan, const struct clr_values *values, cl_ulong tile);

// Scans blocks, scans their reductions in the same way, and joins both.
cl_int clr_scan_blocks(const struct clr_scan *scan, const struct clr_values *values, cl_ulong block);

#endif
