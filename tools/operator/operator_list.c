// Reads lists of operators.
#include "operator/operator_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "operator/operation.h"

bool operator_list_is(const char *text) {
  return text != NULL && strchr(text, ',') != NULL;
}

static int take_word(struct operator_list *list, const char *text, const char *word) {
  char names[OPERATORS_TEXT_SIZE] = " give some of";
  struct guess guess;
  clred_op_info row;
  if (*word == '\0')
    return fail(EXIT_BAD_USE, "'%s': an operator is missing; put one comma between two operators, as in sum,min", text);
  if (list_has(QUANTILE_NAMES, ',', word, strcspn(word, ":")))
    return fail(EXIT_BAD_USE,
                "'%s': %s is no reduction, so it has no plan and no parts; only 'clreduce reduce' takes it", text,
                word);
  if (clred_op_inspect(clred_op_from_name(word), &row) != CL_SUCCESS) {
    operation_guess(&guess, word);
    operation_names(names + strlen(names), sizeof names - strlen(names));
    return fail(EXIT_BAD_USE, "unknown operator '%s' in '%s';%s", word, text, guess_or(&guess, names));
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->ops[i] == row.op)
      return fail(EXIT_BAD_USE, "'%s': %s is given twice%s%s; give each operator once", text, word,
                  strcmp(word, list->words[i]) == 0 ? "" : ", first as ",
                  strcmp(word, list->words[i]) == 0 ? "" : list->words[i]);
  if (row.inputs > 1)
    return fail(EXIT_BAD_USE, "'%s': %s reads a second array, the others do not; reduce it in a run of its own", text,
                word);
  if (list->count == CLRED_LIST_MAX)
    return fail(EXIT_BAD_USE, "'%s': more than %d operators; give the rest in another run", text, CLRED_LIST_MAX);
  if (!row.has_identity && list->needy == NULL)
    list->needy = word;
  list->words[list->count] = word;
  list->ops[list->count++] = row.op;
  return EXIT_DONE;
}

int operator_list_take(struct operator_list *list, const struct args *args, const char *text) {
  const unsigned takers = VERB_REDUCE | VERB_PLAN | VERB_JOIN;
  if (!(args->verb->bit & takers))
    return fail(EXIT_BAD_USE, "%s: takes one operator, not the list '%s'; reduce and plan take lists", args->verb->name,
                text);
  if (args->scan)
    return fail(EXIT_BAD_USE, "--scan: a scan takes one operator, not the list '%s'", text);
  list->copy = strdup(text);
  if (list->copy == NULL)
    return fail_memory();
  for (char *word = list->copy, *next = word; next != NULL; word = next) {
    if ((next = strchr(word, ',')) != NULL)
      *next++ = '\0';
    int code = take_word(list, text, word);
    if (code)
      return code;
  }
  return EXIT_DONE;
}

const char *const *operator_list_words(const struct operator_list *list) {
  return list->count > 0 ? list->words : NULL;
}

void operator_list_release(struct operator_list *list) {
  free(list->copy);
  *list = (struct operator_list){.count = 0};
}
