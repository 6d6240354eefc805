// Plans that threads share: of every kind, with one slot and with several.

#include "stress.h"

#define BOUND .count_max = NUMBERS
#define SEGMENTED LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT

// The first rows have the order of the enum SUBJECT_SUM, ...
const struct subject subjects[] = {
  {"sum", CALL_SUM, {OP(SUM, FLOAT)}},
  {"sum by many launches", CALL_SUM, {OP(SUM, FLOAT), .strategy = "bottom_up", BOUND}},
  {"scan", CALL_INCLUSIVE, {OP(SUM, FLOAT), SCAN(INCLUSIVE), .in_flight = 2}},
  {"selection", CALL_KEPT, {.type = CLRED_TYPE_FLOAT, .selection = &calls_selection}},
  {"sum, three at once", CALL_SUM, {OP(SUM, FLOAT), .strategy = "wide", .finish = "last_group", .in_flight = 3}},
  {"sum, relaunched, profiled",
   CALL_SUM,
   {OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "relaunch", BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"sum, finished by the host",
   CALL_SUM,
   {OP(SUM, FLOAT), .strategy = "persistent", .finish = "host", BOUND, .in_flight = 2}},
  {"sum by the host", CALL_SUM, {OP(SUM, FLOAT), .strategy = "host_serial", .in_flight = 3}},
  {"sum by atomics", CALL_SUM, {OP(SUM, FLOAT), .strategy = "atomic", BOUND}},
  {"sum of a caller's own", CALL_SCALED, {.custom = &calls_scaled, .in_flight = 2}},
  {"the last of all", CALL_LAST, {.custom = &calls_last}},
  {"argmax",
   CALL_GREATEST,
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMAX, .state = CLRED_TYPE_DOUBLE, .in_flight = 8}},
  {"scan by look-back",
   CALL_EXCLUSIVE,
   {OP(SUM, FLOAT), .strategy = "scan_wide", SCAN(EXCLUSIVE), .group_size = 4, BOUND, .in_flight = 3}},
  {"scan in two", CALL_EXCLUSIVE, {OP(SUM, FLOAT), .strategy = "scan_reduce_then_scan", SCAN(EXCLUSIVE), BOUND}},
  {"scan by the host", CALL_INCLUSIVE, {OP(SUM, FLOAT), .strategy = "scan_host_serial", SCAN(INCLUSIVE)}},
  {"rows", CALL_ROWS, {OP(SUM, FLOAT), LAYOUT(ROWS), BOUND}},
  {"columns", CALL_COLUMNS, {OP(SUM, FLOAT), LAYOUT(COLUMNS), BOUND, .in_flight = 2}},
  {"rows scanned", CALL_ROWS_SCANNED, {OP(SUM, FLOAT), LAYOUT(ROWS), SCAN(INCLUSIVE), BOUND}},
  {"segments", CALL_SEGMENTS, {OP(SUM, FLOAT), SEGMENTED, BOUND, .in_flight = 2}},
  {"segments scanned", CALL_SEGMENTS_SCANNED, {OP(SUM, FLOAT), SEGMENTED, SCAN(EXCLUSIVE), BOUND}},
  {"runs of keys",
   CALL_KEYS,
   {OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"runs by heads", CALL_HEADS, {OP(SUM, FLOAT), LAYOUT(HEADS), BOUND}},
  {"runs scanned", CALL_RUNS_SCANNED, {OP(SUM, FLOAT), LAYOUT(HEADS), SCAN(INCLUSIVE), BOUND}},
  {"histogram", CALL_COUNTS, {.type = CLRED_TYPE_FLOAT, .histogram = &calls_histogram, .in_flight = 2}},
};
const size_t subject_count = sizeof subjects / sizeof *subjects;
