// "Did you mean": the known name that a mistyped word is nearest to.
#pragma once

enum { GUESS_SIZE = 64 };

struct guess {
  const char *word;
  unsigned distance;      // of the nearest name so far
  char text[GUESS_SIZE];  // " did you mean NAME?", to be put behind "unknown ...;", or ""
};

// `word` is what the user typed; NULL is near to nothing.
void guess_begin(struct guess *guess, const char *word);

// Offers a known name. The first of the nearest names is kept if it is near enough, or if the word begins it.
void guess_offer(struct guess *guess, const char *name);
