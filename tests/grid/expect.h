// What the documentation allows for a problem: refusals, and what a plan reports.
#pragma once

#include "support/device.h"

// Whether partials are combined in the order of their arrival.
bool is_open_order(const clred_problem *problem);

// Whether the device may refuse the problem with this status and message.
bool expect_refusal(const struct device *device, const clred_problem *problem, cl_int status, const char *message);

// Whether the plan reports the strategy, the finish and the parts of this problem; otherwise a message is in `text`.
bool expect_plan(const clred_problem *problem, const clred_plan *plan, char *text, size_t size);
