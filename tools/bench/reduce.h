// The measuring itself: every device, type, operator and number of elements asked for.

#ifndef CLREDUCE_TOOL_BENCH_MEASURE_H
#define CLREDUCE_TOOL_BENCH_MEASURE_H

#include "bench/rows.h"
#include "bench/shared_data.h"

// Fills the rows of the report, whose request, devices and peers are there. An exit code.
int bench_measure(struct bench_report *report, struct shared_data *data);

#endif
