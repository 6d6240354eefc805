// A growing string. See text.h.
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct clr_text *text, size_t more) {
  if (text->failed)
    return false;
  if (text->length + more + 1 <= text->capacity)
    return true;
  size_t capacity = 2 * (text->length + more + 1);
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void clr_text_add(struct clr_text *text, const char *bytes, size_t length) {
  if (!make_room(text, length))
    return;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void clr_text_append(struct clr_text *text, const char *piece) {
  clr_text_add(text, piece, strlen(piece));
}

void clr_text_format(struct clr_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !make_room(text, (size_t)length))
    return;
  va_start(arguments, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

size_t clr_text_copy(const char *from, char *to, size_t size) {
  size_t length = strlen(from), copied = length < size ? length : size - 1;
  if (to && size) {
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

void clr_text_release(struct clr_text *text) {
  free(text->bytes);
  *text = (struct clr_text){0};
}

bool clr_words_equal(struct clr_word one, struct clr_word other) {
  return one.length == other.length && (!one.length || memcmp(one.begin, other.begin, one.length) == 0);
}

bool clr_word_is(struct clr_word word, const char *text) {
  return clr_words_equal(word, (struct clr_word){text, strlen(text)});
}
