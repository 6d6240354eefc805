// Long words.
#pragma once

#include <string.h>

// `count` letters and then `end`; valid until the next call.
static inline const char *letters(size_t count, const char *end) {
  static char text[2048];
  memset(text, 'y', count);
  strcpy(text + count, end);
  return text;
}
