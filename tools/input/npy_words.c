// Python's words in .npy headers, and messages about them.
#include "input/npy_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A message may quote the header, which may hold any bytes.
static void keep_printable(char *text) {
  for (; *text != '\0'; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

bool npy_refuse(char error[NPY_ERROR_SIZE], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, NPY_ERROR_SIZE, format, arguments);
  va_end(arguments);
  keep_printable(error);
  return false;
}

void npy_skip_space(struct cursor *cursor) {
  while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL && *cursor->at != '\0')
    cursor->at++;
}

bool npy_take(struct cursor *cursor, char wanted) {
  npy_skip_space(cursor);
  if (cursor->at == cursor->end || *cursor->at != wanted)
    return false;
  cursor->at++;
  return true;
}

bool npy_take_word(struct cursor *cursor, const char *word) {
  size_t length = strlen(word);
  npy_skip_space(cursor);
  if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
    return false;
  cursor->at += length;
  return true;
}

bool npy_take_string(struct cursor *cursor, char *text, size_t size) {
  char quote = npy_take(cursor, '\'') ? '\'' : npy_take(cursor, '"') ? '"' : '\0';
  if (quote == '\0')
    return false;
  for (size_t length = 0; cursor->at < cursor->end && length < size; length++) {
    text[length] = *cursor->at++;
    if (text[length] == quote) {
      text[length] = '\0';
      return true;
    }
  }
  return false;
}

bool npy_is_digit(const struct cursor *cursor) {
  return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}
