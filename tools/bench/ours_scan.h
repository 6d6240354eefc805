// ours_scan.h: the library as a side of a comparison of scans.

#ifndef BENCH_OURS_SCAN_H
#define BENCH_OURS_SCAN_H

#include "scan_side.h"
#include "session.h"

struct ours_scan_options {
  const struct session *session;
  const char *strategy;  // as in clred_problem
  cl_uint in_flight;
};

extern const struct scan_side scan_ours;

void ours_scan_set(const struct ours_scan_options *options);  // before all else
int ours_scan_describe(char *text, size_t size);              // after choose

#endif
