// Reads and writes the text of a tuning file.
#include "model/tuning_text.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/version.h"

static const char check_word[] = "check ";
#define CHECK_LENGTH (sizeof check_word - 1 + 16 + 1)
#define SECTIONS_MAX 64

// ---------------------------------------------------------------- Keys

// Replaces control characters by blanks, because a key is one line of the file.
static void make_plain(char *line) {
  for (; *line; line++)
    if ((unsigned char)*line < ' ' || *line == 0x7f)
      *line = ' ';
}

// The key has only facts that decide shapes or cache hints. On some devices other facts, such as sizes of memory,
// change from run to run.
void clr_tuning_key_make(const char *device, const char *platform, const char *driver, const struct clr_facts *facts,
                         struct clr_tuning_key *key) {
  const struct clr_fact_row *row;
  char *line = key->device;
  size_t length = (size_t)snprintf(line, CLR_TUNING_LINE, "%.200s, %.200s, ", device, platform);
  for (size_t i = 0; (row = clr_fact_row(i)) != NULL && length < CLR_TUNING_LINE; i++)
    if (row->keyed)
      length += (size_t)snprintf(line + length, CLR_TUNING_LINE - length, "%s=%llu,", row->name,
                                 (unsigned long long)clr_fact_value(facts, row));
  snprintf(key->software, CLR_TUNING_LINE, "%.200s, libclreduce %s", driver, CLR_VERSION);
  make_plain(key->device);
  make_plain(key->software);
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

// ---------------------------------------------------------------- Sections

// A section begins with the line of a device. The rows behind a line of software are measured with this software.
static const char device_word[] = "device ", software_word[] = "software ";

// The lines of a text between the first and the last, with the key that each line belongs to.
struct reader {
  const struct clr_tuning_key *key;
  struct clr_word rest, line;
  bool is_row;      // the line is neither of a device nor of software
  bool has_device;  // a line of a device came before
  bool is_same_device, is_same_software;
};

static struct reader reader_of(const char *bytes, size_t length, const struct clr_tuning_key *key) {
  return (struct reader){.key = key, .rest = {bytes + FIRST_LENGTH + 1, length - FIRST_LENGTH - 1 - CHECK_LENGTH}};
}

// Returns what follows the word at the begin of the line; no text if the line begins otherwise.
static struct clr_word behind(struct clr_word line, const char *word) {
  const size_t length = strlen(word);
  return starts_with(line.begin, line.length, word, length)
           ? (struct clr_word){line.begin + length, line.length - length}
           : (struct clr_word){NULL, 0};
}

static bool next_keyed_line(struct reader *reader) {
  if (!next_line(&reader->rest, &reader->line))
    return false;
  const struct clr_word device = behind(reader->line, device_word), software = behind(reader->line, software_word);
  reader->is_row = !device.begin && !software.begin;
  reader->has_device |= device.begin != NULL;
  if (device.begin)
    reader->is_same_device = clr_word_is(device, reader->key->device);
  if (!reader->is_row)
    reader->is_same_software = reader->is_same_device && clr_word_is(software, reader->key->software);
  return true;
}

enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning) {
  struct clr_tuning_row row;
  enum clr_tuning_state state = check(bytes, length);
  if (state != CLR_TUNING_FOUND)
    return state;
  state = CLR_TUNING_ABSENT;
  for (struct reader reader = reader_of(bytes, length, key); next_keyed_line(&reader);) {
    if (reader.is_same_software)
      state = CLR_TUNING_FOUND;
    else if (reader.is_same_device && state == CLR_TUNING_ABSENT)
      state = CLR_TUNING_STALE;
    if (!reader.is_row || (reader.has_device && !reader.is_same_software))
      continue;
    if (!reader.has_device || !read_row(reader.line, &row)) {
      clr_tuning_release(tuning);
      return CLR_TUNING_DAMAGED;
    }
    clr_tuning_put(tuning, &row);
  }
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
  size_t sections = 1;
  for (struct reader reader = reader_of(old, length, key); next_keyed_line(&reader);) {
    sections += behind(reader.line, device_word).begin && !reader.is_same_device;
    if (sections > SECTIONS_MAX)
      return;
    if (reader.has_device && !reader.is_same_device)
      clr_text_add(text, reader.line.begin, reader.line.length + 1);
  }
}

// Put the key's section first: if there are too many sections, the last (oldest) ones are dropped.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text) {
  struct clr_tuning rows = {0};
  enum clr_tuning_state state = old ? clr_tuning_read(old, length, key, &rows) : CLR_TUNING_DAMAGED;
  for (size_t i = 0; i < tuning->count; i++)
    text->failed |= !clr_tuning_put(&rows, &tuning->rows[i]);
  clr_text_format(text, "%s\n%s%s\n%s%s\n", CLR_TUNING_BEGIN, device_word, key->device, software_word, key->software);
  for (size_t i = 0; i < rows.count; i++)
    write_row(&rows.rows[i], text);
  if (state == CLR_TUNING_FOUND || state == CLR_TUNING_ABSENT || state == CLR_TUNING_STALE)
    keep_others(old, length, key, text);
  write_check(text);
  clr_tuning_release(&rows);
}
