// Turns the library's message about an operator into one about the user's file or option. The library's "combine, line
// 12, column 9: ..." is a position in the file, because texts keep their lines.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "operator/user_operator.h"

// Reads digits followed by the text `behind`; NULL if they do not match. Compilers may print very large numbers.
static const char *read_number(const char *at, const char *behind, unsigned *value) {
  char *end;
  unsigned long read = strtoul(at, &end, 10);
  *value = read > UINT_MAX ? UINT_MAX : (unsigned)read;
  return end != at && strncmp(end, behind, strlen(behind)) == 0 ? end + strlen(behind) : NULL;
}

// Finds the key and the position in a message. False if there is none.
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

// Values of kind WORD are passed to the library without the blanks before them, so their position is added here.
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
