// An operator of the user: from options, or from a file.
#include "operator/user_operator.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "cli/verbs.h"
#include "input/stream.h"

// ---------------------------------------------------------------- The keys, and where they stand

// TEXT: OpenCL C; blanks before it keep its position in the file. WORD: a text without blanks around it. TRUTH: yes or
// no.
enum user_key_kind { KEY_TEXT, KEY_WORD, KEY_TRUTH, KEY_INPUT, KEY_PARAMETER };

// The last row has the name NULL.
#define FIELD(name) offsetof(clred_operator, name)
#define OPTION(name) offsetof(struct args, name)
static const struct user_key {
  const char *name;  // the key in the operator file, and the name of the option
  enum user_key_kind kind;
  size_t field;   // offset in clred_operator; unused for inputs and parameters
  size_t option;  // offset in struct args
} user_keys[] = {{"name", KEY_WORD, FIELD(name), 0},
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

static const struct user_key *find_key(const char *name, size_t length) {
  const struct user_key *key = user_keys;
  while (key->name != NULL && (strlen(key->name) != length || memcmp(key->name, name, length) != 0))
    key++;
  return key->name == NULL ? NULL : key;
}

static bool is_in_file(const struct user_operator *user, const struct user_key *key) {
  return user->file != NULL && !(user->by_option >> (key - user_keys) & 1);
}

// Prints "FILE:LINE:COLUMN: ..." or "--option: ..." as one line. Returns EXIT_BAD_USE.
__attribute__((format(printf, 2, 3))) static int fail_at(const struct place *place, const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (place->file == NULL)
    return fail(EXIT_BAD_USE, "--%s: %s", place->option, line);
  return fail(EXIT_BAD_USE, "%s:%u:%u: %s", place->file, place->line, place->column, line);
}

void user_operator_culprit(const struct user_operator *user, const char *name, char *text, size_t size) {
  const struct user_key *key = find_key(name, strlen(name));
  if (is_in_file(user, key))
    snprintf(text, size, "%s: %s", user->file, name);
  else if (key->kind == KEY_TRUTH)
    snprintf(text, size, "--%s", name);
  else
    snprintf(text, size, "--%s '%.500s'", name,
             *(const char *const *)(const void *)((const char *)&user->made + key->field));
}

// ---------------------------------------------------------------- Messages of the library

// The library's messages have positions, as in "combine, line 12, column 9: ...". They are positions in the file,
// because each text begins with as many blank lines and columns as the file has before it. The message of the tool
// names the file or option.

// Reads digits followed by the text `behind`; NULL if they do not match. Compilers may print very large numbers.
static const char *read_number(const char *at, const char *behind, unsigned *value) {
  char *end;
  unsigned long read = strtoul(at, &end, 10);
  *value = read > UINT_MAX ? UINT_MAX : (unsigned)read;
  return end != at && strncmp(end, behind, strlen(behind)) == 0 ? end + strlen(behind) : NULL;
}

// Finds the key and the position in a message. False if there is none.
static bool find_place(const char *message, const struct user_key **key, struct place *place, const char **rest) {
  for (*key = user_keys; (*key)->name != NULL; ++*key) {
    char wanted[64];
    const char *at;
    snprintf(wanted, sizeof wanted, " %s, line ", (*key)->name);
    at = strstr(message, wanted);
    if (at == NULL)
      continue;
    at = read_number(at + strlen(wanted), ", column ", &place->line);
    *rest = at == NULL ? NULL : read_number(at, ": ", &place->column);
    if (*rest != NULL)
      return true;
  }
  return false;
}

// Values of kind WORD are passed to the library without the blanks before them, so their position is added here.
static void move_word(const struct user_operator *user, const struct user_key *key, struct place *place) {
  const struct place *word = &user->words[key - user_keys];
  if (key->kind != KEY_WORD || word->line == 0)
    return;
  place->column += place->line == 1 ? word->column - 1 : 0;
  place->line += word->line - 1;
}

int user_operator_failed(const struct user_operator *user, cl_int status, const char *message) {
  const struct user_key *key;
  struct place place = {.file = user->file};
  const char *rest;
  if (status != CLRED_OPERATOR_TEXT && status != CL_BUILD_PROGRAM_FAILURE)
    return fail_library(status, message);
  if (!find_place(message, &key, &place, &rest))
    return fail(EXIT_BAD_USE, "%s: %s",
                user->file != NULL           ? user->file
                : user->made.combine != NULL ? "--combine"
                                             : "select",
                message);
  place.option = key->name;
  move_word(user, key, &place);
  if (is_in_file(user, key))
    return fail_at(&place, "%s: %s", key->name, rest);
  place.file = NULL;
  return fail_at(&place, "line %u, column %u: %s", place.line, place.column, rest);
}

// ---------------------------------------------------------------- Texts, inputs and parameters

struct owned_text {
  struct owned_text *next;
  char text[];
};

// Copies a text for the lifetime of the operator. NULL if memory is short.
static char *user_keep(struct user_operator *user, const char *text, size_t length) {
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

static bool is_blank_text(char c) {
  return isspace((unsigned char)c);
}

// Removes the blanks around a text. Returns the new length.
static size_t user_trim(const char **text, size_t length) {
  for (; length > 0 && is_blank_text(**text); length--)
    ++*text;
  while (length > 0 && is_blank_text((*text)[length - 1]))
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
  while (split > 0 && is_blank_text(type[split - 1]))
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

// Declarations: "TYPE NAME" or "TYPE:NAME", for parameters also "= VALUE". Both return an exit code.
static int user_set_input(struct user_operator *user, const char *text, const struct place *place) {
  if (user->made.input_count == USER_INPUTS_MAX)
    return fail_at(place, "more than %d further inputs", USER_INPUTS_MAX);
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
static int user_set_parameter(struct user_operator *user, const char *text, const struct place *place) {
  size_t index = user->made.parameter_count, length = strcspn(text, "=");
  if (index == USER_PARAMETERS_MAX)
    return fail_at(place, "more than %d parameters", USER_PARAMETERS_MAX);
  user->made.parameter_count++;
  int code = take_operand(user, text, length, place, &user->parameters[index]);
  if (code || text[length] == '\0')
    return code;
  return parse_parameter(user, index, text + length + 1, place);
}

// Reads "NAME=VALUE" of --param.
static int user_set_parameter_value(struct user_operator *user, const char *text) {
  const struct place place = {.option = "param"};
  size_t length = strcspn(text, "=");
  if (text[length] == '\0')
    return fail_at(&place, "'%s' has no value; give NAME=VALUE", text);
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (strlen(user->parameters[i].name) == length && memcmp(user->parameters[i].name, text, length) == 0)
      return parse_parameter(user, i, text + length + 1, &place);
  return fail_at(&place, "the operator has no parameter '%.*s'", (int)length, text);
}

// Checks that all parameters have values. The verb check needs none, and the files of join have them.
static int user_check_parameters(const struct user_operator *user, const struct args *args) {
  for (size_t i = 0; i < user->made.parameter_count; i++)
    if (!user->valued[i] && (args->verb->bit & (VERB_CHECK | VERB_JOIN)) == 0)
      return fail(EXIT_BAD_USE, "the operator's parameter %s has no value; give --param %s=VALUE",
                  user->parameters[i].name, user->parameters[i].name);
  return EXIT_DONE;
}

// ---------------------------------------------------------------- Setting a key

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

// Copies `text` and sets the key. Returns an exit code, like all functions here.
static int user_operator_set(struct user_operator *user, const struct user_key *key, const char *text,
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

// ---------------------------------------------------------------- From a file

// Reads an operator file: lines "key: value"; indented lines continue a value. docs/operators.md describes the keys.

enum { FILE_MAX = 1 << 20 };

// State of the reader. A value starts with as many line breaks and spaces as there are before it in the file. So the
// compiler's lines and columns are those of the file.
struct reader {
  struct user_operator *user;
  const char *at, *end;
  struct place place;  // of the current text, or of the key of the current value
  unsigned line;
  const struct user_key *key;  // NULL if there is no current value
  char *value;
  size_t length;
  unsigned value_line;
  unsigned long seen;  // one bit per key
};

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// Appends text of the current line at its column. The value fits, because it is at most as long as the file.
static void append_line(struct reader *reader, const char *text, size_t length, size_t column) {
  const size_t breaks = reader->line - reader->value_line, blanks = column - 1;
  char *to = reader->value + reader->length;
  memset(to, '\n', breaks);
  memset(to + breaks, ' ', blanks);
  memcpy(to + breaks + blanks, text, length);
  reader->length += breaks + blanks + length;
  reader->value_line = reader->line;
}

static int end_value(struct reader *reader) {
  const struct user_key *key = reader->key;
  if (key == NULL)
    return EXIT_DONE;
  reader->key = NULL;
  reader->value[reader->length] = '\0';
  return user_operator_set(reader->user, key, reader->value, &reader->place);
}

static int unknown_key(const struct reader *reader, const char *name, size_t length) {
  char list[256] = "";
  for (const struct user_key *key = user_keys; key->name != NULL; key++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", key->name);
  return fail_at(&reader->place, "unknown key '%.*s'; give one of%s", (int)length, name, list);
}

static int begin_key(struct reader *reader, const char *line, size_t name_length) {
  const struct user_key *key = find_key(line, name_length);
  if (key == NULL)
    return unknown_key(reader, line, name_length);
  unsigned long bit = 1ul << (key - user_keys);
  if ((reader->seen & bit) && key->kind != KEY_INPUT && key->kind != KEY_PARAMETER)
    return fail_at(&reader->place, "the key %s is given twice", key->name);
  reader->seen |= bit;
  reader->key = key;
  reader->length = 0;
  reader->value_line = 1;
  return EXIT_DONE;
}

// Reads "key: value". The value may start on a later line.
static int read_key(struct reader *reader, const char *line, size_t length) {
  const char *colon = memchr(line, ':', length);
  reader->place.line = reader->line;
  reader->place.column = 1;
  if (colon == NULL)
    return fail_at(&reader->place, "this line is neither 'key: value', nor indented, nor a comment");
  size_t name_length = (size_t)(colon - line), start = name_length + 1;
  while (name_length > 0 && is_blank(line[name_length - 1]))
    name_length--;
  int code = begin_key(reader, line, name_length);
  while (start < length && is_blank(line[start]))
    start++;
  if (!code && start < length) {
    reader->place.column = (unsigned)start + 1;
    append_line(reader, line + start, length - start, start + 1);
  }
  return code;
}

static int read_indented(struct reader *reader, const char *line, size_t length) {
  const struct place here = {reader->place.file, reader->line, 1, NULL};
  if (reader->key == NULL)
    return fail_at(&here, "this line is indented, but there is no key before it");
  append_line(reader, line, length, 1);
  return EXIT_DONE;
}

static int read_line(struct reader *reader, const char *line, size_t length) {
  size_t blanks = 0;
  while (blanks < length && is_blank(line[blanks]))
    blanks++;
  if (blanks == length || *line == '#')
    return EXIT_DONE;
  if (blanks > 0)
    return read_indented(reader, line, length);
  int code = end_value(reader);
  return code ? code : read_key(reader, line, length);
}

static int read_lines(struct reader *reader) {
  int code = EXIT_DONE;
  while (reader->at < reader->end && !code) {
    const char *line = reader->at, *stop = memchr(line, '\n', (size_t)(reader->end - line));
    size_t length = (size_t)((stop == NULL ? reader->end : stop) - line);
    reader->at += length + (stop != NULL);
    if (length > 0 && line[length - 1] == '\r')
      length--;
    code = read_line(reader, line, length);
    reader->line++;
  }
  return code ? code : end_value(reader);
}

// A zero byte would end the C string.
static int refuse_zero(const struct reader *reader) {
  const char *zero = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
  struct place place = place_behind(reader->at, zero == NULL ? reader->at : zero);
  place.file = reader->place.file;
  return zero == NULL ? EXIT_DONE : fail_at(&place, "there is a zero byte here; an operator file is text");
}

static int read_bytes(struct user_operator *user, const char *path, const char *bytes, size_t size) {
  struct reader reader = {
    .user = user, .at = bytes, .end = bytes + size, .place = {.file = path}, .line = 1, .value = malloc(size + 1)};
  int code = reader.value == NULL ? fail_memory() : refuse_zero(&reader);
  code = code ? code : read_lines(&reader);
  free(reader.value);
  return code;
}

// Sets all keys of the file.
static int user_operator_read(struct user_operator *user, const char *path) {
  void *bytes;
  uint64_t size;
  int code = stream_read_file(path, FILE_MAX + 1, &bytes, &size);
  if (!code && size > FILE_MAX)
    code = fail(EXIT_BAD_USE, "%s: is too large; an operator file has at most %d bytes", path, FILE_MAX);
  code = code ? code : read_bytes(user, path, bytes, (size_t)size);
  free(bytes);
  return code;
}

// ---------------------------------------------------------------- From options

static int set_all(struct user_operator *user, const struct user_key *key, const struct texts *texts,
                   const struct place *place) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < texts->count && !code; i++)
    code = user_operator_set(user, key, texts->list[i], place);
  return code;
}

static bool user_key_given(const struct user_key *key, const struct args *args) {
  return key->option != 0 && args_given(args, key->name) != NULL;
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

// Checks the keys that every operator needs. Returns an exit code.
static int user_check_complete(const struct user_operator *user) {
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

// half and bfloat16 are only stored. lift gets floats.
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

void user_operator_resolve(struct user_operator *user, const char *element) {
  if (user->made.element == NULL)
    user->made.element = opencl_type(element);
  if (user->made.state == NULL)
    user->made.state = arithmetic_type(user->made.element);
  user->made.inputs = user->inputs;
  user->made.parameters = user->parameters;
  for (size_t i = 0; i < user->made.parameter_count; i++)
    user->value_pointers[i] = user->values[i].bytes;
}
