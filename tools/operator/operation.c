// Finds the operator of the command line: a name of the library, or the user's own.

#include "operator/operation.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/type_names.h"
#include "cli/verbs.h"
#include "input/input.h"

static void list_ops(char *list, size_t size) {
  clred_op_info row;
  *list = '\0';
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(list + strlen(list), size - strlen(list), " %s", row.name);
}

static int take_named(struct operation *operation, const struct args *args, const char *name) {
  char list[512];
  if (clred_op_inspect(clred_op_from_name(name), &operation->op) == CL_SUCCESS) {
    operation->name = operation->op.name;
    operation->inputs = operation->op.inputs - 1;
    return EXIT_DONE;
  }
  list_ops(list, sizeof list);
  if (name == NULL)
    return fail(EXIT_BAD_USE, "%s: the operator is missing; give one of%s, or --operator FILE", args->verb->name, list);
  return fail(EXIT_BAD_USE, "unknown operator '%s'; give one of%s, or --operator FILE", name, list);
}

static int take_own(struct operation *operation, const struct args *args, const char *name) {
  int code = user_operator_take(&operation->user, args);
  if (code != EXIT_DONE)
    return code;
  operation->own = true;
  operation->name = operation->user.made.name;
  operation->inputs = operation->user.made.input_count;
  if (name != NULL && strcmp(name, operation->name) != 0)
    return fail(EXIT_BAD_USE, "the operator is given twice: '%s', and '%s' by %s; leave the first out", name,
                operation->name, args->operator_file == NULL ? "--combine" : args->operator_file);
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

// --state serves the operators of the library, too, and --combine makes an operator of the user's.
static int refuse_pieces(const struct args *args) {
  const char *piece = args->parameter_values.count > 0 ? "param" : NULL;
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
  int code = refuse_pieces(args);
  return code == EXIT_DONE ? take_named(operation, args, name) : code;
}

void operation_release(struct operation *operation) {
  user_operator_release(&operation->user);
}

bool operation_element(const struct operation *operation, clred_type_info *type) {
  const char *name = operation->user.made.element;
  if (!operation->own || name == NULL)
    return false;
  if (!type_of_opencl(name, type))
    *type = input_opaque_type(name);
  return true;
}
