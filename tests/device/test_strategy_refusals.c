// Strategies on devices that lack something, or where selftest found an error: each is refused with a sentence that
// names what is missing, or accepted. No program is built.

#include "support/fixture.h"

static const char long_name[] = "a strategy whose name is longer than any name that a strategy has";

static const clred_histogram bins = {.bins = 4, .low = 0, .high = 1};

// CL_SUCCESS and no word if the strategy is accepted.
static const struct answer {
  const char *assume;
  clred_problem problem;
  cl_int status;
  const char *word;
} answers[] = {
  // ---- Numbers that are too large, or that belong to another strategy
  {"", {OP(SUM, FLOAT), .strategy = long_name}, CLRED_UNKNOWN_NAME, "a strategy whose name"},
  {"", {OP(SUM, FLOAT), .strategy = "wide", .elements = 4}, CLRED_STRATEGY_REFUSED, "local_coarsened"},
  {"", {OP(SUM, FLOAT), .strategy = "wide", .stop_at = 32}, CLRED_STRATEGY_REFUSED, "hand_off has it"},
  {"", {OP(SUM, FLOAT), .strategy = "hand_off", .stop_at = 33, .count_max = 9}, CLRED_INVALID_PROBLEM, "stop_at: 33"},
  ROW("", {OP(SUM, FLOAT), .strategy = "hand_off", .group_size = 64, .stop_at = 128, .count_max = 9},
      CLRED_STRATEGY_REFUSED, "give at most 64"),
  ROW("", {OP(SUM, FLOAT), .strategy = "hand_off", .group_size = 64, .stop_at = 64, .count_max = 9}, CL_SUCCESS, ""),
  {"", {OP(SUM, FLOAT), .strategy = "wide", .group_size = 100}, CLRED_INVALID_PROBLEM, "give 64"},
  ROW("local_mem_size=64", {OP(SUM, FLOAT), .strategy = "local_interleaved", .count_max = 9}, CLRED_STRATEGY_REFUSED,
      "needs 72"),
  {"", {OP(SUM, FLOAT), .strategy = "wide", .groups = 1048577}, CLRED_INVALID_PROBLEM, "1048577"},
  {"", {OP(SUM, FLOAT), .strategy = "persistent", .groups = 1048577, .count_max = 9}, CLRED_INVALID_PROBLEM, "1048577"},
  ROW("", {OP(SUM, FLOAT), .strategy = "local_coarsened", .elements = 1048577, .count_max = 9}, CLRED_STRATEGY_REFUSED,
      "1048577"),
  ROW("local_mem_size=16384",
      {OP(SUM, FLOAT), .strategy = "local_coarsened", .group_size = 512, .elements = 8, .count_max = 9},
      CLRED_STRATEGY_REFUSED, "above 7"),
  ROW("local_mem_size=16384",
      {OP(SUM, FLOAT), .strategy = "local_coarsened", .group_size = 512, .elements = 8, .count_max = 9,
       .stage = CLRED_STAGE_REGISTERS},
      CL_SUCCESS, ""),
  {"", {OP(SUM, FLOAT), .strategy = "wide", .stage = CLRED_STAGE_REGISTERS}, CLRED_STRATEGY_REFUSED, "local_coarsened"},
  ROW("", {OP(SUM, FLOAT), .strategy = "local_coarsened", .stage = (clred_stage)7, .count_max = 9},
      CLRED_INVALID_PROBLEM, "7 is no value"),
  ROW("", {OP(SUM, FLOAT), .strategy = "scan_rows", LAYOUT(ROWS), SCAN(INCLUSIVE), .groups = 1048577},
      CLRED_INVALID_PROBLEM, "1048577"),
  ROW("local_mem_size=1024",
      {OP(SUM, FLOAT), .strategy = "scan_rows", LAYOUT(ROWS), SCAN(INCLUSIVE), .group_size = 256},
      CLRED_STRATEGY_REFUSED, "groups of 256"),
  // ---- Other layouts than those of the strategy
  {"", {OP(SUM, FLOAT), .strategy = "runs_chunked"}, CLRED_STRATEGY_REFUSED, "runs_chunked cannot run this layout"},
  ROW("", {OP(SUM, FLOAT), .strategy = "runs_wide", LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT},
      CLRED_STRATEGY_REFUSED, "runs_wide cannot run this layout"),
  ROW("", {OP(SUM, FLOAT), .strategy = "scan_runs_chunked", SCAN(INCLUSIVE)}, CLRED_STRATEGY_REFUSED,
      "scan_runs_chunked cannot run this layout"),
  // ---- Operators and the types of their states
  {"", {OP(SUM, INT), .strategy = "chunked", .state = CLRED_TYPE_FLOAT}, CLRED_OPERATOR_TYPE, "does not work for int"},
  ROW("", {OP(SUM, FLOAT), .strategy = "chunked", .state = (clred_type)99}, CLRED_OPERATOR_TYPE,
      "does not work for float"),
  {"", {OP(SUM, LONG), .strategy = "chunked", .state = CLRED_TYPE_LONG}, CL_SUCCESS, ""},
  {"", {OP(XOR, CFLOAT), .strategy = "chunked"}, CLRED_OPERATOR_TYPE, "xor is not defined for cfloat"},
  ROW("", {OP(COUNT_NONZERO, INT), .strategy = "chunked", .overflow = CLRED_OVERFLOW_DETECT}, CLRED_OPERATOR_TYPE,
      "count_nonzero of int cannot detect"),
  {"", {OP(PROD, INT), .strategy = "chunked", .overflow = CLRED_OVERFLOW_DETECT}, CL_SUCCESS, ""},
  {"",
   ROW(.type = CLRED_VECTOR(CLRED_TYPE_INT, 4), .op = CLRED_OP_SUM, .strategy = "chunked",
       .overflow = CLRED_OVERFLOW_DETECT),
   CLRED_OPERATOR_TYPE, "int4"},
  ROW("", {OP(MAX, INT), .strategy = "chunked", .overflow = CLRED_OVERFLOW_DETECT}, CLRED_OPERATOR_TYPE,
      "max of int cannot detect"),
  ROW("", {OP(SUM, FLOAT), .strategy = "chunked", .overflow = CLRED_OVERFLOW_DETECT}, CLRED_OPERATOR_TYPE,
      "sum of float cannot detect"),
  ROW("", {OP(PROD, CFLOAT), .strategy = "chunked", .overflow = CLRED_OVERFLOW_DETECT}, CLRED_OPERATOR_TYPE,
      "prod of cfloat cannot detect"),
  // ---- Devices whose atomics are wrong
  {"atomics=0", {OP(SUM, FLOAT), .strategy = "chunked", .finish = "last_group"}, CLRED_STRATEGY_REFUSED, "atomics"},
  ROW("atomics=0", {OP(SUM, UINT), .strategy = "local_sequential", .finish = "atomic", .count_max = 9},
      CLRED_STRATEGY_REFUSED, "atomics"),
  ROW("atomics=0", {.type = CLRED_TYPE_INT, .histogram = &bins, .strategy = "histogram_atomic"}, CLRED_STRATEGY_REFUSED,
      "atomics"),
  ROW("local_atomics=0", {.type = CLRED_TYPE_INT, .histogram = &bins, .strategy = "histogram_local"},
      CLRED_STRATEGY_REFUSED, "local_atomics"),
  ROW("int64_atomics=0", {OP(SUM, LONG), .strategy = "local_sequential", .finish = "atomic", .count_max = 9},
      CLRED_STRATEGY_REFUSED, "int64_atomics"),
  {"atomics=0", {OP(SUM, FLOAT), .strategy = "chunked", .finish = "host"}, CL_SUCCESS, ""},
  // ---- Loops that end too soon
  ROW("loop_trips=65535", {OP(SUM, FLOAT), .strategy = "scan_look_back", SCAN(INCLUSIVE)}, CLRED_STRATEGY_REFUSED,
      "waits"),
  {"loop_trips=16777216", {OP(SUM, FLOAT), .strategy = "scan_look_back", SCAN(INCLUSIVE)}, CL_SUCCESS, ""},
  {"loop_trips=65535", {OP(SUM, FLOAT), .strategy = "chunked", .finish = "host"}, CL_SUCCESS, ""},
  {"loop_trips=65535", {OP(SUM, FLOAT), .strategy = "chunked", .finish = "relaunch"}, CL_SUCCESS, ""},
  {"loop_trips=65535", {OP(SUM, FLOAT), .strategy = "wide", .finish = "relaunch"}, CL_SUCCESS, ""},
  ROW("loop_trips=65535", {OP(SUM, SHORT), LAYOUT(STRIDED), .strategy = "chunked", .count_max = 1000000}, CL_SUCCESS,
      ""),
  ROW("loop_trips=20000", {OP(SUM, SHORT), LAYOUT(STRIDED), .strategy = "chunked", .count_max = 1000000}, CL_SUCCESS,
      ""),
  // ---- The finish where there is no fence, or groups of one work-item
  ROW("max_work_group_size=1,device_fence=0", {OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 1000},
      CL_SUCCESS, ""),
  {"device_fence=0", {OP(SUM, FLOAT), .strategy = "persistent", .count_max = 1000}, CL_SUCCESS, ""},
};

TEST_ROWS(is_answered, answers) {
  const struct answer *answer = &answers[_i];
  device_close(&under_test);
  const char *trouble = device_open_assuming(&under_test, answer->assume);
  if (trouble && strstr(trouble, "is above the device's")) {
    fixture_skip(answer->assume, trouble);
    return;
  }
  ck_assert_msg(trouble == NULL, "%s", trouble);
  check_applies(answer->problem.strategy, &answer->problem, answer->status, answer->word);
}

// The strategy that the library chooses depends on the device. Every choice keeps the bound on groups.
TEST_EACH(auto_takes_groups_everywhere, 0, 2) {
  static const clred_problem problems[] = {
    {OP(SUM, FLOAT), LAYOUT(ROWS), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), LAYOUT(COLUMNS), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT, .groups = 5},
    {OP(SUM, FLOAT), SCAN(INCLUSIVE), .groups = 5},
    {OP(SUM, FLOAT), .groups = 5}};
  fixture_reopen(_i ? "cpu=1" : "cpu=0");
  for (size_t i = 0; i < COUNT_OF(problems); i++) {
    char reason[512];
    clred_plan *plan = fixture_plan(&problems[i]);
    const clred_plan_info info = fixture_inspect(plan, 1000000);
    // A strategy that refuses `groups` when it is named may ignore `groups` when the library chooses it.
    const cl_int by_name =
      clred_strategy_applies(under_test.runtime, info.strategy, &problems[i], reason, sizeof reason);
    ck_assert_msg(by_name == CL_SUCCESS ? info.groups <= 5 : strstr(reason, "groups") != NULL, "%s: %llu groups: %s",
                  info.strategy, (unsigned long long)info.groups, reason);
  }
}
