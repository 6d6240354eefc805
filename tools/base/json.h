// Small steps over cJSON: numbers as this tool writes them, exact and short, and null where there is nothing to say.

#ifndef CLREDUCE_TOOL_JSON_H
#define CLREDUCE_TOOL_JSON_H

#include <cjson/cJSON.h>
#include <clreduce.h>
#include <stdint.h>

// A value of any type: a number, or a list of a vector's; the strings "nan", "inf" and "-inf" where JSON has no number.
cJSON *json_value(clred_type type, const void *value);
void json_add_value(cJSON *object, const char *key, clred_type type, const void *value);

// A measured value: NaN means that there is none, and becomes null.
void json_add_measure(cJSON *object, const char *key, double value);

void json_add_count(cJSON *object, const char *key, uint64_t value);

// 0 is false; takes OpenCL's cl_bool too.
void json_add_truth(cJSON *object, const char *key, cl_bool value);

// NULL becomes null.
void json_add_text(cJSON *object, const char *key, const char *text);

// "builds" and "loads": programs that were compiled, and that the cache had.
void json_add_programs(cJSON *object, clred_runtime *runtime);

// Prints the document on one line of standard output and releases it: an exit code. NULL stands for one that could
// not be made.
int json_print(cJSON *document);

#endif
