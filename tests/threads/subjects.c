// Plans that threads share: of every sort, with one slot and with several.

#include "stress.h"

#define SUM .type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD
#define BOUND .count_max = NUMBERS
#define SEGMENTED .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT

// SUBJECT_SUM and its like are the first ones.
const struct subject subjects[] = {
  {"sum", CALL_SUM, {SUM}},
  {"sum by many launches", CALL_SUM, {SUM, .strategy = "bottom_up", BOUND}},
  {"scan", CALL_INCLUSIVE, {SUM, .scan = CLRED_SCAN_INCLUSIVE, .in_flight = 2}},
  {"selection", CALL_KEPT, {.type = CLRED_TYPE_FLOAT, .selection = &calls_selection}},
  {"sum, three at once", CALL_SUM, {SUM, .strategy = "wide", .finish = "last_group", .in_flight = 3}},
  {"sum, relaunched, profiled",
   CALL_SUM,
   {SUM, .strategy = "local_sequential", .finish = "relaunch", BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"sum, finished by the host", CALL_SUM, {SUM, .strategy = "persistent", .finish = "host", BOUND, .in_flight = 2}},
  {"sum by the host", CALL_SUM, {SUM, .strategy = "host_serial", .in_flight = 3}},
  {"sum by atomics", CALL_SUM, {SUM, .strategy = "atomic", BOUND}},
  {"sum of a caller's own", CALL_SCALED, {.custom = &calls_scaled, .in_flight = 2}},
  {"the last of all", CALL_LAST, {.custom = &calls_last}},
  {"argmax",
   CALL_GREATEST,
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMAX, .state = CLRED_TYPE_DOUBLE, .in_flight = 8}},
  {"scan by look-back",
   CALL_EXCLUSIVE,
   {SUM, .strategy = "scan_look_back", .scan = CLRED_SCAN_EXCLUSIVE, .group_size = 4, BOUND, .in_flight = 3}},
  {"scan in two", CALL_EXCLUSIVE, {SUM, .strategy = "scan_reduce_then_scan", .scan = CLRED_SCAN_EXCLUSIVE, BOUND}},
  {"scan by the host", CALL_INCLUSIVE, {SUM, .strategy = "scan_host_serial", .scan = CLRED_SCAN_INCLUSIVE}},
  {"rows", CALL_ROWS, {SUM, .layout = CLRED_LAYOUT_ROWS, BOUND}},
  {"columns", CALL_COLUMNS, {SUM, .layout = CLRED_LAYOUT_COLUMNS, BOUND, .in_flight = 2}},
  {"rows scanned", CALL_ROWS_SCANNED, {SUM, .layout = CLRED_LAYOUT_ROWS, .scan = CLRED_SCAN_INCLUSIVE, BOUND}},
  {"segments", CALL_SEGMENTS, {SUM, SEGMENTED, BOUND, .in_flight = 2}},
  {"segments scanned", CALL_SEGMENTS_SCANNED, {SUM, SEGMENTED, .scan = CLRED_SCAN_EXCLUSIVE, BOUND}},
  {"runs of keys",
   CALL_KEYS,
   {SUM, .layout = CLRED_LAYOUT_KEYS, .segment_type = CLRED_TYPE_INT, BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"runs by heads", CALL_HEADS, {SUM, .layout = CLRED_LAYOUT_HEADS, BOUND}},
  {"histogram", CALL_COUNTS, {.type = CLRED_TYPE_FLOAT, .histogram = &calls_histogram, .in_flight = 2}},
};
const size_t subject_count = sizeof subjects / sizeof *subjects;
