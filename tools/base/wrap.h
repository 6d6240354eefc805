// Text for people: lines broken between words, cells of tables, and lists of words.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { HELP_WIDTH = 79, TABLE_WIDTH = 100, CELL_SIZE = 40 };

// The width of tables: TABLE_WIDTH, or that of the terminal if standard output is a narrower one.
size_t table_width(void);

// True if some columns of the widest tables do not fit.
bool table_is_narrow(void);

// Prints lines. On a terminal it breaks those that are wider than a table; elsewhere it prints them as they are.
void wrap_print_lines(const char *lines);

// Prints `text` from column `at` on and ends the line. Further lines start at column `indent`. Only a word longer than
// a line is broken. A character of UTF-8 takes one column.
void wrap_print(const char *text, size_t at, size_t indent, size_t width);

// write_time writes a time with its unit, as in "1.25 ms". write_measure writes a number by a format of printf. NaN
// becomes "-".
void write_time(double seconds, char cell[CELL_SIZE]);
void write_measure(const char *format, double value, char cell[CELL_SIZE]);

// The same with three digits, for narrow columns. The text has at most 7 characters if the value is from 1e-99 s to 999
// s.
void write_short_time(double seconds, char cell[CELL_SIZE]);
void write_short(double value, char cell[CELL_SIZE]);

// Three digits and a decimal unit, as in "1.25 GB"; `unit` is "B" or "B/s". NaN becomes "-".
void write_bytes(double bytes, const char *unit, char cell[CELL_SIZE]);

bool ends_in(const char *text, const char *ending);

// Joins three texts. The caller frees the result. NULL if memory is short.
char *text_join(const char *first, const char *second, const char *third);

// Appends a word to a list, and `between` before it, unless the list is empty.
void list_append(char *list, size_t size, const char *between, const char *word);

// Takes the next word of a list whose words end at any of the separators. False behind the last one: then the list is
// NULL, as a list that is not given.
bool list_next(const char **list, const char *separators, const char **word, size_t *length);

// True if a list has this word of `length` letters.
bool list_has(const char *list, const char *separators, const char *word, size_t length);

// Makes room for `needed` elements of `size` bytes. `list` is the address of a pointer to memory from malloc; it grows
// by doubling. False if memory is short, and nothing has changed.
bool list_grow(void *list, size_t *room, size_t needed, size_t size);
