// Reads text of columns: the delimiter and the header, rows, and the elements of the wanted columns.
#include "input/text_table.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/number.h"
#include "base/wrap.h"
#include "cli/args.h"

// The words of --missing, --header and --quote, in their order.
enum { MISSING_ERROR, MISSING_SKIP, MISSING_NAN };
enum { HEADER_AUTO, HEADER_YES, HEADER_NO };
enum { QUOTE_DOUBLE, QUOTE_NONE };

// The fields of one row. `fields` counts them up to this one.
struct text_walk {
  struct text_split split;
  struct text_field field;
  uint64_t fields;
  enum text_step step;
};

// ---------------------------------------------------------------- What is wrong with a text: the file, the line, the
// column, and what to do

enum { LABEL_SIZE = 100, EXCERPT_SIZE = 40 };

// The number of the line, from 1, of a byte in the row that is read.
static uint64_t text_line_of(const struct text_table *table, const char *at) {
  uint64_t line = table->row_line + 1;
  for (const char *byte = table->window + table->row; byte < at; byte++)
    line += *byte == '\n';
  return line;
}

// True if the row that was split last has a line end.
static bool text_row_ends(const struct text_table *table) {
  const size_t at = table->split.at;
  return at > 0 && table->window[at - 1] == '\n';
}

static const char *label(const struct text_table *table, uint64_t place, char text[LABEL_SIZE]) {
  const char *name = "";
  for (size_t i = 0; i < table->wanted; i++)
    if (table->list[i].place == place)
      name = table->list[i].name;
  snprintf(text, LABEL_SIZE, *name == '\0' ? "column %llu" : "column %llu (%s)", (unsigned long long)place + 1, name);
  return text;
}

// A message about a field, which `place` names.
static int fail_in(const struct text_table *table, uint64_t line, uint64_t place, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

static int fail_in(const struct text_table *table, uint64_t line, uint64_t place, const char *format, ...) {
  char message[FAIL_MESSAGE_SIZE], column[LABEL_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s", table->stream->name, (unsigned long long)line,
              label(table, place, column), message);
}

static int text_wrong_step(const struct text_table *table, enum text_step step, const struct text_field *field,
                           uint64_t place) {
  static const char *const messages[] = {
    [TEXT_ZERO] = "a byte of 0 is no text; convert the file, or give --type TYPE and --format raw for raw elements",
    [TEXT_OPEN_QUOTE] = "the quote is never closed; close it, or double it if it is part of the text",
    [TEXT_AFTER_QUOTE] = "there is text after the closing quote; double the quotes within a quoted field"};
  return fail_in(table, text_line_of(table, field->begin), place, "%s", messages[step]);
}

static const char *excerpt(const struct text_field *field, char text[EXCERPT_SIZE]) {
  if (text_field_copy(field, text, EXCERPT_SIZE) >= EXCERPT_SIZE)
    memcpy(text + EXCERPT_SIZE - 4, "...", 4);
  return text;
}

// What to do about a field that is no number.
static const char *remedy_of(const struct text_table *table, const struct text_field *field) {
  if (memchr(field->begin, ',', (size_t)(field->end - field->begin)) != NULL)
    return "numbers have a decimal point and no separators of thousands";
  return *table->hint != '\0' ? table->hint : "correct it, or choose another --column";
}

// The column as column:NAME and its like name it.
static const char *key_name(const struct text_column *column, char text[LABEL_SIZE]) {
  snprintf(text, LABEL_SIZE, "%llu", (unsigned long long)column->place + 1);
  return *column->name == '\0' ? text : column->name;
}

static int wrong_key(const struct text_table *table, const struct text_column *column, uint64_t line, const char *text,
                     bool is_number) {
  char space[LABEL_SIZE];
  const char *name = key_name(column, space);
  if (column->use == TEXT_PLAIN_KEYS)
    return fail_in(table, line, column->place, "the key '%s' is no plain %s, as the first key is; give text:%s%s%s",
                   text, column->type.name, name, is_number ? ", or double:" : "", is_number ? name : "");
  return fail_in(table, line, column->place, "the key '%s' is %s; correct it, or give text:%s", text,
                 is_number ? "outside the range of double" : "not a number", name);
}

// "" if there is no type for a whole number.
static const char *exact_type(const struct text_field *field) {
  uint64_t bits;
  if (text_reader_of(CLRED_TYPE_LONG)(field->begin, field->end, &bits) == TEXT_NUMBER)
    return "--type long, or ";
  return text_reader_of(CLRED_TYPE_ULONG)(field->begin, field->end, &bits) == TEXT_NUMBER ? "--type ulong, or " : "";
}

static int text_wrong_number(const struct text_table *table, const struct text_column *column,
                             const struct text_field *field, enum text_verdict verdict) {
  char text[EXCERPT_SIZE];
  double value;
  const bool is_number = text_reader_of(CLRED_TYPE_DOUBLE)(field->begin, field->end, &value) != TEXT_NO_NUMBER;
  const uint64_t line = text_line_of(table, field->begin), place = column->place;
  excerpt(field, text);
  if (column->use != TEXT_ELEMENTS)
    return wrong_key(table, column, line, text, is_number);
  if (verdict == TEXT_ROUNDED)
    return fail_in(table, line, place, "%s is no exact double; give %s--type double to round it", text,
                   exact_type(field));
  if (verdict == TEXT_TOO_LARGE)
    return fail_in(table, line, place, "%s is outside the range of %s; %s", text, column->type.name,
                   column->type.type == CLRED_TYPE_DOUBLE ? "correct it" : "give a larger --type");
  if (is_number)
    return fail_in(table, line, place, "%s is not a whole number, as %s needs; give --type double", text,
                   column->type.name);
  return fail_in(table, line, place, "'%s' is not a number; %s", text, remedy_of(table, field));
}

// Prints a note that the first line could be read in two ways. It is taken as a header because `name` is above numbers,
// although `below`, another field of it, is a number. If `below` is NULL, it is taken as data because `name` is above
// text.
static void text_note_header(const struct text_table *table, const struct text_field *name,
                             const struct text_field *below) {
  char message[FAIL_MESSAGE_SIZE], one[EXCERPT_SIZE], other[EXCERPT_SIZE];
  const unsigned long long line = table->first.lines + 1;
  if (table->options.quiet)
    return;
  if (below == NULL)
    snprintf(message, sizeof message,
             "%s: line %llu is taken as data because '%s' is above text; if it is a header, give --header yes, else "
             "--header no",
             table->stream->name, line, excerpt(name, one));
  else
    snprintf(message, sizeof message,
             "%s: line %llu is taken as a header because '%s' is above numbers, but %s could be data; if it is data, "
             "give --header no, else --header yes",
             table->stream->name, line, excerpt(name, one), excerpt(below, other));
  note(message);
}

// "" if the rows look as they should.
static const char *remedy_of_length(const struct text_table *table, uint64_t fields) {
  if (*table->hint != '\0')
    return table->hint;
  if (table->split.delimiter == ',' && table->columns == 1)
    return "numbers have a decimal point";
  if (fields >= table->columns)
    return "";
  if (!text_row_ends(table))
    return "its line has no end, so the text may be cut";
  if (table->split.delimiter == ' ' && *table->list[0].name != '\0')
    return "if names in the first line have blanks, leave it out, as tail -n +2 does, and give --column K";
  return "if its last values are missing, give --missing skip or --missing nan";
}

static int text_wrong_length(const struct text_table *table, uint64_t fields) {
  const char delimiter[] = {table->split.delimiter, '\0'}, *remedy = remedy_of_length(table, fields);
  return fail(EXIT_BAD_USE, "%s: line %llu has %llu field%s, but line %llu has %llu; the delimiter is '%s'%s%s",
              table->stream->name, (unsigned long long)table->row_line + 1, (unsigned long long)fields,
              fields == 1 ? "" : "s", (unsigned long long)table->first.lines + 1, (unsigned long long)table->columns,
              *delimiter == '\t' ? "tab" : delimiter, *remedy != '\0' ? "; " : "", remedy);
}

// ---------------------------------------------------------------- Rows

// ROW_CUT: more text is needed to see the end of the row. ROW_FAILED: the message is written. ROW_NO_MEMORY: it is
// not.
enum row { ROW_TAKEN, ROW_LEFT_OUT, ROW_EMPTY, ROW_CUT, ROW_FAILED, ROW_NO_MEMORY };

static int text_table_begin(struct text_table *table);
static int text_table_fill(struct text_table *table, size_t keep);

// True if the field is a word of the list, in any case.
static bool is_listed(const char *list, const struct text_field *field) {
  const char *word;
  for (size_t length; list_next(&list, ",", &word, &length);)
    if (length == (size_t)(field->end - field->begin) && strncasecmp(word, field->begin, length) == 0)
      return true;
  return false;
}

// Without blanks, and -nan without its sign.
static struct text_field as_word(const struct text_field *field) {
  struct text_field word = *field;
  text_field_trim(&word);
  word.begin += word.end - word.begin == 4 && strncasecmp(word.begin, "-nan", 4) == 0;
  return word;
}

// True for empty text, NA, N/A, null, NaN and the words of --missing-values, in any case.
static bool text_is_missing(const struct text_table *table, const struct text_field *field) {
  const struct text_field word = as_word(field);
  return word.begin == word.end || is_listed("na,n/a,null,nan", &word) ||
         is_listed(table->options.missing_values, &word);
}

// True if the field of a number is a missing value: it is listed, or is NaN and those are left out.
static inline bool is_missing_number(const struct text_table *table, const struct text_column *column,
                                     const struct text_field *field) {
  const bool may_be = table->checks_numbers || (field->end > field->begin && (field->end[-1] | ' ') == 'n');
  if (!may_be || column->use == TEXT_ROWS)
    return false;
  const struct text_field word = as_word(field);
  return is_listed(table->options.missing_values, &word) || (table->missing == MISSING_SKIP && is_listed("nan", &word));
}

// ---- Rows that are left out

static bool add_gap(struct text_gaps *gaps, uint64_t taken) {
  const uint64_t left_out = gaps->count == 0 ? 0 : gaps->list[gaps->count - 1].left_out;
  if (!list_grow(&gaps->list, &gaps->room, gaps->count + 1, sizeof *gaps->list))
    return false;
  gaps->count += gaps->count == 0 || gaps->list[gaps->count - 1].taken != taken;
  gaps->list[gaps->count - 1] = (struct text_gap){taken, left_out + 1};
  return true;
}

uint64_t text_row_number(const struct text_gaps *gaps, uint64_t element) {
  size_t low = 0, high = gaps->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (gaps->list[middle].taken <= element)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? element : element + gaps->list[low - 1].left_out;
}

// ---- Comments

static bool text_is_comment(const struct text_table *table, const struct text_split *split) {
  size_t at = split->at;
  if (table->comment < 0)
    return false;
  while (at < split->size && (split->bytes[at] == ' ' || (split->bytes[at] == '\t' && split->delimiter != '\t')))
    at++;
  return at < split->size && (unsigned char)split->bytes[at] == table->comment;
}

// Moves past lines of comments. False if the text ends within one.
static bool text_skip_comments(const struct text_table *table, struct text_split *split) {
  while (text_is_comment(table, split)) {
    const char *begin = split->bytes + split->at, *end = memchr(begin, '\n', split->size - split->at);
    if (end == NULL && !split->ends)
      return false;
    text_split_from(split, end == NULL ? split->size : (size_t)(end + 1 - split->bytes));
    split->lines += end != NULL;
  }
  return true;
}

// ---- Fields

static enum row take_missing(struct text_table *table, struct text_column *column, uint64_t line) {
  static const char nan[] = "nan";
  if (table->missing == MISSING_SKIP)
    return ROW_LEFT_OUT;
  if (table->missing == MISSING_NAN && column->read(nan, nan + 3, column->to) == TEXT_NUMBER)
    return ROW_TAKEN;
  fail_in(table, line, column->place, "%s",
          column->use == TEXT_ELEMENTS ? "the value is missing; give --missing skip or --missing nan"
                                       : "the key is missing; give --missing skip");
  return ROW_FAILED;
}

// The word without its quotes; a doubled quote is one.
static bool number_word(struct words *words, const struct text_field *field, uint32_t *to) {
  size_t length = (size_t)(field->end - field->begin);
  if (!field->quoted || memchr(field->begin, '"', length) == NULL)
    return words_number(words, field->begin, length, to);
  char *text = malloc(length + 1);
  bool done = text != NULL && words_number(words, text, text_field_copy(field, text, length + 1), to);
  free(text);
  return done;
}

static enum row take_word(struct text_table *table, struct text_column *column, const struct text_field *field) {
  uint32_t word;
  if (!number_word(&column->words, field, &word))
    return ROW_NO_MEMORY;
  memcpy(column->to, &word, sizeof word);
  if (words_fit(&column->words))
    return ROW_TAKEN;
  fail_in(table, text_line_of(table, field->begin), column->place,
          "more than %d different keys, or %d bytes of them; split the file", WORDS_MAX, WORDS_BYTES_MAX);
  return ROW_FAILED;
}

// Takes a field that is not simply a number: it has blanks around it, or is a missing value, a word or wrong.
static enum row take_other(struct text_table *table, struct text_column *column, struct text_field *field) {
  text_field_trim(field);
  enum text_verdict verdict = column->read(field->begin, field->end, column->to);
  if (verdict == TEXT_NUMBER && !is_missing_number(table, column, field))
    return ROW_TAKEN;
  const bool is_word = column->use == TEXT_WORDS;  // "NA" in quotes is a word, too
  if (is_word && field->quoted ? field->begin == field->end : text_is_missing(table, field))
    return take_missing(table, column, text_line_of(table, field->begin));
  if (is_word)
    return take_word(table, column, field);
  text_wrong_number(table, column, field, verdict);
  return ROW_FAILED;
}

static inline enum row take_field(struct text_table *table, struct text_column *column, struct text_field *field) {
  bool good = column->read(field->begin, field->end, column->to) == TEXT_NUMBER;
  return good && !is_missing_number(table, column, field) ? ROW_TAKEN : take_other(table, column, field);
}

// If the delimiter is a blank, blanks may follow the last field. Then `last` is empty, but the row is not.
static bool is_empty(enum text_step step, uint64_t count, const struct text_field *last) {
  return step == TEXT_LAST && count == 1 && last->begin == last->end;
}

// Handles a row that is not complete: it is empty or wrong, or more text must be read.
static enum row take_other_row(struct text_table *table, enum text_step step, uint64_t count,
                               const struct text_field *last) {
  if (step == TEXT_MORE)
    return ROW_CUT;
  if (step > TEXT_NO_FIELD)
    text_wrong_step(table, step, last, count);
  else if (is_empty(step, count, last) && !last->quoted)
    return ROW_EMPTY;
  else
    text_wrong_length(table, count);
  return ROW_FAILED;
}

// A row that lacks its last fields, which are missing values then. If its line has no end, the text may be cut in the
// middle of a number.
static bool is_short(const struct text_table *table, enum text_step step, uint64_t count,
                     const struct text_field *last) {
  return table->missing != MISSING_ERROR && step <= TEXT_NO_FIELD && count < table->columns &&
         !is_empty(step, count, last) && text_row_ends(table);
}

static void add_missing_fields(const struct text_table *table, uint64_t count, const struct text_field *last,
                               struct text_field *fields) {
  for (size_t i = 0; i < table->wanted; i++)
    if (table->places[i] >= count)
      fields[i] = (struct text_field){.begin = last->end, .end = last->end};
}

static enum row take_row(struct text_table *table) {
  struct text_field fields[TEXT_COLUMNS_MAX], last;
  enum row row = ROW_TAKEN;
  uint64_t count;
  enum text_step step = text_split_row(&table->split, table->places, fields, &count, &last);
  if (is_short(table, step, count, &last))
    add_missing_fields(table, count, &last, fields);
  else if (step > TEXT_NO_FIELD || count != table->columns || is_empty(step, count, &last))
    return take_other_row(table, step, count, &last);
  for (size_t i = 0; i < table->wanted; i++) {
    enum row taken = take_field(table, table->by_place[i], &fields[i]);
    if (taken >= ROW_FAILED)
      return taken;
    row = taken == ROW_LEFT_OUT ? taken : row;
  }
  return row;
}

// ---- The row as a whole

static void back_to_row(struct text_table *table) {
  text_split_from(&table->split, table->row);
  table->split.lines = table->row_line;
}

// In a text of one column, an empty line is a missing value if a row follows. That row is read again afterwards.
static enum row take_empty_line(struct text_table *table) {
  enum row row = ROW_TAKEN;
  back_to_row(table);
  for (size_t i = 0; i < table->wanted && row == ROW_TAKEN; i++)
    row = take_missing(table, &table->list[i], table->row_line + 1 - table->empty_lines);
  table->empty_lines--;
  return row;
}

static enum row take_row_or_line(struct text_table *table) {
  const bool whole = text_skip_comments(table, &table->split);
  table->row = table->split.at;
  table->row_line = table->split.lines;
  enum row row = whole ? take_row(table) : ROW_CUT;
  table->split.cut = table->split.cut && row == ROW_CUT;
  if (row == ROW_EMPTY)
    table->empty_lines++;
  else if (row < ROW_CUT && table->empty_lines > 0 && table->columns == 1)
    row = take_empty_line(table);
  else if (row != ROW_CUT)
    table->empty_lines = 0;
  return row;
}

static int read_on(struct text_table *table) {
  back_to_row(table);
  int code = text_table_fill(table, table->row);
  text_split_from(&table->split, 0);
  return code;
}

// Takes rows whose wanted fields are simply numbers, and stops before any other row.
static uint64_t take_plain_rows(struct text_table *table, uint64_t most) {
  struct text_split *split = &table->split;
  struct text_field fields[TEXT_COLUMNS_MAX];
  uint64_t rows = 0;
  size_t row = table->row;
  for (bool plain = table->empty_lines == 0 && !table->has_words && table->rows == NULL; plain && rows < most;
       rows += plain) {
    size_t begin = split->at;
    plain = !text_is_comment(table, split) && text_split_plain(split, table->places, table->columns, fields);
    for (size_t i = 0; plain && i < table->wanted; i++) {
      const struct text_column *column = table->by_place[i];
      plain = column->read(fields[i].begin, fields[i].end, column->to + rows * column->type.size) == TEXT_NUMBER &&
              !is_missing_number(table, column, &fields[i]);
      if (!plain)
        text_split_from(split, begin), split->lines--;
    }
    row = plain ? begin : row;
  }
  table->row = row;
  for (size_t i = 0; i < table->wanted; i++)
    table->list[i].to += rows * table->list[i].type.size;
  return rows;
}

// ---- Rows as they stand in the text

static bool keep_row(struct text_rows *rows, const char *begin, const char *end) {
  const uint64_t used = rows->count > 0 ? rows->ends[rows->count - 1] : 0;
  const size_t length = (size_t)(end - begin);
  const bool is_open = length == 0 || end[-1] != '\n';
  if (!list_grow(&rows->bytes, &rows->room, used + length + 1, 1) ||
      !list_grow(&rows->ends, &rows->ends_room, rows->count + 1, sizeof *rows->ends))
    return false;
  memcpy(rows->bytes + used, begin, length);
  rows->bytes[used + length] = '\n';
  rows->ends[rows->count++] = used + length + is_open;
  return true;
}

void text_rows_release(struct text_rows *rows) {
  free(rows->bytes);
  free(rows->ends);
}

// ---- All rows

// Reads up to `most` rows: the elements of each column go to its `to`. `got` is smaller only at the end.
static int text_take_rows(struct text_table *table, uint64_t most, uint64_t *got) {
  for (*got = 0;;) {
    *got += take_plain_rows(table, most - *got);
    if (*got == most || text_split_done(&table->split))
      return EXIT_DONE;
    enum row row = take_row_or_line(table);
    if (row >= ROW_FAILED)
      return row == ROW_FAILED ? EXIT_BAD_USE : fail_memory();
    int code = row == ROW_CUT ? read_on(table) : EXIT_DONE;
    if (code)
      return code;
    if (row == ROW_LEFT_OUT && !add_gap(table->gaps, table->gaps->taken + *got))
      return fail_memory();
    if (row != ROW_TAKEN)
      continue;
    if (table->rows != NULL && !keep_row(table->rows, table->window + table->row, table->window + table->split.at))
      return fail_memory();
    for (size_t i = 0; i < table->wanted; i++)
      table->list[i].to += table->list[i].type.size;
    ++*got;
  }
}

// ---------------------------------------------------------------- The delimiter, the number of fields, the header

// ---- The comment mark and the delimiter

static int take_comment(const char *given, int *comment) {
  const bool wrong = strlen(given) != 1 || isalnum((unsigned char)*given) || strchr("+-.\" \t\r\n", *given) != NULL;
  *comment = (unsigned char)*given;
  return wrong ? fail(EXIT_BAD_USE, "--comment: '%s' cannot begin a comment; give one character, as '#'", given)
               : EXIT_DONE;
}

static int take_delimiter(const char *given, char *delimiter) {
  bool tab = strcmp(given, "tab") == 0 || strcmp(given, "\\t") == 0;
  bool wrong = strlen(given) != 1 || isalnum((unsigned char)*given) || strchr("+-.\"\r\n", *given) != NULL;
  *delimiter = tab ? '\t' : *given;
  if (!tab && wrong)
    return fail(EXIT_BAD_USE, "--delimiter: '%s' is not a delimiter; give one character, or tab, or ' ' for blanks",
                given);
  return EXIT_DONE;
}

// How often the first line has this byte outside quotes.
static uint64_t count_in_first_line(const struct text_table *table, char byte) {
  const char *at = table->window + table->first.at, *end = table->window + table->split.size;
  uint64_t count = 0;
  bool quoted = false;
  for (; at < end && (quoted || *at != '\n'); at++) {
    quoted = quoted != (*at == '"' && !table->split.unquoted);
    count += !quoted && *at == byte;
  }
  return count;
}

// Returns the delimiter that the first line has most often: a blank only if the line has none of the others, a comma if
// it has none at all. A number with a decimal comma is then refused.
static char find_delimiter(const struct text_table *table) {
  char found = ',';
  uint64_t most = 0;
  if (stream_is_named(table->stream, ".tsv"))
    return '\t';
  for (const char *at = ",\t;|"; *at != '\0'; at++) {
    uint64_t count = count_in_first_line(table, *at);
    found = count > most ? *at : found;
    most = count > most ? count : most;
  }
  bool blanks = most == 0 && !stream_is_named(table->stream, ".csv") && count_in_first_line(table, ' ') > 0;
  return blanks ? ' ' : found;
}

// ---- The fields of the first row

static struct text_walk text_walk_from(const struct text_split *row) {
  struct text_walk walk = {.split = *row, .step = TEXT_FIELD};
  text_split_from(&walk.split, walk.split.at);
  return walk;
}

// False after the last field, and if the row is wrong or not complete.
static bool text_walk_on(struct text_walk *walk) {
  if (walk->step != TEXT_FIELD)
    return false;
  walk->step = text_split_unread(&walk->split, walk->fields, &walk->field);
  walk->fields += walk->step <= TEXT_LAST;
  return walk->step <= TEXT_LAST;
}

// ---- Opening

static int fill_first(struct text_table *table) {
  uint64_t lines = table->first.lines;
  int code = text_table_fill(table, table->first.at);
  table->first = table->split;
  table->first.at = 0;
  table->first.lines = lines;
  return code;
}

static bool ends_line(const struct text_split *split) {
  return split->at < split->size && (split->bytes[split->at] == '\n' || split->bytes[split->at] == '\r');
}

// Moves past empty lines and comments. False if the text ends within one.
static bool skip_empty(const struct text_table *table, struct text_split *row) {
  while (ends_line(row) || text_is_comment(table, row))
    if (ends_line(row))
      row->lines += row->bytes[row->at++] == '\n';
    else if (!text_skip_comments(table, row))
      return false;
  return true;
}

// A mark of the byte order, empty lines, and comments.
static int skip_start(struct text_table *table) {
  static const char order_mark[] = "\xef\xbb\xbf";
  struct text_split *first = &table->first;
  int code = EXIT_DONE;
  *first = table->split;
  if (first->size >= 3 && memcmp(first->bytes, order_mark, 3) == 0)
    first->at = 3;
  while (!code && !skip_empty(table, first))
    code = fill_first(table);
  table->row = first->at;
  table->row_line = first->lines;
  return code;
}

// Reads on until the first row is complete, and counts its fields.
static int count_columns(struct text_table *table) {
  int code = EXIT_DONE;
  if (text_split_done(&table->first))
    return EXIT_DONE;
  for (;;) {
    struct text_walk walk = text_walk_from(&table->first);
    while (text_walk_on(&walk))
      ;
    table->second = walk.split;
    table->columns = walk.fields;
    if (walk.step <= TEXT_NO_FIELD)
      return EXIT_DONE;
    code = walk.step == TEXT_MORE ? fill_first(table) : text_wrong_step(table, walk.step, &walk.field, walk.fields);
    if (code)
      return code;
  }
}

// Without a line feed the whole text would be one header, and its sum 0.
static int refuse_bare_returns(const struct text_table *table) {
  for (struct text_walk walk = text_walk_from(&table->first); table->columns > 0 && text_walk_on(&walk);)
    if (!walk.field.quoted && memchr(walk.field.begin, '\r', (size_t)(walk.field.end - walk.field.begin)) != NULL)
      return fail(EXIT_BAD_USE,
                  "%s: line %llu, column %llu: has a carriage return without a line feed; convert the "
                  "line ends, as by tr '\\r' '\\n'",
                  table->stream->name, (unsigned long long)table->first.lines + 1, (unsigned long long)walk.fields);
  return EXIT_DONE;
}

// Messages about wrong rows end with this hint: the first row may have been misread.
static const char *find_hint(const struct text_table *table) {
  if (table->columns > 0 && table->window[table->first.at] == '#')
    return "if the first line is a comment, give --comment '#'";
  if (table->columns == 1 && count_in_first_line(table, ' ') > 0)
    return "if blanks separate the columns, give --delimiter ' '";
  return "";
}

// True if a word of the list is a number, so that numbers may be missing values.
static bool lists_numbers(const char *list) {
  const char *word;
  double value;
  for (size_t length; list_next(&list, ",", &word, &length);)
    if (text_reader_of(CLRED_TYPE_DOUBLE)(word, word + length, &value) != TEXT_NO_NUMBER)
      return true;
  return false;
}

static int take_options(struct text_table *table, char *delimiter) {
  const struct text_options *options = &table->options;
  size_t quote = QUOTE_DOUBLE;
  int code = args_take_word("missing", "word", options->missing, &table->missing);
  code = code ? code : args_take_word("header", "word", options->header, &table->header);
  code = code ? code : args_take_word("quote", "word", options->quote, &quote);
  table->split.unquoted = quote == QUOTE_NONE;
  table->checks_numbers = lists_numbers(options->missing_values);
  if (!code && options->comment != NULL)
    code = take_comment(options->comment, &table->comment);
  return code || options->delimiter == NULL ? code : take_delimiter(options->delimiter, delimiter);
}

int text_table_open(struct text_table **opened, struct stream *stream, const struct text_options *options,
                    struct text_gaps *gaps) {
  struct text_table *table = calloc(1, sizeof *table);
  char delimiter = 0;
  *opened = table;
  if (table == NULL)
    return fail_memory();
  *table = (struct text_table){.stream = stream, .options = *options, .users = 1, .hint = "", .comment = -1};
  table->gaps = gaps;
  int code = take_options(table, &delimiter);
  code = code ? code : text_table_fill(table, 0);
  code = code ? code : skip_start(table);
  if (code)
    return code;
  table->first.delimiter = table->split.delimiter = delimiter != 0 ? delimiter : find_delimiter(table);
  code = count_columns(table);
  if (table->split.delimiter == ' ' && table->columns > 1)
    table->first.rest = table->second.rest = table->split.rest = table->columns;
  table->hint = find_hint(table);
  return code ? code : refuse_bare_returns(table);
}

// ---- Whether the first row is a header

static enum text_verdict read_trimmed(text_reader *read, const struct text_field *field) {
  struct text_field trimmed = *field;
  number value;
  text_field_trim(&trimmed);
  return read(trimmed.begin, trimmed.end, &value);
}

static bool is_number(const struct text_field *field) {
  return read_trimmed(text_reader_of(CLRED_TYPE_DOUBLE), field) != TEXT_NO_NUMBER;
}

// A text that begins like a number is no name: it may be a number with a typing error.
static bool begins_as_number(const struct text_field *field) {
  struct text_field trimmed = *field;
  text_field_trim(&trimmed);
  return trimmed.begin < trimmed.end && strchr("0123456789+-.", *trimmed.begin) != NULL;
}

// NULL if the column is not read.
static const struct text_column *column_at(const struct text_table *table, uint64_t place) {
  for (size_t i = 0; i < table->wanted; i++)
    if (table->list[i].place == place && table->list[i].use != TEXT_ROWS)
      return &table->list[i];
  return NULL;
}

static struct text_walk walk_second(const struct text_table *table) {
  struct text_split row = table->second;
  skip_empty(table, &row);
  return text_walk_from(&row);
}

// True if the second row has more fields, which the last column takes: the first row may be no header.
static bool text_grows(const struct text_table *table) {
  if (table->first.rest == 0)
    return false;  // and a text without elements has no second row
  struct text_walk walk = walk_second(table);
  for (walk.split.rest = 0; text_walk_on(&walk);)
    ;
  return walk.fields > table->columns;
}

// What a column has below the first row: its first value decides.
enum below { NOTHING, NUMBERS, WORDS };

// Looks at the rows behind the first that the window holds, until each column has a value.
static unsigned char *look_below(const struct text_table *table) {
  enum { ROWS_MAX = 64 };
  unsigned char *below = calloc(table->columns, 1);
  struct text_walk walk = walk_second(table);
  uint64_t left = table->columns;
  for (int i = 0; i < ROWS_MAX && below != NULL && left > 0 && !text_split_done(&walk.split); i++) {
    while (text_walk_on(&walk))
      if (walk.fields <= table->columns && below[walk.fields - 1] == NOTHING && !text_is_missing(table, &walk.field)) {
        below[walk.fields - 1] = is_number(&walk.field) ? NUMBERS : WORDS;
        left--;
      }
    if (walk.step > TEXT_NO_FIELD || !text_skip_comments(table, &walk.split))
      break;
    walk = text_walk_from(&walk.split);
  }
  return below;
}

// Fields of the first row: a name above numbers, or in a column that is read as numbers; a number above numbers; and a
// text that may be data. `begin` is NULL if there is none.
struct contrast {
  struct text_field name, number, text;
};

static void note_field(struct text_field *found, const struct text_field *field) {
  if (found->begin == NULL)
    *found = *field;
}

static struct contrast compare_rows(const struct text_table *table, const unsigned char *below) {
  struct text_walk first = text_walk_from(&table->first);
  struct contrast found = {0};
  while (text_walk_on(&first)) {
    const struct text_column *column = column_at(table, first.fields - 1);
    const bool numbers = below[first.fields - 1] == NUMBERS || (column != NULL && column->use != TEXT_WORDS);
    if (text_is_missing(table, &first.field))
      continue;
    if (is_number(&first.field) || begins_as_number(&first.field))
      note_field(&found.number, &first.field);
    else
      note_field(numbers ? &found.name : &found.text, &first.field);
  }
  return found;
}

// The first row is a header if a column is named by the caller, or if some column has a name there and numbers below.
// Otherwise all of its fields could be data, so it is data.
static int find_header(const struct text_table *table, bool *header) {
  const bool given = table->named || table->header == HEADER_YES;
  *header = given && table->columns > 0;
  if (given || table->header == HEADER_NO || table->columns == 0)
    return EXIT_DONE;
  unsigned char *below = look_below(table);
  if (below == NULL)
    return fail_memory();
  const struct contrast found = compare_rows(table, below);
  free(below);
  *header = found.name.begin != NULL;
  if (*header && found.number.begin != NULL)
    text_note_header(table, &found.name, &found.number);
  if (!*header && found.text.begin != NULL)
    text_note_header(table, &found.text, NULL);
  return EXIT_DONE;
}

// Quotes in the names of columns that are read must be closed.
static int check_names(const struct text_table *table) {
  struct text_field fields[TEXT_COLUMNS_MAX], last;
  struct text_split row = text_walk_from(&table->first).split;
  uint64_t count;
  const enum text_step step = text_split_row(&row, table->places, fields, &count, &last);
  return step > TEXT_MORE ? text_wrong_step(table, step, &last, count) : EXIT_DONE;
}

// Decides whether the first row is a header, and where the first row of numbers begins. A note says so if it may be
// both.
static int text_table_begin(struct text_table *table) {
  bool header = false;
  int code = table->begun ? EXIT_DONE : find_header(table, &header);
  if (!code && header)
    code = check_names(table);
  if (code || table->begun)
    return code;
  if (header && table->rows != NULL) {
    table->rows->header = true;
    if (!keep_row(table->rows, table->window + table->first.at, table->window + table->second.at))
      return fail_memory();
  }
  table->begun = true;
  table->split = header ? table->second : table->first;
  table->split.cut = false;
  text_split_from(&table->split, table->split.at);
  for (struct text_walk walk = text_walk_from(&table->first); header && text_walk_on(&walk);)
    for (size_t i = 0; i < table->wanted; i++)
      if (table->list[i].place == walk.fields - 1)
        text_field_copy(&walk.field, table->list[i].name, TEXT_NAME_SIZE);
  return EXIT_DONE;
}

// ---------------------------------------------------------------- The columns, by name and by number

// ---- Columns by name

static bool is_named(const struct text_field *field, const char *name) {
  char text[TEXT_NAME_SIZE];
  size_t length = text_field_copy(field, text, sizeof text);
  if (length < sizeof text)
    return strcmp(text, name) == 0;
  if (length != strlen(name))
    return false;
  char *whole = malloc(length + 1);
  bool same = whole != NULL && text_field_copy(field, whole, length + 1) == length && strcmp(whole, name) == 0;
  free(whole);
  return same;
}

const char *text_table_names(const struct text_table *table, char list[TEXT_NAMES_SIZE]) {
  enum { NAMES_MAX = 10 };
  struct text_walk walk = text_walk_from(&table->first);
  *list = '\0';
  while (walk.fields < NAMES_MAX && text_walk_on(&walk)) {
    char name[TEXT_NAME_SIZE];
    text_field_copy(&walk.field, name, 40);
    list_append(list, TEXT_NAMES_SIZE, ", ", name);
  }
  if (table->columns > NAMES_MAX)
    list_append(list, TEXT_NAMES_SIZE, ", ", "...");
  return list;
}

// Of words with one or two letters, too many are near to each other.
const char *text_table_near(const struct text_table *table, const char *column, struct guess *guess) {
  char name[TEXT_NAME_SIZE];
  guess_begin(guess, strlen(column) > 2 ? column : NULL);
  for (struct text_walk walk = text_walk_from(&table->first); table->columns > 0 && text_walk_on(&walk);)
    if (text_field_copy(&walk.field, name, sizeof name) < sizeof name)
      guess_offer(guess, name);
  return guess->text;
}

static int no_such_column(const struct text_table *table, const char *column) {
  char list[TEXT_NAMES_SIZE];
  const char *name = table->stream->name, *hint = table->hint;
  struct guess guess;
  if (*hint == '\0' && text_grows(table))
    hint = "if the first line is no header, leave it out, as tail -n +2 does";
  if (strchr(column, ',') != NULL)
    hint = "for several columns repeat --column";
  if (table->columns == 0)
    return fail(EXIT_BAD_USE, "column %s: %s is empty; it has no columns", column, name);
  return fail(EXIT_BAD_USE, "column %s: %s has no such column;%s its %llu column%s %s%s%s", column, name,
              text_table_near(table, column, &guess), (unsigned long long)table->columns,
              table->columns == 1 ? " is" : "s are", text_table_names(table, list), *hint == '\0' ? "" : "; ", hint);
}

// The place of the first column of this name, from 1, and of a second one; 0 if there is none.
static void find_named(const struct text_table *table, const char *name, uint64_t found[2]) {
  found[0] = found[1] = 0;
  for (struct text_walk walk = text_walk_from(&table->first); table->columns > 0 && text_walk_on(&walk);)
    if (found[1] == 0 && is_named(&walk.field, name))
      found[found[0] > 0] = walk.fields;
}

static int find_name(struct text_table *table, const char *name, uint64_t *place) {
  uint64_t found[2];
  if (table->header == HEADER_NO)
    return fail(EXIT_BAD_USE, "column %s: without a header columns have no names; give its number, from 1", name);
  find_named(table, name, found);
  if (found[1] > 0)
    return fail(EXIT_BAD_USE, "column %s: columns %llu and %llu of %s have this name; give the number", name,
                (unsigned long long)found[0], (unsigned long long)found[1], table->stream->name);
  if (found[0] == 0)
    return no_such_column(table, name);
  table->named = true;
  *place = found[0] - 1;
  return EXIT_DONE;
}

static int find_only(const struct text_table *table, uint64_t *place) {
  char list[TEXT_NAMES_SIZE];
  *place = 0;
  if (table->columns <= 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: has %llu columns (%s); %s", table->stream->name, (unsigned long long)table->columns,
              text_table_names(table, list),
              *table->hint != '\0' ? table->hint : "choose one by --column, by its name or its number from 1");
}

static int find_column(struct text_table *table, const char *column, uint64_t *place) {
  uint64_t wanted;
  if (column == NULL)
    return find_only(table, place);
  if (!count_parse(column, strlen(column), &wanted))
    return find_name(table, column, place);
  *place = wanted - 1;
  if (wanted == 0)
    return fail(EXIT_BAD_USE, "--column 0: the columns of %s count from 1", table->stream->name);
  if (wanted <= table->columns)
    return EXIT_DONE;
  // A year is a usual name.
  return table->header == HEADER_NO ? no_such_column(table, column) : find_name(table, column, place);
}

bool text_table_has(const struct text_table *table, const char *column) {
  uint64_t which, found[2];
  if (count_parse(column, strlen(column), &which) && which <= table->columns)
    return which > 0;
  find_named(table, column, found);
  return found[0] > 0 && table->header != HEADER_NO;
}

// ---- Adding

static void enter_by_place(struct text_table *table, struct text_column *column) {
  size_t i = table->wanted++;
  table->places[i + 1] = TEXT_NO_PLACE;
  for (; i > 0 && table->places[i - 1] > column->place; i--) {
    table->by_place[i] = table->by_place[i - 1];
    table->places[i] = table->places[i - 1];
  }
  table->by_place[i] = column;
  table->places[i] = column->place;
}

// Plain numbers are written as they print, so that no two texts are one number: 7, but not 07, +7 or 7.0.
static enum text_verdict read_plain_long(const char *begin, const char *end, void *value) {
  const char *first = begin + (begin < end && *begin == '-');
  const bool is_plain = first < end && *first >= '1' && *first <= '9';
  const bool is_zero = end - begin == 1 && *begin == '0';
  return is_plain || is_zero ? text_reader_of(CLRED_TYPE_LONG)(begin, end, value) : TEXT_NO_NUMBER;
}

static enum text_verdict read_plain_double(const char *begin, const char *end, void *value) {
  char text[NUMBER_TEXT_SIZE];
  double read;
  if (text_reader_of(CLRED_TYPE_DOUBLE)(begin, end, value) != TEXT_NUMBER)
    return TEXT_NO_NUMBER;
  memcpy(&read, value, sizeof read);
  number_double_text(read, text);
  const size_t length = (size_t)(end - begin);
  if (read == 0 && signbit(read))  // equal to 0
    return TEXT_NO_NUMBER;
  return length == strlen(text) && memcmp(begin, text, length) == 0 ? TEXT_NUMBER : TEXT_NO_NUMBER;
}

// Makes take_other handle each field of a column of words.
static enum text_verdict read_no_number(const char *begin, const char *end, void *value) {
  (void)begin, (void)end, (void)value;
  return TEXT_NO_NUMBER;
}

static enum text_verdict read_nothing(const char *begin, const char *end, void *value) {
  (void)begin, (void)end;
  memset(value, 0, 1);
  return TEXT_NUMBER;
}

static text_reader *reader_for(enum text_use use, const clred_type_info *type) {
  if (use == TEXT_PLAIN_KEYS)
    return type->type == CLRED_TYPE_LONG ? read_plain_long : read_plain_double;
  return use == TEXT_WORDS ? read_no_number : use == TEXT_ROWS ? read_nothing : text_reader_of(type->type);
}

int text_table_add(struct text_table *table, const char *column, enum text_use use, const clred_type_info *type,
                   struct text_column **added) {
  struct text_column *next = &table->list[table->wanted];
  uint64_t place = 0;
  int code = use == TEXT_ROWS ? EXIT_DONE : find_column(table, column, &place);
  if (code)
    return code;
  if (table->wanted == TEXT_COLUMNS_MAX)
    return fail(EXIT_BAD_USE, "column %s: %d columns are read at most", column, TEXT_COLUMNS_MAX);
  if (table->missing == MISSING_NAN && !type->floating && use == TEXT_ELEMENTS)
    return fail(EXIT_BAD_USE, "--missing nan: %s has no NaN; give --type double, or --missing skip", type->name);
  *next = (struct text_column){.place = place, .use = use, .type = *type, .read = reader_for(use, type)};
  enter_by_place(table, next);
  table->has_words = table->has_words || use == TEXT_WORDS;
  *added = next;
  return EXIT_DONE;
}

// True if a field of the first row may be a name: whether this row is a header is not decided yet.
static bool may_be_name(const struct text_table *table, const struct text_field *field) {
  return table->named || table->header == HEADER_YES || (table->header != HEADER_NO && !is_number(field));
}

// The first field of a column that is neither missing nor a name, in the rows that the window holds.
static bool find_value(const struct text_table *table, uint64_t place, struct text_field *value) {
  bool is_first = true;
  for (struct text_split row = table->first; !text_split_done(&row); is_first = false) {
    struct text_walk walk = text_walk_from(&row);
    while (text_walk_on(&walk))
      if (walk.fields == place + 1) {
        *value = walk.field;
        if (!text_is_missing(table, value) && !(is_first && may_be_name(table, value)))
          return true;
      }
    if (walk.step > TEXT_NO_FIELD)
      return false;
    row = walk.split;
    if (!text_skip_comments(table, &row))
      return false;
  }
  return false;
}

int text_table_guess(struct text_table *table, const char *column, clred_type *type) {
  struct text_field value;
  uint64_t place;
  int code = find_column(table, column, &place);
  *type = CLRED_TYPE_NONE;
  if (code || !find_value(table, place, &value))
    return code;
  *type = read_trimmed(read_plain_long, &value) == TEXT_NUMBER     ? CLRED_TYPE_LONG
          : read_trimmed(read_plain_double, &value) == TEXT_NUMBER ? CLRED_TYPE_DOUBLE
                                                                   : CLRED_TYPE_NONE;
  return EXIT_DONE;
}

// ---------------------------------------------------------------- The table

// A row must fit the window, so that a text without line ends takes bounded memory.
enum { ROW_MAX = 1 << 24 };

// ---- The window

static int make_room(struct text_table *table) {
  if (table->room >= ROW_MAX)
    return fail(EXIT_BAD_USE, "%s: line %llu is longer than %d bytes; is a quote open, or is this no text?",
                table->stream->name, (unsigned long long)table->row_line + 1, ROW_MAX);
  const size_t room = table->room == 0 ? TEXT_WINDOW : table->room * 2;
  char *window = realloc(table->window, room + TEXT_PADDING);
  if (window == NULL)
    return fail_memory();
  table->window = window;
  table->room = room;
  return EXIT_DONE;
}

// Keeps the text from byte `keep` on, moves it to the front of the window, and reads more behind it. The caller moves
// its places.
static int text_table_fill(struct text_table *table, size_t keep) {
  struct text_split *split = &table->split;
  size_t left = split->size - keep;
  uint64_t got;
  if (left > 0)
    memmove(table->window, table->window + keep, left);
  // A quote that is still open may be in a column that is not read.
  split->cut = left == table->room && table->room >= ROW_MAX && !split->cut;
  if (split->cut) {
    split->bytes = table->window;
    split->size = left;
    table->row = 0;
    return EXIT_DONE;
  }
  int code = left == table->room ? make_room(table) : EXIT_DONE;
  code = code ? code : stream_read(table->stream, table->window + left, table->room - left, &got, table->progress);
  if (code)
    return code;
  memset(table->window + left + got, 0, TEXT_PADDING);
  split->bytes = table->window;
  split->size = left + (size_t)got;
  split->ends = split->size < table->room;
  table->row = 0;
  return EXIT_DONE;
}

void text_table_release(struct text_table *table) {
  if (table == NULL || --table->users > 0)
    return;
  for (size_t i = 0; i < table->wanted; i++) {
    free(table->list[i].kept);
    words_release(&table->list[i].words);
  }
  free(table->window);
  free(table);
}

// ---- Elements

// Makes room for `count` more elements of a column, which a later call will read.
static int keep_room(struct text_column *column, uint64_t count) {
  if (column->given == column->held)
    column->given = column->held = 0;
  return list_grow(&column->kept, &column->room, column->held + count, column->type.size) ? EXIT_DONE : fail_memory();
}

static uint64_t take_kept(struct text_column *column, char *to, uint64_t count) {
  uint64_t kept = column->held - column->given, taken = count < kept ? count : kept;
  if (taken > 0)
    memcpy(to, column->kept + column->given * column->type.size, taken * column->type.size);
  column->given += taken;
  return taken;
}

int text_table_read(struct text_table *table, struct text_column *column, void *to, uint64_t count, uint64_t *got) {
  uint64_t rows = 0;
  *got = take_kept(column, to, count);
  if (*got == count)
    return EXIT_DONE;
  int code = text_table_begin(table);
  for (size_t i = 0; i < table->wanted && !code; i++) {
    struct text_column *other = &table->list[i];
    if (other == column)
      continue;
    code = keep_room(other, count - *got);
    if (!code)
      other->to = other->kept + other->held * other->type.size;
  }
  column->to = (char *)to + *got * column->type.size;
  code = code ? code : text_take_rows(table, count - *got, &rows);
  for (size_t i = 0; i < table->wanted; i++)
    table->list[i].held += &table->list[i] == column ? 0 : rows;
  table->gaps->taken += rows;
  *got += rows;
  return code;
}
