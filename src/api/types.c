// The public lookups of types, operators and strategies: rows of tables. They need no runtime.
#include "model/describe.h"
#include "plan/plan.h"

cl_int clred_type_at(size_t index, clred_type_info *info) {
  const struct clr_type *row = clr_type_at(index);
  return row && info ? clr_type_describe(row->id, info) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_type_describe(clred_type type, clred_type_info *info) {
  return info ? clr_type_describe(type, info) : CLRED_INVALID_ARGUMENT;
}

clred_type clred_type_from_name(const char *name) {
  return name ? clr_type_named(name) : CLRED_TYPE_NONE;
}

static cl_int describe_op(const struct clr_op *row, clred_op_info *info) {
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  clr_op_describe(row, info);
  return CL_SUCCESS;
}

cl_int clred_op_at(size_t index, clred_op_info *info) {
  return describe_op(clr_op_at(index), info);
}

cl_int clred_op_describe(clred_op op, clred_op_info *info) {
  return describe_op(clr_op_row(op), info);
}

clred_op clred_op_from_name(const char *name) {
  return name ? clr_op_named(name) : CLRED_OP_NONE;
}

cl_int clred_result_type(clred_op op, clred_type type, clred_type *result) {
  return result ? clr_result_type(op, type, result) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_strategy_at(size_t index, clred_strategy_info *info) {
  const struct clr_strategy *row = clr_strategy_at(index);
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  clr_strategy_describe(row, info);
  return CL_SUCCESS;
}

cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem, char *reason,
                              size_t size) {
  struct clr_status status = {0};
  cl_int err = CLRED_INVALID_ARGUMENT;
  if (runtime && strategy && problem)
    err = clr_strategy_applies(&runtime->facts, strategy, problem, &status);
  if (reason)
    clr_text_copy(status.sentence, reason, size);
  return err;
}
