// Prints results as text. A terminal shows aligned columns below their names; programs get results alone, with a space
// between columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/output.h"
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

static void print_cell(FILE *file, const struct columns *columns, size_t column, const char *text) {
  fprintf(file, "%s%*s%s", column == 0 ? "" : " ", columns->widths[column], text,
          column + 1 == columns->count ? "\n" : "");
}

static void print_heading(FILE *file, const struct columns *columns) {
  for (size_t i = 0; i < columns->count && results_named(columns->results); i++)
    print_cell(file, columns, i, heading_of(columns, i));
}

static int print_list(FILE *file, const struct results *results, const struct results *keys) {
  struct columns columns = {results, keys, results->part_count + (keys != NULL), NULL};
  char text[VALUE_TEXT_SIZE];
  columns.widths = calloc(columns.count, sizeof *columns.widths);
  if (columns.widths == NULL)
    return fail_memory();
  if (columns.count > 1 && isatty(fileno(file))) {
    measure_columns(&columns);
    print_heading(file, &columns);
  }
  for (uint64_t row = 0; row < results->count; row++)
    for (size_t i = 0; i < columns.count; i++) {
      cell_text(&columns, row, i, text);
      print_cell(file, &columns, i, text);
    }
  free(columns.widths);
  return EXIT_DONE;
}

int results_print(const struct results *results, const struct results *keys, bool listed) {
  if (listed)
    return print_list(stdout, results, keys);
  print_parts(results);
  return EXIT_DONE;
}

// ---- For --output

bool results_want_text(const struct args *args, const char *path) {
  return args->text || (output_is_standard(path) && isatty(STDOUT_FILENO));
}

int results_write_lines(FILE *file, const struct results *results) {
  return print_list(file, results, NULL);
}

int results_write_wanted(const struct results *results, const struct layout *layout, const struct args *args,
                         const char *option, const char *path) {
  struct output output;
  if (!results_want_text(args, path))
    return results_write(results, layout, option, path);
  int code = output_open(&output, option, path);
  code = code ? code : results_write_lines(output.file, results);
  return output_close(&output, code);
}
