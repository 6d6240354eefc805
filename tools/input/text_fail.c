// What is wrong with a text: the file, the line, the column, and what to do.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "input/text_table.h"

enum { LABEL_SIZE = 100, EXCERPT_SIZE = 40 };

uint64_t text_line_of(const struct text_table *table, const char *at) {
  uint64_t line = table->row_line + 1;
  for (const char *byte = table->window + table->row; byte < at; byte++)
    line += *byte == '\n';
  return line;
}

bool text_row_ends(const struct text_table *table) {
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

int text_wrong_step(const struct text_table *table, enum text_step step, const struct text_field *field,
                    uint64_t place) {
  static const char *const messages[] = {
    [TEXT_ZERO] = "a byte of 0 is no text; convert the file, or give --type TYPE and --format raw for raw elements",
    [TEXT_OPEN_QUOTE] = "the quote is never closed; close it, or double it if it is part of the text",
    [TEXT_AFTER_QUOTE] = "there is text after the closing quote; double the quotes within a quoted field"};
  char column[LABEL_SIZE];
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s", table->stream->name,
              (unsigned long long)text_line_of(table, field->begin), label(table, place, column), messages[step]);
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

// `place` and `text` describe the field.
static int wrong_key(const struct text_table *table, const struct text_column *column, unsigned long long line,
                     const char *place, const char *text, bool is_number) {
  char space[LABEL_SIZE];
  const char *file = table->stream->name, *name = key_name(column, space);
  if (column->use == TEXT_PLAIN_KEYS)
    return fail(EXIT_BAD_USE, "%s: line %llu, %s: the key '%s' is no plain %s, as the first key is; give text:%s%s%s",
                file, line, place, text, column->type.name, name, is_number ? ", or double:" : "",
                is_number ? name : "");
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: the key '%s' is %s; correct it, or give text:%s", file, line, place,
              text, is_number ? "outside the range of double" : "not a number", name);
}

// "" if there is no type for a whole number.
static const char *exact_type(const struct text_field *field) {
  uint64_t bits;
  if (text_reader_of(CLRED_TYPE_LONG)(field->begin, field->end, &bits) == TEXT_NUMBER)
    return "--type long, or ";
  return text_reader_of(CLRED_TYPE_ULONG)(field->begin, field->end, &bits) == TEXT_NUMBER ? "--type ulong, or " : "";
}

int text_wrong_number(const struct text_table *table, const struct text_column *column, const struct text_field *field,
                      enum text_verdict verdict) {
  char place[LABEL_SIZE], text[EXCERPT_SIZE];
  double number;
  bool is_number = text_reader_of(CLRED_TYPE_DOUBLE)(field->begin, field->end, &number) != TEXT_NO_NUMBER;
  unsigned long long line = text_line_of(table, field->begin);
  const char *name = table->stream->name;
  label(table, column->place, place);
  excerpt(field, text);
  if (column->use != TEXT_ELEMENTS)
    return wrong_key(table, column, line, place, text, is_number);
  if (verdict == TEXT_ROUNDED)
    return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s is no exact double; give %s--type double to round it", name, line,
                place, text, exact_type(field));
  if (verdict == TEXT_TOO_LARGE)
    return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s is outside the range of %s; %s", name, line, place, text,
                column->type.name, column->type.type == CLRED_TYPE_DOUBLE ? "correct it" : "give a larger --type");
  if (is_number)
    return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s is not a whole number, as %s needs; give --type double", name,
                line, place, text, column->type.name);
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: '%s' is not a number; %s", name, line, place, text,
              remedy_of(table, field));
}

void text_note_header(const struct text_table *table, const struct text_field *name, const struct text_field *number) {
  char message[FAIL_MESSAGE_SIZE], one[EXCERPT_SIZE], other[EXCERPT_SIZE];
  const unsigned long long line = table->first.lines + 1;
  if (table->options.quiet)
    return;
  if (number == NULL)
    snprintf(message, sizeof message,
             "%s: line %llu is taken as data, as '%s' stands above text; if it is a header, give --header yes, else "
             "--header no",
             table->stream->name, line, excerpt(name, one));
  else
    snprintf(message, sizeof message,
             "%s: line %llu is taken as a header, as '%s' stands above numbers, but %s could be data; if it is data, "
             "give --header no, else --header yes",
             table->stream->name, line, excerpt(name, one), excerpt(number, other));
  note(message);
}

int text_too_many_words(const struct text_table *table, const struct text_column *column,
                        const struct text_field *field) {
  char place[LABEL_SIZE];
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: more than %d different keys, or %d bytes of them; split the file",
              table->stream->name, (unsigned long long)text_line_of(table, field->begin),
              label(table, column->place, place), WORDS_MAX, WORDS_BYTES_MAX);
}

int text_missing(const struct text_table *table, const struct text_column *column, uint64_t line) {
  char place[LABEL_SIZE];
  const char *message = column->use == TEXT_ELEMENTS ? "the value is missing; give --missing skip or --missing nan"
                                                     : "the key is missing; give --missing skip";
  return fail(EXIT_BAD_USE, "%s: line %llu, %s: %s", table->stream->name, (unsigned long long)line,
              label(table, column->place, place), message);
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

int text_wrong_length(const struct text_table *table, uint64_t fields) {
  const char delimiter[] = {table->split.delimiter, '\0'}, *remedy = remedy_of_length(table, fields);
  return fail(EXIT_BAD_USE, "%s: line %llu has %llu field%s, but line %llu has %llu; the delimiter is '%s'%s%s",
              table->stream->name, (unsigned long long)table->row_line + 1, (unsigned long long)fields,
              fields == 1 ? "" : "s", (unsigned long long)table->first.lines + 1, (unsigned long long)table->columns,
              *delimiter == '\t' ? "tab" : delimiter, *remedy != '\0' ? "; " : "", remedy);
}
