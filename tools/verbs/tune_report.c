// What tune has found, as a table for people and as JSON for scripts.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/number.h"
#include "base/wrap.h"
#include "verbs/tune.h"

static const char *type_name(const struct tune_item *item) {
  return item->operation.own ? item->operation.user.made.element : item->type.name;
}

// ---- Text

static void print_row(const struct tune_item *item, const clred_tuned *found) {
  char before[32] = "-", after[32] = "-", ratio[32] = "-", numbers[256] = "";
  if (found->before > 0) {
    snprintf(before, sizeof before, "%.2f us", found->before * 1e6);
    snprintf(after, sizeof after, "%.2f us", found->after * 1e6);
    snprintf(ratio, sizeof ratio, "%.2f", found->before / found->after);
  }
  for (size_t i = 0, length = 0; found->numbers[i] != '\0' && length + 2 < sizeof numbers; i++) {
    numbers[length++] = found->numbers[i] == ',' ? ' ' : found->numbers[i];
    numbers[length] = '\0';
  }
  int at = printf("%-13s %-8s %-8s %-6s %10llu %10s %10s %5s  ", item->operation.name, type_name(item), found->strategy,
                  found->length, (unsigned long long)found->count, before, after, ratio);
  wrap_print(*numbers == '\0' ? "as the facts say" : numbers, (size_t)at, (size_t)at, TABLE_WIDTH);
}

int tune_print_text(const struct tune *tune) {
  char line[1024];
  snprintf(line, sizeof line, "on %s (%s, %s)", tune->session.device.name, tune->session.device.platform,
           tune->session.device.driver);
  wrap_print(line, 0, 2, TABLE_WIDTH);
  printf("%-13s %-8s %-8s %-6s %10s %10s %10s %5s  %s\n", "operator", "type", "strategy", "calls", "elements", "before",
         "after", "ratio", "numbers");
  for (size_t i = 0; i < tune->count; i++)
    for (size_t j = 0; j < tune->items[i].found_count; j++)
      print_row(&tune->items[i], &tune->items[i].found[j]);
  if (*tune->path != '\0')
    printf("kept in %s\n", tune->path);
  return EXIT_DONE;
}

// ---- JSON

// "vector=8,groups=64" as an object.
static void add_numbers(cJSON *row, const char *numbers) {
  cJSON *object = cJSON_AddObjectToObject(row, "numbers");
  while (*numbers != '\0') {
    char name[64];
    size_t length = strcspn(numbers, "="), all = strcspn(numbers, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, numbers);
    json_add_count(object, name, strtoull(numbers + length + 1, NULL, 10));
    numbers += all + (numbers[all] == ',');
  }
}

static void add_row(cJSON *rows, const struct tune_item *item, const clred_tuned *found) {
  cJSON *row = cJSON_CreateObject();
  json_add_text(row, "op", item->operation.name);
  json_add_text(row, "type", type_name(item));
  json_add_text(row, "strategy", found->strategy);
  json_add_text(row, "calls", found->length);
  json_add_count(row, "count", found->count);
  json_add_count(row, "tried", found->tried);
  if (found->before > 0) {
    json_add_measure(row, "before_seconds", found->before);
    json_add_measure(row, "after_seconds", found->after);
    json_add_measure(row, "ratio", found->before / found->after);
  }
  add_numbers(row, found->numbers);
  cJSON_AddItemToArray(rows, row);
}

int tune_print_json(const struct tune *tune) {
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "device", tune->session.device.name);
  json_add_text(object, "platform", tune->session.device.platform);
  json_add_text(object, "driver", tune->session.device.driver);
  json_add_text(object, "assumed", tune->args->assume);
  json_add_text(object, "file", *tune->path == '\0' ? NULL : tune->path);
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < tune->count; i++)
    for (size_t j = 0; j < tune->items[i].found_count; j++)
      add_row(rows, &tune->items[i], &tune->items[i].found[j]);
  return json_print(object);
}
