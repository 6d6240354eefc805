// Prints results as text and as JSON.

#include "run/results.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"

static void print_parts(const struct results *results) {
  char text[VALUE_TEXT_SIZE];
  for (size_t i = 0; i < results->part_count; i++) {
    value_text(results->parts[i].type, results_part(results, 0, i), text);
    if (results_named(results))
      printf("%s ", results->parts[i].name);
    puts(text);
  }
}

static int print_line(const struct results *results, uint64_t index) {
  char *text = results_text(results, index, " ");
  if (text == NULL)
    return fail_memory();
  puts(text);
  free(text);
  return EXIT_DONE;
}

int results_print(const struct results *results, bool listed) {
  int code = EXIT_DONE;
  if (!listed)
    print_parts(results);
  for (uint64_t i = 0; listed && i < results->count && code == EXIT_DONE; i++)
    code = print_line(results, i);
  return code;
}

int results_print_keyed(const struct results *keys, const struct results *results) {
  char text[VALUE_TEXT_SIZE];
  int code = EXIT_DONE;
  for (uint64_t i = 0; i < results->count && code == EXIT_DONE; i++) {
    value_text(keys->type, results_at(keys, i), text);
    printf("%s ", text);
    code = print_line(results, i);
  }
  return code;
}

cJSON *results_one_json(const struct results *results, uint64_t index) {
  if (!results_named(results))
    return json_value(results->parts[0].type, results_part(results, index, 0));
  cJSON *object = cJSON_CreateObject();
  for (size_t i = 0; i < results->part_count; i++)
    json_add_value(object, results->parts[i].name, results->parts[i].type, results_part(results, index, i));
  return object;
}

cJSON *results_json(const struct results *results, bool listed) {
  if (!listed)
    return results_one_json(results, 0);
  cJSON *list = cJSON_CreateArray();
  for (uint64_t i = 0; i < results->count; i++)
    cJSON_AddItemToArray(list, results_one_json(results, i));
  return list;
}
