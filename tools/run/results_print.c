// Prints results as text. A terminal shows aligned columns below their names; programs get results alone, with a space
// between columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/wrap.h"
#include "run/results_words.h"

static int wider(const char *text, int width) {
  return (int)strlen(text) > width ? (int)strlen(text) : width;
}

// The width to which names are padded: the longest name on a terminal or in a list of operators, else 0.
static int names_width(const struct results *results) {
  int width = 0;
  for (size_t i = 0; i < results->part_count; i++)
    if (results->parts[i].word > 0 || isatty(STDOUT_FILENO))
      width = wider(results->parts[i].name, width);
  return width;
}

static void print_parts(FILE *file, const struct results *results) {
  char text[VALUE_TEXT_SIZE];
  const int width = names_width(results);
  for (size_t i = 0; i < results->part_count; i++) {
    value_text(results->parts[i].type, results_part(results, 0, i), text);
    if (results_named(results))
      fprintf(file, "%-*s ", width, results->parts[i].name);
    fprintf(file, "%s\n", text);
  }
}

// The columns of a list: the keys, unless there are none, and the parts.
struct columns {
  const struct results *results, *keys;
  size_t key_count, count;
  uint64_t rows;
  int *widths;   // in characters; NULL: not aligned
  char between;  // of columns
};

// The keys in this column; NULL if it has a part.
static const struct results *keys_in(const struct columns *columns, size_t column) {
  const struct results *keys = columns->keys;
  for (; keys != NULL && column > 0; column--)
    keys = keys->next;
  return keys;
}

static bool is_word(const struct columns *columns, size_t column) {
  const struct results *keys = keys_in(columns, column);
  return (keys != NULL ? keys : columns->results)->words != NULL;
}

struct place {
  uint64_t result;
  size_t part;
};

static struct place place_of(const struct columns *columns, uint64_t row, size_t column) {
  const size_t parts = columns->results->part_count, at = column - columns->key_count;
  return (struct place){row * ((columns->count - columns->key_count) / parts) + at / parts, at % parts};
}

// Prints a cell and returns its width. If `file` is NULL, it only measures.
static int put_cell(FILE *file, const struct columns *columns, uint64_t row, size_t column) {
  const struct results *keys = keys_in(columns, column), *from = keys != NULL ? keys : columns->results;
  const struct place place = keys != NULL ? (struct place){row, 0} : place_of(columns, row, column);
  char text[VALUE_TEXT_SIZE];
  if (from->words != NULL)
    return results_put_word(file, from, row);
  value_text(keys != NULL ? from->type : from->parts[place.part].type, results_part(from, place.result, place.part),
             text);
  if (file != NULL)
    fputs(text, file);
  return (int)strlen(text);
}

static const char *heading_of(const struct columns *columns, size_t column) {
  const struct results *keys = keys_in(columns, column);
  if (keys == NULL)
    return columns->results->parts[place_of(columns, 0, column).part].name;
  return keys->title != NULL ? keys->title : "key";
}

static void measure_columns(struct columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    int width = results_named(columns->results) ? wider(heading_of(columns, i), 0) : 0;
    for (uint64_t row = 0; row < columns->rows; row++) {
      const int needed = put_cell(NULL, columns, row, i);
      width = needed > width ? needed : width;
    }
    columns->widths[i] = width;
  }
}

// The blanks of an aligned cell: before numbers, behind words.
static void put_blanks(FILE *file, const struct columns *columns, size_t column, int width, bool before) {
  if (columns->widths != NULL && is_word(columns, column) != before)
    fprintf(file, "%*s", columns->widths[column] - width, "");
}

static void put_end(FILE *file, const struct columns *columns, size_t column) {
  fputc(column + 1 == columns->count ? '\n' : columns->between, file);
}

static void print_heading(const struct lines *lines, const struct columns *columns) {
  FILE *file = lines->file;
  if (!results_named(columns->results))
    return;
  fputs(*lines->label != '\0' ? lines->heading : "", file);
  for (size_t i = 0; i < columns->count; i++) {
    const char *heading = heading_of(columns, i);
    put_blanks(file, columns, i, (int)strlen(heading), true);
    fputs(heading, file);
    put_blanks(file, columns, i, (int)strlen(heading), false);
    put_end(file, columns, i);
  }
}

static void print_row(const struct lines *lines, const struct columns *columns, uint64_t row) {
  FILE *file = lines->file;
  fputs(lines->label, file);
  for (size_t i = 0; i < columns->count; i++) {
    const int width = columns->widths != NULL ? put_cell(NULL, columns, row, i) : 0;
    put_blanks(file, columns, i, width, true);
    put_cell(file, columns, row, i);
    put_blanks(file, columns, i, width, false);
    put_end(file, columns, i);
  }
}

static int print_list(const struct lines *lines, const struct results *results, const struct results *keys) {
  const uint64_t per_line = results->per_line > 0 ? results->per_line : 1;
  struct columns columns = {results,
                            keys,
                            0,
                            results->part_count * per_line,
                            results->count / per_line,
                            NULL,
                            lines->between == 0 ? ' ' : lines->between};
  for (; keys != NULL; keys = keys->next)
    columns.key_count++, columns.count++;
  const bool is_labelled = *lines->label != '\0', is_shown = columns.count > 1 && isatty(STDOUT_FILENO);
  if (is_shown && !is_labelled && isatty(fileno(lines->file))) {
    columns.widths = calloc(columns.count, sizeof *columns.widths);
    if (columns.widths == NULL)
      return fail_memory();
    measure_columns(&columns);
  }
  if (columns.widths != NULL || (is_shown && is_labelled && lines->first))
    print_heading(lines, &columns);
  for (uint64_t row = 0; row < columns.rows; row++)
    print_row(lines, &columns, row);
  free(columns.widths);
  return EXIT_DONE;
}

char *results_keys_text(const struct results *keys, uint64_t row) {
  char *text = NULL, value[VALUE_TEXT_SIZE];
  size_t size;
  FILE *file = open_memstream(&text, &size);
  for (; keys != NULL && file != NULL; keys = keys->next) {
    if (keys->words != NULL)
      results_put_word(file, keys, row);
    else
      value_text(keys->type, results_at(keys, row), value), fputs(value, file);
    fputs(keys->next != NULL ? " " : "", file);
  }
  if (file == NULL || fclose(file) == 0)
    return text;
  free(text);
  return NULL;
}

int results_print(const struct results *results, const struct results *keys, bool listed, const struct lines *lines) {
  if (listed || *lines->label != '\0')
    return print_list(lines, results, keys);
  print_parts(lines->file, results);
  return EXIT_DONE;
}

// ---- For --output

bool results_want_text(const struct args *args, const char *path) {
  return args->text || (output_is_standard(path) && isatty(STDOUT_FILENO));
}

int results_write_lines(FILE *file, const struct results *results) {
  const struct lines lines = {.file = file, .label = "", .first = true};
  return print_list(&lines, results, NULL);
}

// A blank, unless the name promises another.
static char between_in(const char *path) {
  return ends_in(path, ".csv") ? ',' : ends_in(path, ".tsv") ? '\t' : ' ';
}

int results_write_wanted(const struct results *results, const struct results *keys, const struct layout *layout,
                         const struct args *args, const char *option, const char *path) {
  struct output output;
  if (!results_want_text(args, path))
    return results_write(results, layout, option, path);
  int code = output_open(&output, option, path);
  const struct lines lines = {.file = output.file, .label = "", .first = true, .between = between_in(path)};
  code = code ? code : print_list(&lines, results, keys);
  return output_close(&output, code);
}
