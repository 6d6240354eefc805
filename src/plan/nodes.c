// The plan that folds the elements of a scan to nodes, for scans in chunks and in parts.
#include "plan/plan.h"

cl_int clr_plan_check_nodes(const clred_plan *scan, struct clr_status *status) {
  const struct clr_problem *problem = &scan->problem;
  if (!problem->scan || problem->selects)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "the plan is no scan, so it has no chunks or parts of a scan; make it with problem.scan");
  if (problem->layout != CLRED_LAYOUT_LINE || problem->reversed)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "a scan in chunks or parts is one line of neighbours from the first to the last; the plan %s",
                    problem->reversed ? "is reversed" : "has another layout");
  if (!scan->strategy->fixed_order && !problem->operation.exact)
    return clr_fail(status, CLRED_INVALID_ARGUMENT,
                    "strategy %s makes no scans in chunks or parts; those with the order fixed/1 do",
                    scan->strategy->name);
  return clr_plan_check_program(scan, status);
}

// The elements of a scan's lane are neighbours. In a reduction, the elements of a lane are neighbours only if the
// operator does not commute. Exact operators may be folded in any order.
struct clr_operation clr_plan_nodes_operation(const clred_plan *scan) {
  struct clr_operation operation = scan->problem.operation;
  operation.commutes = operation.commutes && operation.exact;
  return operation;
}

cl_int clr_plan_make_nodes(const clred_plan *scan, const struct clr_making *how, clred_plan **made,
                           struct clr_status *status) {
  const struct clr_problem problem = {.operation = clr_plan_nodes_operation(scan),
                                      .layout = CLRED_LAYOUT_LINE,
                                      .in_flight = 1,
                                      .order = CLRED_ORDER_FIXED,
                                      .profile = scan->problem.profile};
  cl_int err = clr_plan_check_nodes(scan, status);
  if (!err)
    err = clr_plan_make_of(scan->runtime, &problem, how, made, status);
  if (!err)
    (*made)->makes_nodes = true;
  return err;
}
