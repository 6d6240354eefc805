// The rows of plans and calls: each strategy, layout, delivery and way to wait.
#include "scenario.h"

#define SUM SUM_OF_INTS, .count_max = NUMBERS
#define SUMS SUM, SCAN(EXCLUSIVE)
#define KEPT .type = CLRED_TYPE_INT, .selection = &larger, .count_max = NUMBERS
#define BY_OFFSETS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define BY_KEYS LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT
#define FAILS_LATER .flags = EVENT_FAILS_LATER | TO_RESULT | ASKS_EVENT
#define HAS_FAILED .flags = EVENT_HAS_FAILED | TO_RESULT | ASKS_EVENT

static const clred_op listed[] = {CLRED_OP_SUM, CLRED_OP_ARGMIN};
static const clred_operator longest = {
  .name = "longest", .element = "int", .state = "int", .identity = "0", .combine = "max(a, b)"};
static const clred_histogram equal_bins = {.bins = 10, .low = 0, .high = 50};

static const struct scenario rows[] = {
  // Every finish, place of the result and way of waiting.
  ROW(.name = "chunked", .problem = {SUM}, .flags = TO_RESULT | BLOCKS),
  ROW(.name = "chunked, an event", .problem = {SUM}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "chunked, no event", .problem = {SUM}),
  ROW(.name = "chunked, read later", .problem = {SUM}, .flags = TO_RESULT | ASKS_EVENT),
  ROW(.name = "chunked, out of order", .problem = {SUM}, .flags = OUT_OF_ORDER | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, two in flight", .problem = {SUM, .in_flight = 2}, .flags = TO_RESULT | BLOCKS | WAITS),
  ROW(.name = "chunked, two queues", .problem = {SUM}, .flags = ON_OTHER_QUEUE | ASKS_EVENT),
  ROW(.name = "chunked, two queues and a wait list", .problem = {SUM}, .flags = ON_OTHER_QUEUE | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, times", .problem = {SUM}, .flags = PROFILES | ASKS_EVENT),
  ROW(.name = "chunked, relaunch", .problem = {SUM, .finish = "relaunch"}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "chunked, host", .problem = {SUM, .finish = "host"}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "wide", .assume = "cpu=0", .problem = {SUM}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "wide, relaunch", .assume = "cpu=0", .problem = {SUM, .finish = "relaunch"},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "wide, host", .assume = "cpu=0", .problem = {SUM, .finish = "host"},
      .flags = TO_RESULT | BLOCKS | OUT_OF_ORDER | WAITS),
  ROW(.name = "host_serial", .problem = {SUM, .strategy = "host_serial"}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "bottom_up", .problem = {SUM, .strategy = "bottom_up"}, .call = {.count = 40},
      .flags = TO_RESULT | BLOCKS | OUT_OF_ORDER),
  ROW(.name = "hand_off", .problem = {SUM, .strategy = "hand_off"}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "atomic", .problem = {SUM, .strategy = "atomic"}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "local_sequential, last_group", .problem = {SUM, .strategy = "local_sequential", .finish = "last_group"},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "a trial", .problem = {SUM, .strategy = "local_sequential", .group_size = 64}, .flags = ASKS_EVENT,
      .pretence = {.kernel_group_size = 1}),
  ROW(.name = "a trial that fails", .problem = {SUM, .strategy = "local_sequential"},
      .flags = ONLY_IN_FULL | ASKS_EVENT | TRIES, .pretence = {.kernel_group_size = 1}),
  ROW(.name = "dot", .problem = {OP(DOT, INT)}, .flags = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "overflow is detected", .problem = {SUM, .overflow = CLRED_OVERFLOW_DETECT}, .flags = TO_RESULT | BLOCKS),
  ROW(.name = "several operators", .problem = {.type = CLRED_TYPE_INT, .list = listed, .list_count = 2},
      .flags = TO_RESULT | BLOCKS),
  ROW(.name = "argmin", .problem = {OP(ARGMIN, INT)}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "a caller's operator", .problem = {.custom = &weighted}, .call = {.parameters = weighted_parameters},
      .flags = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "one that does not commute", .problem = {.custom = &longest}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  // Rows, columns, strides, and histograms.
  ROW(.name = "strided", .problem = {SUM_OF_INTS, LAYOUT(STRIDED)}, .call = {.count = 1000, .stride = 3},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "rows", .problem = {SUM_OF_INTS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .flags = ASKS_EVENT,
      .results = 30),
  ROW(.name = "rows, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(ROWS)},
      .call = {.count = 1500, .rows = 2}, .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS, .results = 2),
  ROW(.name = "columns", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .flags = ASKS_EVENT, .results = 60),
  ROW(.name = "columns, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .flags = ONLY_IN_FULL | OUT_OF_ORDER | ASKS_EVENT,
      .results = 60),
  ROW(.name = "histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins}, .flags = ASKS_EVENT,
      .results = 10),
  ROW(.name = "histogram, read", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS, .results = 3),
  ROW(.name = "histogram_atomic",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins, .strategy = "histogram_atomic"},
      .flags = ONLY_IN_FULL | ASKS_EVENT, .results = 10),
  ROW(.name = "histogram_local", .assume = "cpu=0", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS, .results = 3),
  ROW(.name = "histogram_host_serial",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins, .strategy = "histogram_host_serial"},
      .flags = ASKS_EVENT, .results = 3),
  // Scans by every strategy, with every field of the call.
  ROW(.name = "scan_chunked", .problem = {SUMS}, .flags = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan, initial state", .problem = {SUMS, .reversed = CL_TRUE},
      .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_INITIAL, .results = NUMBERS),
  ROW(.name = "scan, initial buffer", .problem = {SUMS}, .flags = ASKS_EVENT | HAS_INITIAL_BUFFER | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan_wide", .assume = "cpu=0", .problem = {SUMS}, .flags = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_wide, out of order", .assume = "cpu=0", .problem = {SUMS},
      .flags = ASKS_EVENT | WAITS | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "scan_wide, no event", .assume = "cpu=0", .problem = {SUMS}, .flags = ONLY_IN_FULL, .results = NUMBERS),
  ROW(.name = "scan_reduce_then_scan", .problem = {SUMS, .strategy = "scan_reduce_then_scan"}, .flags = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan_blelloch_recursive", .problem = {SUMS, .strategy = "scan_blelloch_recursive"},
      .flags = ONLY_IN_FULL | OUT_OF_ORDER | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_host_serial", .problem = {SUMS, .strategy = "scan_host_serial"}, .flags = ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan in place", .problem = {OP(SUM, LONG), SCAN(INCLUSIVE), .in_place = CL_TRUE},
      .flags = ONLY_IN_FULL | IN_PLACE | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan of rows", .problem = {SUMS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .flags = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan of rows, wide", .assume = "cpu=0", .problem = {SUMS, LAYOUT(ROWS)},
      .call = {.count = 100, .rows = 30}, .flags = ONLY_IN_FULL | ASKS_EVENT, .results = NUMBERS),
  // Selections, segments, and runs by heads and keys: the device decides how many results there are.
  ROW(.name = "select", .problem = {KEPT}, .flags = BLOCKS | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "select, an event", .problem = {KEPT, .indices = CL_TRUE}, .flags = ASKS_EVENT | HAS_OUTCOME | WAITS,
      .results = NUMBERS),
  ROW(.name = "select by look_back", .assume = "cpu=0", .problem = {KEPT},
      .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_OUTCOME | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "select on the host", .problem = {KEPT, .strategy = "scan_host_serial"},
      .flags = BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "segments", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100}, .segments = OFFSETS,
      .flags = BLOCKS | HAS_OUTCOME, .results = 100),
  ROW(.name = "segments, wide", .assume = "cpu=0", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS | OUT_OF_ORDER, .results = 100),
  ROW(.name = "no segments", .problem = {SUM, BY_OFFSETS}, .segments = OFFSETS, .flags = BLOCKS | HAS_OUTCOME | WAITS),
  ROW(.name = "one segment, read", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 1}, .segments = OFFSETS,
      .flags = TO_RESULT | BLOCKS | HAS_OUTCOME),
  ROW(.name = "scan of segments", .problem = {SUM, SCAN(EXCLUSIVE), BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "heads", .problem = {SUM, LAYOUT(HEADS)}, .segments = HEADS,
      .flags = ONLY_IN_FULL | BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "keys", .problem = {SUM, BY_KEYS}, .segments = KEYS, .flags = HAS_OUTCOME | ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "keys, out of order", .problem = {SUM, BY_KEYS}, .segments = KEYS,
      .flags = HAS_OUTCOME | HAS_KEYS_OUT | ASKS_EVENT | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "keys, times", .problem = {SUM, BY_KEYS}, .segments = KEYS, .flags = ONLY_IN_FULL | PROFILES | ASKS_EVENT,
      .results = NUMBERS),
  // Events of the wait list that fail before or after the call, in every kind of queue.
  ROW(.name = "an event that fails later", .problem = {SUM}, FAILS_LATER),
  ROW(.name = "an event that fails later, out of order", .problem = {SUM}, FAILS_LATER | OUT_OF_ORDER),
  ROW(.name = "an event that has failed", .problem = {SUM}, HAS_FAILED | BLOCKS),
  ROW(.name = "an event that has failed, out of order", .problem = {SUM}, HAS_FAILED | OUT_OF_ORDER),
  ROW(.name = "an event that has failed, finish host", .problem = {SUM, .finish = "host"}, HAS_FAILED),
  ROW(.name = "an event that has failed, host_serial", .problem = {SUM, .strategy = "host_serial"}, HAS_FAILED),
  ROW(.name = "an event that has failed, bottom_up", .problem = {SUM, .strategy = "bottom_up"}, HAS_FAILED),
  ROW(.name = "an event that has failed, look_back", .assume = "cpu=0", .problem = {SUM, SCAN(EXCLUSIVE)},
      .flags = EVENT_HAS_FAILED | ASKS_EVENT, .results = NUMBERS),
};

void add_rows(struct scenarios *all) {
  add_calls(all, rows, sizeof rows / sizeof *rows);
}
