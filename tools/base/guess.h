// "Did you mean": the known name that a mistyped word is nearest to.
#pragma once

#include <stddef.h>

enum { GUESS_WORD_MAX = 32, GUESS_SIZE = 96 };

struct guess {
  char word[GUESS_WORD_MAX + 1];  // "" if it is near to nothing
  unsigned distance;              // of the nearest name so far
  char text[GUESS_SIZE];          // " did you mean NAME?", to be put behind "unknown ...;", or ""
};

// `word` is what the user typed; NULL is near to nothing. Capitals count as small letters.
void guess_begin(struct guess *guess, const char *word);
void guess_begin_part(struct guess *guess, const char *word, size_t length);

// Offers a known name. The first of the nearest names is kept if it is near enough, or if the word begins it. A name of
// one or two letters is near to too many words: it is kept only if nothing but capitals differ.
void guess_offer(struct guess *guess, const char *name);

// Offers all names of a list; each of `separators` divides names.
void guess_offer_list(struct guess *guess, const char *list, const char *separators);

// The text of the guess. If there is none: `otherwise`, such as a list of all names.
const char *guess_or(const struct guess *guess, const char *otherwise);

// Does all three steps: begins, offers the names in `list`, and returns the text of the guess. Spaces, commas and |
// divide the names.
const char *guess_among(struct guess *guess, const char *word, const char *list);
