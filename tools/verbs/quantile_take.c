// Reads the operators median, quantile, top and bottom, and refuses options that they do not take.
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "operator/operation.h"
#include "verbs/quantile_run.h"

static const char *const names[] = {"median", "quantile", "top", "bottom"};

static size_t name_length(const char *op) {
  return strcspn(op, ":");
}

bool quantile_is_named(const char *op) {
  for (size_t i = 0; op != NULL && i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == name_length(op) && strncmp(op, names[i], name_length(op)) == 0)
      return true;
  return false;
}

static int take_quantiles(struct quantile_request *at, const char *list) {
  size_t count = 0;
  for (const char *from = list; *from != '\0';) {
    size_t length = strcspn(from, ",");
    if (count == CLRED_QUANTILES_MAX)
      return fail(EXIT_BAD_USE, "%s: has more than %d quantiles; give fewer", at->op, CLRED_QUANTILES_MAX);
    if (!number_parse_part(CLRED_TYPE_DOUBLE, from, length, &at->at[count]) ||
        !(at->at[count] >= 0 && at->at[count] <= 1))
      return fail(EXIT_BAD_USE, "%s: '%.*s' is no quantile; give numbers from 0 to 1, as in quantile:0.99", at->op,
                  (int)length, from);
    count++;
    from += length + (from[length] == ',');
  }
  if (count == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", at->op);
  at->problem.at = at->at;
  at->problem.at_count = count;
  return EXIT_DONE;
}

static int take_list(struct quantile_request *at) {
  int code = quantile_list_take(&at->list, at->op);
  code = code ? code : take_quantiles(at, at->list.quantiles);
  for (size_t i = at->list.count; i > 0 && !code; i--)
    if (at->list.words[i - 1].ranked)
      at->op = at->list.words[i - 1].name;
  return code;
}

static int take_op(struct quantile_request *at) {
  const char *colon = strchr(at->op, ':'), *value = colon == NULL ? "" : colon + 1;
  uint64_t chosen;
  if (quantile_is_list(at->op))
    return take_list(at);
  if (*at->op == 'm')
    return colon == NULL ? take_quantiles(at, "0.5")
                         : fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", at->op);
  if (*at->op == 'q')
    return take_quantiles(at, value);
  if (!count_parse(value, strlen(value), &chosen) || chosen == 0)
    return fail(EXIT_BAD_USE, "%s: '%s' is no number of elements; give 1 or more, as in %.*s:5", at->op, value,
                (int)name_length(at->op), at->op);
  if (*at->op == 't')
    at->problem.top = chosen;
  else
    at->problem.bottom = chosen;
  return EXIT_DONE;
}

// ---- Options

static int take_words(struct quantile_request *at, const struct args *args) {
  size_t nan = CLRED_NAN_PROPAGATE, rule = CLRED_INTERPOLATION_LINEAR;  // their words are in the order of these values
  int code = args_take_word("nan", "nan", args->nan, &nan);
  at->problem.nan = (clred_nan)nan;
  if (!code && args->interpolation != NULL && at->problem.at == NULL)
    return fail(EXIT_BAD_USE, "--interpolation: %s takes whole elements; leave it out", at->op);
  code = code ? code : args_take_word("interpolation", "rule", args->interpolation, &rule);
  at->problem.interpolation = (clred_interpolation)rule;
  return code;
}

static int refuse_options(const struct quantile_request *at, const struct args *args) {
  static const struct {
    const char *names, *lacks;
  } options[] = {
    {"segments", "segments"},
    {"by-key", "runs of keys, but groups by --group"},
    {"heads", "runs"},
    {"stride", "stride"},
    {"layout", "layout"},
    {"with", "further inputs"},
    {"chunk", "chunks"},
    {"overflow", "overflow"},
    {"result-type", "choice of result types"},
    {"state", "choice of states"},
    {"strategy", "choice of strategies"},
    {"finish", "choice of finishes"},
    {"order", "choice of orders"},
    {"stage", "choice of stages"},
    {"group-size", "choice of group sizes"},
    {"groups", "choice of groups"},
    {"elements", "choice of elements"},
    {"stop-at", "choice of trees"},
    {"operator,combine", "place for an operator of your own"},
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    const char *given = args_given(args, options[i].names, 0);
    if (given != NULL)
      return fail(EXIT_BAD_USE, "--%s: %s has no %s; leave --%s out", given, at->op, options[i].lacks, given);
  }
  if (args->keys_output != NULL && args->group == NULL)
    return fail(EXIT_BAD_USE, "--keys-output: %s has no keys; leave --keys-output out", at->op);
  return EXIT_DONE;
}

int quantile_take(struct quantile_request *at, const struct args *args) {
  *at = (struct quantile_request){.op = args_op(args)};
  int code = take_op(at);
  code = code ? code : take_words(at, args);
  code = code ? code : refuse_options(at, args);
  code = code ? code : quantile_lines_check(args, at->problem.at == NULL);
  return code ? code : operation_refuse_pieces(args);
}
