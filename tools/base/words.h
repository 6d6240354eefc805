// A set of different words. Each word has a number: 0 for the first that came, then 1, 2, ... Either no word of a set
// has a byte of 0, or all have eight bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct words {
  uint32_t count;
  char *text;               // all words, one behind the other
  uint64_t *ends;           // of each word in `text`
  size_t text_room;         // bytes
  size_t ends_room;         // words
  struct word_slot *slots;  // a hash table
  uint64_t slot_count;      // a power of two, or 0
};

// A set may have this many words, so that its table takes less than 1 GiB, and this many bytes of text.
enum { WORDS_MAX = 1 << 24, WORDS_BYTES_MAX = 1 << 30 };

// The number of a word, which is added if it is new. False if memory is short. All fields of a new set are 0.
bool words_number(struct words *words, const void *word, size_t length, uint32_t *number);

const char *words_at(const struct words *words, uint32_t number, size_t *length);

// Sorts numbers by the bytes of their words. False if memory is short.
bool words_sort(const struct words *words, uint32_t *numbers, size_t count);

// False if the set has too many words or bytes.
bool words_fit(const struct words *words);

void words_release(struct words *words);
