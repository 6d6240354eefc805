// Reads and writes the text of a tuning file.
#include "model/tuning_text.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"

static const char check_word[] = "check ";
#define CHECK_LENGTH (sizeof check_word - 1 + 16 + 1)
#define SECTIONS_MAX 64

// ---------------------------------------------------------------- Keys

void clr_tuning_key_line(char line[CLR_TUNING_LINE], const char *from) {
  size_t length = 0;
  from += strspn(from, " ");
  for (; length < CLR_TUNING_LINE - 1 && from[length]; length++)
    line[length] = (unsigned char)from[length] < ' ' || from[length] == 0x7f ? ' ' : from[length];
  while (length && line[length - 1] == ' ')
    length--;
  line[length] = 0;
}

// The key has only facts that decide shapes or cache hints. On some devices other facts, such as sizes of memory,
// change from run to run.
void clr_tuning_key_facts(char line[CLR_TUNING_LINE], const struct clr_facts *facts) {
  const struct clr_fact_row *row;
  size_t length = 0;
  *line = 0;
  for (size_t i = 0; (row = clr_fact_row(i)) != NULL && length < CLR_TUNING_LINE; i++) {
    if (row->keyed)
      length += (size_t)snprintf(line + length, CLR_TUNING_LINE - length, "%s%s=%llu", length ? "," : "", row->name,
                                 (unsigned long long)clr_fact_value(facts, row));
  }
}

// ---------------------------------------------------------------- Damage

static cl_ulong sum_of(const char *bytes, size_t length) {
  return clr_checksum(CLR_CHECKSUM_BEGIN, bytes, length);
}

static void write_check(struct clr_text *text) {
  if (!text->failed)
    clr_text_format(text, "%s%016llx\n", check_word, (unsigned long long)sum_of(text->bytes, text->length));
}

// The first line without its last word, the version.
#define NAME_LENGTH (sizeof CLR_TUNING_BEGIN - sizeof "1")
#define FIRST_LENGTH (sizeof CLR_TUNING_BEGIN - 1)

static bool starts_with(const char *bytes, size_t length, const char *begin, size_t begin_length) {
  return length >= begin_length && memcmp(bytes, begin, begin_length) == 0;
}

static enum clr_tuning_state check(const char *bytes, size_t length) {
  char expected[CHECK_LENGTH + 1];
  bool begins = starts_with(bytes, length, CLR_TUNING_BEGIN "\n", FIRST_LENGTH + 1);
  if (!begins && starts_with(bytes, length, CLR_TUNING_BEGIN, NAME_LENGTH) &&
      !starts_with(CLR_TUNING_BEGIN, FIRST_LENGTH, bytes, length))
    return CLR_TUNING_VERSION;
  if (!begins || length > CLR_TUNING_FILE_MAX || length < FIRST_LENGTH + 1 + CHECK_LENGTH)
    return CLR_TUNING_DAMAGED;
  snprintf(expected, sizeof expected, "%s%016llx\n", check_word,
           (unsigned long long)sum_of(bytes, length - CHECK_LENGTH));
  return memcmp(bytes + length - CHECK_LENGTH, expected, CHECK_LENGTH) == 0 ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED;
}

// ---------------------------------------------------------------- Lines

static bool next_line(struct clr_word *rest, struct clr_word *line) {
  const char *end = rest->length ? memchr(rest->begin, '\n', rest->length) : NULL;
  if (!end)
    return false;
  *line = (struct clr_word){rest->begin, (size_t)(end - rest->begin)};
  rest->begin = end + 1;
  rest->length -= line->length + 1;
  return true;
}

static bool next_word(struct clr_word *rest, char end, struct clr_word *word) {
  const char *at = rest->length ? memchr(rest->begin, end, rest->length) : NULL;
  *word = (struct clr_word){rest->begin, at ? (size_t)(at - rest->begin) : rest->length};
  size_t taken = word->length + (at != NULL);
  rest->begin += taken;
  rest->length -= taken;
  return word->length > 0;
}

static bool word_copy(struct clr_word word, char *to, size_t size) {
  if (word.length >= size || memchr(word.begin, 0, word.length))
    return false;
  memcpy(to, word.begin, word.length);
  to[word.length] = 0;
  return true;
}

static bool word_number(struct clr_word word, cl_ulong *value) {
  const size_t most_digits = 15;
  *value = 0;
  for (size_t i = 0; i < word.length; i++) {
    if (word.begin[i] < '0' || word.begin[i] > '9')
      return false;
    *value = *value * 10 + (cl_ulong)(word.begin[i] - '0');
  }
  return word.length > 0 && word.length <= most_digits;
}

// ---------------------------------------------------------------- Rows

static bool read_numbers(struct clr_word rest, struct clr_tuned *tuned) {
  struct clr_word pair, name;
  *tuned = (struct clr_tuned){0};
  if (clr_word_is(rest, "-"))
    return true;
  while (next_word(&rest, ',', &pair)) {
    cl_ulong value;
    unsigned tunable = 0;
    if (!next_word(&pair, '=', &name) || !word_number(pair, &value))
      return false;
    while (tunable < CLR_TUNABLES && !clr_word_is(name, clr_tunable_row(tunable)->name))
      tunable++;
    if (tunable == CLR_TUNABLES || !clr_tunable_allows(tunable, value))
      return false;
    clr_tuned_set(tuned, tunable, value);
  }
  return rest.length == 0 && tuned->given;
}

static bool read_length(struct clr_word word, enum clr_length *length) {
  for (unsigned i = 0; i < CLR_LENGTHS; i++)
    if (clr_word_is(word, clr_length_name(i))) {
      *length = i;
      return true;
    }
  return false;
}

static bool read_row(struct clr_word rest, struct clr_tuning_row *row) {
  struct clr_word word;
  memset(row, 0, sizeof *row);
  return next_word(&rest, ' ', &word) && clr_word_is(word, "numbers") && next_word(&rest, ' ', &word) &&
         word_copy(word, row->strategy, sizeof row->strategy) && next_word(&rest, ' ', &word) &&
         word_copy(word, row->op, sizeof row->op) && next_word(&rest, ' ', &word) &&
         word_copy(word, row->type, sizeof row->type) && next_word(&rest, ' ', &word) &&
         word_number(word, &row->state_size) && next_word(&rest, ' ', &word) && read_length(word, &row->length) &&
         read_numbers(rest, &row->tuned);
}

static bool is_row(struct clr_word line) {
  struct clr_tuning_row row;
  return read_row(line, &row);
}

// ---------------------------------------------------------------- Sections

// A section begins with lines of these words, in this order; each word is followed by its value.
#define KEY_LINES 5
static const char *const key_words[KEY_LINES] = {"device ", "platform ", "driver ", "library ", "facts "};
enum { DEVICE, PLATFORM, DRIVER, LIBRARY, FACTS };

struct section {
  struct clr_word key[KEY_LINES];
  struct clr_word whole;  // from its first line to its last
  struct clr_word rows;   // its lines with rows, without the line that ends it
};

static bool read_section(struct clr_word *rest, struct section *section) {
  struct clr_word line;
  const char *begin = rest->begin;
  for (size_t i = 0; i < KEY_LINES; i++) {
    size_t word = strlen(key_words[i]);
    if (!next_line(rest, &line) || line.length < word || memcmp(line.begin, key_words[i], word) != 0)
      return false;
    section->key[i] = (struct clr_word){line.begin + word, line.length - word};
  }
  section->rows.begin = rest->begin;
  do {
    section->rows.length = (size_t)(rest->begin - section->rows.begin);
    if (!next_line(rest, &line))
      return false;
  } while (!clr_word_is(line, "end"));
  section->whole = (struct clr_word){begin, (size_t)(rest->begin - begin)};
  return true;
}

static bool same_device(const struct section *section, const struct clr_tuning_key *key) {
  return clr_word_is(section->key[DEVICE], key->device) && clr_word_is(section->key[PLATFORM], key->platform) &&
         clr_word_is(section->key[FACTS], key->facts);
}

static bool same_software(const struct section *section, const struct clr_tuning_key *key) {
  return clr_word_is(section->key[DRIVER], key->driver) && clr_word_is(section->key[LIBRARY], key->version);
}

static bool are_rows(struct clr_word rows) {
  struct clr_word line;
  while (next_line(&rows, &line))
    if (!is_row(line))
      return false;
  return true;
}

// Returns the sections of a text: all lines between the first and the last.
static struct clr_word body(const char *bytes, size_t length) {
  return (struct clr_word){bytes + FIRST_LENGTH + 1, length - FIRST_LENGTH - 1 - CHECK_LENGTH};
}

// Finds the rows of the key's section.
static enum clr_tuning_state find_rows(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                       struct clr_word *rows) {
  struct section section;
  enum clr_tuning_state state = check(bytes, length), found = CLR_TUNING_ABSENT;
  if (state != CLR_TUNING_FOUND)
    return state;
  struct clr_word rest = body(bytes, length);
  while (rest.length) {
    if (!read_section(&rest, &section))
      return CLR_TUNING_DAMAGED;
    if (same_device(&section, key) && same_software(&section, key)) {
      *rows = section.rows;
      return are_rows(section.rows) ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED;
    }
    if (same_device(&section, key))
      found = CLR_TUNING_STALE;
  }
  return found;
}

enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning) {
  struct clr_word rows = {bytes, 0}, line;
  struct clr_tuning_row row;
  enum clr_tuning_state state = find_rows(bytes, length, key, &rows);
  while (state == CLR_TUNING_FOUND && next_line(&rows, &line))
    if (read_row(line, &row))
      clr_tuning_put(tuning, &row);
  return state;
}

// ---------------------------------------------------------------- Writing

void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text) {
  const char *between = "";
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tuned_has(tuned, i)) {
      clr_text_format(text, "%s%s=%llu", between, clr_tunable_row(i)->name, (unsigned long long)tuned->values[i]);
      between = ",";
    }
  if (!tuned->given)
    clr_text_append(text, "-");
}

static void write_row(const struct clr_tuning_row *row, struct clr_text *text) {
  clr_text_format(text, "numbers %s %s %s %llu %s ", row->strategy, row->op, row->type,
                  (unsigned long long)row->state_size, clr_length_name(row->length));
  clr_tuned_write(&row->tuned, text);
  clr_text_append(text, "\n");
}

// Copies the sections of other devices, and the sections of this device with other facts.
static void keep_others(const char *old, size_t length, const struct clr_tuning_key *key, struct clr_text *text) {
  struct section section;
  struct clr_word rest = body(old, length);
  for (size_t i = 0; i < SECTIONS_MAX - 1 && rest.length && read_section(&rest, &section); i++)
    if (!same_device(&section, key) && !memchr(section.whole.begin, 0, section.whole.length))
      clr_text_add(text, section.whole.begin, section.whole.length);
}

// Put the key's section first: if there are too many sections, the last (oldest) ones are dropped.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text) {
  struct clr_tuning rows = {0};
  enum clr_tuning_state state = old ? clr_tuning_read(old, length, key, &rows) : CLR_TUNING_DAMAGED;
  for (size_t i = 0; i < tuning->count; i++)
    text->failed |= !clr_tuning_put(&rows, &tuning->rows[i]);
  clr_text_format(text, "%s\ndevice %s\nplatform %s\ndriver %s\nlibrary %s\nfacts %s\n", CLR_TUNING_BEGIN, key->device,
                  key->platform, key->driver, key->version, key->facts);
  for (size_t i = 0; i < rows.count; i++)
    write_row(&rows.rows[i], text);
  clr_text_append(text, "end\n");
  if (state == CLR_TUNING_FOUND || state == CLR_TUNING_ABSENT || state == CLR_TUNING_STALE)
    keep_others(old, length, key, text);
  write_check(text);
  clr_tuning_release(&rows);
}
