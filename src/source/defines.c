#include "source/defines.h"

// Not by a format: values may be longer than one has room for.
void clr_define_text(struct clr_text *text, const char *name, const char *value) {
  const char *const words[] = {"#define ", name, " ", value, "\n"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    clr_text_append(text, words[i]);
}

void clr_define_number(struct clr_text *text, const char *name, unsigned long long value) {
  clr_text_format(text, "#define %s %llu\n", name, value);
}
