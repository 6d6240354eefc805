// The analysis of a plan's call, step by step and summed up, as a table and as JSON.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce_device.h>

struct steps {
  clred_step *list;
  size_t count;
  clred_analysis analysis;
};

// Copies the steps of a plan. Returns an exit code. Call steps_release in any case.
int steps_take(struct steps *steps, const clred_plan *plan, cl_ulong count);
void steps_release(struct steps *steps);

void steps_print(const struct steps *steps);

// Adds the list "steps" and the object "analysis". Numbers that are not stated are null.
void steps_add_json(cJSON *object, const struct steps *steps);
