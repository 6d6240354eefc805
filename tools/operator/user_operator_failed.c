// What is said of a user's operator, said of the user's own file: texts are handed over as they stand there, so that
// the library's "combine, line 12, column 9: ..." is a place in the file.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "operator/user_operator.h"

// Digits, and what must stand behind them; NULL if they do not. A compiler may say any number.
static const char *read_number(const char *at, const char *behind, unsigned *value) {
  char *end;
  unsigned long read = strtoul(at, &end, 10);
  *value = read > UINT_MAX ? UINT_MAX : (unsigned)read;
  return end != at && strncmp(end, behind, strlen(behind)) == 0 ? end + strlen(behind) : NULL;
}

// The key and the place that a sentence names; false if it names none.
static bool find_place(const char *sentence, const struct user_key **key, struct place *place, const char **rest) {
  for (*key = user_keys; (*key)->name != NULL; ++*key) {
    char wanted[64];
    const char *at;
    snprintf(wanted, sizeof wanted, " %s, line ", (*key)->name);
    at = strstr(sentence, wanted);
    if (at == NULL)
      continue;
    at = read_number(at + strlen(wanted), ", column ", &place->line);
    *rest = at == NULL ? NULL : read_number(at, ": ", &place->column);
    if (*rest != NULL)
      return true;
  }
  return false;
}

// Words are handed over without the blanks that tell where they stand.
static void move_word(const struct user_operator *user, const struct user_key *key, struct place *place) {
  const struct place *word = &user->words[key - user_keys];
  if (key->kind != KEY_WORD || word->line == 0)
    return;
  place->column += place->line == 1 ? word->column - 1 : 0;
  place->line += word->line - 1;
}

int user_operator_failed(const struct user_operator *user, cl_int status, const char *sentence) {
  const struct user_key *key;
  struct place place = {.file = user->file};
  const char *rest;
  if (status != CLRED_OPERATOR_TEXT && status != CL_BUILD_PROGRAM_FAILURE)
    return fail_library(status, sentence);
  if (!find_place(sentence, &key, &place, &rest))
    return fail(EXIT_BAD_USE, "%s: %s",
                user->file != NULL           ? user->file
                : user->made.combine != NULL ? "--combine"
                                             : "select",
                sentence);
  place.option = key->name;
  move_word(user, key, &place);
  if (user->file != NULL && !(user->by_option >> (key - user_keys) & 1))
    return fail_at(&place, "%s: %s", key->name, rest);
  place.file = NULL;
  return fail_at(&place, "line %u, column %u: %s", place.line, place.column, rest);
}
