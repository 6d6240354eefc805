// The public lookups of types, operators, strategies and statuses: rows of tables. They need no runtime.
#include "api/struct_versions.h"
#include "base/version.h"
#include "model/describe.h"
#include "plan/plan.h"

cl_int clred_type_inspect_v(cl_uint header, clred_type type, clred_type_info *info) {
  clred_type_info full;
  if (clr_type_describe(type, &full))
    return CLRED_INVALID_ARGUMENT;
  return clr_struct_export(CLR_STRUCT_TYPE_INFO, header, &full, 1, info);
}

clred_type clred_type_from_name(const char *name) {
  return name ? clr_type_named(name) : CLRED_TYPE_NONE;
}

cl_int clred_op_inspect_v(cl_uint header, clred_op op, clred_op_info *info) {
  const struct clr_op *row = clr_op_row(op);
  clred_op_info full;
  if (!row)
    return CLRED_INVALID_ARGUMENT;
  clr_op_describe(row, &full);
  return clr_struct_export(CLR_STRUCT_OP_INFO, header, &full, 1, info);
}

clred_op clred_op_from_name(const char *name) {
  return name ? clr_op_named(name) : CLRED_OP_NONE;
}

cl_int clred_result_type(clred_op op, clred_type type, clred_type *result) {
  return result ? clr_result_type(op, type, result) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_strategy_at_v(cl_uint header, size_t index, clred_strategy_info *info) {
  const struct clr_strategy *row = clr_strategy_at(index);
  clred_strategy_info full;
  if (!row)
    return CLRED_INVALID_ARGUMENT;
  clr_strategy_describe(row, &full);
  return clr_struct_export(CLR_STRUCT_STRATEGY_INFO, header, &full, 1, info);
}

cl_int clred_strategy_applies_v(cl_uint header, clred_runtime *runtime, const char *strategy,
                                const clred_problem *problem, char *reason, size_t size) {
  struct clr_problem_taken taken;
  struct clr_status status = {0};
  cl_int err = CLRED_INVALID_ARGUMENT;
  if (runtime && strategy && problem)
    err = clr_take_problem(header, problem, &taken, &status);
  if (!err)
    err = clr_strategy_applies(&runtime->facts, strategy, &taken.problem, &status);
  if (reason)
    clr_text_copy(status.message, reason, size);
  return err;
}

// --- Versions and statuses ---

const char *clred_version(void) {
  return CLR_VERSION;
}

const char *clred_status_name(cl_int status) {
  return clr_status_name(status);
}
