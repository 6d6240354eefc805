// What a call over segments has beside that over rows: offsets, or heads and keys, of which another plan makes offsets
// first.
#include "call/segments_call.h"

#include "call/apart.h"
#include "plan/runs.h"

static bool finds_runs(const struct clr_problem *problem) {
  return problem->layout == CLRED_LAYOUT_HEADS || problem->layout == CLRED_LAYOUT_KEYS;
}

static bool is_run(const clred_plan *plan) {
  return finds_runs(&plan->problem);
}

// --- The plan that finds runs ---

cl_int clr_segments_check_bound(const struct clr_problem *problem, const struct clr_facts *facts,
                                struct clr_status *status) {
  if (!finds_runs(problem))
    return CL_SUCCESS;
  if (!problem->count_max)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "layout: of runs found on the device up to count_max are kept, so the problem needs "
                    "count_max");
  if (problem->count_max >= facts->max_alloc / sizeof(cl_ulong))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "count_max: offsets of %llu runs are above the device's max_alloc %llu",
                    (unsigned long long)problem->count_max, (unsigned long long)facts->max_alloc);
  return CL_SUCCESS;
}

cl_int clr_segments_prepare(clred_plan *plan, struct clr_status *status) {
  const struct clr_type *keys = plan->problem.key_type;
  const struct clr_runs runs = {
    .keys = keys ? keys->id : CLRED_TYPE_NONE,
    .count_max = plan->problem.count_max,
    .in_flight = plan->problem.in_flight,
    .profile = plan->problem.profile,
  };
  cl_int err = clr_segments_check_bound(&plan->problem, &plan->runtime->facts, status);
  return err || !is_run(plan) ? err : clr_runs_plan_create(plan->runtime, &runs, &plan->runs, status);
}

// --- Checks ---

// What is in `segments`: one offset more than segments, or as many keys or flags as elements.
static struct clr_range what_tells(const clred_plan *plan, const clred_call *call) {
  const struct clr_type *keys = plan->problem.key_type;
  struct clr_range range = {"segments", call->segments,   call->segments_offset, clr_add(call->rows, 1),
                            1,          CL_MEM_WRITE_ONLY};
  if (!is_run(plan)) {
    range.element_size = plan->problem.segment_type->size;
    return range;
  }
  range.name = keys ? "segments (keys)" : "segments (heads)";
  range.count = call->count;
  range.element_size = keys ? keys->size : sizeof(cl_uchar);
  return range;
}

static cl_int check_keys_out(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent,
                             struct clr_status *status) {
  if (!call->keys_out)
    return CL_SUCCESS;
  if (!plan->problem.key_type || plan->problem.scan)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "keys_out is for reductions by key: layout CLRED_LAYOUT_KEYS");
  const struct clr_range tells = what_tells(plan, call);
  const struct clr_range keys = {
    "keys_out", call->keys_out, call->keys_out_offset, extent->rows, plan->problem.key_type->size, CL_MEM_READ_ONLY};
  const struct clr_range in = {"in", call->in, call->in_offset, call->count, plan->problem.operation.element.size, 0};
  cl_int err = clr_check_range(&keys, plan->runtime->context, status);
  if (!err)
    err = clr_check_apart(&keys, &tells, status);
  if (!err)
    err = clr_check_apart(&keys, &in, status);
  return err ? err : clr_check_inputs_apart(plan, call, &keys, call->count, status);
}

cl_int clr_segments_check(const clred_plan *plan, const clred_call *call, const struct clr_extent *extent,
                          struct clr_status *status) {
  if (!plan->problem.segment_type && (call->segments || call->segments_offset || call->keys_out))
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: the plan was made for another layout",
                    call->segments || call->segments_offset ? "segments" : "keys_out");
  if (!plan->problem.segment_type || !extent->rows)
    return CL_SUCCESS;
  const struct clr_range tells = what_tells(plan, call);
  cl_int err = clr_check_range(&tells, plan->runtime->context, status);
  return err ? err : check_keys_out(plan, call, extent, status);
}

cl_int clr_segments_check_apart(const clred_plan *plan, const clred_call *call, const struct clr_range *out,
                                struct clr_status *status) {
  if (!plan->problem.segment_type)
    return CL_SUCCESS;
  const struct clr_range tells = what_tells(plan, call);
  cl_int err = clr_check_apart(out, &tells, status);
  if (err || !call->keys_out)
    return err;
  const struct clr_range keys = {
    "keys_out", call->keys_out, call->keys_out_offset, out->count, plan->problem.key_type->size, 0};
  return clr_check_apart(out, &keys, status);
}

// --- The call ---

struct clr_segments_call clr_segments_call_of(const clred_plan *plan, const clred_call *asked,
                                              const struct clr_slot *slot) {
  struct clr_segments_call call = {
    .is_there = plan->problem.segment_type != NULL, .offsets = asked->segments, .first = asked->segments_offset};
  if (!is_run(plan))
    return call;
  call.offsets = slot->offsets;
  call.first = 0;
  call.counted = slot->run_count;
  call.has_keys = plan->problem.key_type != NULL;
  call.keys = asked->segments;
  call.first_key = asked->segments_offset;
  call.keys_out = asked->keys_out;
  call.first_key_out = asked->keys_out_offset;
  return call;
}

cl_int clr_segments_find_runs(const clred_plan *plan, const struct clr_request *request, const struct clr_slot *slot,
                              struct clr_call *call, struct clr_status *status) {
  cl_event found = NULL, first = NULL;
  const struct clr_runs_call runs = {
    .queue = request->queue,
    .in = request->call.segments,
    .in_offset = request->call.segments_offset,
    .count = request->call.count,
    .out = slot->offsets,
    .outcome_buffer = slot->run_count,
    .waits = call->waits,
    .wait_list = call->wait_list,
    .event = &found,
    .first = &first,
  };
  if (!plan->runs)
    return CL_SUCCESS;
  cl_int err = clr_runs_enqueue(plan->runs, &runs, status);
  if (err)
    return err;
  clr_call_goes_on(call, first, found);
  return CL_SUCCESS;
}
