// The distance of two words is the smallest number of letters to insert, delete, replace, or swap with their neighbour.
#include "base/guess.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/wrap.h"

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static bool differ(char a, char b) {
  return tolower((unsigned char)a) != tolower((unsigned char)b);
}

static unsigned distance(const char *a, const char *b) {
  unsigned rows[GUESS_WORD_MAX + 1][GUESS_WORD_MAX + 1];
  const unsigned height = (unsigned)strlen(a), width = (unsigned)strlen(b);
  for (unsigned i = 0; i <= height; i++)
    for (unsigned j = 0; j <= width; j++) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + differ(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
        rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[height][width];
}

void guess_begin_part(struct guess *guess, const char *word, size_t length) {
  *guess = (struct guess){.distance = UINT_MAX};
  if (length <= GUESS_WORD_MAX)
    memcpy(guess->word, word, length);
}

void guess_begin(struct guess *guess, const char *word) {
  guess_begin_part(guess, word == NULL ? "" : word, word == NULL ? 0 : strlen(word));
}

void guess_offer(struct guess *guess, const char *name) {
  enum { BEGIN_LEAST = 3, NAME_LEAST = 3 };
  const size_t length = strlen(guess->word), size = strlen(name);
  if (length == 0 || size > GUESS_WORD_MAX || (size < NAME_LEAST && strcasecmp(name, guess->word) != 0))
    return;
  const bool begins = length >= BEGIN_LEAST && strncasecmp(name, guess->word, length) == 0;
  const unsigned found = begins ? 0 : distance(guess->word, name);
  if (found >= guess->distance || found > (length + 2) / 3)
    return;
  guess->distance = found;
  snprintf(guess->text, sizeof guess->text, " did you mean %s?", name);
}

void guess_offer_list(struct guess *guess, const char *list, const char *separators) {
  char name[GUESS_WORD_MAX + 1];
  const char *word;
  size_t length;
  while (list_next(&list, separators, &word, &length)) {
    if (length > GUESS_WORD_MAX || length == 0)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    guess_offer(guess, name);
  }
}

const char *guess_or(const struct guess *guess, const char *otherwise) {
  return *guess->text != '\0' ? guess->text : otherwise;
}

const char *guess_among(struct guess *guess, const char *word, const char *list) {
  guess_begin(guess, word);
  guess_offer_list(guess, list, " ,|");
  return guess->text;
}
