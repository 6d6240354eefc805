// Reductions of rows, columns, strides, and histograms.
#include "calls.h"

static const clred_histogram equal_bins = {.bins = 10, .low = 0, .high = 50};

static const struct call_row rows[] = {
  ROW(.name = "strided", .problem = {SUM_OF_INTS, LAYOUT(STRIDED)}, .call = {.count = 1000, .stride = 3},
      .has = THOROUGH | ASKS_EVENT),
  ROW(.name = "rows", .problem = {SUM_OF_INTS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .has = ASKS_EVENT,
      .results = 30),
  ROW(.name = "rows, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(ROWS)},
      .call = {.count = 1500, .rows = 2}, .has = THOROUGH | ASKS_EVENT | WAITS, .results = 2),
  ROW(.name = "columns", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .has = ASKS_EVENT, .results = 60),
  ROW(.name = "columns, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .has = THOROUGH | OUT_OF_ORDER | ASKS_EVENT,
      .results = 60),
  ROW(.name = "histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins}, .has = ASKS_EVENT,
      .results = 10),
  ROW(.name = "histogram, read", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .has = THOROUGH | TO_RESULT | BLOCKS, .results = 3),
  ROW(.name = "histogram_atomic",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins, .strategy = "histogram_atomic"},
      .has = THOROUGH | ASKS_EVENT, .results = 10),
  ROW(.name = "histogram_local", .assume = "cpu=0", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .has = THOROUGH | ASKS_EVENT | WAITS, .results = 3),
  ROW(.name = "histogram_host_serial",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins, .strategy = "histogram_host_serial"},
      .has = ASKS_EVENT, .results = 3),
};

void add_layouts(struct scenarios *all) {
  ADD_ROWS(all, rows);
}
