// Text for people: lines broken between words, and numbers in the cells of tables.

#ifndef CLREDUCE_TOOL_WRAP_H
#define CLREDUCE_TOOL_WRAP_H

#include <stddef.h>

enum { HELP_WIDTH = 79, TABLE_WIDTH = 100, CELL_SIZE = 40 };

// Prints `text` from column `at` on and ends the line. Further lines start at column `indent`. A word longer than a
// line is not broken.
void wrap_print(const char *text, size_t at, size_t indent, size_t width);

// A time with its unit, as in "1.25 ms"; and a number by a format of printf. NaN becomes "-".
void write_time(double seconds, char cell[CELL_SIZE]);
void write_measure(const char *format, double value, char cell[CELL_SIZE]);

#endif
