// Aligns the lines of --each for a terminal: their columns are known only after the last file.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/number.h"
#include "run/per_file.h"

struct cell {
  const char *begin;
  size_t length;
  int width;  // in characters of UTF-8
  bool last;  // of its line
};

struct table {
  const char *begin, *end;
  size_t columns;
  int *widths;
  bool *words;  // the column has more than numbers
};

// Returns where the next cell begins. A cell in quotes may have blanks and line feeds.
static const char *take_cell(const struct table *table, const char *at, struct cell *cell) {
  bool quoted = false;
  *cell = (struct cell){.begin = at};
  for (; at < table->end && (quoted || (*at != ' ' && *at != '\n')); at++) {
    quoted = quoted != (*at == '"');
    cell->width += ((unsigned char)*at & 0xc0) != 0x80;
  }
  cell->length = (size_t)(at - cell->begin);
  cell->last = at >= table->end || *at == '\n';
  return at + 1;
}

static bool is_number(const struct cell *cell) {
  double value;
  return number_parse_part(CLRED_TYPE_DOUBLE, cell->begin, cell->length, &value);
}

static size_t count_columns(const struct table *table) {
  struct cell cell = {.last = false};
  size_t columns = 0;
  for (const char *at = table->begin; !cell.last; columns++)
    at = take_cell(table, at, &cell);
  return columns;
}

// False if the lines have different numbers of columns. The first line may be a heading, which is no number.
static bool measure(struct table *table) {
  struct cell cell;
  size_t column = 0, lines = 0;
  for (const char *at = table->begin; at < table->end; column = cell.last ? 0 : column + 1, lines += cell.last) {
    at = take_cell(table, at, &cell);
    if (column == table->columns || (cell.last && column + 1 != table->columns))
      return false;
    table->widths[column] = cell.width > table->widths[column] ? cell.width : table->widths[column];
    table->words[column] = column == 0 || table->words[column] || (lines > 0 && !is_number(&cell));
  }
  return true;
}

static void print(const struct table *table) {
  struct cell cell;
  size_t column = 0;
  for (const char *at = table->begin; at < table->end; column = cell.last ? 0 : column + 1) {
    at = take_cell(table, at, &cell);
    const int blanks = table->widths[column] - cell.width;
    printf("%*s%.*s", table->words[column] ? 0 : blanks, "", (int)cell.length, cell.begin);
    printf("%*s", cell.last || !table->words[column] ? 0 : blanks, "");
    putchar(cell.last ? '\n' : ' ');
  }
}

int each_print_lines(const char *text, size_t size) {
  struct table table = {.begin = text, .end = text + size};
  if (!isatty(STDOUT_FILENO)) {
    fwrite(text, 1, size, stdout);
    return EXIT_DONE;
  }
  table.columns = count_columns(&table);
  table.widths = calloc(table.columns, sizeof *table.widths);
  table.words = calloc(table.columns, sizeof *table.words);
  const bool room = table.widths != NULL && table.words != NULL;
  if (room && measure(&table))
    print(&table);
  else if (room)
    fwrite(text, 1, size, stdout);
  free(table.widths);
  free(table.words);
  return room ? EXIT_DONE : fail_memory();
}
