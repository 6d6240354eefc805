// A growing string. After a failed allocation all later calls do nothing, so a writer of many pieces checks `failed`
// once, at the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct clr_text {
  char *bytes;  // ends in 0; NULL until the first append
  size_t length;
  size_t capacity;
  bool failed;
};

#if defined(__MINGW32__) && !defined(__clang__)
#define CLR_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define CLR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLR_PRINTF(text, first)
#endif

// Appends `length` bytes without a 0.
void clr_text_add(struct clr_text *text, const char *bytes, size_t length);
void clr_text_append(struct clr_text *text, const char *piece);
void clr_text_format(struct clr_text *text, const char *format, ...) CLR_PRINTF(2, 3);

// Copies `from` like snprintf: at most `size` bytes with the final 0. Returns the length of `from`. `to` may be NULL.
size_t clr_text_copy(const char *from, char *to, size_t size);

void clr_text_release(struct clr_text *text);

// A part of a text that stays elsewhere.
struct clr_word {
  const char *begin;
  size_t length;
};
bool clr_word_is(struct clr_word word, const char *text);
bool clr_words_equal(struct clr_word one, struct clr_word other);
