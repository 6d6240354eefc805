// Finds macros and functions that nothing uses.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/identifiers.h"
#include "source/files.h"

// A set of words: a hash table. The number of places is a power of two; at most half of them are taken.
struct words {
  struct clr_word *at;
  size_t count, capacity;
};

// Returns the place of the word, or the free place for it.
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

static struct clr_word number_at(const char *at) {
  struct clr_word word = {at, 0};
  if (isdigit((unsigned char)*at))
    while (isalnum((unsigned char)at[word.length]) || at[word.length] == '_')
      word.length++;
  return word;
}

// Adds all identifiers and numbers of a text, except those in comments and strings.
static bool add_words(struct words *words, struct clr_word text) {
  const char *at = text.begin, *end = text.begin + text.length;
  bool added = true;
  while (at < end && added) {
    const char *after = clr_skip_foreign(at);
    struct clr_word word = clr_identifier_at(at);
    word = word.length ? word : number_at(at);
    if (!after)
      return added;
    if (after == at && word.length)
      added = add_word(words, word);
    at = after != at ? after : at + (word.length ? word.length : 1);
  }
  return added;
}

// True if the words name a macro; files.h has the rule.
static bool is_named(const struct words *words, struct clr_word macro) {
  if (has_word(words, macro.begin, macro.length))
    return true;
  for (size_t length = 1; length < macro.length; length++) {
    const char *rest = macro.begin + length;
    if (rest[-1] == '_' && has_word(words, rest, macro.length - length) &&
        (has_word(words, macro.begin, length) ||
         (isdigit((unsigned char)*rest) && has_word(words, macro.begin, length - 1))))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------- Items

// A macro's definition, or a function.
struct item {
  struct clr_word name;
  size_t first, last;  // lines
  bool is_function;
  bool used;
};

struct items {
  struct item *at;
  size_t count;
};

static bool is_line(const struct clr_line *line, char only) {
  return line->kind == CLR_LINE_TEXT && line->text.length == 1 && *line->text.begin == only;
}

static bool follows(struct clr_word text, const char *at, const char *word) {
  size_t length = strlen(word);
  return (size_t)(at - text.begin) >= length && strncmp(at - length, word, length) == 0;
}

// Returns the name of the function that begins on this line: the first word that begins with clred_, stands before a
// bracket or comma, and is no struct.
static struct clr_word name_in(struct clr_word text) {
  static const char prefix[] = "clred_";
  const char *at = text.begin, *end = text.begin + text.length;
  for (; at < end; at++) {
    struct clr_word word = clr_identifier_at(at);
    const char *behind = word.begin + word.length;
    if (word.length >= sizeof prefix && strncmp(at, prefix, sizeof prefix - 1) == 0 && behind < end &&
        strchr("(),", *behind) && !follows(text, at, "struct ") && !follows(text, at, "union "))
      return word;
    at += word.length ? word.length - 1 : 0;
  }
  return (struct clr_word){text.begin, 0};
}

static bool is_kernel(struct clr_word text) {
  return clr_word_is(clr_identifier_at(text.begin), "__kernel") || clr_word_is(clr_identifier_at(text.begin), "ENTRY");
}

// Reads the function that begins with line `first`. False if none begins there, or if it has no name or is a kernel.
static bool read_function(const struct clr_lines *lines, size_t first, struct item *item) {
  const size_t head_most = 8;
  const struct clr_line *head = &lines->at[first];
  struct clr_word name = head->kind == CLR_LINE_TEXT && head->text.length ? name_in(head->text) : (struct clr_word){0};
  size_t body = first, last;
  if (!name.length || !clr_identifier_at(head->text.begin).length || is_kernel(head->text))
    return false;
  while (body < lines->count && body < first + head_most && !is_line(&lines->at[body], '{')) {
    struct clr_word text = lines->at[body++].text;
    if (!text.length || text.begin[text.length - 1] == ';' || text.begin[text.length - 1] == '{')
      return false;
  }
  for (last = body; last < lines->count && !is_line(&lines->at[last], '}');)
    last++;
  *item = (struct item){.name = name, .first = first, .last = last, .is_function = true};
  return body < lines->count && is_line(&lines->at[body], '{') && last < lines->count;
}

static bool find_items(const struct clr_lines *lines, struct items *items) {
  items->at = calloc(lines->count + 1, sizeof *items->at);
  for (size_t i = 0; items->at && i < lines->count; i++) {
    struct item *item = &items->at[items->count];
    const struct clr_line *line = &lines->at[i];
    if (line->kind == CLR_LINE_DEFINE || line->kind == CLR_LINE_UNDEF)
      *item = (struct item){.name = line->macro, .first = i, .last = i};
    else if (!read_function(lines, i, item))
      continue;
    items->count++;
    i = item->last;
  }
  return items->at != NULL;
}

// Returns the text of a macro after its name, or the text of any other line.
static struct clr_word body_of(const struct clr_line *line) {
  if (line->kind == CLR_LINE_UNDEF)
    return (struct clr_word){line->macro.begin, 0};
  if (line->kind != CLR_LINE_DEFINE)
    return line->text;
  const char *begin = line->macro.begin + line->macro.length;
  return (struct clr_word){begin, (size_t)(line->text.begin + line->text.length - begin)};
}

// True if the words contain the name with this ending.
static bool has_joined(const struct words *words, struct clr_word name, const char *ending) {
  char joined[128];
  memcpy(joined, name.begin, name.length);
  strcpy(joined + name.length, ending);
  return has_word(words, joined, strlen(joined));
}

// True if the words name a function, also by a name that JOIN makes; files.h has the rule.
static bool is_called(const struct words *words, struct clr_word name) {
  static const char *const endings[] = {"", "_", "_1", "_2", "_4", "_8", "_16", "_elements", "_states"};
  static const char *const of_kernels[] = {"_elements", "_states"};
  if (name.length > 100)
    return true;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (has_joined(words, name, endings[i]))
      return true;
  for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++) {
    size_t length = strlen(of_kernels[i]);
    if (name.length > length && follows(name, name.begin + name.length, of_kernels[i]) &&
        has_word(words, name.begin, name.length - length))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------- What is used

static bool use(struct clr_lines *lines, struct item *item, struct words *words) {
  bool added = true;
  item->used = true;
  for (size_t i = item->first; i <= item->last && added; i++) {
    lines->at[i].unused = false;
    added = add_words(words, body_of(&lines->at[i]));
  }
  return added;
}

// Marks items that the words name as used, and adds their words, until nothing changes.
static bool use_named(struct clr_lines *lines, const struct items *items, struct words *words) {
  bool found = true;
  while (found) {
    found = false;
    for (size_t i = 0; i < items->count; i++) {
      struct item *item = &items->at[i];
      if (item->used || !(is_called(words, item->name) || (!item->is_function && is_named(words, item->name))))
        continue;
      if (!use(lines, item, words))
        return false;
      found = true;
    }
  }
  return true;
}

static bool begins_with(const struct clr_line *line, const char *text) {
  const char *at = line->text.begin + strspn(line->text.begin, " ");
  return line->kind == CLR_LINE_TEXT && strncmp(at, text, strlen(text)) == 0;
}

// A comment belongs to the line below it.
static void leave_out_comments(struct clr_lines *lines) {
  for (size_t i = lines->count; i-- > 0;) {
    struct clr_line *line = &lines->at[i];
    const struct clr_line *next = i + 1 < lines->count ? line + 1 : NULL;
    if (begins_with(line, "//"))
      line->unused = !next || next->unused || next->gap == CLR_GAP_FILE ||
                     (next->gap == CLR_GAP_BRANCH && (clr_line_is_blank(next) || begins_with(next, "}")));
  }
}

// Collects the words of all lines that belong to no item, and marks the others as unused.
static bool find_first_words(struct clr_lines *lines, const struct items *items, struct words *words) {
  size_t next = 0;
  for (size_t i = 0; i < lines->count; i++) {
    bool in_item = next < items->count && i >= items->at[next].first;
    lines->at[i].unused = in_item;
    if (!in_item && !add_words(words, lines->at[i].text))
      return false;
    next += in_item && i == items->at[next].last;
  }
  return true;
}

bool clr_find_unused(struct clr_lines *lines) {
  struct words words = {0};
  struct items items = {0};
  bool lasts = find_items(lines, &items) && find_first_words(lines, &items, &words) && use_named(lines, &items, &words);
  if (lasts)
    leave_out_comments(lines);
  free(items.at);
  free(words.at);
  return lasts;
}
