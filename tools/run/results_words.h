// Results that are words: the keys of rows. Their values are numbers of words.
#pragma once

#include "run/results.h"

// Prints a word as quote_put does, and returns its characters. If `file` is NULL, it only counts.
int results_put_word(FILE *file, const struct results *results, uint64_t index);

// A string, NULL if memory is short.
cJSON *results_word_json(const struct results *results, uint64_t index);

// Refuses keys that are needed as JSON or .npy and are not UTF-8. NULL: there are none. Returns an exit code.
int results_check_keys(const struct results *keys, const struct args *args);

// The number of characters of the longest word; at least 1.
size_t results_word_width(const struct results *results);

// Writes the words as NumPy's U: as many characters of 32 bits as the longest has.
void results_write_words(FILE *file, const struct results *results);
