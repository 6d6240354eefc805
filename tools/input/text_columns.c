// The columns of a text, by name and by number, and whether the first row is a header.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/wrap.h"
#include "input/text_table.h"

static bool says(const char *option, const char *word) {
  return option != NULL && strcmp(option, word) == 0;
}

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

// The first ten names.
enum { NAMES_SIZE = 480, NAMES_MOST = 10 };
static const char *list_names(const struct text_table *table, char list[NAMES_SIZE]) {
  struct text_walk walk = text_walk_from(&table->first);
  *list = '\0';
  while (walk.fields < NAMES_MOST && text_walk_on(&walk)) {
    char name[TEXT_NAME_SIZE];
    text_field_copy(&walk.field, name, 40);
    list_append(list, NAMES_SIZE, ", ", name);
  }
  if (table->columns > NAMES_MOST)
    list_append(list, NAMES_SIZE, ", ", "...");
  return list;
}

static int no_such_column(const struct text_table *table, const char *column) {
  char list[NAMES_SIZE];
  const char *name = table->stream->name;
  if (table->columns == 0)
    return fail(EXIT_BAD_USE, "--column %s: %s is empty; it has no columns", column, name);
  return fail(EXIT_BAD_USE, "--column %s: %s has no such column; its %llu column%s %s%s%s", column, name,
              (unsigned long long)table->columns, table->columns == 1 ? " is" : "s are", list_names(table, list),
              *table->hint == '\0' ? "" : "; ", table->hint);
}

static int find_name(struct text_table *table, const char *name, uint64_t *place) {
  uint64_t found = 0;
  if (says(table->options.header, "no"))
    return fail(EXIT_BAD_USE, "--column %s: without a header columns have no names; give its number, from 1", name);
  for (struct text_walk walk = text_walk_from(&table->first); table->columns > 0 && text_walk_on(&walk);)
    if (is_named(&walk.field, name)) {
      if (found > 0)
        return fail(EXIT_BAD_USE, "--column %s: columns %llu and %llu of %s have this name; give the number", name,
                    (unsigned long long)found, (unsigned long long)walk.fields, table->stream->name);
      found = walk.fields;
    }
  if (found == 0)
    return no_such_column(table, name);
  table->named = true;
  *place = found - 1;
  return EXIT_DONE;
}

static int find_only(const struct text_table *table, uint64_t *place) {
  char list[NAMES_SIZE];
  *place = 0;
  if (table->columns <= 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: has %llu columns (%s); %s", table->stream->name, (unsigned long long)table->columns,
              list_names(table, list),
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

int text_table_add(struct text_table *table, const char *column, const clred_type_info *type,
                   struct text_column **added) {
  struct text_column *next = &table->list[table->wanted];
  uint64_t place;
  int code = find_column(table, column, &place);
  if (code)
    return code;
  if (table->wanted == TEXT_COLUMNS_MOST)
    return fail(EXIT_BAD_USE, "--column %s: %d columns are read at most", column, TEXT_COLUMNS_MOST);
  if (says(table->options.missing, "nan") && !type->floating)
    return fail(EXIT_BAD_USE, "--missing nan: %s has no NaN; give --type double, or --missing skip", type->name);
  *next = (struct text_column){.place = place, .type = *type, .read = text_reader_of(type->type)};
  enter_by_place(table, next);
  *added = next;
  return EXIT_DONE;
}

static enum text_verdict read_as(clred_type type, const struct text_field *field) {
  struct text_field trimmed = *field;
  number value;
  text_field_trim(&trimmed);
  return text_reader_of(type)(trimmed.begin, trimmed.end, &value);
}

int text_table_guess(struct text_table *table, const char *column, clred_type *type) {
  uint64_t place;
  int code = find_column(table, column, &place);
  struct text_walk walk = text_walk_from(text_split_done(&table->second) ? &table->first : &table->second);
  *type = CLRED_TYPE_LONG;
  while (!code && table->columns > 0 && text_walk_on(&walk))
    if (walk.fields == place + 1 && read_as(CLRED_TYPE_LONG, &walk.field) != TEXT_NUMBER &&
        read_as(CLRED_TYPE_DOUBLE, &walk.field) == TEXT_NUMBER)
      *type = CLRED_TYPE_DOUBLE;
  return code;
}

// ---- The header

// A text that begins like a number is no name: it may be a number with a typing error.
static bool begins_as_number(const struct text_field *field) {
  struct text_field trimmed = *field;
  text_field_trim(&trimmed);
  return trimmed.begin < trimmed.end && strchr("0123456789+-.", *trimmed.begin) != NULL;
}

static bool is_wanted(const struct text_table *table, uint64_t place) {
  bool wanted = false;
  for (size_t i = 0; i < table->wanted; i++)
    wanted = wanted || table->list[i].place == place;
  return wanted;
}

// The first row is a header if the wanted fields are names. Fields that are empty do not count; if all wanted ones are,
// the others decide.
static bool has_header(const struct text_table *table) {
  uint64_t names[2] = {0}, others[2] = {0};
  if (table->columns == 0 || says(table->options.header, "no"))
    return false;
  if (table->named || says(table->options.header, "yes"))
    return true;
  for (struct text_walk walk = text_walk_from(&table->first); text_walk_on(&walk);) {
    bool wanted = is_wanted(table, walk.fields - 1);
    if (text_is_missing(&walk.field))
      continue;
    if (begins_as_number(&walk.field) || read_as(CLRED_TYPE_DOUBLE, &walk.field) == TEXT_NUMBER)
      others[wanted]++;
    else
      names[wanted]++;
  }
  bool decided = names[true] + others[true] > 0;
  return names[decided] > 0 && others[decided] == 0;
}

void text_table_begin(struct text_table *table) {
  if (table->begun)
    return;
  bool header = has_header(table);
  table->begun = true;
  table->split = header ? table->second : table->first;
  text_split_from(&table->split, table->split.at);
  for (struct text_walk walk = text_walk_from(&table->first); header && text_walk_on(&walk);)
    for (size_t i = 0; i < table->wanted; i++)
      if (table->list[i].place == walk.fields - 1)
        text_field_copy(&walk.field, table->list[i].name, TEXT_NAME_SIZE);
}
