// Compares the analysis of a call (clred_plan_step, clred_plan_analysis) with what the plugin counted: launch by
// launch, and step by step where every group passes the same barriers.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stddef.h>

// How many numbers were compared so far, and how many of them the analysis does not state.
extern struct compared { size_t numbers, not_stated, failed; } compared;

// `results` has the results of the call: `count` if it scans, otherwise one.
void compare_call(const char *call, const clred_plan *plan, cl_ulong count, const cl_uint *results, bool scans);
