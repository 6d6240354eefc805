// The table of keys, and setting a key by its kind.
#include "operator/user_operator.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"

#define FIELD(name) offsetof(clred_operator, name)
#define OPTION(name) offsetof(struct args, name)
const struct user_key user_keys[] = {{"name", KEY_WORD, FIELD(name), 0},
                                     {"element", KEY_WORD, FIELD(element), OPTION(element)},
                                     {"state", KEY_WORD, FIELD(state), OPTION(state)},
                                     {"result", KEY_WORD, FIELD(result), OPTION(result)},
                                     {"identity", KEY_TEXT, FIELD(identity), OPTION(identity)},
                                     {"lift", KEY_TEXT, FIELD(lift), OPTION(lift)},
                                     {"combine", KEY_TEXT, FIELD(combine), OPTION(combine)},
                                     {"lower", KEY_TEXT, FIELD(lower), OPTION(lower)},
                                     {"preamble", KEY_TEXT, FIELD(preamble), OPTION(preamble)},
                                     {"commutative", KEY_TRUTH, FIELD(commutative), OPTION(commutative)},
                                     {"elementwise", KEY_TRUTH, FIELD(elementwise), OPTION(elementwise)},
                                     {"input", KEY_INPUT, 0, OPTION(inputs)},
                                     {"parameter", KEY_PARAMETER, 0, OPTION(parameters)},
                                     {.name = NULL}};

int fail_at(const struct place *place, const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (place->file == NULL)
    return fail(EXIT_BAD_USE, "--%s: %s", place->option, line);
  return fail(EXIT_BAD_USE, "%s:%u:%u: %s", place->file, place->line, place->column, line);
}

static void store_truth(struct user_operator *user, const struct user_key *key, cl_bool truth) {
  memcpy((char *)&user->made + key->field, &truth, sizeof truth);
}

static int set_text(struct user_operator *user, const struct user_key *key, const char *text, size_t length) {
  const char *kept = user_keep(user, text, length);
  if (kept == NULL)
    return fail_memory();
  memcpy((char *)&user->made + key->field, &kept, sizeof kept);
  return EXIT_DONE;
}

static int set_truth(struct user_operator *user, const struct user_key *key, const char *text, size_t length,
                     const struct place *place) {
  bool yes = length == 3 && memcmp(text, "yes", 3) == 0, no = length == 2 && memcmp(text, "no", 2) == 0;
  if (!yes && !no)
    return fail_at(place, "%s: '%.*s' is neither yes nor no", key->name, (int)length, text);
  store_truth(user, key, yes);
  return EXIT_DONE;
}

// The position of `word`, which is a part of `text`. The blanks at the start of `text` keep the lines and columns of
// the file.
static struct place place_behind(const char *text, const char *word) {
  struct place place = {.line = 1, .column = 1};
  for (; text < word; text++)
    if (*text == '\n')
      place.line++, place.column = 1;
    else
      place.column++;
  return place;
}

int user_operator_set(struct user_operator *user, const struct user_key *key, const char *text,
                      const struct place *place) {
  const char *word = text;
  size_t length = user_trim(&word, strlen(text));
  if (length == 0)
    return fail_at(place, "%s has no value", key->name);
  switch (key->kind) {
  case KEY_TEXT:
    return set_text(user, key, text, strlen(text));
  case KEY_WORD:
    user->words[key - user_keys] = place_behind(text, word);
    return set_text(user, key, word, length);
  case KEY_TRUTH:
    return set_truth(user, key, word, length, place);
  case KEY_INPUT:
    return user_set_input(user, word, place);
  default:
    return user_set_parameter(user, word, place);
  }
}

static int set_all(struct user_operator *user, const struct user_key *key, const struct texts *texts,
                   const struct place *place) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < texts->count && !code; i++)
    code = user_operator_set(user, key, texts->list[i], place);
  return code;
}

bool user_key_given(const struct user_key *key, const struct args *args) {
  return key->option != 0 && args_given(args, key->name, 0) != NULL;
}

static int take_option(struct user_operator *user, const struct user_key *key, const struct args *args) {
  const void *option = (const char *)args + key->option;
  const struct place place = {.option = key->name};
  if (!user_key_given(key, args))
    return EXIT_DONE;
  if (key->kind == KEY_INPUT || key->kind == KEY_PARAMETER)
    return set_all(user, key, option, &place);
  if (key->kind == KEY_TRUTH) {
    store_truth(user, key, CL_TRUE);
    return EXIT_DONE;
  }
  user->by_option |= 1ul << (key - user_keys);
  return user_operator_set(user, key, *(const char *const *)option, &place);
}

int user_check_complete(const struct user_operator *user) {
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

static int take_options(struct user_operator *user, const struct args *args) {
  int code = EXIT_DONE;
  for (const struct user_key *key = user_keys; key->name != NULL && !code; key++)
    code = take_option(user, key, args);
  for (size_t i = 0; i < args->parameter_values.count && !code; i++)
    code = user_set_parameter_value(user, args->parameter_values.list[i]);
  return code;
}

int user_operator_take(struct user_operator *user, const struct args *args) {
  *user = (struct user_operator){.file = args->operator_file};
  if (user->file == NULL)
    user->made.name = "custom";
  int code = user->file == NULL ? EXIT_DONE : user_operator_read(user, user->file);
  code = code ? code : take_options(user, args);
  code = code ? code : user_check_complete(user);
  return code ? code : user_check_parameters(user, args);
}

int user_operator_take_selection(struct user_operator *user, const struct args *args, const char *keep) {
  *user = (struct user_operator){.made = {.name = "predicate", .lift = keep}};
  int code = take_options(user, args);
  return code ? code : user_check_parameters(user, args);
}

// half and bfloat16 are storage types. lift gets floats.
static const char *arithmetic_type(const char *element) {
  clred_type_info type = {0};
  type_of_opencl(element, &type);
  return type.type == CLRED_TYPE_HALF || type.type == CLRED_TYPE_BFLOAT16 ? "float" : element;
}

// OpenCL C has no complex numbers. A vector of two has the same bytes.
static const char *opencl_type(const char *element) {
  clred_type_info type;
  if (type_of_opencl(element, &type) && type.is_complex)
    return type.component == CLRED_TYPE_FLOAT ? "float2" : "double2";
  return element;
}

void user_operator_settle(struct user_operator *user, const char *element) {
  if (user->made.element == NULL)
    user->made.element = opencl_type(element);
  if (user->made.state == NULL)
    user->made.state = arithmetic_type(user->made.element);
  user->made.inputs = user->inputs;
  user->made.parameters = user->parameters;
  for (size_t i = 0; i < user->made.parameter_count; i++)
    user->value_pointers[i] = user->values[i].bytes;
}
