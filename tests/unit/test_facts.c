// Facts that are assumed, and the choices that follow from facts of devices where something is wrong. The devices are
// lists of facts (devices.h); no device is opened.
#include "support/suite.h"
#include "unit/letters.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Facts

// An older version has no fence of OpenCL C 3.0. The fence by inline PTX does not depend on the version.
TEST(older_versions_have_no_fence) {
  struct clr_facts facts = {.opencl_version = 300, .device_fence = CLR_FENCE_C11, .atomics = 1};
  struct clr_status status;
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=300", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_C11);
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=120", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.opencl_version, 120);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_NONE);
  facts = (struct clr_facts){.opencl_version = 300, .device_fence = CLR_FENCE_PTX, .atomics = 1};
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=120", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_PTX);
}

// A message quotes at most a hundred letters of a wrong word.
TEST(long_words_are_cut_in_messages) {
  struct clr_facts facts = {.atomics = 1};
  struct clr_status status;
  char quoted[128] = "'";
  strcat(strcat(quoted, letters(100, "")), "'");
  ck_assert_int_eq(clr_facts_assume(&facts, letters(120, ""), &status), CLRED_INVALID_ARGUMENT);
  ck_assert_msg(strstr(status.message, quoted) && strstr(status.message, "FACT=VALUE"), "%s", status.message);
  ck_assert_int_eq(clr_facts_assume(&facts, letters(120, "=1"), &status), CLRED_UNKNOWN_NAME);
  ck_assert_msg(strstr(status.message, quoted) && strstr(status.message, "no fact"), "%s", status.message);
  ck_assert_int_eq(clr_facts_assume(&facts, letters(99, "=1"), &status), CLRED_UNKNOWN_NAME);
  ck_assert_msg(strstr(status.message, letters(99, "'")), "%s", status.message);
}

// ---------------------------------------------------------------- What is chosen

// The strategy that auto takes, or "refused"; "?" if the refusal has no message.
static const char *chosen(const struct clr_facts *facts, const clred_problem *given, struct clr_shape *shape) {
  struct clr_problem problem = problem_of(given);
  struct clr_status status;
  const struct clr_strategy *strategy = clr_strategy_auto(facts, &problem);
  cl_int err = clr_strategy_fit(strategy, facts, &problem, shape, &status);
  clr_problem_release(&problem);
  return err ? status.message[0] ? "refused" : "?" : strategy->name;
}

static const clred_histogram bins = {.bins = 8, .low = 0, .high = 8};
static const clred_problem reduction = {OF(SUM, FLOAT)}, scan = {OF(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},
                           counts = {.type = CLRED_TYPE_FLOAT, .histogram = &bins},
                           segments = {.type = CLRED_TYPE_FLOAT,
                                       .op = CLRED_OP_SUM,
                                       .layout = CLRED_LAYOUT_SEGMENTS,
                                       .segment_type = CLRED_TYPE_UINT};

TEST(auto_avoids_what_is_wrong) {
  struct clr_facts gpu = facts_of(GPU, 0), cpu = facts_of(CPU, 0), facts = gpu;
  struct clr_shape shape;
  ck_assert_str_eq(chosen(&gpu, &reduction, &shape), "wide");
  ck_assert_int_eq(shape.finish, CLR_FINISH_LAST_GROUP);
  facts.atomics = 0;
  clr_facts_make_sane(&facts);
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "wide");
  ck_assert_int_eq(shape.finish, CLR_FINISH_RELAUNCH);
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  ck_assert_str_eq(chosen(&facts, &counts, &shape), "histogram_chunked");
  facts = gpu;
  facts.local_atomics = 0;
  ck_assert_str_eq(chosen(&facts, &counts, &shape), "histogram_atomic");
  ck_assert_str_eq(chosen(&facts, &segments, &shape), "segments_chunked");
  facts = cpu;
  facts.avoided =
    clr_strategy_bit(clr_strategy_named("chunked")) | clr_strategy_bit(clr_strategy_named("scan_chunked"));
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "wide");
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  facts.avoided |= clr_strategy_bit(clr_strategy_named("wide"));
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "refused");
  facts = cpu;
  facts.types &= ~((cl_ulong)1 << CLRED_TYPE_FLOAT);
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "refused");
  facts = cpu;
  facts.loop_trips = 65535;
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "chunked");
  ck_assert_uint_gt(shape.count_most, 100000000);
}
