// Names of operators, strategies and finishes: their lists, and what a wrong one is near to.
#include <clreduce_device.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "operator/operation.h"

void operation_names(char *names, size_t size) {
  clred_op_info row;
  *names = '\0';
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(names + strlen(names), size - strlen(names), " %s", row.name);
}

// Names that datamash, NumPy and others have for what this tool calls otherwise. A number may follow: p95, perc:95.
static const struct {
  const char *name, *hint;
} foreign[] = {
  {"avg", "did you mean mean?"},
  {"average", "did you mean mean?"},
  {"variance", "did you mean var_sample (var is the population's)?"},
  {"stddev", "did you mean std_sample (std is the population's)?"},
  {"stdev", "did you mean std_sample (std is the population's)?"},
  {"sstdev", "did you mean std_sample?"},
  {"pstdev", "did you mean std?"},
  {"svar", "did you mean var_sample?"},
  {"pvar", "did you mean var?"},
  {"q1", "did you mean quantile:0.25 of reduce?"},
  {"q3", "did you mean quantile:0.75 of reduce?"},
  {"perc", "did you mean quantile:Q of reduce, with Q from 0 to 1?"},
  {"p", "did you mean quantile:Q of reduce, with Q from 0 to 1?"},
  {"percentile", "did you mean quantile:Q of reduce, with Q from 0 to 1?"},
  {"add", "did you mean sum?"},
  {"mul", "did you mean prod?"},
  {"product", "did you mean prod?"},
  {"amax", "did you mean max?"},
  {"amin", "did you mean min?"},
  {"cumsum", "did you mean 'clreduce scan sum'?"},
  {"cumprod", "did you mean 'clreduce scan prod'?"},
  {"ptp", "did you mean minmax?"},
  {"norm", "did you mean norm2?"},
  {"bincount", "did you mean count with --group?"},
  {"sort", "did you mean top:K or bottom:K of reduce?"},
  {"unique", "did you mean count with --group?"},
  {"nunique", "did you mean count with --group, which prints a line for each value?"},
  {"countunique", "did you mean count with --group, which prints a line for each value?"},
  {"size", "did you mean count?"},
  {"mode", "did you mean count with --group, which prints a line for each value?"},
  {"range", "did you mean minmax?"},
  {"iqr", "did you mean quantile:0.25,0.75 of reduce?"},
  {"nlargest", "did you mean top:K of reduce?"},
  {"nsmallest", "did you mean bottom:K of reduce?"},
};

static bool is_foreign(const char *name, const char *word) {
  const char *rest = word + strlen(name);
  return strncmp(name, word, strlen(name)) == 0 &&
         (*rest == '\0' || *rest == ':' || (isdigit((unsigned char)*rest) && !isdigit((unsigned char)rest[-1])));
}

// NumPy's nansum, nanmax, nanmedian, ...
static bool ignores_nan(const char *word) {
  return word != NULL && strncmp(word, "nan", 3) == 0 &&
         (clred_op_from_name(word + 3) != CLRED_OP_NONE || list_has(QUANTILE_NAMES, ',', word + 3, strlen(word + 3)));
}

bool operation_of_others(struct guess *guess, const char *word) {
  const bool nan = ignores_nan(word);
  if (nan)
    snprintf(guess->text, sizeof guess->text, " did you mean %.20s with --nan ignore?", word + 3);
  for (size_t i = 0; word != NULL && !nan && i < sizeof foreign / sizeof foreign[0]; i++)
    if (is_foreign(foreign[i].name, word)) {
      snprintf(guess->text, sizeof guess->text, " %s", foreign[i].hint);
      return true;
    }
  return nan;
}

const char *operation_guess(struct guess *guess, const char *word) {
  clred_op_info row;
  guess_begin(guess, word);
  if (operation_of_others(guess, word)) {
    guess->distance = 0;  // no name is nearer
    return guess->text;
  }
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++) {
    guess_offer(guess, row.name);
  }
  return guess->text;
}

int problem_check_strategy(const char *name) {
  char list[1024] = " give one of auto";
  struct guess guess;
  clred_strategy_info row;
  if (name == NULL || strcmp(name, "auto") == 0)
    return EXIT_DONE;
  guess_begin(&guess, name);
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++) {
    if (strcmp(row.name, name) == 0)
      return EXIT_DONE;
    guess_offer(&guess, row.name);
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  }
  return fail(EXIT_BAD_USE, "--strategy: unknown strategy '%s';%s", name, guess_or(&guess, list));
}
