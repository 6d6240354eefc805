// What the documents let the library say of a problem: refusals, and what a plan tells of itself.

#ifndef CLREDUCE_TESTS_GRID_EXPECT_H
#define CLREDUCE_TESTS_GRID_EXPECT_H

#include "support/device.h"

// Whether partials are folded in the order in which they arrive.
bool is_open_order(const clred_problem *problem);

// Whether the device may refuse the problem with this status.
bool expect_refusal(const struct device *device, const clred_problem *problem, cl_int status);

// Whether the plan tells of this problem: strategy, finish, the parts of its results. Otherwise a sentence in `text`.
bool expect_plan(const clred_problem *problem, const clred_plan *plan, char *text, size_t size);

#endif
