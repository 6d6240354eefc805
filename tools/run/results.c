// The parts of results, memory for results, and results as JSON and as a text in one line.
#include "run/results_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"

// Returns the part's name without the operator: "index", also for the name "argmin_index" in a list.
static const char *own_name(const clred_part *source, const char *const *words) {
  clred_op_info row;
  const char *name = source->name;
  if (words != NULL && clred_op_inspect(source->op, &row) == CL_SUCCESS)
    name += strlen(row.name);
  return words != NULL && *name == '_' ? name + 1 : name;
}

// A list has each operator once, so the word that means it is the user's.
static void name_listed(struct part *part, const clred_part *source, const char *own, const char *const *words) {
  while (clred_op_from_name(*words) != source->op)
    words++;
  part->op = source->op;
  part->word = strlen(*words);
  snprintf(part->name, sizeof part->name, "%s%s%s", *words, *own == '\0' ? "" : "_", own);
}

static int take_part(struct results *results, const clred_plan *plan, size_t index, bool checked,
                     const char *const *words) {
  clred_part source;
  cl_int status = clred_plan_part(plan, index, &source);
  struct part *part = &results->parts[results->part_count];
  if (status != CL_SUCCESS)
    return fail_library(status, "clred_plan_part");
  const char *own = own_name(&source, words);
  if (checked && strcmp(own, "overflow") == 0) {
    results->overflows[results->overflow_count++] = source.offset;
    return EXIT_DONE;
  }
  if (words == NULL)
    snprintf(part->name, sizeof part->name, "%s", source.name);
  else
    name_listed(part, &source, checked ? "" : own, words);
  part->type = source.type;
  part->offset = source.offset;
  results->part_count++;
  return EXIT_DONE;
}

static void take_type(struct results *results, clred_type type) {
  results->type = type;
  results->type_name = type_name(type);
}

// A checked sum has the parts value and overflow. take_part leaves out overflow, so the result is shown as one value.
static void settle_checked(struct results *results) {
  if (results->part_count != 1)
    return;
  *results->parts[0].name = '\0';
  take_type(results, results->parts[0].type);
}

static int make_room(struct results *results, uint64_t count) {
  results->count = count;
  results->bytes = count > SIZE_MAX / results->size ? NULL : calloc(count == 0 ? 1 : (size_t)count, results->size);
  if (results->bytes == NULL)
    return fail(EXIT_WORK_FAILED, "not enough memory for %llu results of %zu bytes", (unsigned long long)count,
                results->size);
  return EXIT_DONE;
}

int results_make(struct results *results, const clred_plan *plan, const clred_plan_info *info, uint64_t count,
                 bool checked, const char *const *words) {
  *results = (struct results){.size = info->result_size};
  if (info->parts == 0)
    return fail(EXIT_BAD_USE, "the result is a struct that only the preamble knows; name its members, as in "
                              "--result '{ float re; float im; }', or make lower return a number");
  results->parts = calloc(info->parts, sizeof *results->parts);
  if (results->parts == NULL)
    return fail_memory();
  take_type(results, info->result_type);
  int code = EXIT_DONE;
  for (size_t i = 0; i < info->parts && !code; i++)
    code = take_part(results, plan, i, checked, words);
  if (checked && words == NULL)
    settle_checked(results);
  return code ? code : make_room(results, count);
}

int results_make_values(struct results *results, clred_type type, uint64_t count) {
  *results = (struct results){.size = value_size(type), .parts = calloc(1, sizeof *results->parts), .part_count = 1};
  if (results->parts == NULL)
    return fail_memory();
  results->parts[0].type = type;
  take_type(results, type);
  return make_room(results, count);
}

int results_make_like(struct results *results, const struct results *other) {
  *results = *other;
  results->bytes = NULL;
  results->parts = malloc(other->part_count * sizeof *other->parts);
  if (results->parts == NULL)
    return fail_memory();
  memcpy(results->parts, other->parts, other->part_count * sizeof *other->parts);
  return make_room(results, other->count);
}

int results_make_more(struct results *results, uint64_t count) {
  free(results->bytes);
  return make_room(results, count);
}

void results_release(struct results *results) {
  free(results->parts);
  free(results->bytes);
  *results = (struct results){0};
}

void *results_at(const struct results *results, uint64_t index) {
  return results->bytes + index * results->size;
}

uint64_t results_last(const struct results *results) {
  return results->count == 0 ? 0 : results->count - 1;
}

const void *results_part(const struct results *results, uint64_t index, size_t part) {
  return (const char *)results_at(results, index) + results->parts[part].offset;
}

bool results_overflowed(const struct results *results, uint64_t index) {
  cl_uint overflow, any = 0;
  for (size_t i = 0; i < results->overflow_count; i++) {
    memcpy(&overflow, (const char *)results_at(results, index) + results->overflows[i], sizeof overflow);
    any |= overflow;
  }
  return any != 0;
}

int results_check_overflows(const struct results *results) {
  for (uint64_t i = 0; results->overflow_count > 0 && i < results->count; i++)
    if (results_overflowed(results, i))
      return fail(EXIT_WORK_FAILED, "--overflow detect: one of the results does not fit its type (CLRED_OVERFLOW)");
  return EXIT_DONE;
}

const char *part_own_name(const struct part *part) {
  const char *name = part->name + part->word;
  return part->word > 0 && *name == '_' ? name + 1 : name;
}

bool results_named(const struct results *results) {
  return *results->parts[0].name != '\0';
}

bool results_same(const struct results *a, const struct results *b, uint64_t index) {
  if (memcmp(results_at(a, index), results_at(b, index), a->size) == 0)
    return true;
  for (size_t i = 0; i < a->part_count; i++)
    if (!value_same(a->parts[i].type, results_part(a, index, i), results_part(b, index, i)))
      return false;
  return true;
}

char *results_text(const struct results *results, uint64_t index, const char *between) {
  size_t room = results->part_count * (VALUE_TEXT_SIZE + strlen(between)) + 1;
  char *text = calloc(room, 1), *at = text;
  for (size_t i = 0; i < results->part_count && text != NULL; i++) {
    if (i > 0)
      strcpy(at, between);
    value_text(results->parts[i].type, results_part(results, index, i), at + strlen(at));
    at += strlen(at);
  }
  return text;
}

// Returns the operator's object within the JSON object of a list. Creates it at the first part of the operator.
static cJSON *operator_object(cJSON *object, const struct part *part) {
  char word[PART_NAME_SIZE];
  snprintf(word, sizeof word, "%.*s", (int)part->word, part->name);
  cJSON *inner = cJSON_GetObjectItemCaseSensitive(object, word);
  return inner != NULL ? inner : cJSON_AddObjectToObject(object, word);
}

// The keys of a row that has several.
static cJSON *keys_json(const struct results *keys, uint64_t index) {
  cJSON *list = cJSON_CreateArray();
  for (; keys != NULL; keys = keys->next) {
    struct results one = *keys;
    one.next = NULL;
    cJSON_AddItemToArray(list, results_one_json(&one, index));
  }
  return list;
}

cJSON *results_one_json(const struct results *results, uint64_t index) {
  if (results->next != NULL)
    return keys_json(results, index);
  if (results->words != NULL)
    return results_word_json(results, index);
  if (!results_named(results))
    return json_value(results->parts[0].type, results_part(results, index, 0));
  cJSON *object = cJSON_CreateObject();
  for (size_t i = 0; i < results->part_count; i++) {
    const struct part *part = &results->parts[i];
    const void *value = results_part(results, index, i);
    if (part->word == 0 || *part_own_name(part) == '\0')
      json_add_value(object, part->name, part->type, value);
    else
      json_add_value(operator_object(object, part), part_own_name(part), part->type, value);
  }
  return object;
}

cJSON *results_json(const struct results *results, bool listed) {
  if (!listed)
    return results_one_json(results, 0);
  cJSON *list = cJSON_CreateArray(), *row = list;
  for (uint64_t i = 0; i < results->count; i++) {
    if (results->per_line > 0 && i % results->per_line == 0)
      cJSON_AddItemToArray(list, row = cJSON_CreateArray());
    cJSON_AddItemToArray(row, results_one_json(results, i));
  }
  return list;
}
