// The text of `clreduce plan`: what the plan runs, which facts decided that, and why other strategies do not run.
#ifndef CLR_STRATEGIES_EXPLAIN_H
#define CLR_STRATEGIES_EXPLAIN_H

#include "strategies/strategies.h"

void clr_explain(const struct clr_facts *facts, const struct clr_problem *problem, const struct clr_shape *shape,
                 const clred_plan_info *info, cl_ulong count, struct clr_text *text);

#endif
