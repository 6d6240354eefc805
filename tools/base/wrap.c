// Lines broken at spaces, cells of tables, and lists of words.
#include "base/wrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t table_width(void) {
  enum { NARROWEST = 60 };
  struct winsize size = {.ws_col = 0};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST ||
      size.ws_col > TABLE_WIDTH)
    return TABLE_WIDTH;
  return size.ws_col;
}

bool table_is_narrow(void) {
  return table_width() < TABLE_WIDTH;
}

// Takes a line and those that continue it: lists go on, with the same indent, behind a comma. Returns what follows.
static const char *take_line(const char *lines, char *line, size_t size) {
  const size_t indent = strspn(lines, " ");
  size_t used = 0, length;
  bool more = true;
  for (bool first = true; more; first = false) {
    length = strcspn(lines, "\n");
    used += (size_t)snprintf(line + used, size - used, "%s%.*s", first ? "" : " ", (int)(length - (first ? 0 : indent)),
                             lines + (first ? 0 : indent));
    more = length > 0 && lines[length - 1] == ',' && lines[length] == '\n' && used < size &&
           strspn(lines + length + 1, " ") == indent;
    lines += length + (lines[length] == '\n');
  }
  return lines;
}

void wrap_print_lines(const char *lines) {
  char line[2048];
  if (!isatty(STDOUT_FILENO)) {
    fputs(lines, stdout);
    return;
  }
  while (*lines != '\0') {
    const char *after = take_line(lines, line, sizeof line), *end = strchr(lines, '\n');
    bool is_list = after != lines && (end == NULL ? *after == '\0' : after > end + 1);
    wrap_print(line, 0, strspn(line, " ") + (is_list ? 0 : 2), table_width());
    lines = after;
  }
}

// True for the bytes of a UTF-8 character behind its first. They take no column.
static bool continues_character(char byte) {
  return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t columns_of(const char *text, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++)
    columns += !continues_character(text[i]);
  return columns;
}

// Prints a word from column `at` on. A word longer than a line is broken between characters. Returns the next column.
static size_t print_word(const char *word, size_t length, size_t at, size_t indent, size_t width) {
  if (at + columns_of(word, length) <= width || indent >= width) {
    printf("%.*s", (int)length, word);
    return at + columns_of(word, length);
  }
  for (size_t i = 0; i < length; i++) {
    if (at >= width && !continues_character(word[i])) {
      printf("\n%*s", (int)indent, "");
      at = indent;
    }
    putchar(word[i]);
    at += !continues_character(word[i]);
  }
  return at;
}

void wrap_print(const char *text, size_t at, size_t indent, size_t width) {
  bool first = true;
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (!first && at + 1 + columns_of(text, length) > width) {
      printf("\n%*s", (int)indent, "");
      at = indent;
    } else if (!first) {
      putchar(' ');
      at++;
    }
    at = print_word(text, length, at, indent, width);
    text += length + (text[length] == ' ');
    first = false;
  }
  putchar('\n');
}

static const struct {
  double least, scale;
  const char *unit;
} units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {0, 1e6, "us"}};

static size_t unit_of(double seconds) {
  size_t i = 0;
  while (i < 2 && seconds < units[i].least)
    i++;
  return i;
}

void write_time(double seconds, char cell[CELL_SIZE]) {
  size_t i = unit_of(seconds);
  if (isnan(seconds))
    snprintf(cell, CELL_SIZE, "-");
  else
    snprintf(cell, CELL_SIZE, "%.2f %s", seconds * units[i].scale, units[i].unit);
}

void write_measure(const char *format, double value, char cell[CELL_SIZE]) {
  if (isnan(value))
    snprintf(cell, CELL_SIZE, "-");
  else
    snprintf(cell, CELL_SIZE, format, value);
}

bool ends_in(const char *text, const char *ending) {
  size_t length = strlen(text), size = strlen(ending);
  return length >= size && strcmp(text + length - size, ending) == 0;
}

char *text_join(const char *first, const char *second, const char *third) {
  const size_t size = strlen(first) + strlen(second) + strlen(third) + 1;
  char *text = malloc(size);
  if (text != NULL)
    snprintf(text, size, "%s%s%s", first, second, third);
  return text;
}

void write_short(double value, char cell[CELL_SIZE]) {
  const char *format = value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : value >= 0.9995 ? "%.2f" : "%#.2g";
  write_measure(format, value, cell);
}

void write_short_time(double seconds, char cell[CELL_SIZE]) {
  size_t i = unit_of(seconds);
  write_short(seconds * units[i].scale, cell);
  if (!isnan(seconds))
    snprintf(cell + strlen(cell), CELL_SIZE - strlen(cell), " %s", units[i].unit);
}

void write_bytes(double bytes, const char *unit, char cell[CELL_SIZE]) {
  static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t i = 0;
  for (; bytes >= 999.5 && i < 6; i++)
    bytes /= 1000;
  if (i == 0)
    write_measure("%.0f", bytes, cell);
  else
    write_short(bytes, cell);
  if (!isnan(bytes))
    snprintf(cell + strlen(cell), CELL_SIZE - strlen(cell), " %s%s", prefixes[i], unit);
}

void list_append(char *list, size_t size, const char *between, const char *word) {
  const size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", used == 0 ? "" : between, word);
}

bool list_has(const char *list, char separator, const char *word, size_t length) {
  for (const char *end; list != NULL; list = end == NULL ? NULL : end + 1) {
    end = strchr(list, separator);
    if ((end == NULL ? strlen(list) : (size_t)(end - list)) == length && memcmp(list, word, length) == 0)
      return true;
  }
  return false;
}
