// The library's problem, from the operation and the options of the command line.
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "operator/operation.h"

// Options that take one of a few words; each word stands for a value of an enumeration.
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

int operation_take_result_type(const struct args *args, clred_problem *problem) {
  const struct choice *choice = choices;
  while (strcmp(choice->option, "result-type") != 0)
    choice++;
  return take_choice(args, choice, problem);
}

// For an operator of the user, --state is any type and belongs to the operator.
static int take_choices(const struct args *args, bool own, clred_problem *problem) {
  int code = EXIT_DONE;
  const char *builtin_only = args_given(args, "nan,overflow,result-type", 0);
  if (own && builtin_only != NULL)
    return fail(EXIT_BAD_USE, "--%s: applies only to operators of the library; leave it out", builtin_only);
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
  user_operator_settle(&operation->user, type->name);
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

static int take_list(const struct operator_list *list, const clred_type_info *type, clred_problem *problem) {
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
    user_operator_settle(&operation->user, type->name);
    problem->custom = &operation->user.made;
    return EXIT_DONE;
  }
  problem->type = type->type;
  if (operation->list.count > 0)
    return take_list(&operation->list, type, problem);
  problem->op = operation->op.op;
  return check_domain(&operation->op, type);
}

static int refuse_of_scan(const struct args *args, bool scans) {
  const char *lone = args_given(args, "inclusive,exclusive,reverse", 0);
  if (!scans && lone != NULL)
    return fail(EXIT_BAD_USE, "--%s: applies only to scans; give --scan, too", lone);
  if (args->inclusive && args->exclusive)
    return fail(EXIT_BAD_USE, "--inclusive and --exclusive exclude each other; give one");
  return EXIT_DONE;
}

static int take_scan(const struct args *args, clred_problem *problem) {
  bool scans = args->scan || args->verb->bit == VERB_SCAN;
  if (scans) {
    problem->scan = args->exclusive ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
    problem->reversed = args->reverse;
  }
  return refuse_of_scan(args, scans);
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
  int code = take_scan(args, problem);
  code = code ? code : take_operation(operation, type, problem);
  code = code ? code : problem_check_strategy(args->strategy);
  code = code ? code : args_take_word("finish", "finish", args->finish, &which);
  return code ? code : take_choices(args, operation->own, problem);
}

cl_ulong problem_count_max(cl_ulong count) {
  return count == 0 ? 1 : count;
}
