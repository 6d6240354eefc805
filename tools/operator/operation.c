// Makes the operation and its clred_problem from a command line.
#include "operator/operation.h"

#include <clreduce_device.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/input.h"

// ---------------------------------------------------------------- Lists of operators

enum { OPERATORS_TEXT_SIZE = 512 };

// The names of all operators, each after a blank.
static void operation_names(char *names, size_t size) {
  clred_op_info row;
  *names = '\0';
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(names + strlen(names), size - strlen(names), " %s", row.name);
}

static int take_word(struct operator_list *list, const char *text, const char *word) {
  char names[OPERATORS_TEXT_SIZE] = " give some of";
  struct guess guess;
  clred_op_info row;
  if (*word == '\0')
    return fail(EXIT_BAD_USE, "'%s': an operator is missing; put one comma between two operators, as in sum,min", text);
  if (list_has(QUANTILE_NAMES, ",", word, strcspn(word, ":")))
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

static int take_list(struct operator_list *list, const struct args *args, const char *text) {
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

// ---------------------------------------------------------------- Names

// Names of datamash, NumPy and others, and this tool's name for the same operator. A number may follow: p95, perc:95.
static const struct {
  const char *names, *meant;
} foreign[] = {
  {"avg|average", "mean"},
  {"variance", "var_sample (var is the population's)"},
  {"stddev|stdev", "std_sample (std is the population's)"},
  {"sstdev", "std_sample"},
  {"pstdev", "std"},
  {"svar", "var_sample"},
  {"pvar", "var"},
  {"q1", "quantile:0.25 of reduce"},
  {"q3", "quantile:0.75 of reduce"},
  {"perc|p|percentile", "quantile:Q of reduce, with Q from 0 to 1"},
  {"add", "sum"},
  {"mul|product", "prod"},
  {"amax", "max"},
  {"amin", "min"},
  {"cumsum", "'clreduce scan sum'"},
  {"cumprod", "'clreduce scan prod'"},
  {"ptp|range", "minmax"},
  {"norm", "norm2"},
  {"bincount|unique", "count with --group"},
  {"nunique|countunique|mode", "count with --group, which prints a line for each value"},
  {"sort", "top:K or bottom:K of reduce"},
  {"size", "count"},
  {"iqr", "quantile:0.25,0.75 of reduce"},
  {"nlargest", "top:K of reduce"},
  {"nsmallest", "bottom:K of reduce"},
};

static bool is_foreign(const char *names, const char *word) {
  const char *name;
  for (size_t length; list_next(&names, "|", &name, &length);) {
    const char *rest = word + length;
    if (strncmp(name, word, length) == 0 &&
        (*rest == '\0' || *rest == ':' || (isdigit((unsigned char)*rest) && !isdigit((unsigned char)rest[-1]))))
      return true;
  }
  return false;
}

// NumPy's nansum, nanmax, nanmedian, ...
static bool ignores_nan(const char *word) {
  return word != NULL && strncmp(word, "nan", 3) == 0 &&
         (clred_op_from_name(word + 3) != CLRED_OP_NONE || list_has(QUANTILE_NAMES, ",", word + 3, strlen(word + 3)));
}

bool operation_of_others(struct guess *guess, const char *word) {
  const bool nan = ignores_nan(word);
  if (nan)
    snprintf(guess->text, sizeof guess->text, " did you mean %.20s with --nan ignore?", word + 3);
  for (size_t i = 0; word != NULL && !nan && i < sizeof foreign / sizeof foreign[0]; i++)
    if (is_foreign(foreign[i].names, word)) {
      snprintf(guess->text, sizeof guess->text, " did you mean %s?", foreign[i].meant);
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
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++)
    guess_offer(guess, row.name);
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

// ---------------------------------------------------------------- The problem

// Options that take one of a few words. Each word means a value of an enumeration.
#define FIELD(name) offsetof(clred_problem, name)
static const struct choice {
  const char *option;
  size_t field;
  bool builtin_only;
  unsigned int values[3];  // in the order of the words
} choices[] = {{"order", FIELD(order), false, {CLRED_ORDER_FIXED, CLRED_ORDER_ANY, CLRED_ORDER_EXACT}},
               {"stage", FIELD(stage), false, {CLRED_STAGE_LOCAL, CLRED_STAGE_REGISTERS}},
               {"nan", FIELD(nan), true, {CLRED_NAN_PROPAGATE, CLRED_NAN_IGNORE}},
               {"overflow", FIELD(overflow), true, {CLRED_OVERFLOW_WRAP, CLRED_OVERFLOW_DETECT}},
               {"result-type", FIELD(result_bits), true, {CLRED_RESULT_OWN, CLRED_RESULT_32, CLRED_RESULT_64}},
               {"state", FIELD(state), true, {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE}}};
_Static_assert(sizeof(clred_order) == sizeof(unsigned int) && sizeof(clred_type) == sizeof(unsigned int) &&
                 sizeof(clred_result_bits) == sizeof(unsigned int),
               "choices are stored as unsigned int");

static int take_choice(const struct args *args, const struct choice *choice, clred_problem *problem) {
  const char *word = args_text(args, choice->option);
  size_t which;
  int code = args_take_word(choice->option, choice->option, word, &which);
  if (!code && word != NULL)
    memcpy((char *)problem + choice->field, &choice->values[which], sizeof choice->values[which]);
  return code;
}

// For an operator of the user, --state is any type and belongs to the operator.
static int take_choices(const struct args *args, bool own, clred_problem *problem) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < sizeof choices / sizeof choices[0] && !code; i++)
    if (!own || !choices[i].builtin_only)
      code = take_choice(args, &choices[i], problem);
  return code;
}

static int check_domain(const clred_op_info *op, const clred_type_info *type) {
  clred_type result;
  cl_int status = clred_result_type(op->op, type->type, &result);
  if (status != CL_SUCCESS)
    return fail(fail_code(status), "%s is not defined for %s%s", op->name, type->name,
                op->integers_only ? "; it takes integers" : "");
  return EXIT_DONE;
}

static void take_selection(struct operation *operation, const clred_type_info *type, clred_problem *problem) {
  const clred_operator *made = &operation->user.made;
  user_operator_resolve(&operation->user, type->name);
  operation->selection = (clred_selection){.name = made->name,
                                           .preamble = made->preamble,
                                           .keep = made->lift,
                                           .inputs = made->inputs,
                                           .input_count = made->input_count,
                                           .parameters = made->parameters,
                                           .parameter_count = made->parameter_count};
  problem->type = type->type;
  problem->selection = &operation->selection;
}

static int take_ops(const struct operator_list *list, const clred_type_info *type, clred_problem *problem) {
  int code = EXIT_DONE;
  problem->list = list->ops;
  problem->list_count = list->count;
  for (size_t i = 0; i < list->count && !code; i++) {
    clred_op_info row;
    clred_op_inspect(list->ops[i], &row);
    code = check_domain(&row, type);
  }
  return code;
}

static int take_operation(struct operation *operation, const clred_type_info *type, clred_problem *problem) {
  if (operation->selects) {
    take_selection(operation, type, problem);
    return EXIT_DONE;
  }
  if (operation->own) {
    user_operator_resolve(&operation->user, type->name);
    problem->custom = &operation->user.made;
    return EXIT_DONE;
  }
  problem->type = type->type;
  if (operation->list.count > 0)
    return take_ops(&operation->list, type, problem);
  problem->op = operation->op.op;
  return check_domain(&operation->op, type);
}

static void take_scan(const struct args *args, clred_problem *problem) {
  if (!args->scan && args->verb->bit != VERB_SCAN)
    return;
  problem->scan = args->exclusive ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
  problem->reversed = args->reverse;
}

const char *problem_scan_name(const clred_problem *problem) {
  return problem->scan == CLRED_SCAN_NONE ? NULL : problem->scan == CLRED_SCAN_EXCLUSIVE ? "exclusive" : "inclusive";
}

int problem_take(const struct args *args, struct operation *operation, const clred_type_info *type,
                 clred_problem *problem) {
  *problem = (clred_problem){.strategy = args->strategy,
                             .finish = args->finish,
                             .group_size = args->group_size.value,
                             .groups = args->groups.value,
                             .elements = args->elements.value,
                             .stop_at = args->stop_at.value,
                             .indices = args->indices,
                             .profile = CL_TRUE};
  size_t which;
  take_scan(args, problem);
  int code = take_operation(operation, type, problem);
  code = code ? code : problem_check_strategy(args->strategy);
  code = code ? code : args_take_word("finish", "finish", args->finish, &which);
  return code ? code : take_choices(args, operation->own, problem);
}

cl_ulong problem_count_max(cl_ulong count) {
  return count == 0 ? 1 : count;
}

// ---------------------------------------------------------------- The operator

// Refuses a command line without an operator, or with an unknown one.
static int unknown_operator(const struct args *args, const char *name) {
  char names[OPERATORS_TEXT_SIZE], rest[OPERATORS_TEXT_SIZE + 96];
  bool quantiles = args->verb->bit == VERB_REDUCE;
  struct guess guess;
  if (name != NULL && !quantiles && list_has(QUANTILE_NAMES, ",", name, strcspn(name, ":")))
    return fail(EXIT_BAD_USE, "unknown operator '%s'; %s does not take it, but reduce does", name, args->verb->name);
  operation_guess(&guess, name);
  if (name != NULL && access(name, F_OK) == 0)
    return fail(EXIT_BAD_USE, "unknown operator '%s', which is a file; give the operator first, as in %s sum %s", name,
                args->verb->name, name);
  if (quantiles)
    guess_offer_list(&guess, QUANTILE_NAMES, ",");
  operation_names(names, sizeof names);
  snprintf(rest, sizeof rest, " give one of%s%s, or --operator FILE", names,
           quantiles ? " median quantile:Q top:K bottom:K" : "");
  if (name == NULL)
    return fail(EXIT_BAD_USE, "%s: the operator is missing;%s", args->verb->name, rest);
  return fail(EXIT_BAD_USE, "unknown operator '%s';%s", name, guess_or(&guess, rest));
}

static int take_named(struct operation *operation, const struct args *args, const char *name) {
  if (name != NULL && strchr(name, ',') != NULL) {
    operation->name = name;
    operation->op = (clred_op_info){.inputs = 1};
    return take_list(&operation->list, args, name);
  }
  if (clred_op_inspect(clred_op_from_name(name), &operation->op) == CL_SUCCESS) {
    operation->name = operation->op.name;
    operation->inputs = operation->op.inputs - 1;
    return EXIT_DONE;
  }
  return unknown_operator(args, name);
}

static int take_own(struct operation *operation, const struct args *args, const char *name) {
  int code = user_operator_take(&operation->user, args);
  if (code)
    return code;
  operation->own = true;
  operation->name = operation->user.made.name;
  operation->inputs = operation->user.made.input_count;
  if (name != NULL && strcmp(name, operation->name) != 0)
    return fail(EXIT_BAD_USE,
                "'%s' is not the operator, which is '%s' by %s; leave it out, or before several files give %s", name,
                operation->name, args->operator_file == NULL ? "--combine" : args->operator_file, operation->name);
  return EXIT_DONE;
}

static int take_predicate(struct operation *operation, const struct args *args, const char *text) {
  if (text == NULL)
    return fail(EXIT_BAD_USE, "select: the predicate is missing; give one in OpenCL C, as in 'x > 0'");
  int code = user_operator_take_selection(&operation->user, args, text);
  operation->own = operation->selects = true;
  operation->name = text;
  operation->inputs = operation->user.made.input_count;
  return code;
}

int operation_take(struct operation *operation, const struct args *args, const char *name) {
  *operation = (struct operation){0};
  if (args->verb->bit == VERB_SELECT)
    return take_predicate(operation, args, name);
  if (args_bring_operator(args))
    return take_own(operation, args, name);
  return take_named(operation, args, name);
}

void operation_release(struct operation *operation) {
  user_operator_release(&operation->user);
  free(operation->list.copy);
  operation->list = (struct operator_list){.count = 0};
}

const char *operation_needy(const struct operation *operation) {
  if (operation->list.count > 0)
    return operation->list.needy;
  return operation->own || operation->op.has_identity ? NULL : operation->name;
}

// NumPy refuses min and max of 0 elements. The library gives their identity, and the tool prints a note.
static bool has_odd_identity(clred_op op) {
  return op == CLRED_OP_MIN || op == CLRED_OP_MAX;
}

const char *operation_odd_identity(const struct operation *operation) {
  for (size_t i = 0; i < operation->list.count; i++)
    if (has_odd_identity(operation->list.ops[i]))
      return operation->list.words[i];
  return has_odd_identity(operation->op.op) ? operation->name : NULL;
}

bool operation_element(const struct operation *operation, clred_type_info *type) {
  const char *name = operation->user.made.element;
  if (!operation->own || name == NULL)
    return false;
  if (!type_of_opencl(name, type))
    *type = input_opaque_type(name);
  return true;
}

int operation_failed(const struct operation *operation, const clred_runtime *runtime, cl_int status) {
  const char *message = clred_last_error(runtime);
  return operation->own ? user_operator_failed(&operation->user, status, message) : fail_library(status, message);
}
