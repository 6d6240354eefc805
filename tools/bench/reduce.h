// Measures reductions: the task `reduce` of `clreduce bench`.

#ifndef CLREDUCE_TOOL_BENCH_MEASURE_H
#define CLREDUCE_TOOL_BENCH_MEASURE_H

#include "bench/rows.h"
#include "bench/shared_data.h"

// Adds rows to the report for each device, type, operator and size of its request. Returns an exit code.
int bench_measure(struct bench_report *report, struct shared_data *data);

#endif
