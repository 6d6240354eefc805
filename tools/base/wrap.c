// Lines broken at spaces.

#include "base/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void wrap_print(const char *text, size_t at, size_t indent, size_t width) {
  bool first = true;
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (!first && at + 1 + length > width) {
      printf("\n%*s", (int)indent, "");
      at = indent;
    } else if (!first) {
      putchar(' ');
      at++;
    }
    printf("%.*s", (int)length, text);
    at += length;
    text += length + (text[length] == ' ');
    first = false;
  }
  putchar('\n');
}
