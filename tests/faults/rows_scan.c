// Scans by every strategy, with every field of the call.
#include "calls.h"

#define SUMS OP(SUM, INT), SCAN(EXCLUSIVE), .count_max = NUMBERS
#define LONG OP(SUM, LONG), SCAN(INCLUSIVE), .in_place = CL_TRUE

static const struct call_row rows[] = {
  ROW(.name = "scan_chunked", .problem = {SUMS}, .has = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan, initial state", .problem = {SUMS, .reversed = CL_TRUE}, .has = THOROUGH | ASKS_EVENT | HAS_INITIAL,
      .results = NUMBERS),
  ROW(.name = "scan, initial buffer", .problem = {SUMS}, .has = ASKS_EVENT | HAS_INITIAL_BUFFER | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan_wide", .assume = "cpu=0", .problem = {SUMS}, .has = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_wide, out of order", .assume = "cpu=0", .problem = {SUMS}, .has = ASKS_EVENT | WAITS | OUT_OF_ORDER,
      .results = NUMBERS),
  ROW(.name = "scan_wide, no event", .assume = "cpu=0", .problem = {SUMS}, .has = THOROUGH, .results = NUMBERS),
  ROW(.name = "scan_reduce_then_scan", .problem = {SUMS, .strategy = "scan_reduce_then_scan"}, .has = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan_blelloch_recursive", .problem = {SUMS, .strategy = "scan_blelloch_recursive"},
      .has = THOROUGH | OUT_OF_ORDER | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_host_serial", .problem = {SUMS, .strategy = "scan_host_serial"}, .has = ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan in place", .problem = {LONG}, .has = THOROUGH | IN_PLACE | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan of rows", .problem = {SUMS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .has = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan of rows, wide", .assume = "cpu=0", .problem = {SUMS, LAYOUT(ROWS)},
      .call = {.count = 100, .rows = 30}, .has = THOROUGH | ASKS_EVENT, .results = NUMBERS),
};

void add_scans(struct scenarios *all) {
  ADD_ROWS(all, rows);
}
