// Finds the operator of the command line: a name of the library, or the user's own.
#include "operator/operation.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/input.h"

// Refuses a command line without an operator, or with an unknown one.
static int unknown_operator(const struct args *args, const char *name) {
  char names[OPERATORS_TEXT_SIZE], rest[OPERATORS_TEXT_SIZE + 96];
  bool quantiles = args->verb->bit == VERB_REDUCE;
  struct guess guess;
  if (name != NULL && !quantiles && list_has(QUANTILE_NAMES, ',', name, strcspn(name, ":")))
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
  if (operator_list_is(name)) {
    operation->name = name;
    operation->op = (clred_op_info){.inputs = 1};
    return operator_list_take(&operation->list, args, name);
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

// --state is not refused: operators of the library take it, too.
int operation_refuse_pieces(const struct args *args) {
  const char *piece = args->parameter_values.count > 0 ? "param" : args->unchecked ? "unchecked" : NULL;
  for (const struct user_key *key = user_keys; key->name != NULL; key++)
    if (strcmp(key->name, "state") != 0 && user_key_given(key, args))
      piece = key->name;
  if (piece == NULL)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--%s: is for an operator of your own; give --operator FILE or --combine TEXT, too", piece);
}

int operation_take(struct operation *operation, const struct args *args, const char *name) {
  *operation = (struct operation){0};
  if (args->verb->bit == VERB_SELECT)
    return take_predicate(operation, args, name);
  if (args_bring_operator(args))
    return take_own(operation, args, name);
  int code = operation_refuse_pieces(args);
  return code ? code : take_named(operation, args, name);
}

void operation_release(struct operation *operation) {
  user_operator_release(&operation->user);
  operator_list_release(&operation->list);
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
  const char *sentence = clred_last_error(runtime);
  return operation->own ? user_operator_failed(&operation->user, status, sentence) : fail_library(status, sentence);
}
