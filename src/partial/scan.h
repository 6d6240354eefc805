// A scan of the elements of a partial.
#pragma once

#include "host/scans.h"
#include "partial/partial.h"

struct clr_scan_of_part {
  clred_plan *scan;
  clred_partial *before;      // takes the elements as they are scanned
  const clred_partial *mine;  // the elements
  const struct clr_request *request;
  cl_ulong at;    // the next element
  size_t next;    // the next node of `mine`
  size_t ends;    // results at ends of runs so far
  cl_event last;  // the last command; NULL: none yet
};

// --- scan_tile.c ---
// Scans the first `count` elements in the memory of the tail of `before`; the first of them begins a tile. Writes the
// results to before->results, and waits for them.
cl_int clr_partial_scan_tile(const struct clr_scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong count,
                             struct clr_status *status);
