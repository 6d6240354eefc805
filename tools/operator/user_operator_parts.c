// Copies of texts, declarations of inputs and parameters, and values of parameters.
#include "operator/user_operator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "cli/verbs.h"

struct owned_text {
  struct owned_text *next;
  char text[];
};

char *user_keep(struct user_operator *user, const char *text, size_t length) {
  struct owned_text *owned = malloc(sizeof *owned + length + 1);
  if (owned == NULL)
    return NULL;
  memcpy(owned->text, text, length);
  owned->text[length] = '\0';
  owned->next = user->owned;
  user->owned = owned;
  return owned->text;
}

void user_operator_release(struct user_operator *user) {
  while (user->owned != NULL) {
    struct owned_text *next = user->owned->next;
    free(user->owned);
    user->owned = next;
  }
}

static bool is_blank(char c) {
  return isspace((unsigned char)c);
}

size_t user_trim(const char **text, size_t length) {
  for (; length > 0 && is_blank(**text); length--)
    ++*text;
  while (length > 0 && is_blank((*text)[length - 1]))
    length--;
  return length;
}

static bool is_identifier(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_')
      return false;
  return length > 0 && !isdigit((unsigned char)*text);
}

// Reads "TYPE NAME" or "TYPE:NAME". Blanks are allowed around both parts and within the type.
static int take_operand(struct user_operator *user, const char *text, size_t length, const struct place *place,
                        clred_operand *operand) {
  const char *type = text;
  length = user_trim(&type, length);
  size_t split = length;
  while (split > 0 && (isalnum((unsigned char)type[split - 1]) || type[split - 1] == '_'))
    split--;
  const char *name = type + split;
  size_t name_length = length - split;
  while (split > 0 && is_blank(type[split - 1]))
    split--;
  if (split > 0 && type[split - 1] == ':')
    split--;
  size_t type_length = user_trim(&type, split);
  if (type_length == 0 || !is_identifier(name, name_length))
    return fail_at(place, "'%.*s' is not a declaration; give a type and a name, %s", (int)length, text,
                   place->file == NULL ? "as in float:w" : "as in float w");
  operand->type = user_keep(user, type, type_length);
  operand->name = user_keep(user, name, name_length);
  return operand->type == NULL || operand->name == NULL ? fail_memory() : EXIT_DONE;
}

int user_set_input(struct user_operator *user, const char *text, const struct place *place) {
  if (user->made.input_count == USER_INPUTS_MOST)
    return fail_at(place, "more than %d further inputs", USER_INPUTS_MOST);
  return take_operand(user, text, strlen(text), place, &user->inputs[user->made.input_count++]);
}

static int parse_parameter(struct user_operator *user, size_t index, const char *text, const struct place *place) {
  const clred_operand *parameter = &user->parameters[index];
  clred_type_info type;
  if (!type_of_opencl(parameter->type, &type) || type.is_complex)
    return fail_at(place, "parameter %s has the type %s; only numbers and vectors of them can be given as text",
                   parameter->name, parameter->type);
  if (!value_parse(type.type, text, user->values[index].bytes))
    return fail_at(place, "parameter %s: '%s' is not a value of type %s", parameter->name, text, parameter->type);
  user->valued[index] = true;
  return EXIT_DONE;
}

// Reads "TYPE NAME = VALUE". Without a value, --param must give one.
int user_set_parameter(struct user_operator *user, const char *text, const struct place *place) {
  size_t index = user->made.parameter_count, length = strcspn(text, "=");
  if (index == USER_PARAMETERS_MOST)
    return fail_at(place, "more than %d parameters", USER_PARAMETERS_MOST);
  user->made.parameter_count++;
  int code = take_operand(user, text, length, place, &user->parameters[index]);
  if (code || text[length] == '\0')
    return code;
  return parse_parameter(user, index, text + length + 1, place);
}

int user_set_parameter_value(struct user_operator *user, const char *text) {
  const struct place place = {.option = "param"};
  size_t length = strcspn(text, "=");
  if (text[length] == '\0')
    return fail_at(&place, "'%s' has no value; give NAME=VALUE", text);
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (strlen(user->parameters[i].name) == length && memcmp(user->parameters[i].name, text, length) == 0)
      return parse_parameter(user, i, text + length + 1, &place);
  return fail_at(&place, "the operator has no parameter '%.*s'", (int)length, text);
}

int user_check_parameters(const struct user_operator *user, const struct args *args) {
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (!user->valued[i] && args->verb->bit != VERB_CHECK)
      return fail(EXIT_BAD_USE, "the operator's parameter %s has no value; give --param %s=VALUE",
                  user->parameters[i].name, user->parameters[i].name);
  return EXIT_DONE;
}
