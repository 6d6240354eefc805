// Reads and writes the text of files that keep tunings and findings of devices.
#include "model/kept_text.h"

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

// Returns the length of `begin` without the version, its last word.
static size_t name_length(const char *begin) {
  return (size_t)(strrchr(begin, ' ') - begin) + 1;
}

static bool starts_with(const char *bytes, size_t length, const char *begin, size_t begin_length) {
  return length >= begin_length && memcmp(bytes, begin, begin_length) == 0;
}

static enum clr_tuning_state check(const char *begin, const char *bytes, size_t length) {
  char expected[CHECK_LENGTH + 1];
  size_t first = strlen(begin);
  bool begins = length > first && starts_with(bytes, length, begin, first) && bytes[first] == '\n';
  if (!begins && starts_with(bytes, length, begin, name_length(begin)) && !starts_with(begin, first, bytes, length))
    return CLR_TUNING_VERSION;
  if (!begins || length > CLR_KEPT_FILE_MAX || length < first + 1 + CHECK_LENGTH)
    return CLR_TUNING_DAMAGED;
  snprintf(expected, sizeof expected, "%s%016llx\n", check_word,
           (unsigned long long)sum_of(bytes, length - CHECK_LENGTH));
  return memcmp(bytes + length - CHECK_LENGTH, expected, CHECK_LENGTH) == 0 ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED;
}

// ---------------------------------------------------------------- Lines

bool clr_next_line(struct clr_word *rest, struct clr_word *line) {
  const char *end = rest->length ? memchr(rest->begin, '\n', rest->length) : NULL;
  if (!end)
    return false;
  *line = (struct clr_word){rest->begin, (size_t)(end - rest->begin)};
  rest->begin = end + 1;
  rest->length -= line->length + 1;
  return true;
}

bool clr_next_word(struct clr_word *rest, char end, struct clr_word *word) {
  const char *at = rest->length ? memchr(rest->begin, end, rest->length) : NULL;
  *word = (struct clr_word){rest->begin, at ? (size_t)(at - rest->begin) : rest->length};
  size_t taken = word->length + (at != NULL);
  rest->begin += taken;
  rest->length -= taken;
  return word->length > 0;
}

bool clr_word_copy(struct clr_word word, char *to, size_t size) {
  if (word.length >= size || memchr(word.begin, 0, word.length))
    return false;
  memcpy(to, word.begin, word.length);
  to[word.length] = 0;
  return true;
}

bool clr_word_number(struct clr_word word, cl_ulong *value) {
  const size_t most_digits = 15;
  *value = 0;
  for (size_t i = 0; i < word.length; i++) {
    if (word.begin[i] < '0' || word.begin[i] > '9')
      return false;
    *value = *value * 10 + (cl_ulong)(word.begin[i] - '0');
  }
  return word.length > 0 && word.length <= most_digits;
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
    if (!clr_next_line(rest, &line) || line.length < word || memcmp(line.begin, key_words[i], word) != 0)
      return false;
    section->key[i] = (struct clr_word){line.begin + word, line.length - word};
  }
  section->rows.begin = rest->begin;
  do {
    section->rows.length = (size_t)(rest->begin - section->rows.begin);
    if (!clr_next_line(rest, &line))
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

static bool are_rows(struct clr_word rows, bool (*is_row)(struct clr_word line)) {
  struct clr_word line;
  while (clr_next_line(&rows, &line))
    if (!is_row(line))
      return false;
  return true;
}

// Returns the sections of a text: all lines between the first and the last.
static struct clr_word body(const char *begin, const char *bytes, size_t length) {
  size_t first = strlen(begin) + 1;
  return (struct clr_word){bytes + first, length - first - CHECK_LENGTH};
}

enum clr_tuning_state clr_kept_read(const char *begin, const char *bytes, size_t length,
                                    const struct clr_tuning_key *key, bool (*is_row)(struct clr_word line),
                                    struct clr_word *rows) {
  struct section section;
  enum clr_tuning_state state = check(begin, bytes, length), found = CLR_TUNING_ABSENT;
  *rows = (struct clr_word){bytes, 0};
  if (state != CLR_TUNING_FOUND)
    return state;
  struct clr_word rest = body(begin, bytes, length);
  while (rest.length) {
    if (!read_section(&rest, &section))
      return CLR_TUNING_DAMAGED;
    if (same_device(&section, key) && same_software(&section, key)) {
      *rows = section.rows;
      return are_rows(section.rows, is_row) ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED;
    }
    if (same_device(&section, key))
      found = CLR_TUNING_STALE;
  }
  return found;
}

// ---------------------------------------------------------------- Writing

// Copies the sections of other devices, and the sections of this device with other facts.
static void keep_others(const char *begin, const char *old, size_t length, const struct clr_tuning_key *key,
                        struct clr_text *text) {
  struct section section;
  struct clr_word rest = body(begin, old, length);
  for (size_t i = 0; i < SECTIONS_MAX - 1 && rest.length && read_section(&rest, &section); i++)
    if (!same_device(&section, key) && !memchr(section.whole.begin, 0, section.whole.length))
      clr_text_add(text, section.whole.begin, section.whole.length);
}

// Put the key's section first: if there are too many sections, the last (oldest) ones are dropped.
void clr_kept_write(const char *begin, const char *old, size_t length, const struct clr_tuning_key *key,
                    const char *rows, bool (*is_row)(struct clr_word line), struct clr_text *text) {
  struct clr_word unused;
  enum clr_tuning_state state = old ? clr_kept_read(begin, old, length, key, is_row, &unused) : CLR_TUNING_DAMAGED;
  clr_text_format(text, "%s\ndevice %s\nplatform %s\ndriver %s\nlibrary %s\nfacts %s\n", begin, key->device,
                  key->platform, key->driver, key->version, key->facts);
  clr_text_append(text, rows);
  clr_text_append(text, "end\n");
  if (state == CLR_TUNING_FOUND || state == CLR_TUNING_ABSENT || state == CLR_TUNING_STALE)
    keep_others(begin, old, length, key, text);
  write_check(text);
}
