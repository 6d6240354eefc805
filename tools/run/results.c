// Results: memory for them, and how they are printed and written.
#include "run/results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/number.h"
#include "base/output.h"
#include "base/wrap.h"

// ---------------------------------------------------------------- Quotes

static bool is_plain(char c) {
  return (unsigned char)c > ' ' && strchr("\",;|", c) == NULL;
}

void quote_put(FILE *file, const char *text, size_t length) {
  bool quoted = length == 0;
  for (size_t i = 0; i < length; i++)
    quoted = quoted || !is_plain(text[i]);
  fputs(quoted ? "\"" : "", file);
  for (size_t i = 0; i < length; i++) {
    fputs(text[i] == '"' ? "\"" : "", file);
    fputc(text[i], file);
  }
  fputs(quoted ? "\"" : "", file);
}

// ---------------------------------------------------------------- Words

// Words as lines, as JSON, and as NumPy's text.

static void results_write_lines(FILE *file, const struct results *results);
static bool results_named(const struct results *results);

static const char *word_at(const struct results *results, uint64_t index, size_t *length) {
  uint32_t which;
  memcpy(&which, results_at(results, index), sizeof which);
  return words_at(results->words, which, length);
}

static void put_word(FILE *file, const struct results *results, uint64_t index) {
  size_t length;
  const char *word = word_at(results, index, &length);
  quote_put(file, word, length);
}

// A string, NULL if memory is short.
static cJSON *results_word_json(const struct results *results, uint64_t index) {
  size_t length;
  const char *word = word_at(results, index, &length);
  char *text = malloc(length + 1);
  if (text == NULL)
    return NULL;
  memcpy(text, word, length);
  text[length] = '\0';
  cJSON *string = cJSON_CreateString(text);
  free(text);
  return string;
}

// ---- Characters

// The bytes of the first character of UTF-8; 0 if there is none.
static size_t take_character(const char *text, size_t left, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)*text;
  size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if ((first >= 0x80 && first < 0xc0) || first > 0xf4 || length > left)
    return 0;
  *character = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    *character = *character << 6 | ((unsigned char)text[i] & 0x3fu);
  }
  bool surrogate = *character >> 11 == 0x1b;
  return *character < least[length] || *character > 0x10ffff || surrogate ? 0 : length;
}

// Counts the characters. Writes them unless `file` is NULL. False if the word is not UTF-8.
static bool take_word(const struct results *results, uint64_t index, FILE *file, size_t *characters) {
  size_t length, taken = 1;
  const char *word = word_at(results, index, &length);
  uint32_t character;
  for (*characters = 0; length > 0 && taken > 0; ++*characters) {
    taken = take_character(word, length, &character);
    word += taken;
    length -= taken;
    if (file != NULL)
      fwrite(&character, sizeof character, 1, file);
  }
  return taken > 0;
}

// Refuses words that are not UTF-8; neither JSON nor NumPy has them. `option` needs them. Returns an exit code.
static int check_words(const struct results *results, const char *option) {
  size_t characters;
  for (uint64_t i = 0; i < results->count; i++)
    if (!take_word(results, i, NULL, &characters))
      return fail(EXIT_BAD_USE, "%s: key number %llu is not UTF-8; convert the file, or leave %s out", option,
                  (unsigned long long)i, option);
  return EXIT_DONE;
}

int results_check_keys(const struct results *keys, const struct args *args) {
  const char *path = args->keys_output;
  const char *option = path != NULL && !results_want_text(args, path) ? "--keys-output" : args->json ? "--json" : NULL;
  int code = EXIT_DONE;
  for (; keys != NULL && option != NULL && !code; keys = keys->next)
    if (keys->words != NULL)
      code = check_words(keys, option);
  return code;
}

// The number of characters of the longest word; at least 1.
static size_t results_word_width(const struct results *results) {
  size_t width = 1, characters;
  for (uint64_t i = 0; i < results->count; i++) {
    take_word(results, i, NULL, &characters);
    width = characters > width ? characters : width;
  }
  return width;
}

// Writes the words as NumPy's U: as many characters of 32 bits as the longest has.
static void results_write_words(FILE *file, const struct results *results) {
  size_t width = results_word_width(results), characters;
  const uint32_t none = 0;
  for (uint64_t i = 0; i < results->count && !ferror(file); i++) {
    take_word(results, i, file, &characters);
    for (; characters < width; characters++)
      fwrite(&none, sizeof none, 1, file);
  }
}

// ---------------------------------------------------------------- As .npy

enum { PREAMBLE = 10, ALIGNMENT = 64, ENTRY_SIZE = PART_NAME_SIZE + 16 };

// The dtype such as "<f4"; for a vector the dtype of its component.
static void write_dtype(clred_type type, char *text, size_t size) {
  const clred_type_info info = type_info(type);
  // NumPy has no bfloat16. A selection writes its bits as uint16.
  char kind = type == CLRED_TYPE_BFLOAT16 ? 'u'
              : info.is_complex           ? 'c'
              : info.floating             ? 'f'
              : info.is_signed            ? 'i'
                                          : 'u';
  size_t bytes = info.is_complex ? info.size : value_size(info.component);
  snprintf(text, size, "'%c%c%zu'", bytes == 1 ? '|' : host_is_big_endian() ? '>' : '<', kind, bytes);
}

// The descr of the header: a dtype, or a list of named ones. A complex number is one value.
static char *make_descr(const struct results *results) {
  size_t room = 3 + results->part_count * ENTRY_SIZE, length = 0;
  char dtype[16], *text = malloc(room);
  if (text == NULL)
    return NULL;
  if (results->words != NULL) {
    snprintf(text, room, "'%cU%zu'", host_is_big_endian() ? '>' : '<', results_word_width(results));
    return text;
  }
  if (!results_named(results) || results->type != CLRED_TYPE_NONE) {
    write_dtype(results->type, text, room);
    return text;
  }
  for (size_t i = 0; i < results->part_count; i++) {
    write_dtype(results->parts[i].type, dtype, sizeof dtype);
    length += (size_t)snprintf(text + length, room - length, "%s('%s', %s)", i == 0 ? "[" : ", ",
                               results->parts[i].name, dtype);
  }
  strcpy(text + length, "]");
  return text;
}

// The shape as a Python tuple. A vector adds an axis.
static void write_shape(const struct results *results, const struct layout *layout, char *text) {
  clred_type_info info = {.components = 1};
  unsigned dimensions = layout->dimensions;
  if (!results_named(results))
    clred_type_inspect(results->type, &info);
  *text++ = '(';
  for (unsigned i = 0; i < layout->dimensions; i++)
    text += sprintf(text, "%s%" PRIu64, i == 0 ? "" : ", ", layout->shape[i]);
  if (info.components > 1)
    text += sprintf(text, "%s%u", dimensions++ == 0 ? "" : ", ", (unsigned)info.components);
  strcpy(text, dimensions == 1 ? ",)" : ")");
}

int results_write_header(FILE *file, const struct results *results, const struct layout *layout, size_t *size) {
  char shape[(NPY_DIMENSIONS_MAX + 1) * 22 + 4];
  char *descr = make_descr(results);
  if (descr == NULL)
    return fail_memory();
  write_shape(results, layout, shape);
  const char format[] = "{'descr': %s, 'fortran_order': False, 'shape': %s, }";
  size_t length = (size_t)snprintf(NULL, 0, format, descr, shape) + 1;
  size_t whole = (PREAMBLE + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *size = whole > *size ? whole : *size;
  size_t padded = *size - PREAMBLE;
  fprintf(file, "\x93NUMPY%c%c%c%c", 1, 0, (int)(padded & 0xff), (int)(padded >> 8 & 0xff));
  fprintf(file, format, descr, shape);
  fprintf(file, "%*s\n", (int)(padded - length), "");
  free(descr);
  return EXIT_DONE;
}

// A vector of 3 has a fourth component in memory but not in the file.
static size_t size_in_file(clred_type type) {
  const clred_type_info info = type_info(type);
  return value_size(info.component) * info.components;
}

static bool write_result(FILE *file, const struct results *results, uint64_t index) {
  bool written = true;
  for (size_t i = 0; i < results->part_count && written; i++)
    written = fwrite(results_part(results, index, i), size_in_file(results->parts[i].type), 1, file) == 1;
  return written;
}

size_t results_size_in_file(const struct results *results) {
  size_t size = 0;
  for (size_t i = 0; i < results->part_count; i++)
    size += size_in_file(results->parts[i].type);
  return size;
}

// True if results have no gaps in memory.
static bool is_gapless(const struct results *results) {
  return results_size_in_file(results) == results->size;
}

void results_write_bytes(FILE *file, const struct results *results) {
  if (results->words != NULL)
    results_write_words(file, results);
  else if (is_gapless(results))
    fwrite(results->bytes, results->size, (size_t)results->count, file);
  else
    for (uint64_t i = 0; i < results->count; i++)
      if (!write_result(file, results, i))
        break;
}

// Writes a .npy array of the layout's shape. A vector adds an axis, parts become a structured dtype. The file appears
// complete or not at all. `option` named the path. Words must have passed results_check_keys. Returns an exit code.
static int results_write(const struct results *results, const struct layout *layout, const char *option,
                         const char *path) {
  struct output output;
  size_t header = 0;
  int code = output_open(&output, option, path);
  code = code ? code : results_write_header(output.file, results, layout, &header);
  if (!code)
    results_write_bytes(output.file, results);
  return output_close(&output, code);
}

// ---------------------------------------------------------------- As .npy, piece by piece

// Writes .npy piece by piece, and the header again at the end. For a pipe the pieces go to a temporary file, which is
// copied at the end: so the pipe gets nothing if the work fails.

enum { PIECE = 1 << 20 };

static int cannot(const struct results_file *file) {
  const bool kept = file->data == NULL || (file->data != file->output.file && ferror(file->data));
  if (kept)
    return fail(EXIT_WORK_FAILED,
                "%s %s: cannot keep the results in a temporary file: %s; set TMPDIR to a directory with room",
                file->output.option, file->output.path, strerror(errno));
  return fail(EXIT_WORK_FAILED, "%s %s: cannot write: %s", file->output.option, file->output.path, strerror(errno));
}

int results_file_open(struct results_file *file, const struct results *results, const struct layout *layout,
                      const char *option, const char *path, bool text) {
  file->data = NULL;
  file->header = 0;
  file->text = text;
  int code = output_open(&file->output, option, path);
  if (code)
    return code;
  file->data = file->output.temporary != NULL ? file->output.file : output_without_name();
  if (file->data == NULL)
    return cannot(file);
  return text ? EXIT_DONE : results_write_header(file->data, results, layout, &file->header);
}

int results_file_append(struct results_file *file, const struct results *results) {
  if (file->text)
    results_write_lines(file->data, results);
  else
    results_write_bytes(file->data, results);
  return ferror(file->data) ? cannot(file) : EXIT_DONE;
}

static int copy(struct results_file *file) {
  char *piece = malloc(PIECE);
  size_t got;
  if (piece == NULL)
    return fail_memory();
  rewind(file->data);
  do {
    got = fread(piece, 1, PIECE, file->data);
  } while (fwrite(piece, 1, got, file->output.file) == got && got == PIECE);
  free(piece);
  return ferror(file->data) || ferror(file->output.file) ? cannot(file) : EXIT_DONE;
}

static int finish(struct results_file *file, const struct results *results, const struct layout *layout) {
  int code = EXIT_DONE;
  if (!file->text && fseek(file->data, 0, SEEK_SET) != 0)
    return cannot(file);
  if (!file->text)
    code = results_write_header(file->data, results, layout, &file->header);
  if (!code && fflush(file->data) != 0)
    code = cannot(file);
  return !code && file->data != file->output.file ? copy(file) : code;
}

int results_file_close(struct results_file *file, const struct results *results, const struct layout *layout,
                       int code) {
  if (file->output.path == NULL)
    return code;
  code = code ? code : finish(file, results, layout);
  if (file->data != NULL && file->data != file->output.file)
    fclose(file->data);
  return output_close(&file->output, code);
}

// ---------------------------------------------------------------- As text

// Prints results as text. A terminal shows aligned columns below their names; programs get results alone, with a space
// between columns.

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

// ---- Aligned lines

struct cell {
  const char *begin;
  size_t length;
  int width;  // in characters of UTF-8
  bool last;  // of its line
};

struct table {
  const char *begin, *end;
  size_t columns;
  bool labelled;  // the first column has labels
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

static size_t count_cells(const struct table *table) {
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
    table->words[column] = (table->labelled && column == 0) || table->words[column] || (lines > 0 && !is_number(&cell));
  }
  return true;
}

static void print_table(const struct table *table) {
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

int lines_print(const char *text, size_t size, bool labelled) {
  struct table table = {.begin = text, .end = text + size, .labelled = labelled};
  if (!isatty(STDOUT_FILENO)) {
    fwrite(text, 1, size, stdout);
    return EXIT_DONE;
  }
  table.columns = count_cells(&table);
  table.widths = calloc(table.columns, sizeof *table.widths);
  table.words = calloc(table.columns, sizeof *table.words);
  const bool room = table.widths != NULL && table.words != NULL;
  if (room && measure(&table))
    print_table(&table);
  else if (room)
    fwrite(text, 1, size, stdout);
  free(table.widths);
  free(table.words);
  return room ? EXIT_DONE : fail_memory();
}

// ---- Lists

static void put_part(FILE *file, const struct results *results, uint64_t index, size_t part) {
  char text[VALUE_TEXT_SIZE];
  if (results->words != NULL) {
    put_word(file, results, index);
    return;
  }
  value_text(results->parts[part].type, results_part(results, index, part), text);
  fputs(text, file);
}

// Writes what stands between two columns, and nothing before the first.
static void put_between(FILE *file, char between, size_t *column) {
  if ((*column)++ > 0)
    fputc(between, file);
}

static uint64_t results_per_line(const struct results *results) {
  return results->per_line > 0 ? results->per_line : 1;
}

static size_t count_columns(const struct results *results, const struct results *keys) {
  size_t count = results->part_count * results_per_line(results);
  for (; keys != NULL; keys = keys->next)
    count++;
  return count;
}

// Writes lines: the label, the keys, unless there are none, and all parts of the results of one line.
static void write_list(FILE *file, const struct results *results, const struct results *keys, char between,
                       const char *label) {
  const uint64_t per_line = results_per_line(results);
  for (uint64_t row = 0; row < results->count / per_line; row++) {
    size_t column = 0;
    fputs(label, file);
    for (const struct results *key = keys; key != NULL; key = key->next) {
      put_between(file, between, &column);
      put_part(file, key, row, 0);
    }
    for (uint64_t i = 0; i < per_line * results->part_count; i++) {
      put_between(file, between, &column);
      put_part(file, results, row * per_line + i / results->part_count, i % results->part_count);
    }
    fputc('\n', file);
  }
}

// Writes the names of these columns.
static void write_heading(FILE *file, const struct results *results, const struct results *keys, char between,
                          const char *label) {
  size_t column = 0;
  fputs(label, file);
  for (; keys != NULL; keys = keys->next) {
    const char *title = keys->title != NULL ? keys->title : "key";
    put_between(file, between, &column);
    quote_put(file, title, strlen(title));
  }
  for (uint64_t i = 0; i < results_per_line(results) * results->part_count; i++) {
    const char *name = results->parts[i % results->part_count].name;
    put_between(file, between, &column);
    quote_put(file, name, strlen(name));
  }
  fputc('\n', file);
}

// On a terminal, aligned below the names of the parts.
static int show_list(const struct results *results, const struct results *keys, char between) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return fail_memory();
  if (results_named(results))
    write_heading(file, results, keys, between, "");
  write_list(file, results, keys, between, "");
  int code = fclose(file) == 0 ? lines_print(text, size, false) : fail_memory();
  free(text);
  return code;
}

static int print_list(const struct lines *lines, const struct results *results, const struct results *keys,
                      char between) {
  const bool is_labelled = *lines->label != '\0';
  const bool is_shown = count_columns(results, keys) > 1 && isatty(STDOUT_FILENO);
  if (is_shown && !is_labelled && isatty(fileno(lines->file)))
    return show_list(results, keys, between);
  if (is_shown && is_labelled && lines->first && results_named(results))
    write_heading(lines->file, results, keys, between, lines->heading);
  write_list(lines->file, results, keys, between, lines->label);
  return EXIT_DONE;
}

char *results_keys_text(const struct results *keys, uint64_t row) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  for (; keys != NULL && file != NULL; keys = keys->next) {
    put_part(file, keys, row, 0);
    fputs(keys->next != NULL ? " " : "", file);
  }
  if (file == NULL || fclose(file) == 0)
    return text;
  free(text);
  return NULL;
}

int results_print(const struct results *results, const struct results *keys, bool listed, const struct lines *lines) {
  if (listed || *lines->label != '\0')
    return print_list(lines, results, keys, ' ');
  print_parts(lines->file, results);
  return EXIT_DONE;
}

// ---- For --output

bool results_want_text(const struct args *args, const char *path) {
  return args->text || (output_is_standard(path) && isatty(STDOUT_FILENO));
}

// Writes results as lines. The file keeps the error if that fails.
static void results_write_lines(FILE *file, const struct results *results) {
  write_list(file, results, NULL, ' ', "");
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
  const struct lines lines = {.file = output.file, .label = "", .first = true};
  code = code ? code : print_list(&lines, results, keys, between_in(path));
  return output_close(&output, code);
}

// ---------------------------------------------------------------- Results: memory, parts, JSON

// Returns the part's name without the operator: "index", also for the name "argmin_index" in a list.
static const char *own_name(const clred_part *source, const char *const *words) {
  clred_op_info row;
  const char *name = source->name;
  if (words != NULL && clred_op_inspect(source->op, &row) == CL_SUCCESS)
    name += strlen(row.name);
  return words != NULL && *name == '_' ? name + 1 : name;
}

// Each operator is in a list once, so exactly one of the user's words means it.
static void name_listed(struct part *part, const clred_part *source, const char *own, const char *const *words) {
  while (clred_op_from_name(*words) != source->op)
    words++;
  part->op = source->op;
  part->word = strlen(*words);
  snprintf(part->name, sizeof part->name, "%s%s%s", *words, *own == '\0' ? "" : "_", own);
}

static int take_part(struct results *results, const clred_plan *plan, size_t index, bool checked,
                     const char *const *words) {
  clred_part source;
  cl_int status = clred_plan_part(plan, index, &source);
  struct part *part = &results->parts[results->part_count];
  if (status != CL_SUCCESS)
    return fail_library(status, "clred_plan_part");
  const char *own = own_name(&source, words);
  if (checked && strcmp(own, "overflow") == 0) {
    results->overflows[results->overflow_count++] = source.offset;
    return EXIT_DONE;
  }
  if (words == NULL)
    snprintf(part->name, sizeof part->name, "%s", source.name);
  else
    name_listed(part, &source, checked ? "" : own, words);
  part->type = source.type;
  part->offset = source.offset;
  results->part_count++;
  return EXIT_DONE;
}

static void take_type(struct results *results, clred_type type) {
  results->type = type;
  results->type_name = type_name(type);
}

// A checked sum has the parts value and overflow. take_part leaves out overflow, so one value is left.
static void resolve_checked(struct results *results) {
  if (results->part_count != 1)
    return;
  *results->parts[0].name = '\0';
  take_type(results, results->parts[0].type);
}

static int make_room(struct results *results, uint64_t count) {
  results->count = count;
  results->bytes = count > SIZE_MAX / results->size ? NULL : calloc(count == 0 ? 1 : (size_t)count, results->size);
  if (results->bytes == NULL)
    return fail(EXIT_WORK_FAILED, "not enough memory for %llu results of %zu bytes", (unsigned long long)count,
                results->size);
  return EXIT_DONE;
}

int results_make(struct results *results, const clred_plan *plan, const clred_plan_info *info, uint64_t count,
                 bool checked, const char *const *words) {
  *results = (struct results){.size = info->result_size};
  if (info->parts == 0)
    return fail(EXIT_BAD_USE, "the result is a struct that only the preamble knows; name its members, as in "
                              "--result '{ float re; float im; }', or make lower return a number");
  results->parts = calloc(info->parts, sizeof *results->parts);
  if (results->parts == NULL)
    return fail_memory();
  take_type(results, info->result_type);
  int code = EXIT_DONE;
  for (size_t i = 0; i < info->parts && !code; i++)
    code = take_part(results, plan, i, checked, words);
  if (checked && words == NULL)
    resolve_checked(results);
  return code ? code : make_room(results, count);
}

int results_make_values(struct results *results, clred_type type, uint64_t count) {
  *results = (struct results){.size = value_size(type), .parts = calloc(1, sizeof *results->parts), .part_count = 1};
  if (results->parts == NULL)
    return fail_memory();
  results->parts[0].type = type;
  take_type(results, type);
  return make_room(results, count);
}

int results_make_like(struct results *results, const struct results *other) {
  *results = *other;
  results->bytes = NULL;
  results->parts = malloc(other->part_count * sizeof *other->parts);
  if (results->parts == NULL)
    return fail_memory();
  memcpy(results->parts, other->parts, other->part_count * sizeof *other->parts);
  return make_room(results, other->count);
}

int results_make_more(struct results *results, uint64_t count) {
  free(results->bytes);
  return make_room(results, count);
}

void results_release(struct results *results) {
  free(results->parts);
  free(results->bytes);
  *results = (struct results){0};
}

void *results_at(const struct results *results, uint64_t index) {
  return results->bytes + index * results->size;
}

uint64_t results_last(const struct results *results) {
  return results->count == 0 ? 0 : results->count - 1;
}

const void *results_part(const struct results *results, uint64_t index, size_t part) {
  return (const char *)results_at(results, index) + results->parts[part].offset;
}

// True if the exact sum did not fit.
static bool results_overflowed(const struct results *results, uint64_t index) {
  cl_uint overflow, any = 0;
  for (size_t i = 0; i < results->overflow_count; i++) {
    memcpy(&overflow, (const char *)results_at(results, index) + results->overflows[i], sizeof overflow);
    any |= overflow;
  }
  return any != 0;
}

int results_check_overflows(const struct results *results) {
  for (uint64_t i = 0; results->overflow_count > 0 && i < results->count; i++)
    if (results_overflowed(results, i))
      return fail(EXIT_WORK_FAILED, "--overflow detect: one of the results does not fit its type (CLRED_OVERFLOW)");
  return EXIT_DONE;
}

const char *part_own_name(const struct part *part) {
  const char *name = part->name + part->word;
  return part->word > 0 && *name == '_' ? name + 1 : name;
}

// True if the parts have names.
static bool results_named(const struct results *results) {
  return *results->parts[0].name != '\0';
}

bool results_same(const struct results *a, const struct results *b, uint64_t index) {
  if (memcmp(results_at(a, index), results_at(b, index), a->size) == 0)
    return true;
  for (size_t i = 0; i < a->part_count; i++)
    if (!value_same(a->parts[i].type, results_part(a, index, i), results_part(b, index, i)))
      return false;
  return true;
}

char *results_text(const struct results *results, uint64_t index, const char *between) {
  size_t room = results->part_count * (VALUE_TEXT_SIZE + strlen(between)) + 1;
  char *text = calloc(room, 1), *at = text;
  for (size_t i = 0; i < results->part_count && text != NULL; i++) {
    if (i > 0)
      strcpy(at, between);
    value_text(results->parts[i].type, results_part(results, index, i), at + strlen(at));
    at += strlen(at);
  }
  return text;
}

// Returns the operator's object within the JSON object of a list. Creates it at the first part of the operator.
static cJSON *operator_object(cJSON *object, const struct part *part) {
  char word[PART_NAME_SIZE];
  snprintf(word, sizeof word, "%.*s", (int)part->word, part->name);
  cJSON *inner = cJSON_GetObjectItemCaseSensitive(object, word);
  return inner != NULL ? inner : cJSON_AddObjectToObject(object, word);
}

// The keys of a row that has several.
static cJSON *keys_json(const struct results *keys, uint64_t index) {
  cJSON *list = cJSON_CreateArray();
  for (; keys != NULL; keys = keys->next) {
    struct results one = *keys;
    one.next = NULL;
    cJSON_AddItemToArray(list, results_one_json(&one, index));
  }
  return list;
}

cJSON *results_one_json(const struct results *results, uint64_t index) {
  if (results->next != NULL)
    return keys_json(results, index);
  if (results->words != NULL)
    return results_word_json(results, index);
  if (!results_named(results))
    return json_value(results->parts[0].type, results_part(results, index, 0));
  cJSON *object = cJSON_CreateObject();
  for (size_t i = 0; i < results->part_count; i++) {
    const struct part *part = &results->parts[i];
    const void *value = results_part(results, index, i);
    if (part->word == 0 || *part_own_name(part) == '\0')
      json_add_value(object, part->name, part->type, value);
    else
      json_add_value(operator_object(object, part), part_own_name(part), part->type, value);
  }
  return object;
}

cJSON *results_json(const struct results *results, bool listed) {
  if (!listed)
    return results_one_json(results, 0);
  cJSON *list = cJSON_CreateArray(), *row = list;
  for (uint64_t i = 0; i < results->count; i++) {
    if (results->per_line > 0 && i % results->per_line == 0)
      cJSON_AddItemToArray(list, row = cJSON_CreateArray());
    cJSON_AddItemToArray(row, results_one_json(results, i));
  }
  return list;
}
