// The analysis of a plan's tree, step by step, as a table and as JSON.

#ifndef CLREDUCE_TOOL_STEPS_H
#define CLREDUCE_TOOL_STEPS_H

#include <cjson/cJSON.h>
#include <clreduce_device.h>

struct steps {
  clred_step *list;
  size_t count;
};

// Copies a plan's steps, so that they outlive it: an exit code. Release them with steps_release, also if it failed.
int steps_take(struct steps *steps, const clred_plan *plan, cl_ulong count);
void steps_release(struct steps *steps);

void steps_print(const struct steps *steps);

// Adds them as the list "steps".
void steps_add_json(cJSON *object, const struct steps *steps);

#endif
