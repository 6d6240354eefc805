// Strategies as the caller sees them: what one does, and whether it can solve a problem.
#include "call/segments_call.h"
#include "plan/plan.h"

void clr_strategy_describe(const struct clr_strategy *row, clred_strategy_info *info) {
  size_t count = 0;
  *info = (clred_strategy_info){.name = row->name,
                                .sentence = row->sentence,
                                .scans = row->task == CLR_TASK_SCAN,
                                .counts = row->task == CLR_TASK_COUNT,
                                .fixed_order = row->fixed_order,
                                .layouts = row->layouts ? row->layouts : CLR_LAYOUT_LINES,
                                .needs_bound = row->growing != 0};
  if (row->reduce.finishes)
    info->finishes[count++] = clr_finish_name(row->reduce.finish);
  for (int finish = 0; finish < CLR_FINISHES; finish++)
    if ((row->reduce.finishes & CLR_FINISH_BIT(finish)) && finish != (int)row->reduce.finish)
      info->finishes[count++] = clr_finish_name((enum clr_finish)finish);
}

cl_int clr_strategy_applies(const struct clr_facts *facts, const char *strategy, const clred_problem *problem,
                            struct clr_status *status) {
  struct clr_problem asked = {.custom = NULL};
  struct clr_shape shape;
  const struct clr_strategy *row = clr_strategy_named(strategy);
  cl_int err = clr_problem_make(problem, &asked, status);
  if (!err && !row)
    err = clr_fail(status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%.60s'", strategy);
  if (!err && (!asked.operation.state_size || !asked.operation.element.size))
    err =
      clr_fail(status, CLRED_INVALID_PROBLEM, "custom: element_size and state_size are needed where nothing is built");
  if (!err)
    err = clr_segments_check_bound(&asked, facts, status);
  if (!err)
    err = clr_strategy_fit(row, facts, &asked, &shape, status);
  clr_problem_release(&asked);
  return err;
}
