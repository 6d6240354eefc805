// Text for people, broken into lines between words.

#ifndef CLREDUCE_TOOL_WRAP_H
#define CLREDUCE_TOOL_WRAP_H

#include <stddef.h>

enum { HELP_WIDTH = 79, TABLE_WIDTH = 100 };

// Prints `text` from column `at` on and ends the line. Further lines start at column `indent`. A word longer than a
// line is not broken.
void wrap_print(const char *text, size_t at, size_t indent, size_t width);

#endif
