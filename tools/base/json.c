// Numbers are added as raw text, because cJSON stores numbers as doubles.
#include "base/json.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"

static cJSON *written(const char *text) {
  bool is_number = isdigit((unsigned char)text[strspn(text, "-")]);
  return is_number ? cJSON_CreateRaw(text) : cJSON_CreateString(text);
}

static cJSON *number_value(clred_type type, const void *value) {
  char text[NUMBER_TEXT_SIZE];
  number_text(type, value, text);
  return written(text);
}

cJSON *json_value(clred_type type, const void *value) {
  const clred_type_info info = type_info(type);
  if (info.components == 1)
    return number_value(type, value);
  cJSON *list = cJSON_CreateArray();
  for (cl_uint i = 0; i < info.components; i++)
    cJSON_AddItemToArray(list, number_value(info.component, value_component(&info, value, i)));
  return list;
}

void json_add_value(cJSON *object, const char *key, clred_type type, const void *value) {
  cJSON_AddItemToObject(object, key, json_value(type, value));
}

void json_add_measure(cJSON *object, const char *key, double value) {
  char text[NUMBER_TEXT_SIZE];
  number_double_text(value, text);
  if (isnan(value))
    cJSON_AddNullToObject(object, key);
  else
    cJSON_AddItemToObject(object, key, written(text));
}

void json_add_count(cJSON *object, const char *key, uint64_t value) {
  char text[NUMBER_TEXT_SIZE];
  snprintf(text, sizeof text, "%" PRIu64, value);
  cJSON_AddRawToObject(object, key, text);
}

void json_add_truth(cJSON *object, const char *key, cl_bool value) {
  cJSON_AddBoolToObject(object, key, value != 0);
}

void json_add_known(cJSON *object, const char *key, bool known, cl_bool value) {
  if (known)
    json_add_truth(object, key, value);
  else
    cJSON_AddNullToObject(object, key);
}

void json_add_known_count(cJSON *object, const char *key, bool known, uint64_t value) {
  if (known)
    json_add_count(object, key, value);
  else
    cJSON_AddNullToObject(object, key);
}

void json_add_text(cJSON *object, const char *key, const char *text) {
  if (text == NULL)
    cJSON_AddNullToObject(object, key);
  else
    cJSON_AddStringToObject(object, key, text);
}

cJSON *json_add_item(cJSON *list) {
  cJSON *item = cJSON_CreateObject();
  cJSON_AddItemToArray(list, item);
  return item;
}

const cJSON *json_member(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

void json_add_all(cJSON *object, const cJSON *other) {
  for (const cJSON *item = other == NULL ? NULL : other->child; item != NULL; item = item->next)
    cJSON_AddItemToObject(object, item->string, cJSON_Duplicate(item, true));
}

void json_add_plan(cJSON *object, const clred_plan_info *info) {
  json_add_text(object, "strategy", info->strategy);
  json_add_text(object, "finish", info->finish);
  json_add_text(object, "order", info->order);
  json_add_count(object, "group_size", info->group_size);
  json_add_count(object, "groups", info->groups);
  json_add_count(object, "elements", info->elements);
  json_add_count(object, "elements_per_group", info->elements_per_group);
  json_add_count(object, "stop_at", info->stop_at);
  json_add_count(object, "vector_width", info->vector_width);
  json_add_count(object, "local_bytes", info->local_bytes);
  json_add_count(object, "scratch_bytes", info->scratch_bytes);
  json_add_count(object, "passes", info->passes);
}

void json_add_programs(cJSON *object, clred_runtime *runtime) {
  clred_runtime_info info = {0};
  clred_runtime_inspect(runtime, &info);
  json_add_count(object, "builds", info.builds);
  json_add_count(object, "loads", info.loads);
}

int json_print(cJSON *document) {
  char *text = document == NULL ? NULL : cJSON_PrintUnformatted(document);
  cJSON_Delete(document);
  if (text == NULL)
    return fail_memory();
  puts(text);
  cJSON_free(text);
  return EXIT_DONE;
}
