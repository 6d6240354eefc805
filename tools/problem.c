// From words to the problem's fields.

#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"

static const struct {
  const char *name;
  clred_order order;
} orders[] = {{"fixed", CLRED_ORDER_FIXED}, {"any", CLRED_ORDER_ANY}};

static void list_ops(char *list, size_t size)
{
  clred_op_info row;
  *list = '\0';
  for (size_t i = 0; clred_op_at(i, &row) == CL_SUCCESS; i++)
    snprintf(list + strlen(list), size - strlen(list), " %s", row.name);
}

int problem_take_op(const struct args *args, const char *name, clred_op_info *op)
{
  char list[512];
  if (name != NULL && clred_op_describe(clred_op_from_name(name), op) == CL_SUCCESS)
    return EXIT_DONE;
  list_ops(list, sizeof list);
  if (name == NULL)
    return fail(EXIT_BAD_USE, "%s: no operator; there are%s", args->verb->name, list);
  return fail(EXIT_BAD_USE, "unknown operator '%s'; there are%s", name, list);
}

static int check_strategy(const char *name)
{
  char                list[1024] = "";
  clred_strategy_info row;
  if (name == NULL || strcmp(name, "auto") == 0)
    return EXIT_DONE;
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++) {
    if (strcmp(row.name, name) == 0)
      return EXIT_DONE;
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  }
  return fail(EXIT_BAD_USE, "--strategy: unknown strategy '%s'; there are auto%s", name, list);
}

static int take_order(const char *name, clred_order *order)
{
  *order = CLRED_ORDER_DEFAULT;
  if (name == NULL)
    return EXIT_DONE;
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
    if (strcmp(orders[i].name, name) == 0) {
      *order = orders[i].order;
      return EXIT_DONE;
    }
  return fail(EXIT_BAD_USE, "--order: unknown order '%s'; there are fixed and any", name);
}

static int check_domain(const clred_op_info *op, const clred_type_info *type)
{
  clred_type result;
  cl_int     status = clred_result_type(op->op, type->type, &result);
  if (status != CL_SUCCESS)
    return fail(fail_code(status), "%s is not defined for %s%s (%s)", op->name, type->name,
                op->integers_only ? "; it takes integers" : "", clred_status_name(status));
  return EXIT_DONE;
}

int problem_take(const struct args *args, const clred_op_info *op, const clred_type_info *type,
                 clred_problem *problem)
{
  int code = check_domain(op, type);
  *problem = (clred_problem){
    .type       = type->type,
    .op         = op->op,
    .strategy   = args->strategy,
    .finish     = args->finish,
    .group_size = args->group_size.value,
    .groups     = args->groups.value,
    .elements   = args->elements.value,
    .profile    = CL_TRUE
  };
  if (code == EXIT_DONE)
    code = check_strategy(args->strategy);
  return code == EXIT_DONE ? take_order(args->order, &problem->order) : code;
}

cl_ulong problem_count_max(cl_ulong count)
{
  return count == 0 ? 1 : count;
}
