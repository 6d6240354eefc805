// Opens a text: finds its delimiter, the number of fields of its first row, and whether that is a header.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/wrap.h"
#include "input/text_table.h"

// ---- The delimiter

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

struct text_walk text_walk_from(const struct text_split *row) {
  struct text_walk walk = {.split = *row, .step = TEXT_FIELD};
  text_split_from(&walk.split, walk.split.at);
  return walk;
}

bool text_walk_on(struct text_walk *walk) {
  if (walk->step != TEXT_FIELD)
    return false;
  walk->step = text_split_unread(&walk->split, walk->fields, &walk->field);
  walk->fields += walk->step <= TEXT_LAST;
  return walk->step <= TEXT_LAST;
}

// ---- Opening

static int open_window(struct text_table *table) {
  table->window = malloc(TEXT_WINDOW + TEXT_PADDING);
  if (table->window == NULL)
    return fail_memory();
  table->room = TEXT_WINDOW;
  return text_table_fill(table, 0);
}

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

// A mark of the byte order, empty lines, and comments.
static int skip_start(struct text_table *table) {
  static const char order_mark[] = "\xef\xbb\xbf";
  struct text_split *first = &table->first;
  int code = EXIT_DONE;
  *first = table->split;
  if (first->size >= 3 && memcmp(first->bytes, order_mark, 3) == 0)
    first->at = 3;
  while (!code && (ends_line(first) || text_is_comment(table, first)))
    if (ends_line(first))
      first->lines += first->bytes[first->at++] == '\n';
    else if (!text_skip_comments(table, first))
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

// Rows may be wrong because the first one is not what it seems.
static const char *find_hint(const struct text_table *table) {
  if (table->columns > 0 && table->window[table->first.at] == '#')
    return "if the first line is a comment, give --comment '#'";
  if (table->columns == 1 && count_in_first_line(table, ' ') > 0)
    return "if blanks separate the columns, give --delimiter ' '";
  return "";
}

static int check_word(const char *option, const char *given, const char *words, const char *sentence) {
  struct guess guess;
  if (given == NULL || list_has(words, ' ', given, strlen(given)))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: '%s' is unknown;%s give %s", option, given, guess_among(&guess, given, words),
              sentence);
}

static int check_options(const struct text_options *options, char *delimiter, int *comment) {
  int code = check_word("--missing", options->missing, "error skip nan", "error, skip or nan");
  code = code ? code : check_word("--header", options->header, "auto yes no", "auto, yes or no");
  code = code ? code : check_word("--quote", options->quote, "double none", "double or none");
  if (!code && options->comment != NULL)
    code = take_comment(options->comment, comment);
  return code || options->delimiter == NULL ? code : take_delimiter(options->delimiter, delimiter);
}

// True if a word of the list is a number, so that numbers may be missing values.
static bool lists_numbers(const char *list) {
  bool found = false;
  for (size_t length; list != NULL && *list != '\0' && !found; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    char word[64 + TEXT_NUMBER_PADDING] = "";
    double value;
    if (length < 64)
      memcpy(word, list, length);
    found = text_reader_of(CLRED_TYPE_DOUBLE)(word, word + strlen(word), &value) != TEXT_NO_NUMBER;
  }
  return found;
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
  table->checks_numbers = lists_numbers(options->missing_values);
  table->split.unquoted = says(options->quote, "none");
  int code = check_options(options, &delimiter, &table->comment);
  code = code ? code : open_window(table);
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

static bool is_number(const struct text_field *field) {
  struct text_field trimmed = *field;
  double value;
  text_field_trim(&trimmed);
  return text_reader_of(CLRED_TYPE_DOUBLE)(trimmed.begin, trimmed.end, &value) != TEXT_NO_NUMBER;
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
  while (ends_line(&row) || text_is_comment(table, &row))
    if (ends_line(&row))
      row.at++;
    else if (!text_skip_comments(table, &row))
      break;
  return text_walk_from(&row);
}

bool text_grows(const struct text_table *table) {
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
  enum { ROWS_MOST = 64 };
  unsigned char *below = calloc(table->columns, 1);
  struct text_walk walk = walk_second(table);
  uint64_t left = table->columns;
  for (int i = 0; i < ROWS_MOST && below != NULL && left > 0 && !text_split_done(&walk.split); i++) {
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
  const bool given = table->named || says(table->options.header, "yes");
  *header = given && table->columns > 0;
  if (given || says(table->options.header, "no") || table->columns == 0)
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
  struct text_field fields[TEXT_COLUMNS_MOST], last;
  struct text_split row = text_walk_from(&table->first).split;
  uint64_t count;
  const enum text_step step = text_split_row(&row, table->places, fields, &count, &last);
  return step > TEXT_MORE ? text_wrong_step(table, step, &last, count) : EXIT_DONE;
}

int text_table_header(struct text_table *table, const char **line, size_t *size) {
  int code = text_table_begin(table);
  const bool header = !code && table->columns > 0 && table->split.at == table->second.at;
  *line = table->window + table->first.at;
  *size = header ? table->second.at - table->first.at : 0;
  return code;
}

int text_table_begin(struct text_table *table) {
  bool header = false;
  int code = table->begun ? EXIT_DONE : find_header(table, &header);
  if (!code && header)
    code = check_names(table);
  if (code || table->begun)
    return code;
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
