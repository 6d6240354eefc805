// Open addressing with linear steps. A slot keeps the hash, so that the table grows without reading words, and the
// first bytes, so that most words are compared in the slot: with many words each further read misses the cache.
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/wrap.h"

enum { PART = 8, HEAD = 2 };

struct word_slot {
  uint64_t head[HEAD];  // the first bytes, filled with zeros
  uint32_t hash;        // the lowest bit is set if the word is longer
  uint32_t next;        // the word's number plus 1; 0: free
};

// The slot of a word without its number.
static struct word_slot describe(const char *word, size_t length) {
  const uint64_t factor = 0x9e3779b97f4a7c15u;
  struct word_slot slot = {.next = 0};
  uint64_t hash = 0;
  for (size_t i = 0; i * PART < length; i++) {
    uint64_t part = 0;
    memcpy(&part, word + i * PART, length - i * PART < PART ? length - i * PART : PART);
    if (i < HEAD)
      slot.head[i] = part;
    hash = (hash ^ part) * factor;
    hash ^= hash >> 32;
  }
  slot.hash = (uint32_t)(hash * factor >> 33 << 1) | (length > PART * HEAD);
  return slot;
}

static bool are_alike(const struct word_slot *a, const struct word_slot *b) {
  return a->hash == b->hash && memcmp(a->head, b->head, sizeof a->head) == 0;
}

const char *words_at(const struct words *words, uint32_t number, size_t *length) {
  uint64_t begin = number == 0 ? 0 : words->ends[number - 1];
  *length = (size_t)(words->ends[number] - begin);
  return words->text + begin;
}

static bool is_word(const struct words *words, uint32_t number, const char *word, size_t length) {
  size_t other_length;
  const char *other = words_at(words, number, &other_length);
  return length == other_length && memcmp(other, word, length) == 0;
}

// ---- Growth

static bool grow_slots(struct words *words) {
  uint64_t count = words->slot_count == 0 ? 1024 : words->slot_count * 2;
  struct word_slot *slots = calloc((size_t)count, sizeof *slots);
  if (slots == NULL)
    return false;
  for (uint64_t i = 0; i < words->slot_count; i++) {
    uint64_t at = words->slots[i].hash >> 1 & (count - 1);
    if (words->slots[i].next == 0)
      continue;
    while (slots[at].next != 0)
      at = (at + 1) & (count - 1);
    slots[at] = words->slots[i];
  }
  free(words->slots);
  words->slots = slots;
  words->slot_count = count;
  return true;
}

static bool append(struct words *words, const char *word, size_t length) {
  uint64_t begin = words->count == 0 ? 0 : words->ends[words->count - 1];
  if (!list_grow(&words->text, &words->text_room, begin + length, 1) ||
      !list_grow(&words->ends, &words->ends_room, words->count + 1, sizeof *words->ends))
    return false;
  memcpy(words->text + begin, word, length);
  words->ends[words->count++] = begin + length;
  return true;
}

bool words_number(struct words *words, const void *word, size_t length, uint32_t *number) {
  struct word_slot sought = describe(word, length);
  if ((words->slot_count == 0 || words->count > words->slot_count / 2) && !grow_slots(words))
    return false;
  uint64_t mask = words->slot_count - 1, at = sought.hash >> 1 & mask;
  for (; words->slots[at].next != 0; at = (at + 1) & mask) {
    *number = words->slots[at].next - 1;
    if (are_alike(&words->slots[at], &sought) && (length <= PART * HEAD || is_word(words, *number, word, length)))
      return true;
  }
  *number = words->count;
  if (!append(words, word, length))
    return false;
  sought.next = words->count;
  words->slots[at] = sought;
  return true;
}

// ---- Order

struct entry {
  const char *word;
  size_t length;
  uint32_t number;
};

static int compare(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int order = memcmp(a->word, b->word, a->length < b->length ? a->length : b->length);
  return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

bool words_sort(const struct words *words, uint32_t *numbers, size_t count) {
  struct entry *entries = calloc(count + 1, sizeof *entries);
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < count; i++) {
    entries[i].word = words_at(words, numbers[i], &entries[i].length);
    entries[i].number = numbers[i];
  }
  qsort(entries, count, sizeof *entries, compare);
  for (size_t i = 0; i < count; i++)
    numbers[i] = entries[i].number;
  free(entries);
  return true;
}

bool words_fit(const struct words *words) {
  return words->count <= WORDS_MAX && (words->count == 0 || words->ends[words->count - 1] <= WORDS_BYTES_MAX);
}

void words_release(struct words *words) {
  free(words->text);
  free(words->ends);
  free(words->slots);
  *words = (struct words){0};
}
