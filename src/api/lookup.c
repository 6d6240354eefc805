// Tables as the caller sees them.
#include <string.h>

#include "api/runtime.h"

#define TEXT_NOW(x) #x
#define TEXT(x) TEXT_NOW(x)

const char *clred_version(void)
{
  return TEXT(CLRED_VERSION_MAJOR) "." TEXT(CLRED_VERSION_MINOR) "." TEXT(CLRED_VERSION_PATCH);
}

static cl_int describe_type(const struct clr_type *row, clred_type_info *info)
{
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  *info = (clred_type_info){
    .type = row->id,
    .name = row->name,
    .numpy_name = row->numpy_name,
    .size = row->size,
    .floating = row->class == CLR_FLOATING,
    .is_signed = row->class != CLR_UNSIGNED,
    .needs_fp64 = row->need == CLR_NEEDS_FP64,
  };
  return CL_SUCCESS;
}

cl_int clred_type_at(size_t index, clred_type_info *info)
{
  return describe_type(clr_type_at(index), info);
}

cl_int clred_type_describe(clred_type type, clred_type_info *info)
{
  return describe_type(clr_type_row(type), info);
}

clred_type clred_type_from_name(const char *name)
{
  const struct clr_type *row;
  for (size_t i = 0; name && (row = clr_type_at(i)) != NULL; i++)
    if (strcmp(row->name, name) == 0 || strcmp(row->numpy_name, name) == 0)
      return row->id;
  return CLRED_TYPE_NONE;
}

static cl_int describe_op(const struct clr_op *row, clred_op_info *info)
{
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  *info = (clred_op_info){
    .op = row->id,
    .name = row->name,
    .synonym = row->synonym,
    .sentence = row->sentence,
    .integers_only = row->domain == CLR_DOMAIN_INTEGERS,
    .commutative = row->commutes,
  };
  return CL_SUCCESS;
}

cl_int clred_op_at(size_t index, clred_op_info *info)
{
  return describe_op(clr_op_at(index), info);
}

cl_int clred_op_describe(clred_op op, clred_op_info *info)
{
  return describe_op(clr_op_row(op), info);
}

clred_op clred_op_from_name(const char *name)
{
  const struct clr_op *row;
  for (size_t i = 0; name && (row = clr_op_at(i)) != NULL; i++)
    if (strcmp(row->name, name) == 0 || strcmp(row->synonym, name) == 0)
      return row->id;
  return CLRED_OP_NONE;
}

cl_int clred_result_type(clred_op op, clred_type type, clred_type *result)
{
  struct clr_operation operation;
  struct clr_status status = {0};
  if (!result || !clr_op_row(op) || !clr_type_row(type))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_operation_make(op, type, &operation, &status);
  if (!err)
    *result = operation.state->id;
  return err;
}

cl_int clred_strategy_at(size_t index, clred_strategy_info *info)
{
  const struct clr_strategy *row = clr_strategy_at(index);
  const struct clr_shape shape = {.group_size = 2, .groups_max = 1, .state_size = 4, .finish = CLR_FINISH_RELAUNCH};
  bool bounded = true;
  size_t count = 0;
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  if (row->scratch && row->finish != CLR_FINISH_ATOMIC)
    row->scratch(&shape, 0, &bounded);
  *info = (clred_strategy_info){
    .name = row->name, .sentence = row->sentence, .fixed_order = row->fixed_order, .needs_bound = !bounded};
  if (row->finishes)
    info->finishes[count++] = clr_finish_name(row->finish);
  for (int finish = 0; finish < CLR_FINISHES; finish++)
    if ((row->finishes & CLR_FINISH_BIT(finish)) && finish != (int)row->finish)
      info->finishes[count++] = clr_finish_name((enum clr_finish)finish);
  return CL_SUCCESS;
}

static void give_reason(const struct clr_status *status, char *reason, size_t size)
{
  if (!reason || !size)
    return;
  size_t length = strlen(status->sentence);
  length = length < size ? length : size - 1;
  memcpy(reason, status->sentence, length);
  reason[length] = 0;
}

cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem, char *reason,
                              size_t size)
{
  struct clr_problem asked;
  struct clr_shape shape;
  struct clr_status status = {0};
  give_reason(&status, reason, size);
  if (!runtime || !strategy || !problem)
    return CLRED_INVALID_ARGUMENT;
  const struct clr_strategy *row = clr_strategy_named(strategy);
  cl_int err = clr_problem_make(problem, &asked, &status);
  if (!err && !row)
    err = clr_fail(&status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%.60s'", strategy);
  if (!err)
    err = clr_strategy_fit(row, &runtime->facts, &asked, &shape, &status);
  give_reason(&status, reason, size);
  return err;
}
