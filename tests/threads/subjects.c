// Plans that threads share: of every kind, with one slot and with several.

#include "stress.h"

#define BOUND .count_max = NUMBERS
#define SEGMENTED LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT

// The first rows have the order of the enum SUBJECT_SUM, ...
const struct subject subjects[] = {
  {"sum", {OP(SUM, FLOAT)}},
  {"sum by many launches", {OP(SUM, FLOAT), .strategy = "bottom_up", BOUND}},
  {"scan", {OP(SUM, FLOAT), SCAN(INCLUSIVE), .in_flight = 2}},
  {"selection", {.type = CLRED_TYPE_FLOAT, .selection = &calls_selection}},
  {"sum, three at once", {OP(SUM, FLOAT), .strategy = "wide", .finish = "last_group", .in_flight = 3}},
  {"sum, relaunched, profiled",
   {OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "relaunch", BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"sum, finished by the host", {OP(SUM, FLOAT), .strategy = "persistent", .finish = "host", BOUND, .in_flight = 2}},
  {"sum by the host", {OP(SUM, FLOAT), .strategy = "host_serial", .in_flight = 3}},
  {"sum by atomics", {OP(SUM, FLOAT), .strategy = "atomic", BOUND}},
  {"sum of a caller's own", {.custom = &calls_scaled, .in_flight = 2}},
  {"the last of all", {.custom = &calls_last}},
  {"argmax", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMAX, .state = CLRED_TYPE_DOUBLE, .in_flight = 8}},
  {"scan by look-back",
   {OP(SUM, FLOAT), .strategy = "scan_wide", SCAN(EXCLUSIVE), .group_size = 4, BOUND, .in_flight = 3}},
  {"scan in two", {OP(SUM, FLOAT), .strategy = "scan_reduce_then_scan", SCAN(EXCLUSIVE), BOUND}},
  {"scan by the host", {OP(SUM, FLOAT), .strategy = "scan_host_serial", SCAN(INCLUSIVE)}},
  {"rows", {OP(SUM, FLOAT), LAYOUT(ROWS), BOUND}},
  {"columns", {OP(SUM, FLOAT), LAYOUT(COLUMNS), BOUND, .in_flight = 2}},
  {"rows scanned", {OP(SUM, FLOAT), LAYOUT(ROWS), SCAN(INCLUSIVE), BOUND}},
  {"segments", {OP(SUM, FLOAT), SEGMENTED, BOUND, .in_flight = 2}},
  {"segments scanned", {OP(SUM, FLOAT), SEGMENTED, SCAN(EXCLUSIVE), BOUND}},
  {"runs of keys",
   {OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, BOUND, .in_flight = 2, .profile = CL_TRUE}},
  {"runs by heads", {OP(SUM, FLOAT), LAYOUT(HEADS), BOUND}},
  {"runs scanned", {OP(SUM, FLOAT), LAYOUT(HEADS), SCAN(INCLUSIVE), BOUND}},
  {"histogram", {.type = CLRED_TYPE_FLOAT, .histogram = &calls_histogram, .in_flight = 2}},
  {"weights", {.type = CLRED_TYPE_FLOAT, .histogram = &calls_weights, .in_flight = 2}},
};
const size_t subject_count = sizeof subjects / sizeof *subjects;
