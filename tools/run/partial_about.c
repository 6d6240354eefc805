// What a partial is of, as a JSON object in its file: the operator, the type of the elements, and the policies.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "operator/user_operator_json.h"
#include "run/partial.h"

enum { ABOUT_LINE = 2 };  // of the file

// Options that change what is computed, by their keys in the file.
static const struct {
  const char *key;
  size_t argument;  // in struct args
} policies[] = {{"nan", offsetof(struct args, nan)},
                {"overflow", offsetof(struct args, overflow)},
                {"result_type", offsetof(struct args, result_type)},
                {"state", offsetof(struct args, state)},
                {"order", offsetof(struct args, order)}};

enum { POLICIES = sizeof policies / sizeof policies[0] };

cJSON *partial_about(const struct job *job) {
  cJSON *about = cJSON_CreateObject();
  json_add_text(about, "op", job->operation.name);
  json_add_text(about, "type", job->input.type.name);
  for (size_t i = 0; i < POLICIES && !job->operation.own; i++) {
    const char *word;
    memcpy(&word, (const char *)job->args + policies[i].argument, sizeof word);
    // A partial without an order is of the fixed order.
    if (word != NULL && strcmp(word, "fixed") != 0)
      json_add_text(about, policies[i].key, word);
  }
  if (job->operation.own)
    cJSON_AddItemToObject(about, "operator", user_operator_json(&job->operation.user));
  return about;
}

// ---- Reading

static int not_text(const struct partial_file *file, const char *key) {
  return fail(EXIT_BAD_USE, "%s: its second line has no text '%s'; make the partial again", file->name, key);
}

static int take_policies(struct args *args, const struct partial_file *file) {
  for (size_t i = 0; i < POLICIES; i++) {
    const cJSON *item = json_member(file->about, policies[i].key);
    if (item != NULL && !cJSON_IsString(item))
      return not_text(file, policies[i].key);
    if (item != NULL)
      memcpy((char *)args + policies[i].argument, &item->valuestring, sizeof item->valuestring);
  }
  return EXIT_DONE;
}

static int take_own(struct operation *operation, const cJSON *object, const char *path) {
  *operation = (struct operation){.own = true};
  int code = user_operator_take_json(&operation->user, object, path, ABOUT_LINE);
  operation->name = operation->user.made.name;
  operation->inputs = operation->user.made.input_count;
  return code;
}

// Types that the library does not know are structs of the operator's own.
static int take_type(struct job *job, const struct partial_file *file, const char *name, bool own) {
  struct input *input = &job->input;
  if (type_of_opencl(name, &input->type))
    return EXIT_DONE;
  if (!own)
    return fail(EXIT_BAD_USE, "%s: its elements are of the type '%s', which this program does not know", file->name,
                name);
  input->type = input_opaque_type(name);
  return EXIT_DONE;
}

int partial_take_problem(struct job *job, struct args *args, const struct partial_file *file) {
  const cJSON *op = json_member(file->about, "op"), *type = json_member(file->about, "type");
  const cJSON *own = json_member(file->about, "operator");
  if (!cJSON_IsString(op) || !cJSON_IsString(type))
    return not_text(file, cJSON_IsString(op) ? "type" : "op");
  int code = take_policies(args, file);
  if (!code && own != NULL)
    code = take_own(&job->operation, own, file->name);
  code = code ? code : take_type(job, file, type->valuestring, own != NULL);
  fail_about(file->name);
  if (!code && own == NULL)
    code = operation_take(&job->operation, args, op->valuestring);
  code = code ? code : problem_take(args, &job->operation, &job->input.type, &job->problem);
  fail_about(NULL);
  return code;
}

// ---- Comparing

// The first key whose value differs; NULL if there is none.
static const char *differing_key(const cJSON *a, const cJSON *b) {
  for (const cJSON *item = a->child; item != NULL; item = item->next)
    if (!cJSON_Compare(item, json_member(b, item->string), true))
      return item->string;
  for (const cJSON *item = b->child; item != NULL; item = item->next)
    if (json_member(a, item->string) == NULL)
      return item->string;
  return NULL;
}

static const char *value_of(const struct partial_file *file, const char *key) {
  const cJSON *item = json_member(file->about, key);
  return cJSON_IsString(item) ? item->valuestring : "not given";
}

int partial_differs(const struct partial_file *file, const struct partial_file *other) {
  const char *key = differing_key(file->about, other->about);
  if (key == NULL)
    return fail(EXIT_BAD_USE,
                "%s: its packed bytes are of another problem than its second line says, or of another "
                "version of the library; make the partial again",
                file->name);
  if (cJSON_IsObject(json_member(file->about, key)))
    return fail(EXIT_BAD_USE, "%s: is of another operator or other parameters than %s; join parts of one reduction",
                file->name, other->name);
  return fail(EXIT_BAD_USE, "%s: is of another reduction than %s: %s is %s here and %s there; join parts of one",
              file->name, other->name, key, value_of(file, key), value_of(other, key));
}
