// The columns are rows of a table, so that text and JSON agree.
#include "verbs/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"

static const struct {
  const char *key;
  const char *heading;
  size_t offset;
} columns[] = {{"active_work_items", "active", offsetof(clred_step, active_work_items)},
               {"sub_groups", "sub-groups", offsetof(clred_step, sub_groups)},
               {"divergent_sub_groups", "divergent", offsetof(clred_step, divergent_sub_groups)},
               {"barriers", "barriers", offsetof(clred_step, barriers)},
               {"global_requests", "requests", offsetof(clred_step, global_requests)}};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static cl_ulong value_of(const clred_step *step, size_t column) {
  cl_ulong value;
  memcpy(&value, (const char *)step + columns[column].offset, sizeof value);
  return value;
}

int steps_take(struct steps *steps, const clred_plan *plan, cl_ulong count) {
  clred_step step;
  size_t room = 0;
  *steps = (struct steps){0};
  while (clred_plan_step(plan, count, steps->count, &step) == CL_SUCCESS) {
    if (steps->count == room) {
      room = room == 0 ? 16 : room * 2;
      clred_step *grown = realloc(steps->list, room * sizeof *grown);
      if (grown == NULL)
        return fail_memory();
      steps->list = grown;
    }
    steps->list[steps->count++] = step;
  }
  return EXIT_DONE;
}

void steps_release(struct steps *steps) {
  free(steps->list);
  *steps = (struct steps){0};
}

void steps_print(const struct steps *steps) {
  printf("  %4s  %-23s", "pass", "step");
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    printf(" %12s", columns[i].heading);
  putchar('\n');
  for (size_t row = 0; row < steps->count; row++) {
    const clred_step *step = &steps->list[row];
    printf("  %4" PRIu64 "  %-23s", (uint64_t)step->pass, step->name);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
      printf(" %12" PRIu64, (uint64_t)value_of(step, i));
    putchar('\n');
  }
}

void steps_add_json(cJSON *object, const struct steps *steps) {
  cJSON *list = cJSON_AddArrayToObject(object, "steps");
  for (size_t row = 0; row < steps->count; row++) {
    const clred_step *step = &steps->list[row];
    cJSON *item = json_add_item(list);
    json_add_count(item, "pass", step->pass);
    json_add_text(item, "name", step->name);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
      json_add_count(item, columns[i].key, value_of(step, i));
  }
}
