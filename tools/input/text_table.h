// A text of rows and columns, read once from front to back in bounded memory. One or several inputs take their elements
// from it, one column each: what one input reads is kept for the others.
#pragma once

#include <clreduce_device.h>
#include <string.h>

#include "base/guess.h"
#include "base/number.h"
#include "base/words.h"
#include "input/stream.h"
#include "input/text_split.h"

// The options about text, as the user wrote them; NULL if not given.
struct text_options {
  const char *delimiter, *missing, *missing_values, *header, *quote, *comment;
  bool quiet;  // no notes
};

// Which rows were left out. There is an entry for each position where rows are missing: how many rows were taken before
// it, and how many rows were left out up to it. Several texts that are one range share one list.
struct text_gaps {
  struct text_gap {
    uint64_t taken, left_out;
  } * list;
  size_t count, room;
  uint64_t taken;  // so far
};

// The number of an element's row among all rows.
uint64_t text_row_number(const struct text_gaps *gaps, uint64_t element);

// What a column has. TEXT_ELEMENTS: numbers to compute with. TEXT_KEYS: numbers that are keys, in any spelling.
// TEXT_PLAIN_KEYS: the same, but spelled as clreduce prints them. TEXT_WORDS: words that are keys; each element is the
// number of a word. TEXT_ROWS: no column is read, and each row is one element, for an operator that only counts.
enum text_use { TEXT_ELEMENTS, TEXT_KEYS, TEXT_PLAIN_KEYS, TEXT_WORDS, TEXT_ROWS };

enum { TEXT_COLUMNS_MAX = 20, TEXT_NAME_SIZE = 48, TEXT_WINDOW = 1 << 18 };  // the window may grow

struct text_column {
  uint64_t place;             // counted from 0
  char name[TEXT_NAME_SIZE];  // "" if the text has no header
  enum text_use use;
  clred_type_info type;
  text_reader *read;
  struct words words;  // of TEXT_WORDS
  char *to;            // where the next element goes
  char *kept;          // elements that were read with those of another column
  size_t room;
  uint64_t held, given;  // of `kept`, in elements: allocated, read, and of these returned
};

// Rows as they stand in the text, one behind the other. Each ends with a line feed.
struct text_rows {
  char *bytes;
  uint64_t *ends;  // of each row, the place behind its last byte
  size_t room, ends_room, count;
  bool header;  // the first row is the header
};

struct text_table {
  struct stream *stream;
  struct text_options options;
  size_t missing, header;     // the words of these options
  struct progress *progress;  // NULL, or shows the bytes read
  unsigned users;
  char *window;  // the text that was read and not yet split
  size_t room;
  struct text_split split, first, second;  // where reading goes on; where the first and the second row begin
  size_t row;                              // where the row begins that is read, or was read last
  uint64_t row_line;                       // lines before it
  uint64_t empty_lines;                    // empty lines directly before it
  uint64_t columns;                        // fields of each row; 0 if there is no row
  const char *hint;                        // what to do if the first row is not as meant; "" if it looks well
  bool named;                              // a column was given by its name, so there is a header
  bool begun;                              // rows were read
  bool checks_numbers;                     // --missing-values has numbers
  int comment;                             // what a line of a comment begins with; -1: there are none
  struct text_gaps *gaps;
  bool has_words;          // a column has words, so that no row is plain
  struct text_rows *rows;  // if not NULL, gets the header and all rows that are taken
  size_t wanted;
  struct text_column list[TEXT_COLUMNS_MAX];
  struct text_column *by_place[TEXT_COLUMNS_MAX];
  uint64_t places[TEXT_COLUMNS_MAX + 1];  // of by_place, then TEXT_NO_PLACE
};

// Reads the first rows and finds the delimiter. Returns an exit code, like all functions here; `*table` is released
// with text_table_release also after a failure. The stream and `gaps` must stay where they are.
int text_table_open(struct text_table **table, struct stream *stream, const struct text_options *options,
                    struct text_gaps *gaps);

// Adds a column: by its name, by its number from 1, or the only one for NULL. `type` must have a text_reader; for words
// it is uint, for TEXT_ROWS uchar. Call it before the first text_table_read.
int text_table_add(struct text_table *table, const char *column, enum text_use use, const clred_type_info *type,
                   struct text_column **added);

// Finds the type of a column of keys by its first value, before the column is read: long for a plain whole number,
// double for another plain number, NONE for a word.
int text_table_guess(struct text_table *table, const char *column, clred_type *type);

// True if there is one column of this name or number.
bool text_table_has(const struct text_table *table, const char *column);

// The first ten names of columns.
enum { TEXT_NAMES_SIZE = 480 };
const char *text_table_names(const struct text_table *table, char list[TEXT_NAMES_SIZE]);

// Returns " did you mean NAME?" with the column whose name is most similar to a wrong one, or "". The text is in
// `guess`.
const char *text_table_near(const struct text_table *table, const char *column, struct guess *guess);

// Frees the rows. They may be all 0.
void text_rows_release(struct text_rows *rows);

// Reads the next `count` elements of a column. `got` is smaller only at the end.
int text_table_read(struct text_table *table, struct text_column *column, void *to, uint64_t count, uint64_t *got);

// Releases it when the last user does. NULL is allowed.
void text_table_release(struct text_table *table);
