// What a call of a selection has of its own.
#include "call/apart.h"
#include "host/values.h"

// What a selection has no use for.
static cl_int refuse_foreign(const clred_call *call, struct clr_status *status) {
  const struct {
    const char *name;
    bool is_there;
  } foreign[] = {{"result", call->result != NULL},
                 {"initial", call->initial != NULL},
                 {"initial_buffer", call->initial_buffer != NULL},
                 {"out_stride", call->out_stride != 0}};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (foreign[i].is_there)
      return clr_fail(status, CLRED_INVALID_ARGUMENT,
                      "%s: a selection writes to out, one kept element behind the other", foreign[i].name);
  return CL_SUCCESS;
}

static cl_int check_outcome_apart(const clred_call *call, const struct clr_range *in, const struct clr_range *out,
                                  struct clr_status *status) {
  const struct clr_range outcome = {
    "outcome_buffer", call->outcome_buffer, call->outcome_offset, 1, sizeof(clred_outcome), 0};
  if (!call->outcome_buffer)
    return CL_SUCCESS;
  cl_int err = clr_check_apart(in, &outcome, status);
  return err ? err : clr_check_apart(out, &outcome, status);
}

cl_int clr_select_check(const clred_plan *plan, const clred_call *call, cl_ulong reach, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  bool on_host = plan->strategy->team == CLR_TEAM_HOST;
  cl_ulong results = clr_add(call->count, plan->problem.custom->keeping.ends);
  const struct clr_range in = {"in", call->in, call->in_offset, reach, operation->element.size, 0};
  const struct clr_range out = {
    "out",
    call->out,
    call->out_offset,
    results,
    operation->result_size,
    CL_MEM_READ_ONLY | (on_host ? CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY : 0)};
  cl_int err = refuse_foreign(call, status);
  if (err || !reach)
    return err;
  err = clr_check_range(&out, plan->runtime->context, status);
  if (!err)
    err = clr_check_apart(&out, &in, status);
  if (!err)
    err = clr_check_inputs_apart(plan, call, &out, reach, status);
  return err ? err : check_outcome_apart(call, &in, &out, status);
}
