// The table of keys, and what setting each kind of them does.

#include "user_operator.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "type_names.h"

#define FIELD(name)  offsetof(clred_operator, name)
#define OPTION(name) offsetof(struct args, name)
const struct user_key user_keys[] = {
  {"name",        KEY_WORD,      FIELD(name),        0},
  {"element",     KEY_WORD,      FIELD(element),     OPTION(element)},
  {"state",       KEY_WORD,      FIELD(state),       OPTION(state)},
  {"result",      KEY_WORD,      FIELD(result),      OPTION(result)},
  {"identity",    KEY_TEXT,      FIELD(identity),    OPTION(identity)},
  {"lift",        KEY_TEXT,      FIELD(lift),        OPTION(lift)},
  {"combine",     KEY_TEXT,      FIELD(combine),     OPTION(combine)},
  {"lower",       KEY_TEXT,      FIELD(lower),       OPTION(lower)},
  {"preamble",    KEY_TEXT,      FIELD(preamble),    OPTION(preamble)},
  {"commutative", KEY_TRUTH,     FIELD(commutative), OPTION(commutative)},
  {"elementwise", KEY_TRUTH,     FIELD(elementwise), OPTION(elementwise)},
  {"input",       KEY_INPUT,     0,                  OPTION(inputs)},
  {"parameter",   KEY_PARAMETER, 0,                  OPTION(parameters)},
  {.name = NULL}
};

int fail_at(const struct place *place, const char *format, ...)
{
  char    line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (place->file == NULL)
    return fail(EXIT_BAD_USE, "--%s: %s", place->option, line);
  return fail(EXIT_BAD_USE, "%s:%u:%u: %s", place->file, place->line, place->column, line);
}

// ---- Memory

struct owned_text {
  struct owned_text *next;
  char               text[];
};

static char *keep(struct user_operator *user, const char *text, size_t length)
{
  struct owned_text *owned = malloc(sizeof *owned + length + 1);
  if (owned == NULL)
    return NULL;
  memcpy(owned->text, text, length);
  owned->text[length] = '\0';
  owned->next = user->owned;
  user->owned = owned;
  return owned->text;
}

void user_operator_release(struct user_operator *user)
{
  while (user->owned != NULL) {
    struct owned_text *next = user->owned->next;
    free(user->owned);
    user->owned = next;
  }
}

// ---- Declarations

static bool is_blank(char c)
{
  return isspace((unsigned char)c);
}

static size_t trim(const char **text, size_t length)
{
  for (; length > 0 && is_blank(**text); length--)
    ++*text;
  while (length > 0 && is_blank((*text)[length - 1]))
    length--;
  return length;
}

static bool is_identifier(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_')
      return false;
  return length > 0 && !isdigit((unsigned char)*text);
}

// "TYPE NAME" or "TYPE:NAME"; both parts may hold blanks around them, the type also within.
static int take_operand(struct user_operator *user, const char *text, size_t length, const struct place *place,
                        clred_operand *operand)
{
  const char *type = text;
  length = trim(&type, length);
  size_t      split = length;
  while (split > 0 && (isalnum((unsigned char)type[split - 1]) || type[split - 1] == '_'))
    split--;
  const char *name = type + split;
  size_t      name_length = length - split;
  while (split > 0 && is_blank(type[split - 1]))
    split--;
  if (split > 0 && type[split - 1] == ':')
    split--;
  size_t type_length = trim(&type, split);
  if (type_length == 0 || !is_identifier(name, name_length))
    return fail_at(place, "'%.*s' is no declaration; a type and a name are needed, %s", (int)length, text,
                   place->file == NULL ? "as in float:w" : "as in float w");
  operand->type = keep(user, type, type_length);
  operand->name = keep(user, name, name_length);
  return operand->type == NULL || operand->name == NULL ? fail_memory() : EXIT_DONE;
}

static int set_input(struct user_operator *user, const char *text, const struct place *place)
{
  if (user->made.input_count == USER_INPUTS_MOST)
    return fail_at(place, "more than %d further inputs", USER_INPUTS_MOST);
  return take_operand(user, text, strlen(text), place, &user->inputs[user->made.input_count++]);
}

// ---- Parameters

static int parse_parameter(struct user_operator *user, size_t index, const char *text, const struct place *place)
{
  const clred_operand *parameter = &user->parameters[index];
  clred_type_info      type;
  if (!type_of_opencl(parameter->type, &type) || type.is_complex)
    return fail_at(place, "parameter %s has the type %s; only numbers and vectors of them can be given as text",
                   parameter->name, parameter->type);
  if (!value_parse(type.type, text, user->values[index].bytes))
    return fail_at(place, "parameter %s: '%s' is no value of type %s", parameter->name, text, parameter->type);
  user->valued[index] = true;
  return EXIT_DONE;
}

// "TYPE NAME = VALUE"; without a value --param has to give one.
static int set_parameter(struct user_operator *user, const char *text, const struct place *place)
{
  size_t index = user->made.parameter_count, length = strcspn(text, "=");
  if (index == USER_PARAMETERS_MOST)
    return fail_at(place, "more than %d parameters", USER_PARAMETERS_MOST);
  user->made.parameter_count++;
  int code = take_operand(user, text, length, place, &user->parameters[index]);
  if (code != EXIT_DONE || text[length] == '\0')
    return code;
  return parse_parameter(user, index, text + length + 1, place);
}

static int set_parameter_value(struct user_operator *user, const char *text)
{
  const struct place place = {.option = "param"};
  size_t             length = strcspn(text, "=");
  if (text[length] == '\0')
    return fail_at(&place, "'%s' has no value; give NAME=VALUE", text);
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (strlen(user->parameters[i].name) == length && memcmp(user->parameters[i].name, text, length) == 0)
      return parse_parameter(user, i, text + length + 1, &place);
  return fail_at(&place, "the operator has no parameter '%.*s'", (int)length, text);
}

static int check_parameters(const struct user_operator *user)
{
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (!user->valued[i])
      return fail(EXIT_BAD_USE, "the operator's parameter %s has no value; give --param %s=VALUE",
                  user->parameters[i].name, user->parameters[i].name);
  return EXIT_DONE;
}

// ---- Keys

static void store_text(struct user_operator *user, const struct user_key *key, const char *text)
{
  memcpy((char *)&user->made + key->field, &text, sizeof text);
}

static void store_truth(struct user_operator *user, const struct user_key *key, cl_bool truth)
{
  memcpy((char *)&user->made + key->field, &truth, sizeof truth);
}

static int set_text(struct user_operator *user, const struct user_key *key, const char *text, size_t length)
{
  const char *kept = keep(user, text, length);
  if (kept == NULL)
    return fail_memory();
  store_text(user, key, kept);
  return EXIT_DONE;
}

static int set_truth(struct user_operator *user, const struct user_key *key, const char *text, size_t length,
                     const struct place *place)
{
  bool yes = length == 3 && memcmp(text, "yes", 3) == 0, no = length == 2 && memcmp(text, "no", 2) == 0;
  if (!yes && !no)
    return fail_at(place, "%s: '%.*s' is neither yes nor no", key->name, (int)length, text);
  store_truth(user, key, yes);
  return EXIT_DONE;
}

int user_operator_set(struct user_operator *user, const struct user_key *key, const char *text,
                      const struct place *place)
{
  const char *word = text;
  size_t      length = trim(&word, strlen(text));
  if (length == 0)
    return fail_at(place, "%s has no value", key->name);
  switch (key->kind) {
  case KEY_TEXT:
    return set_text(user, key, text, strlen(text));
  case KEY_WORD:
    return set_text(user, key, word, length);
  case KEY_TRUTH:
    return set_truth(user, key, word, length, place);
  case KEY_INPUT:
    return set_input(user, word, place);
  default:
    return set_parameter(user, word, place);
  }
}

// ---- Options

static int set_all(struct user_operator *user, const struct user_key *key, const struct texts *texts,
                   const struct place *place)
{
  int code = EXIT_DONE;
  for (size_t i = 0; i < texts->count && code == EXIT_DONE; i++)
    code = user_operator_set(user, key, texts->list[i], place);
  return code;
}

static int take_option(struct user_operator *user, const struct user_key *key, const struct args *args)
{
  const void        *option = (const char *)args + key->option;
  const struct place place = {.option = key->name};
  bool               flag;
  const char        *text;
  if (key->option == 0)
    return EXIT_DONE;
  if (key->kind == KEY_INPUT || key->kind == KEY_PARAMETER)
    return set_all(user, key, option, &place);
  if (key->kind == KEY_TRUTH) {
    memcpy(&flag, option, sizeof flag);
    if (flag)
      store_truth(user, key, CL_TRUE);
    return EXIT_DONE;
  }
  memcpy(&text, option, sizeof text);
  if (text != NULL)
    user->by_option |= 1ul << (key - user_keys);
  return text == NULL ? EXIT_DONE : user_operator_set(user, key, text, &place);
}

static int check_complete(const struct user_operator *user)
{
  const struct {
    const char *key, *text;
  } needed[] = {{"name", user->made.name}, {"identity", user->made.identity}, {"combine", user->made.combine}};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (needed[i].text == NULL && user->file == NULL)
      return fail(EXIT_BAD_USE, "--combine: the operator has no %s; give --%s TEXT", needed[i].key, needed[i].key);
    else if (needed[i].text == NULL)
      return fail(EXIT_BAD_USE, "%s: the operator has no %s; a line '%s: ...' is needed", user->file, needed[i].key,
                  needed[i].key);
  return EXIT_DONE;
}

int user_operator_take(struct user_operator *user, const struct args *args)
{
  int code = EXIT_DONE;
  *user = (struct user_operator){.file = args->operator_file};
  if (user->file == NULL)
    user->made.name = "custom";
  else
    code = user_operator_read(user, user->file);
  for (const struct user_key *key = user_keys; key->name != NULL && code == EXIT_DONE; key++)
    code = take_option(user, key, args);
  for (size_t i = 0; i < args->parameter_values.count && code == EXIT_DONE; i++)
    code = set_parameter_value(user, args->parameter_values.list[i]);
  if (code == EXIT_DONE)
    code = check_complete(user);
  return code == EXIT_DONE ? check_parameters(user) : code;
}

// half and bfloat16 are storage only; lift gets floats.
static const char *arithmetic_type(const char *element)
{
  clred_type_info type = {0};
  type_of_opencl(element, &type);
  return type.type == CLRED_TYPE_HALF || type.type == CLRED_TYPE_BFLOAT16 ? "float" : element;
}

// OpenCL C knows no complex numbers; a vector of two is the same bytes.
static const char *opencl_type(const char *element)
{
  clred_type_info type;
  if (type_of_opencl(element, &type) && type.is_complex)
    return type.component == CLRED_TYPE_FLOAT ? "float2" : "double2";
  return element;
}

void user_operator_settle(struct user_operator *user, const char *element)
{
  if (user->made.element == NULL)
    user->made.element = opencl_type(element);
  if (user->made.state == NULL)
    user->made.state = arithmetic_type(user->made.element);
  user->made.inputs = user->inputs;
  user->made.parameters = user->parameters;
  for (size_t i = 0; i < user->made.parameter_count; i++)
    user->value_pointers[i] = user->values[i].bytes;
}
