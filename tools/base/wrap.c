// Lines broken at spaces, cells of tables, and lists of words.
#include "base/wrap.h"

#include <math.h>
#include <stdint.h>
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

void wrap_print_lines(const char *lines) {
  const char *line;
  size_t length;
  if (!isatty(STDOUT_FILENO)) {
    fputs(lines, stdout);
    return;
  }
  while (list_next(&lines, "\n", &line, &length)) {
    char text[2048];
    if (lines == NULL && length == 0)
      return;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    wrap_print(text, 0, strspn(text, " ") + 2, table_width());
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

bool list_next(const char **list, const char *separators, const char **word, size_t *length) {
  *word = *list;
  if (*list == NULL)
    return false;
  *length = strcspn(*list, separators);
  *list = (*list)[*length] == '\0' ? NULL : *list + *length + 1;
  return true;
}

bool list_has(const char *list, const char *separators, const char *word, size_t length) {
  const char *other;
  size_t size;
  while (list_next(&list, separators, &other, &size))
    if (size == length && memcmp(other, word, length) == 0)
      return true;
  return false;
}

bool list_grow(void *list, size_t *room, size_t needed, size_t size) {
  enum { ROOM_LEAST = 64 };
  size_t more = *room * 2 > ROOM_LEAST ? *room * 2 : ROOM_LEAST;
  void *old, *grown;
  if (needed <= *room)
    return true;
  more = more > needed ? more : needed;
  memcpy(&old, list, sizeof old);
  grown = more > SIZE_MAX / size ? NULL : realloc(old, more * size);
  if (grown == NULL)
    return false;
  memcpy(list, &grown, sizeof grown);
  *room = more;
  return true;
}
