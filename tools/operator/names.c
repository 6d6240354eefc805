// Names of operators, strategies and finishes: their lists, and what a wrong one is near to.
#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "cli/options.h"
#include "operator/operation.h"

void operation_names(char *names, size_t size) {
  clred_op_info row;
  *names = '\0';
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(names + strlen(names), size - strlen(names), " %s", row.name);
}

const char *operation_guess(struct guess *guess, const char *word) {
  clred_op_info row;
  guess_begin(guess, word);
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++) {
    guess_offer(guess, row.name);
    guess_offer(guess, row.synonym);
  }
  return guess->text;
}

int problem_check_strategy(const char *name) {
  char list[1024] = "";
  struct guess guess;
  clred_strategy_info row;
  if (name == NULL || strcmp(name, "auto") == 0)
    return EXIT_DONE;
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++) {
    if (strcmp(row.name, name) == 0)
      return EXIT_DONE;
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  }
  return fail(EXIT_BAD_USE, "--strategy: unknown strategy '%s';%s give one of auto%s", name,
              guess_among(&guess, name, list), list);
}

int problem_check_finish(const char *name) {
  const char *names = option_find("finish", strlen("finish"), 0, 0)->value;
  char list[128];
  struct guess guess;
  if (name == NULL || list_has(names, '|', name, strlen(name)))
    return EXIT_DONE;
  snprintf(list, sizeof list, "%s", names);
  for (char *bar = list; (bar = strchr(bar, '|')) != NULL;)
    *bar = ' ';
  return fail(EXIT_BAD_USE, "--finish: unknown finish '%s';%s give one of %s", name, guess_among(&guess, name, list),
              list);
}
