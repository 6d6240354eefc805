// Selections, segments, and runs by heads and keys: the device decides how many results there are.
#include "calls.h"

#define KEPT .type = CLRED_TYPE_INT, .selection = &larger, .count_max = NUMBERS
#define SUM SUM_OF_INTS, .count_max = NUMBERS
#define BY_OFFSETS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define BY_KEYS LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT

static const struct call_row rows[] = {
  ROW(.name = "select", .problem = {KEPT}, .has = BLOCKS | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "select, an event", .problem = {KEPT, .indices = CL_TRUE}, .has = ASKS_EVENT | HAS_OUTCOME | WAITS,
      .results = NUMBERS),
  ROW(.name = "select by look_back", .assume = "cpu=0", .problem = {KEPT},
      .has = THOROUGH | ASKS_EVENT | HAS_OUTCOME | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "select on the host", .problem = {KEPT, .strategy = "scan_host_serial"},
      .has = BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "segments", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100}, .segments = OFFSETS,
      .has = BLOCKS | HAS_OUTCOME, .results = 100),
  ROW(.name = "segments, wide", .assume = "cpu=0", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .has = THOROUGH | ASKS_EVENT | WAITS | OUT_OF_ORDER, .results = 100),
  ROW(.name = "no segments", .problem = {SUM, BY_OFFSETS}, .segments = OFFSETS, .has = BLOCKS | HAS_OUTCOME | WAITS),
  ROW(.name = "one segment, read", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 1}, .segments = OFFSETS,
      .has = TO_RESULT | BLOCKS | HAS_OUTCOME),
  ROW(.name = "scan of segments", .problem = {SUM, SCAN(EXCLUSIVE), BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .has = THOROUGH | ASKS_EVENT | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "heads", .problem = {SUM, LAYOUT(HEADS)}, .segments = HEADS,
      .has = THOROUGH | BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "keys", .problem = {SUM, BY_KEYS}, .segments = KEYS, .has = HAS_OUTCOME | ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "keys, out of order", .problem = {SUM, BY_KEYS}, .segments = KEYS,
      .has = HAS_OUTCOME | HAS_KEYS_OUT | ASKS_EVENT | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "keys, times", .problem = {SUM, BY_KEYS}, .segments = KEYS, .has = THOROUGH | PROFILES | ASKS_EVENT,
      .results = NUMBERS),
};

void add_found(struct scenarios *all) {
  ADD_ROWS(all, rows);
}
