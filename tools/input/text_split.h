// Splits text into rows and fields: delimiters, line ends, quotes. Pure functions of bytes, so that a fuzzer can try
// any bytes.
//
// A field that begins with a quote (") ends at the next single quote and may contain delimiters, line ends and doubled
// quotes, which mean one quote. Any other quote is a plain character. A line ends with a line feed or with carriage
// return and line feed; the last line may end without.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes behind the text that must be readable. Their values do not matter.
enum { TEXT_PADDING = 64 };

// Where 64 bytes have delimiters, line ends, quotes and zeros, one bit a byte.
struct text_marks {
  size_t block;    // where the 64 bytes begin
  uint64_t all;    // delimiters and stops that come after the last field
  uint64_t stops;  // line ends, quotes and zeros
};

struct text_split {
  const char *bytes;
  size_t size;
  bool ends;       // no more text follows
  char delimiter;  // a blank stands for one or more spaces and tabs, also at the ends of a line
  bool unquoted;   // quotes are plain characters
  bool cut;        // the row is longer than the memory for it, so an open quote in it is never closed
  uint64_t rest;   // the field of this number, from 1, takes the rest of its line; 0: none does so
  size_t at;       // where the next field begins
  uint64_t lines;  // line ends before `at`
  struct text_marks marks;
};

// A quoted field is without its quotes, but doubled quotes are still doubled.
struct text_field {
  const char *begin;
  const char *end;
  bool quoted;
};

enum text_step {
  TEXT_FIELD,        // more fields of the row follow
  TEXT_LAST,         // the last field of its row
  TEXT_NO_FIELD,     // the row ended with the field before; only if the delimiter is a blank
  TEXT_MORE,         // the row does not end within the bytes
  TEXT_ZERO,         // a zero byte, at field.begin
  TEXT_OPEN_QUOTE,   // the text ends within a quoted field, which begins at field.begin
  TEXT_AFTER_QUOTE,  // there are bytes between a closing quote and the end of the field
};

// A place is the number of a field in its row, from 0. A list of places ascends and ends with TEXT_NO_PLACE.
#define TEXT_NO_PLACE UINT64_MAX

// Continues at byte `at`, which must begin a field.
void text_split_from(struct text_split *split, size_t at);

// True if no row follows.
bool text_split_done(const struct text_split *split);

enum text_step text_split_next(struct text_split *split, struct text_field *field);

// The same for the field at this place, which may take the rest of the line.
enum text_step text_split_at(struct text_split *split, uint64_t place, struct text_field *field);

// The same for a field that is not read: a quote that is not closed, or has text behind it, is a plain character.
enum text_step text_split_unread(struct text_split *split, uint64_t place, struct text_field *field);

// Splits a whole row and stores the field of each place. Returns the last step. `count` is the number of complete
// fields, `last` the last field or the wrong one.
enum text_step text_split_row(struct text_split *split, const uint64_t *places, struct text_field *fields,
                              uint64_t *count, struct text_field *last);

// The same for a row that has this many fields, no quotes and a line end. False, and nothing has changed, for any other
// row, and if the delimiter is a blank. Much faster than text_split_row.
bool text_split_plain(struct text_split *split, const uint64_t *places, uint64_t columns, struct text_field *fields);

// Writes at most `size` - 1 bytes of the field and a zero, with doubled quotes as one and without blanks at the ends.
// Returns the length of the whole text.
size_t text_field_copy(const struct text_field *field, char *text, size_t size);

// Moves both ends of the field to the first and past the last byte that is not blank.
static inline void text_field_trim(struct text_field *field) {
  while (field->begin < field->end && (*field->begin == ' ' || *field->begin == '\t'))
    field->begin++;
  while (field->begin < field->end && (field->end[-1] == ' ' || field->end[-1] == '\t'))
    field->end--;
}
