// Which plans have groups that publish their partials in cells, one for each word of a state, for which the group that
// began last waits. The program layouts has the results (CTest: hand_over_...).

#include "support/fixture.h"

#include "plan/plan.h"

#define GPU "cpu=0,compute_units=132"

TEST_CASE("tests", NULL, fixture_close);

// The last group that finishes folds the partials if groups may not wait, if 64-bit words are not atomic, if loops are
// limited or if a state has too many words.
static const struct {
  const char *facts;
  clred_type type;
  clred_op op;
  cl_ulong words;
} cases[] = {
  {GPU ",forward_progress=1", CLRED_TYPE_FLOAT, CLRED_OP_SUM, 1},
  {GPU ",forward_progress=1", CLRED_TYPE_FLOAT, CLRED_OP_MAX, 1},
  {GPU ",forward_progress=1", CLRED_TYPE_FLOAT, CLRED_OP_ARGMIN, 4},
  {GPU ",forward_progress=1", CLRED_TYPE_FLOAT, CLRED_OP_ARGMINMAX, 8},
  {GPU ",forward_progress=0", CLRED_TYPE_FLOAT, CLRED_OP_SUM, 0},
  {GPU ",forward_progress=1,int64_atomics=0", CLRED_TYPE_FLOAT, CLRED_OP_SUM, 0},
  {GPU ",forward_progress=1,loop_trips=1000000", CLRED_TYPE_FLOAT, CLRED_OP_SUM, 0},
  {GPU ",forward_progress=1", CLRED_TYPE_DOUBLE, CLRED_OP_STATS, 0},
};

TEST_ROWS(cells_of_states, cases) {
  fixture_open_assuming(cases[_i].facts);
  clred_plan *plan = PLAN(.type = cases[_i].type, .op = cases[_i].op, .strategy = "wide", .finish = "last_group");
  ck_assert_uint_eq(plan->shape.fold.handover_words, cases[_i].words * plan->shape.groups_max);
}
