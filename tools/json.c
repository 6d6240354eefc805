// Numbers go in as raw text, because cJSON's own are doubles.

#include "json.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "number.h"

static void add_written(cJSON *object, const char *key, const char *text)
{
  bool is_number = isdigit((unsigned char)text[strspn(text, "-")]);
  if (is_number)
    cJSON_AddRawToObject(object, key, text);
  else
    cJSON_AddStringToObject(object, key, text);
}

void json_add_number(cJSON *object, const char *key, clred_type type, const void *value)
{
  char text[NUMBER_TEXT_SIZE];
  number_text(type, value, text);
  add_written(object, key, text);
}

void json_add_measure(cJSON *object, const char *key, double value)
{
  char text[NUMBER_TEXT_SIZE];
  number_double_text(value, text);
  if (isnan(value))
    cJSON_AddNullToObject(object, key);
  else
    add_written(object, key, text);
}

void json_add_count(cJSON *object, const char *key, uint64_t value)
{
  char text[NUMBER_TEXT_SIZE];
  snprintf(text, sizeof text, "%" PRIu64, value);
  cJSON_AddRawToObject(object, key, text);
}

void json_add_truth(cJSON *object, const char *key, cl_bool value)
{
  cJSON_AddBoolToObject(object, key, value != 0);
}

void json_add_text(cJSON *object, const char *key, const char *text)
{
  if (text == NULL)
    cJSON_AddNullToObject(object, key);
  else
    cJSON_AddStringToObject(object, key, text);
}

int json_print(cJSON *document)
{
  char *text = document == NULL ? NULL : cJSON_PrintUnformatted(document);
  cJSON_Delete(document);
  if (text == NULL)
    return fail_memory();
  puts(text);
  cJSON_free(text);
  return EXIT_DONE;
}
