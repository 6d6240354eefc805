// Prints results as text. A terminal shows aligned columns below their names; programs get results alone, with a space
// between columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "run/results.h"

static int wider(const char *text, int width) {
  return (int)strlen(text) > width ? (int)strlen(text) : width;
}

// The width of the longest name, if names are aligned: on a terminal, and those of a list of operators.
static int names_width(const struct results *results) {
  int width = 0;
  for (size_t i = 0; i < results->part_count; i++)
    if (results->parts[i].word > 0 || isatty(STDOUT_FILENO))
      width = wider(results->parts[i].name, width);
  return width;
}

static void print_parts(const struct results *results) {
  char text[VALUE_TEXT_SIZE];
  for (size_t i = 0; i < results->part_count; i++) {
    value_text(results->parts[i].type, results_part(results, 0, i), text);
    if (results_named(results))
      printf("%-*s ", names_width(results), results->parts[i].name);
    puts(text);
  }
}

// The columns of a list: the keys, unless there are none, and the parts.
struct columns {
  const struct results *results, *keys;
  size_t count;
  int *widths;  // 0: not aligned
};

static void cell_text(const struct columns *columns, uint64_t row, size_t column, char text[VALUE_TEXT_SIZE]) {
  const size_t part = column - (columns->keys != NULL);
  if (columns->keys != NULL && column == 0)
    value_text(columns->keys->type, results_at(columns->keys, row), text);
  else
    value_text(columns->results->parts[part].type, results_part(columns->results, row, part), text);
}

static const char *heading_of(const struct columns *columns, size_t column) {
  return columns->keys != NULL && column == 0 ? "key" : columns->results->parts[column - (columns->keys != NULL)].name;
}

static void measure_columns(struct columns *columns) {
  char text[VALUE_TEXT_SIZE];
  for (size_t i = 0; i < columns->count; i++) {
    columns->widths[i] = results_named(columns->results) ? wider(heading_of(columns, i), 0) : 0;
    for (uint64_t row = 0; row < columns->results->count; row++) {
      cell_text(columns, row, i, text);
      columns->widths[i] = wider(text, columns->widths[i]);
    }
  }
}

static void print_cell(const struct columns *columns, size_t column, const char *text) {
  printf("%s%*s%s", column == 0 ? "" : " ", columns->widths[column], text, column + 1 == columns->count ? "\n" : "");
}

static void print_heading(const struct columns *columns) {
  for (size_t i = 0; i < columns->count && results_named(columns->results); i++)
    print_cell(columns, i, heading_of(columns, i));
}

static int print_list(const struct results *results, const struct results *keys) {
  struct columns columns = {results, keys, results->part_count + (keys != NULL), NULL};
  char text[VALUE_TEXT_SIZE];
  columns.widths = calloc(columns.count, sizeof *columns.widths);
  if (columns.widths == NULL)
    return fail_memory();
  if (columns.count > 1 && isatty(STDOUT_FILENO)) {
    measure_columns(&columns);
    print_heading(&columns);
  }
  for (uint64_t row = 0; row < results->count; row++)
    for (size_t i = 0; i < columns.count; i++) {
      cell_text(&columns, row, i, text);
      print_cell(&columns, i, text);
    }
  free(columns.widths);
  return EXIT_DONE;
}

int results_print(const struct results *results, const struct results *keys, bool listed) {
  if (listed)
    return print_list(results, keys);
  print_parts(results);
  return EXIT_DONE;
}
