// One rule for all words of a line, so that one reader can read it back.
#include "base/quote.h"

#include <stdbool.h>
#include <string.h>

static int put(FILE *file, char c) {
  if (file != NULL)
    fputc(c, file);
  return ((unsigned char)c & 0xc0) != 0x80;  // bytes 10xxxxxx continue a character of UTF-8
}

static bool is_plain(char c) {
  return (unsigned char)c > ' ' && strchr("\",;|", c) == NULL;
}

int quote_put(FILE *file, const char *text, size_t length) {
  int width = 0;
  bool quoted = length == 0;
  for (size_t i = 0; i < length; i++)
    quoted = quoted || !is_plain(text[i]);
  width += quoted ? put(file, '"') : 0;
  for (size_t i = 0; i < length; i++) {
    width += text[i] == '"' ? put(file, '"') : 0;
    width += put(file, text[i]);
  }
  return width + (quoted ? put(file, '"') : 0);
}
