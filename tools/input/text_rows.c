// Reads rows: splits each, converts the wanted fields, and checks the number of fields.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "input/text_table.h"

// ROW_CUT: more text is needed to see the end of the row. ROW_FAILED: the sentence is written. ROW_NO_MEMORY: it is
// not.
enum row { ROW_TAKEN, ROW_LEFT_OUT, ROW_EMPTY, ROW_CUT, ROW_FAILED, ROW_NO_MEMORY };

// True if the field is a word of the list, in any case.
static bool is_listed(const char *list, const struct text_field *field) {
  const size_t size = (size_t)(field->end - field->begin);
  for (size_t length; list != NULL && *list != '\0'; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (length == size && strncasecmp(list, field->begin, size) == 0)
      return true;
  }
  return false;
}

// Without blanks, and -nan without its sign.
static struct text_field as_word(const struct text_field *field) {
  struct text_field word = *field;
  text_field_trim(&word);
  word.begin += word.end - word.begin == 4 && strncasecmp(word.begin, "-nan", 4) == 0;
  return word;
}

bool text_is_missing(const struct text_table *table, const struct text_field *field) {
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
  return is_listed(table->options.missing_values, &word) ||
         (says(table->options.missing, "skip") && is_listed("nan", &word));
}

// ---- Rows that are left out

static bool add_gap(struct text_gaps *gaps, uint64_t taken) {
  const uint64_t left_out = gaps->count == 0 ? 0 : gaps->list[gaps->count - 1].left_out;
  if (gaps->count == gaps->room) {
    struct text_gap *list = realloc(gaps->list, (gaps->room * 2 + 16) * sizeof *list);
    if (list == NULL)
      return false;
    gaps->list = list;
    gaps->room = gaps->room * 2 + 16;
  }
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

bool text_is_comment(const struct text_table *table, const struct text_split *split) {
  size_t at = split->at;
  if (table->comment < 0)
    return false;
  while (at < split->size && (split->bytes[at] == ' ' || (split->bytes[at] == '\t' && split->delimiter != '\t')))
    at++;
  return at < split->size && (unsigned char)split->bytes[at] == table->comment;
}

bool text_skip_comments(const struct text_table *table, struct text_split *split) {
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
  static const char nan[TEXT_NUMBER_PADDING + 4] = "nan";
  if (says(table->options.missing, "skip"))
    return ROW_LEFT_OUT;
  if (says(table->options.missing, nan) && column->read(nan, nan + 3, column->to) == TEXT_NUMBER)
    return ROW_TAKEN;
  text_missing(table, column, line);
  return ROW_FAILED;
}

// The word without its quotes; a doubled quote is one.
static bool number_word(struct words *words, const struct text_field *field, uint32_t *number) {
  size_t length = (size_t)(field->end - field->begin);
  if (!field->quoted || memchr(field->begin, '"', length) == NULL)
    return words_number(words, field->begin, length, number);
  char *text = malloc(length + 1);
  bool done = text != NULL && words_number(words, text, text_field_copy(field, text, length + 1), number);
  free(text);
  return done;
}

static enum row take_word(struct text_table *table, struct text_column *column, const struct text_field *field) {
  uint32_t number;
  if (!number_word(&column->words, field, &number))
    return ROW_NO_MEMORY;
  memcpy(column->to, &number, sizeof number);
  if (words_fit(&column->words))
    return ROW_TAKEN;
  text_too_many_words(table, column, field);
  return ROW_FAILED;
}

// A field that is not simply a number.
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

// With a blank as delimiter the last field may be followed by blanks: then `last` is empty, but the row is not.
static bool is_empty(enum text_step step, uint64_t count, const struct text_field *last) {
  return step == TEXT_LAST && count == 1 && last->begin == last->end;
}

// Reports or accepts what is no complete row.
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
  const char *missing = table->options.missing;
  return (says(missing, "skip") || says(missing, "nan")) && step <= TEXT_NO_FIELD && count < table->columns &&
         !is_empty(step, count, last) && text_row_ends(table);
}

static void add_missing_fields(const struct text_table *table, uint64_t count, const struct text_field *last,
                               struct text_field *fields) {
  for (size_t i = 0; i < table->wanted; i++)
    if (table->places[i] >= count)
      fields[i] = (struct text_field){.begin = last->end, .end = last->end};
}

static enum row take_row(struct text_table *table) {
  struct text_field fields[TEXT_COLUMNS_MOST], last;
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

void text_table_row(const struct text_table *table, const char **line, size_t *size) {
  *line = table->window + table->row;
  *size = table->split.at - table->row;
}

// ---- The row as a whole

static void back_to_row(struct text_table *table) {
  text_split_from(&table->split, table->row);
  table->split.lines = table->row_line;
}

// In a text of one column, an empty line with a row behind it is a missing value. It comes before that row.
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

// Takes rows that need nothing special, and stops before any other row.
static uint64_t take_plain_rows(struct text_table *table, uint64_t most) {
  struct text_split *split = &table->split;
  struct text_field fields[TEXT_COLUMNS_MOST];
  uint64_t rows = 0;
  size_t row = table->row;
  for (bool plain = table->empty_lines == 0 && !table->has_words; plain && rows < most; rows += plain) {
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

int text_take_rows(struct text_table *table, uint64_t most, uint64_t *got) {
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
    for (size_t i = 0; i < table->wanted; i++)
      table->list[i].to += table->list[i].type.size;
    ++*got;
  }
}
