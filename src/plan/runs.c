#include "plan/runs.h"

// A head among keys, told from the one before, which at index 0 is the key itself.
static const char *head_text(clred_type keys) {
  struct clr_element element;
  if (!keys)
    return "(index == 0) | (x != 0)";
  bool has_parts = clr_element_make(keys, &element) && (element.components > 1 || clr_element_is_complex(&element));
  return has_parts ? "(index == 0) | (any(x != before) != 0)" : "(index == 0) | (x != before)";
}

cl_int clr_runs_plan_create(clred_runtime *runtime, const struct clr_runs *runs, clred_plan **plan,
                            struct clr_status *status) {
  const clred_selection heads = {.name = runs->keys ? "runs of keys" : "heads", .keep = head_text(runs->keys)};
  const clred_problem problem = {
    .type = runs->keys ? runs->keys : CLRED_TYPE_UCHAR,
    .selection = &heads,
    .indices = CL_TRUE,
    .count_max = runs->count_max,
    .in_flight = runs->in_flight,
    .strategy = runs->strategy,
    .profile = runs->profile,
  };
  const struct clr_keeping keeping = {.indices = true, .looks_before = runs->keys != CLRED_TYPE_NONE, .ends = true};
  return clr_plan_make(runtime, &problem, keeping, plan, status);
}

cl_int clr_runs_enqueue(clred_plan *plan, const struct clr_runs_call *call, struct clr_status *status) {
  const struct clr_request request = {
    .purpose = CLR_FOR_SELECTIONS,
    .queue = call->queue,
    .call = {.in = call->in,
             .in_offset = call->in_offset,
             .count = call->count,
             .stride = 1,
             .out = call->out,
             .out_offset = call->out_offset,
             .outcome_buffer = call->outcome_buffer,
             .outcome_offset = call->outcome_offset},
    .waits = call->waits,
    .wait_list = call->wait_list,
    .event = call->event,
    .first = call->first,
  };
  return clr_enqueue(plan, &request, status);
}
