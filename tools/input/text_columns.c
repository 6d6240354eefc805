// The columns of a text, by name and by number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/wrap.h"
#include "input/text_table.h"

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
  if (says(table->options.header, "no"))
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
  return says(table->options.header, "no") ? no_such_column(table, column) : find_name(table, column, place);
}

bool text_table_has(const struct text_table *table, const char *column) {
  uint64_t which, found[2];
  if (count_parse(column, strlen(column), &which) && which <= table->columns)
    return which > 0;
  find_named(table, column, found);
  return found[0] > 0 && !says(table->options.header, "no");
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

// Words are read by the slower way of all fields that are no numbers.
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
  if (says(table->options.missing, "nan") && !type->floating && use == TEXT_ELEMENTS)
    return fail(EXIT_BAD_USE, "--missing nan: %s has no NaN; give --type double, or --missing skip", type->name);
  *next = (struct text_column){.place = place, .use = use, .type = *type, .read = reader_for(use, type)};
  enter_by_place(table, next);
  table->has_words = table->has_words || use == TEXT_WORDS;
  *added = next;
  return EXIT_DONE;
}

static enum text_verdict read_trimmed(text_reader *read, const struct text_field *field) {
  struct text_field trimmed = *field;
  number value;
  text_field_trim(&trimmed);
  return read(trimmed.begin, trimmed.end, &value);
}

// True if a field of the first row may be a name: whether this row is a header is not decided yet.
static bool may_be_name(const struct text_table *table, const struct text_field *field) {
  return table->named || says(table->options.header, "yes") ||
         (!says(table->options.header, "no") &&
          read_trimmed(text_reader_of(CLRED_TYPE_DOUBLE), field) == TEXT_NO_NUMBER);
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
