#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/identifiers.h"
#include "source/lines.h"

// A set of words: a hash table with a power of two of places, at most half of them taken.
struct words {
  struct clr_word *at;
  size_t count, capacity;
};

bool clr_words_equal(struct clr_word one, struct clr_word other) {
  return one.length == other.length && memcmp(one.begin, other.begin, one.length) == 0;
}

bool clr_word_is(struct clr_word word, const char *text) {
  return strlen(text) == word.length && memcmp(word.begin, text, word.length) == 0;
}

struct clr_word clr_identifier_at(const char *at) {
  struct clr_word word = {at, 0};
  if (isalpha((unsigned char)*at) || *at == '_')
    while (isalnum((unsigned char)at[word.length]) || at[word.length] == '_')
      word.length++;
  return word;
}

// Where the word stands, or would.
static struct clr_word *place_of(const struct words *words, struct clr_word word) {
  size_t hash = 5381;
  for (size_t i = 0; i < word.length; i++)
    hash = hash * 33 + (unsigned char)word.begin[i];
  hash &= words->capacity - 1;
  while (words->at[hash].begin && !clr_words_equal(words->at[hash], word))
    hash = (hash + 1) & (words->capacity - 1);
  return &words->at[hash];
}

static bool has_word(const struct words *words, const char *begin, size_t length) {
  return words->capacity && place_of(words, (struct clr_word){begin, length})->begin;
}

static bool grow(struct words *words) {
  struct words larger = {.count = words->count, .capacity = words->capacity ? 2 * words->capacity : 1024};
  larger.at = calloc(larger.capacity, sizeof *larger.at);
  if (!larger.at)
    return false;
  for (size_t i = 0; i < words->capacity; i++)
    if (words->at[i].begin)
      *place_of(&larger, words->at[i]) = words->at[i];
  free(words->at);
  *words = larger;
  return true;
}

static bool add_word(struct words *words, struct clr_word word) {
  if (2 * words->count >= words->capacity && !grow(words))
    return false;
  struct clr_word *place = place_of(words, word);
  words->count += !place->begin;
  *place = word;
  return true;
}

// All identifiers of a text, but those of comments and strings.
static bool add_words(struct words *words, struct clr_word text) {
  const char *at = text.begin, *end = text.begin + text.length;
  bool added = true;
  while (at < end && added) {
    const char *after = clr_skip_foreign(at);
    struct clr_word word = clr_identifier_at(at);
    if (!after)
      return added;
    if (after == at && word.length)
      added = add_word(words, word);
    at = after != at ? after : at + (word.length ? word.length : 1);
  }
  return added;
}

// Whether the words name a macro: see lines.h.
static bool is_named(const struct words *words, struct clr_word macro) {
  size_t digits = 0;
  if (has_word(words, macro.begin, macro.length))
    return true;
  for (size_t length = 1; length < macro.length; length++)
    if (macro.begin[length - 1] == '_' && has_word(words, macro.begin, length))
      return true;
  while (digits + 1 < macro.length && isdigit((unsigned char)macro.begin[macro.length - 1 - digits]))
    digits++;
  return digits && macro.begin[macro.length - 1 - digits] == '_' &&
         has_word(words, macro.begin, macro.length - 1 - digits);
}

// What a definition says behind the name of the macro.
static struct clr_word body_of(const struct clr_line *line) {
  const char *begin = line->macro.begin + line->macro.length;
  return (struct clr_word){begin, (size_t)(line->text.begin + line->text.length - begin)};
}

// Takes a macro that is named as used: what it says names others. Whether any was found, if memory lasts.
static bool find_used(struct clr_lines *lines, struct words *words, bool *found) {
  *found = false;
  for (size_t i = 0; i < lines->count; i++) {
    struct clr_line *line = &lines->at[i];
    if (!line->unused || !is_named(words, line->macro))
      continue;
    line->unused = false;
    *found = true;
    if (line->kind == CLR_LINE_DEFINE && !add_words(words, body_of(line)))
      return false;
  }
  return true;
}

bool clr_find_unused(struct clr_lines *lines) {
  struct words words = {0};
  bool found = true, lasts = true;
  for (size_t i = 0; i < lines->count && lasts; i++) {
    struct clr_line *line = &lines->at[i];
    line->unused = line->kind == CLR_LINE_DEFINE || line->kind == CLR_LINE_UNDEF;
    if (!line->unused)
      lasts = add_words(&words, line->text);
  }
  while (lasts && found)
    lasts = find_used(lines, &words, &found);
  free(words.at);
  return lasts;
}
