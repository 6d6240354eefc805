// The splitter of text against one that reads byte by byte, and against cases worked out by hand.

#include "input/text_split.h"
#include "support/suite.h"

enum { ROOM = 400, FIELDS = 200 };

// Fields as text: "|" behind each, and "\n" behind the last of a row; then the last step if it is an error.
struct rows {
  char text[4 * ROOM];
  size_t length;
};

static void append(struct rows *rows, const char *begin, size_t length) {
  if (rows->length + length >= sizeof rows->text)
    ck_abort_msg("no room");
  memcpy(rows->text + rows->length, begin, length);
  rows->length += length;
  rows->text[rows->length] = '\0';
}

static void append_field(struct rows *rows, const struct text_field *field) {
  for (const char *at = field->begin; at < field->end; at++) {
    append(rows, at, 1);
    at += field->quoted && *at == '"';
  }
}

// ---------------------------------------------------------------- By the splitter

static const char *const errors[] = {
  [TEXT_MORE] = "<more>", [TEXT_ZERO] = "<zero>", [TEXT_OPEN_QUOTE] = "<open>", [TEXT_AFTER_QUOTE] = "<after>"};

// The text stands at the end of a longer one, so that blocks of bytes begin anywhere in it.
static void split_rows(const char *text, size_t size, char delimiter, size_t before, bool ends, struct rows *rows) {
  static char bytes[ROOM + 2 * TEXT_PADDING + ROOM];
  struct text_split split = {.bytes = bytes, .size = before + size, .ends = ends, .delimiter = delimiter};
  enum text_step step = TEXT_LAST;
  *rows = (struct rows){.length = 0};
  memset(bytes, '\n', sizeof bytes);
  memset(bytes + before + size, '"', TEXT_PADDING);  // must not count
  memcpy(bytes + before, text, size);
  text_split_from(&split, before);
  while (step == TEXT_FIELD || (step <= TEXT_NO_FIELD && !text_split_done(&split))) {
    struct text_field field;
    step = text_split_next(&split, &field);
    if (step <= TEXT_LAST)
      append_field(rows, &field);
    else if (step == TEXT_NO_FIELD)
      rows->length--;
    const char *end = step == TEXT_FIELD ? "|" : step <= TEXT_NO_FIELD ? "\n" : errors[step];
    append(rows, end, strlen(end));
  }
}

static bool same_place(const struct text_split *one, const struct text_split *other) {
  return one->at == other->at && one->lines == other->lines;
}

static bool same_field(const struct text_field *one, const struct text_field *other) {
  return one->begin == other->begin && one->end == other->end && one->quoted == other->quoted;
}

// A plain row is taken as text_split_row takes it. Any other row, or another number of fields, leaves all as it was.
static bool plain_is_right(const struct text_split *begin, const uint64_t *places, const struct text_split *end,
                           const struct text_field *fields, uint64_t count) {
  struct text_split plain = *begin, next = *end;
  struct text_field taken[FIELDS], field;
  const char *row = begin->bytes + begin->at;
  size_t size = end->at - begin->at;
  bool special = memchr(row, '"', size) != NULL || memchr(row, '\0', size) != NULL || begin->delimiter == ' ';
  bool expected = !special && size > 0 && row[size - 1] == '\n';
  bool refused = !text_split_plain(&plain, places, count + 1, taken) &&
                 !text_split_plain(&plain, places, count - 1, taken) && same_place(&plain, begin);
  bool right = text_split_plain(&plain, places, count, taken) == expected && same_place(&plain, expected ? end : begin);
  for (uint64_t i = 0; expected && places[i] < count; i++)
    right = right && same_field(&taken[i], &fields[i]);
  if (expected) {  // splitting goes on from there
    text_split_next(&plain, &field);
    text_split_next(&next, &field);
    right = right && same_place(&plain, &next);
  }
  return refused && right;
}

// The same by whole rows: the test requests every second field.
static void check_rows(const char *text, size_t size, char delimiter, const struct rows *expected) {
  static char bytes[ROOM + TEXT_PADDING];
  struct text_split one = {.bytes = bytes, .size = size, .ends = true, .delimiter = delimiter}, other;
  uint64_t places[FIELDS + 1], count;
  struct text_field fields[FIELDS], last, field;
  enum text_step step = TEXT_LAST;
  for (size_t i = 0; i < FIELDS; i++)
    places[i] = 2 * i;
  places[FIELDS] = TEXT_NO_PLACE;
  memcpy(bytes, text, size);
  text_split_from(&one, 0);
  other = one;
  while (step <= TEXT_NO_FIELD && !text_split_done(&one)) {
    const struct text_split begin = one;
    step = text_split_row(&one, places, fields, &count, &last);
    enum text_step again = TEXT_FIELD;
    uint64_t fields_again = 0;
    for (; again == TEXT_FIELD; fields_again += again <= TEXT_LAST) {
      again = fields_again % 2 == 0 ? text_split_next(&other, &field) : text_split_unread(&other, fields_again, &field);
      if (again <= TEXT_LAST && fields_again % 2 == 0 && !same_field(&fields[fields_again / 2], &field))
        ck_abort_msg("%s", expected->text);
    }
    bool same = step == again && count == fields_again && same_place(&one, &other);
    bool plain = step > TEXT_NO_FIELD || plain_is_right(&begin, places, &one, fields, count);
    ck_assert_msg(same && plain, "%s", expected->text);
  }
}

// ---------------------------------------------------------------- Byte by byte

static bool blank(char byte) {
  return byte == ' ' || byte == '\t';
}

static bool ends_field(char delimiter, char byte) {
  return byte == delimiter || (delimiter == ' ' && byte == '\t');
}

// The length of the line end at `at`, the end of the text included; -1 if there is none.
static int line_end(const char *text, size_t size, size_t at) {
  if (at == size)
    return 0;
  if (text[at] == '\n')
    return 1;
  if (text[at] == '\r' && (at + 1 == size || text[at + 1] == '\n'))
    return at + 1 == size ? 1 : 2;
  return -1;
}

// Appends one field, which begins at `at`, and moves `at` behind it. Returns the separator that follows in the rows.
static const char *plain_field(const char *text, size_t size, char delimiter, size_t *at, struct rows *rows) {
  size_t begin = *at;
  bool quoted = begin < size && text[begin] == '"';
  for (*at += quoted; *at < size; ++*at) {
    if (text[*at] == '\0')
      return errors[TEXT_ZERO];
    if (quoted && text[*at] == '"') {
      if (*at + 1 == size || text[*at + 1] != '"')
        break;
      ++*at;
    } else if (!quoted && (ends_field(delimiter, text[*at]) || line_end(text, size, *at) >= 0))
      break;
    append(rows, text + *at, 1);
  }
  if (quoted && *at == size)
    return errors[TEXT_OPEN_QUOTE];
  *at += quoted;
  int end = line_end(text, size, *at);
  if (end < 0 && !ends_field(delimiter, text[*at]))
    return errors[TEXT_AFTER_QUOTE];
  *at += end < 0 ? 1 : (size_t)end;
  return end < 0 ? "|" : "\n";
}

static void split_plainly(const char *text, size_t size, char delimiter, struct rows *rows) {
  bool first = true;
  *rows = (struct rows){.length = 0};
  for (size_t at = 0; at < size || !first;) {
    while (delimiter == ' ' && at < size && blank(text[at]))
      at++;
    size_t begun = rows->length;
    if (delimiter == ' ' && !first && line_end(text, size, at) >= 0)
      rows->length = --begun;
    const char *end = plain_field(text, size, delimiter, &at, rows);
    if (*end == '<')
      rows->length = begun;  // nothing of a wrong field is kept
    append(rows, end, strlen(end));
    first = *end == '\n';
    if (*end == '<')
      return;
  }
}

// Quotes that are not closed, or have text behind them, are plain characters in a field that is not read.
TEST(wrong_quotes_of_fields_that_are_not_read_are_plain) {
  static const char text[] = "\"a,1\n\"b\"c,\"2\"\n\"d,e\",3\n\"f";
  static const struct {
    size_t at;
    const char *field;
  } rows[] = {{0, "\"a"}, {5, "\"b\"c"}, {14, "d,e"}, {22, "\"f"}};
  char bytes[sizeof text + TEXT_PADDING] = "";
  memcpy(bytes, text, sizeof text);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct text_split split = {.bytes = bytes, .size = sizeof text - 1, .ends = true, .delimiter = ','};
    struct text_field field;
    text_split_from(&split, rows[i].at);
    ck_assert(text_split_unread(&split, 0, &field) <= TEXT_LAST);
    const size_t size = (size_t)(field.end - field.begin);
    ck_assert(size == strlen(rows[i].field) && memcmp(field.begin, rows[i].field, size) == 0 && split.lines <= 1);
    split.unquoted = true;
    text_split_from(&split, rows[i].at);
    ck_assert(text_split_next(&split, &field) <= TEXT_LAST && *field.begin == '"' && !field.quoted);
  }
}

TEST(random_texts_are_split_as_byte_by_byte) {
  static const char letters[] = "aab,,;\n\n\r\"\" \t";
  static const char delimiters[] = ",; \t";
  unsigned state = 1;
  for (size_t i = 0; i < 60000; i++) {
    char text[ROOM];
    struct rows expected, rows;
    size_t size = i % 150;
    for (size_t k = 0; k < size; k++) {
      state = state * 1103515245 + 12345;
      text[k] = state >> 8 & 0x3ff ? letters[(state >> 16) % (sizeof letters - 1)] : '\0';
    }
    char delimiter = delimiters[i % 4];
    split_plainly(text, size, delimiter, &expected);
    split_rows(text, size, delimiter, i % 71, true, &rows);
    ck_assert_msg(strcmp(rows.text, expected.text) == 0, "%zu '%c': '%.*s'\n%s\n---\n%s", i, delimiter, (int)size, text,
                  rows.text, expected.text);
    check_rows(text, size, delimiter, &expected);
  }
}

// Rows end at every place in words of 8 and blocks of 64 bytes, and a quote may stand anywhere.
TEST(fields_of_every_length_are_split_as_byte_by_byte) {
  static const char *const ends[] = {"\n", "\r\n"};
  for (int length = 0; length <= 70; length++)
    for (int quote = -1; quote < length; quote++)
      for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char text[ROOM], field[80];
        struct rows expected, rows;
        memset(field, 'a', sizeof field);
        if (quote >= 0)
          field[quote] = '"';
        int size = sprintf(text, "1,%.*s,2%s3,%.*s%s", length, field, ends[i], length, field, ends[i]);
        split_plainly(text, (size_t)size, ',', &expected);
        split_rows(text, (size_t)size, ',', (size_t)length, true, &rows);
        ck_assert_str_eq(rows.text, expected.text);
        check_rows(text, (size_t)size, ',', &expected);
      }
}

// ---------------------------------------------------------------- By hand

static const struct {
  const char *text;
  char delimiter;
  const char *rows;
} cases[] = {
  {"", ',', ""},
  {"1", ',', "1\n"},
  {"1\n", ',', "1\n"},
  {"a,b\n1,2\n", ',', "a|b\n1|2\n"},
  {"a,b\r\n1,2\r\n", ',', "a|b\n1|2\n"},
  {"a,,\n", ',', "a||\n"},
  {"\n\n", ',', "\n\n"},
  {"\"a,b\",c\n", ',', "a,b|c\n"},
  {"\"a\nb\",\"\"\n", ',', "a\nb|\n"},
  {"\"say \"\"hi\"\"\",2\n", ',', "say \"hi\"|2\n"},
  {"5\" pipe,2\n", ',', "5\" pipe|2\n"},
  {"\"a\"b,2\n", ',', "<after>"},
  {"1,\"a\n2", ',', "1|<open>"},
  {" 1   2\t3 \n4", ' ', "1|2|3\n4\n"},
  {"1 2  ", ' ', "1|2\n"},
  {"a\tb c\n", '\t', "a|b c\n"},
};

TEST_ROWS(texts_by_hand, cases) {
  struct rows rows;
  for (size_t before = 0; before <= TEXT_PADDING; before++) {
    split_rows(cases[_i].text, strlen(cases[_i].text), cases[_i].delimiter, before, true, &rows);
    ck_assert_str_eq(rows.text, cases[_i].rows);
  }
}

// A part of a text gives the first fields of the whole text, and then TEXT_MORE.
TEST(a_part_of_a_text_asks_for_more) {
  static const char text[] = "12,\"a,\"\"b\",3\r\n4,\"5\"\r\n,\n";
  struct rows whole, part;
  split_rows(text, sizeof text - 1, ',', 0, true, &whole);
  for (size_t size = 1; size < sizeof text - 1; size++) {
    split_rows(text, size, ',', 0, false, &part);
    ck_assert_msg(part.length >= 6 && strcmp(part.text + part.length - 6, "<more>") == 0, "%zu: %s", size, part.text);
    ck_assert_msg(memcmp(part.text, whole.text, part.length - 6) == 0, "%zu: %s", size, part.text);
  }
}

// A mark of the byte order, for example. There is always a first field.
TEST(a_row_may_begin_after_any_byte) {
  static char bytes[100] = "\xef\xbb\xbf\t";
  struct text_split split = {.bytes = bytes, .size = 4, .ends = true, .delimiter = ' '};
  struct text_field field;
  text_split_from(&split, 3);
  ck_assert_int_eq(text_split_next(&split, &field), TEXT_LAST);
  ck_assert(field.begin == field.end);
}

TEST(names_are_copied_without_blanks_and_doubled_quotes) {
  static const char text[] = " \t say \"\"hi\"\" ";
  struct text_field field = {text, text + sizeof text - 1, true};
  char name[20], part[4];
  ck_assert_uint_eq(text_field_copy(&field, name, sizeof name), 8);
  ck_assert_str_eq(name, "say \"hi\"");
  ck_assert_uint_eq(text_field_copy(&field, part, sizeof part), 8);
  ck_assert_str_eq(part, "say");
  field.quoted = false;
  ck_assert_uint_eq(text_field_copy(&field, name, sizeof name), 10);
  ck_assert_str_eq(name, "say \"\"hi\"\"");
}

TEST(lines_in_quotes_count) {
  static char bytes[100] = "\"a\n\n\",b\nc";
  struct text_split split = {.bytes = bytes, .size = 9, .ends = true, .delimiter = ','};
  struct text_field field;
  text_split_from(&split, 0);
  ck_assert_int_eq(text_split_next(&split, &field), TEXT_FIELD);
  ck_assert_uint_eq(split.lines, 2);
  ck_assert_int_eq(text_split_next(&split, &field), TEXT_LAST);
  ck_assert_uint_eq(split.lines, 3);
}

static const char *field_text(const struct text_field *field, char text[32]) {
  snprintf(text, 32, "%s%.*s", field->quoted ? "q:" : "", (int)(field->end - field->begin), field->begin);
  return text;
}

// The second field takes the rest of its line, unchanged. The text is also read cut at every length: the splitter must
// then ask for more.
TEST(a_field_may_take_the_rest_of_its_line) {
  static const char text[] = "a  b c \"d\n1 \"y\nz\"\n2 \"y\"w v\r\n3 x \nlast  one more";
  static const char *const rests[] = {"b c \"d", "q:y\nz", "\"y\"w v", "x ", "one more"};
  char bytes[sizeof text + TEXT_PADDING] = {0}, rest[32];
  memcpy(bytes, text, sizeof text - 1);
  for (size_t size = 1; size < sizeof text; size++) {
    struct text_split split = {
      .bytes = bytes, .size = size, .ends = size == sizeof text - 1, .delimiter = ' ', .rest = 2};
    struct text_field field;
    size_t rows = 0;
    text_split_from(&split, 0);
    while (rows < COUNT_OF(rests) && text_split_at(&split, 0, &field) == TEXT_FIELD &&
           text_split_at(&split, 1, &field) == TEXT_LAST)
      ck_assert_str_eq(field_text(&field, rest), rests[rows++]);
    ck_assert(split.ends == (rows == COUNT_OF(rests)));
    ck_assert(!split.ends || (text_split_done(&split) && split.lines == 5));
  }
}
