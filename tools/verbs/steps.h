// The steps of a plan's tree, as a table and as JSON.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce_device.h>

struct steps {
  clred_step *list;
  size_t count;
};

// Copies the steps of a plan. Returns an exit code. Call steps_release in any case.
int steps_take(struct steps *steps, const clred_plan *plan, cl_ulong count);
void steps_release(struct steps *steps);

void steps_print(const struct steps *steps);

// Adds the list "steps".
void steps_add_json(cJSON *object, const struct steps *steps);
