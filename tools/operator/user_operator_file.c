// Reads an operator file: lines "key: value"; indented lines continue a value. docs/operators.md describes the keys.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/stream.h"
#include "operator/user_operator.h"

enum { FILE_MOST = 1 << 20 };

// State of reading. A value starts with as many line breaks and spaces as there are before it in the file, so that the
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

static void append(struct reader *reader, const char *text, size_t length) {
  memcpy(reader->value + reader->length, text, length);
  reader->length += length;
}

// Appends text of the current line at its column. The value fits, because it is at most as long as the file.
static void append_line(struct reader *reader, const char *text, size_t length, size_t column) {
  for (; reader->value_line < reader->line; reader->value_line++)
    append(reader, "\n", 1);
  for (size_t i = 1; i < column; i++)
    append(reader, " ", 1);
  append(reader, text, length);
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

static const struct user_key *find_key(const char *name, size_t length) {
  const struct user_key *key = user_keys;
  while (key->name != NULL && (strlen(key->name) != length || memcmp(key->name, name, length) != 0))
    key++;
  return key->name == NULL ? NULL : key;
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
  struct place place = {reader->place.file, 1, 1, NULL};
  for (const char *at = reader->at; zero != NULL && at < zero; at++) {
    place.column = *at == '\n' ? 1 : place.column + 1;
    place.line += *at == '\n';
  }
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

int user_operator_read(struct user_operator *user, const char *path) {
  void *bytes;
  uint64_t size;
  int code = stream_read_file(path, FILE_MOST + 1, &bytes, &size);
  if (!code && size > FILE_MOST)
    code = fail(EXIT_BAD_USE, "%s: is too large; an operator file has at most %d bytes", path, FILE_MOST);
  code = code ? code : read_bytes(user, path, bytes, (size_t)size);
  free(bytes);
  return code;
}
