// An operator as JSON, so that a file can carry it: the texts as they are, and the values of parameters.
#include "operator/user_operator_json.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"

enum { DECLARATION_SIZE = 1024, OPERAND_BYTES_MOST = 1 << 20 };

// ---- Writing

static void add_inputs(cJSON *object, const struct user_operator *user) {
  cJSON *inputs = cJSON_AddArrayToObject(object, "input"), *sizes = cJSON_AddArrayToObject(object, "input_bytes");
  char text[DECLARATION_SIZE];
  for (size_t i = 0; i < user->made.input_count; i++) {
    snprintf(text, sizeof text, "%s %s", user->inputs[i].type, user->inputs[i].name);
    cJSON_AddItemToArray(inputs, cJSON_CreateString(text));
    cJSON_AddItemToArray(sizes, cJSON_CreateNumber((double)user->inputs[i].size));
  }
}

static void add_parameters(cJSON *object, const struct user_operator *user) {
  cJSON *parameters = cJSON_AddArrayToObject(object, "parameter");
  char text[DECLARATION_SIZE + VALUE_TEXT_SIZE], value[VALUE_TEXT_SIZE];
  for (size_t i = 0; i < user->made.parameter_count; i++) {
    clred_type_info type;
    if (type_of_opencl(user->parameters[i].type, &type))
      value_text(type.type, user->values[i].bytes, value);
    for (char *at = strchr(value, ' '); at != NULL; at = strchr(at, ' '))
      *at = ',';
    snprintf(text, sizeof text, "%.400s %.400s = %s", user->parameters[i].type, user->parameters[i].name, value);
    cJSON_AddItemToArray(parameters, cJSON_CreateString(text));
  }
}

static void add_key(cJSON *object, const struct user_operator *user, const struct user_key *key) {
  const char *field = (const char *)&user->made + key->field, *text;
  if (key->kind == KEY_TRUTH && *(const cl_bool *)(const void *)field)
    json_add_text(object, key->name, "yes");
  if (key->kind != KEY_TEXT && key->kind != KEY_WORD)
    return;
  memcpy(&text, field, sizeof text);
  if (text != NULL)
    json_add_text(object, key->name, text);
}

cJSON *user_operator_json(const struct user_operator *user) {
  cJSON *object = cJSON_CreateObject();
  for (const struct user_key *key = user_keys; key->name != NULL; key++)
    add_key(object, user, key);
  if (user->made.input_count > 0)
    add_inputs(object, user);
  if (user->made.parameter_count > 0)
    add_parameters(object, user);
  return object;
}

// ---- Reading

static int take_key(struct user_operator *user, const cJSON *value, const struct user_key *key,
                    const struct place *place) {
  bool several = key->kind == KEY_INPUT || key->kind == KEY_PARAMETER;
  const cJSON *item = several && cJSON_IsArray(value) ? value->child : value;
  int code = EXIT_DONE;
  for (; item != NULL && !code; item = several ? item->next : NULL)
    code = cJSON_IsString(item) && several == cJSON_IsArray(value)
             ? user_operator_set(user, key, item->valuestring, place)
             : fail_at(place, "%s of the operator is not text", key->name);
  return code;
}

// Only the compiler knows the sizes of some types. The library compares them with these.
static int take_sizes(struct user_operator *user, const cJSON *sizes, const struct place *place) {
  const cJSON *size = sizes == NULL ? NULL : sizes->child;
  for (size_t i = 0; i < user->made.input_count; i++, size = size->next) {
    if (!cJSON_IsNumber(size) || !(size->valuedouble >= 0 && size->valuedouble <= (double)OPERAND_BYTES_MOST))
      return fail_at(place, "input_bytes of the operator is not a list of sizes, one for each input");
    user->inputs[i].size = (size_t)size->valuedouble;
  }
  return EXIT_DONE;
}

int user_operator_take_json(struct user_operator *user, const cJSON *object, const char *path, unsigned line) {
  const struct place place = {.file = path, .line = line, .column = 1};
  int code = EXIT_DONE;
  *user = (struct user_operator){.file = path};
  for (const struct user_key *key = user_keys; key->name != NULL && !code; key++) {
    const cJSON *value = json_member(object, key->name);
    code = value == NULL ? EXIT_DONE : take_key(user, value, key, &place);
  }
  code = code ? code : take_sizes(user, json_member(object, "input_bytes"), &place);
  return code ? code : user_check_complete(user);
}
