// The distance of two words is the least number of letters to insert, delete, replace, or swap with their neighbour.
#include "base/guess.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MOST = 32 };

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static unsigned distance(const char *a, const char *b) {
  unsigned rows[WORD_MOST + 1][WORD_MOST + 1];
  const unsigned height = (unsigned)strlen(a), width = (unsigned)strlen(b);
  for (unsigned i = 0; i <= height; i++)
    for (unsigned j = 0; j <= width; j++) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[height][width];
}

void guess_begin(struct guess *guess, const char *word) {
  *guess = (struct guess){.word = word, .distance = UINT_MAX};
}

void guess_offer(struct guess *guess, const char *name) {
  enum { BEGIN_LEAST = 3 };
  const size_t length = guess->word == NULL ? 0 : strlen(guess->word);
  if (length == 0 || length > WORD_MOST || strlen(name) > WORD_MOST)
    return;
  const bool begins = length >= BEGIN_LEAST && strncmp(name, guess->word, length) == 0;
  const unsigned found = begins ? 0 : distance(guess->word, name);
  if (found >= guess->distance || found > (length + 2) / 3)
    return;
  guess->distance = found;
  snprintf(guess->text, sizeof guess->text, " did you mean %s?", name);
}
