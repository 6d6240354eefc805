#include "model/tuning_text.h"

#include <stdio.h>
#include <string.h>

static const char header[] = CLR_TUNING_BEGIN "\n";
static const char header_of_any[] = "clreduce tuning ";
static const char check_word[] = "check ";
#define CHECK_LENGTH (sizeof check_word - 1 + 16 + 1)
#define SECTIONS_MAX 64

// A piece of the text, without the line's end.
struct span {
  const char *at;
  size_t      length;
};

// ---------------------------------------------------------------- Damage

// Each step is one to one, so no single byte can change without the sum (FNV-1a, 64 bits).
static cl_ulong sum_of(const char *bytes, size_t length)
{
  cl_ulong sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return sum;
}

static void write_check(struct clr_text *text)
{
  if (!text->failed)
    clr_text_format(text, "%s%016llx\n", check_word, (unsigned long long)sum_of(text->bytes, text->length));
}

static enum clr_tuning_state check(const char *bytes, size_t length)
{
  char expected[CHECK_LENGTH + 1];
  if (length >= sizeof header_of_any - 1 && memcmp(bytes, header_of_any, sizeof header_of_any - 1) == 0 &&
      memcmp(bytes, header, length < sizeof header - 1 ? length : sizeof header - 1) != 0)
    return CLR_TUNING_VERSION;
  if (length > CLR_TUNING_FILE_MAX || length < sizeof header - 1 + CHECK_LENGTH ||
      memcmp(bytes, header, sizeof header - 1) != 0)
    return CLR_TUNING_DAMAGED;
  snprintf(expected, sizeof expected, "%s%016llx\n", check_word, (unsigned long long)sum_of(bytes, length - CHECK_LENGTH));
  return memcmp(bytes + length - CHECK_LENGTH, expected, CHECK_LENGTH) == 0 ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED;
}

// ---------------------------------------------------------------- Lines

static bool next_line(struct span *rest, struct span *line)
{
  const char *end = rest->length ? memchr(rest->at, '\n', rest->length) : NULL;
  if (!end)
    return false;
  *line = (struct span){rest->at, (size_t)(end - rest->at)};
  rest->at = end + 1;
  rest->length -= line->length + 1;
  return true;
}

static bool next_word(struct span *rest, char end, struct span *word)
{
  const char *at = rest->length ? memchr(rest->at, end, rest->length) : NULL;
  *word = (struct span){rest->at, at ? (size_t)(at - rest->at) : rest->length};
  size_t taken = word->length + (at != NULL);
  rest->at += taken;
  rest->length -= taken;
  return word->length > 0;
}

static bool is(struct span span, const char *text)
{
  return span.length == strlen(text) && memcmp(span.at, text, span.length) == 0;
}

static bool copy(struct span span, char *to, size_t size)
{
  if (span.length >= size || memchr(span.at, 0, span.length))
    return false;
  memcpy(to, span.at, span.length);
  to[span.length] = 0;
  return true;
}

static bool number(struct span span, cl_ulong *value)
{
  const size_t most_digits = 15;
  *value = 0;
  for (size_t i = 0; i < span.length; i++) {
    if (span.at[i] < '0' || span.at[i] > '9')
      return false;
    *value = *value * 10 + (cl_ulong)(span.at[i] - '0');
  }
  return span.length > 0 && span.length <= most_digits;
}

// ---------------------------------------------------------------- Rows

static bool read_numbers(struct span rest, struct clr_tuned *tuned)
{
  struct span pair, name;
  *tuned = (struct clr_tuned){0};
  if (is(rest, "-"))
    return true;
  while (next_word(&rest, ',', &pair)) {
    cl_ulong value;
    unsigned tunable = 0;
    if (!next_word(&pair, '=', &name) || !number(pair, &value))
      return false;
    while (tunable < CLR_TUNABLES && !is(name, clr_tunable_row(tunable)->name))
      tunable++;
    if (tunable == CLR_TUNABLES || !clr_tunable_allows(tunable, value))
      return false;
    clr_tuned_set(tuned, tunable, value);
  }
  return rest.length == 0 && tuned->given;
}

static bool read_length(struct span word, enum clr_length *length)
{
  for (unsigned i = 0; i < CLR_LENGTHS; i++)
    if (is(word, clr_length_name(i))) {
      *length = i;
      return true;
    }
  return false;
}

static bool read_row(struct span rest, struct clr_tuning_row *row)
{
  struct span word;
  memset(row, 0, sizeof *row);
  return next_word(&rest, ' ', &word) && is(word, "numbers") &&
         next_word(&rest, ' ', &word) && copy(word, row->strategy, sizeof row->strategy) &&
         next_word(&rest, ' ', &word) && copy(word, row->op, sizeof row->op) &&
         next_word(&rest, ' ', &word) && copy(word, row->type, sizeof row->type) &&
         next_word(&rest, ' ', &word) && number(word, &row->state_size) &&
         next_word(&rest, ' ', &word) && read_length(word, &row->length) && read_numbers(rest, &row->tuned);
}

void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text)
{
  const char *between = "";
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tuned_has(tuned, i)) {
      clr_text_format(text, "%s%s=%llu", between, clr_tunable_row(i)->name, (unsigned long long)tuned->values[i]);
      between = ",";
    }
  if (!tuned->given)
    clr_text_append(text, "-");
}

static void write_row(const struct clr_tuning_row *row, struct clr_text *text)
{
  clr_text_format(text, "numbers %s %s %s %llu %s ", row->strategy, row->op, row->type, (unsigned long long)row->state_size,
                  clr_length_name(row->length));
  clr_tuned_write(&row->tuned, text);
  clr_text_append(text, "\n");
}

// ---------------------------------------------------------------- Sections

// What follows such words on the first lines of a section, in their order.
#define KEY_LINES 5
static const char *const key_words[KEY_LINES] = {"device ", "platform ", "driver ", "library ", "facts "};
enum { DEVICE, PLATFORM, DRIVER, LIBRARY, FACTS };

struct section {
  struct span key[KEY_LINES];
  struct span whole;  // from its first line to its last
  struct span rows;   // lines, the end's line excluded
};

static bool read_section(struct span *rest, struct section *section)
{
  struct span line;
  const char *begin = rest->at;
  for (size_t i = 0; i < KEY_LINES; i++) {
    size_t word = strlen(key_words[i]);
    if (!next_line(rest, &line) || line.length < word || memcmp(line.at, key_words[i], word) != 0)
      return false;
    section->key[i] = (struct span){line.at + word, line.length - word};
  }
  section->rows.at = rest->at;
  do {
    section->rows.length = (size_t)(rest->at - section->rows.at);
    if (!next_line(rest, &line))
      return false;
  } while (!is(line, "end"));
  section->whole = (struct span){begin, (size_t)(rest->at - begin)};
  return true;
}

static bool same_device(const struct section *section, const struct clr_tuning_key *key)
{
  return is(section->key[DEVICE], key->device) && is(section->key[PLATFORM], key->platform) &&
         is(section->key[FACTS], key->facts);
}

static bool same_software(const struct section *section, const struct clr_tuning_key *key)
{
  return is(section->key[DRIVER], key->driver) && is(section->key[LIBRARY], key->version);
}

static enum clr_tuning_state read_rows(struct span rest, struct clr_tuning *tuning)
{
  struct span line;
  struct clr_tuning_row row;
  struct span first = rest;
  while (next_line(&first, &line))
    if (!read_row(line, &row))
      return CLR_TUNING_DAMAGED;
  while (next_line(&rest, &line))
    if (read_row(line, &row))
      clr_tuning_put(tuning, &row);
  return CLR_TUNING_FOUND;
}

// The sections of a text, between its first line and its last.
static struct span body(const char *bytes, size_t length)
{
  return (struct span){bytes + sizeof header - 1, length - (sizeof header - 1) - CHECK_LENGTH};
}

enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning)
{
  struct section section;
  enum clr_tuning_state state = check(bytes, length), found = CLR_TUNING_ABSENT;
  if (state != CLR_TUNING_FOUND)
    return state;
  struct span rest = body(bytes, length);
  while (rest.length) {
    if (!read_section(&rest, &section))
      return CLR_TUNING_DAMAGED;
    if (same_device(&section, key) && same_software(&section, key))
      return read_rows(section.rows, tuning);
    if (same_device(&section, key))
      found = CLR_TUNING_STALE;
  }
  return found;
}

// ---------------------------------------------------------------- Writing

// Sections that stay as they are: those of other devices, and of this one under other facts.
static void keep_others(const char *old, size_t length, const struct clr_tuning_key *key, struct clr_text *text)
{
  struct section section;
  struct span rest = body(old, length);
  char piece[1024];
  for (size_t i = 0; i < SECTIONS_MAX - 1 && rest.length && read_section(&rest, &section); i++) {
    struct span left = section.whole;
    if (same_device(&section, key) || memchr(left.at, 0, left.length))
      continue;
    for (size_t taken; left.length; left.at += taken, left.length -= taken) {
      taken = left.length < sizeof piece ? left.length : sizeof piece - 1;
      memcpy(piece, left.at, taken);
      piece[taken] = 0;
      clr_text_append(text, piece);
    }
  }
}

void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text)
{
  struct clr_tuning rows = {0};
  enum clr_tuning_state state = old ? clr_tuning_read(old, length, key, &rows) : CLR_TUNING_DAMAGED;
  clr_text_append(text, header);
  // Newest first: where there are too many, the oldest stays out.
  clr_text_format(text, "device %s\nplatform %s\ndriver %s\nlibrary %s\nfacts %s\n", key->device, key->platform, key->driver,
                  key->version, key->facts);
  for (size_t i = 0; i < tuning->count; i++)
    text->failed |= !clr_tuning_put(&rows, &tuning->rows[i]);
  for (size_t i = 0; i < rows.count; i++)
    write_row(&rows.rows[i], text);
  clr_text_append(text, "end\n");
  if (state == CLR_TUNING_FOUND || state == CLR_TUNING_ABSENT || state == CLR_TUNING_STALE)
    keep_others(old, length, key, text);
  write_check(text);
  clr_tuning_release(&rows);
}
