// Helpers for cJSON: exact and short numbers, and null for missing values.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

// A value of any type: a number, or a list for a vector. nan, inf and -inf become strings, because JSON has no such
// numbers.
cJSON *json_value(clred_type type, const void *value);
void json_add_value(cJSON *object, const char *key, clred_type type, const void *value);

// A measured value. NaN means that it is missing and becomes null.
void json_add_measure(cJSON *object, const char *key, double value);

void json_add_count(cJSON *object, const char *key, uint64_t value);

// Any value but 0 is true; accepts cl_bool.
void json_add_truth(cJSON *object, const char *key, cl_bool value);

// null if the value is not `known`.
void json_add_known(cJSON *object, const char *key, bool known, cl_bool value);
void json_add_known_count(cJSON *object, const char *key, bool known, uint64_t value);

// NULL becomes null.
void json_add_text(cJSON *object, const char *key, const char *text);

// A member of an object; NULL if there is none.
const cJSON *json_member(const cJSON *object, const char *key);

// Appends an empty object to a list and returns it.
cJSON *json_add_item(cJSON *list);

// Adds a copy of each member of another object, which may be NULL.
void json_add_all(cJSON *object, const cJSON *other);

// The fields of a plan that all verbs print.
void json_add_plan(cJSON *object, const clred_plan_info *info);

// "builds" and "loads": how many programs were compiled and how many came from the cache.
void json_add_programs(cJSON *object, clred_runtime *runtime);

// Prints the document on one line of standard output and releases it. Returns an exit code. NULL means that memory ran
// out while it was made.
int json_print(cJSON *document);
