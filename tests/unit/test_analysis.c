// The analysis of plans against numbers worked out by hand, most of them those of textbooks. The device has sub-groups
// of 32 work-items and memory lines of 128 bytes. tests/counts compares the analysis with what kernels do.

#include "planning/strategy.h"
#include "support/suite.h"
#include "unit/shapes.h"

static struct clr_shape shape_with(const char *strategy, cl_ulong group_size, cl_ulong count_max) {
  struct clr_facts facts = facts_of(GPU, 0);
  facts.line_bytes = 128;
  const clred_problem given = {OF(SUM, FLOAT), .finish = NULL, .count_max = count_max, .group_size = group_size};
  return shape_of(strategy, &facts, &given);
}

static struct clr_shape scan_with(const char *strategy, clred_scan kind, cl_ulong group_size) {
  struct clr_facts facts = facts_of(GPU, 0);
  facts.line_bytes = 128;
  const clred_problem given = {OF(SUM, INT), .count_max = 1 << 20, .group_size = group_size, .scan = kind};
  return shape_of(strategy, &facts, &given);
}

// The step of this name; the first, if there are several.
static struct clred_step step_named(const struct clr_shape *shape, cl_ulong n, const char *name) {
  struct clred_step step;
  for (cl_ulong i = 0; clr_call_step(shape, n, i, &step); i++)
    if (strcmp(step.name, name) == 0)
      return step;
  ck_abort_msg("no step %s", name);
  return step;
}

// Returns the requests of all steps whose names start with `begin`.
static cl_ulong requests_of(const struct clr_shape *shape, cl_ulong n, const char *begin) {
  struct clred_step step;
  cl_ulong requests = 0;
  for (cl_ulong i = 0; clr_call_step(shape, n, i, &step); i++)
    requests += strncmp(step.name, begin, strlen(begin)) == 0 ? step.requests : 0;
  return requests;
}

// Hwu, Kirk and El Hajj, chapter 10: 256 elements, one group of 128. In global memory the tree makes (4 + 2 + 1 + 5)
// times 3 requests.
TEST(trees_in_global_memory_make_36_requests) {
  const struct clr_shape shape = shape_with("global_sequential", 128, 256);
  ck_assert_uint_eq(requests_of(&shape, 256, "stride"), 36);
  ck_assert_uint_eq(requests_of(&shape, 256, "copy"), 16);
  ck_assert_uint_eq(clr_call_analysis(&shape, 256, false).operations, 255);
}

// With local memory: 8 requests to read 256 elements, and one to write the result.
TEST(trees_in_local_memory_make_9_requests) {
  const struct clr_shape shape = shape_with("local_sequential", 128, 256);
  const clred_analysis analysis = clr_call_analysis(&shape, 256, false);
  ck_assert_uint_eq(analysis.requests, 9);
  ck_assert_uint_eq(analysis.lines, 9);
  ck_assert_uint_eq(analysis.global_accesses, 257);
  ck_assert_uint_eq(analysis.barriers, 7);
  ck_assert_uint_eq(analysis.bank_conflicts, 0);
}

// A tree over 10^6 values: 20 steps, 50000 operations in each on average, 500000 in the first.
TEST(parallelism_of_a_million_values) {
  static const char *const strategies[] = {"bottom_up", "top_down", "bottom_up_mono", "top_down_mono"};
  for (size_t i = 0; i < 4; i++) {
    const struct clr_shape shape = shape_with(strategies[i], 256, 1000000);
    const clred_analysis analysis = clr_call_analysis(&shape, 1000000, false);
    ck_assert_uint_eq(analysis.steps, 20);
    ck_assert_uint_eq(analysis.depth, 20);
    ck_assert_uint_eq(analysis.operations, 999999);
    ck_assert_uint_eq(analysis.peak_parallelism, 500000);
    ck_assert_double_eq_tol(analysis.mean_parallelism, 49999.95, 1e-9);
    ck_assert_double_eq_tol(analysis.work_ratio, 1, 1e-12);
  }
}

// Every reduction combines N values by N - 1 operations.
TEST(reductions_do_the_work_of_a_loop) {
  static const char *const strategies[] = {
    "device_serial",   "global_interleaved", "global_sequential", "local_interleaved",      "local_sequential",
    "local_coarsened", "hand_off",           "persistent",        "persistent_interleaved", "wide",
    "chunked",         "host_serial"};
  static const cl_ulong counts[] = {1, 2, 255, 256, 257, 100000};
  for (size_t i = 0; i < COUNT_OF(strategies); i++)
    for (size_t k = 0; k < COUNT_OF(counts); k++) {
      const struct clr_shape shape = shape_with(strategies[i], 0, 100000);
      ck_assert_msg(clr_call_analysis(&shape, counts[k], false).operations == counts[k] - 1, "%s", strategies[i]);
    }
}

// Only sub-groups make requests, so the host's part of a call makes none. The groups write four partials by one request
// each.
TEST(the_host_makes_no_requests) {
  const clred_problem given = {OF(SUM, FLOAT), .finish = "host", .group_size = 128, .count_max = 1024};
  const struct clr_shape shape = shape_of("local_sequential", ON(GPU, 0), &given);
  const struct clred_step host = step_named(&shape, 1024, "host");
  ck_assert_uint_eq(host.global_accesses, 5);
  ck_assert_uint_eq(host.requests + host.lines, 0);
  ck_assert_uint_eq(clr_call_analysis(&shape, 1024, false).requests, 1024 / 32 + 4);
}

// Groups of 1024 work-items over 2048 values. Interleaved: the second step is divergent. Sequential: sub-groups are
// whole in the first six steps (1024, 512, ..., 32 work-items), and divergent in the last five.
TEST(divergence_of_interleaved_and_sequential_trees) {
  struct clred_step step;
  const struct clr_shape interleaved = shape_with("local_interleaved", 1024, 2048);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 1").divergent_sub_groups, 0);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 2").divergent_sub_groups, 32);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 2").idle_work_items, 512);
  ck_assert_uint_eq(step_named(&interleaved, 2048, "stride 64").divergent_sub_groups, 16);
  const struct clr_shape sequential = shape_with("local_sequential", 1024, 2048);
  for (cl_ulong i = 1; i <= 11; i++) {
    ck_assert(clr_call_step(&sequential, 2048, i, &step));
    ck_assert_uint_eq(step.active_work_items, (cl_ulong)2048 >> i);
    ck_assert_uint_eq(step.divergent_sub_groups, i > 6);
  }
}

// Places that are 2, 4, ..., 32 apart share 16, 8, ..., 1 of 32 banks.
TEST(interleaved_trees_have_bank_conflicts) {
  const struct clr_shape shape = shape_with("local_interleaved", 128, 256);
  ck_assert_uint_eq(step_named(&shape, 256, "stride 1").bank_conflicts, 4 * 3 * 1);
  // In a sub-group 16 work-items are active. Their places are 4 apart, so they share 8 banks.
  ck_assert_uint_eq(step_named(&shape, 256, "stride 2").bank_conflicts, 4 * 3 * 1);
  ck_assert_uint_eq(step_named(&shape, 256, "stride 128").bank_conflicts, 0);
}

// One work-item that reads 4-byte elements one by one makes a request for each, and each request moves a memory line.
TEST(one_work_item_moves_a_line_for_each_element) {
  const struct clr_shape shape = shape_with("device_serial", 0, 1000);
  const clred_analysis analysis = clr_call_analysis(&shape, 1000, false);
  ck_assert_uint_eq(analysis.requests, 1001);
  ck_assert_uint_eq(analysis.lines, 1001);
  ck_assert_uint_eq(analysis.depth, 999);
  ck_assert(analysis.utilisation == 1);
}

// Blelloch's scan of N = 2G values takes 2 (N - 1) operations, less those with the identity, one for each of log2 N
// levels: N - 1 up, N - 1 - log2 N down. An inclusive scan adds one for each value but the first.
TEST(scans_of_blelloch_take_twice_the_operations) {
  const struct clr_shape exclusive = scan_with("scan_blelloch", CLRED_SCAN_EXCLUSIVE, 128);
  const struct clr_shape inclusive = scan_with("scan_blelloch", CLRED_SCAN_INCLUSIVE, 128);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).operations, 2 * 255 - 8);
  ck_assert_uint_eq(clr_call_analysis(&inclusive, 256, false).operations, 2 * 255 - 8 + 255);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).barriers, 20);
  ck_assert_uint_eq(clr_call_analysis(&exclusive, 256, false).global_accesses, 512);
}

// The prefix of place 255 = 11111111 has a node of 2^7 leaves and seven smaller ones; the value itself is one more.
TEST(depths_of_scans) {
  const struct clr_shape block = scan_with("scan_blelloch", CLRED_SCAN_INCLUSIVE, 128);
  const struct clr_shape blocks = scan_with("scan_blelloch_recursive", CLRED_SCAN_INCLUSIVE, 128);
  const struct clr_shape fixed = scan_with("scan_reduce_then_scan", CLRED_SCAN_INCLUSIVE, 128);
  ck_assert_uint_eq(clr_call_analysis(&block, 256, false).depth, 7 + 7 + 1);
  ck_assert_uint_eq(clr_call_analysis(&blocks, 1, false).depth, 0);
  ck_assert_uint_eq(clr_call_analysis(&blocks, 2, false).depth, 1);
  // 16 elements are a lane of 15 operations; the 17th is one more. 32 elements are a node of two lanes.
  ck_assert_uint_eq(clr_call_analysis(&fixed, 16, false).depth, 15);
  ck_assert_uint_eq(clr_call_analysis(&fixed, 17, false).depth, 16);
  ck_assert_uint_eq(clr_call_analysis(&fixed, 48, false).depth, 17);
}

// The tree is run on the host. A tile's lanes fold their rows side by side; then they are folded in adjacent pairs.
TEST(trees_in_the_fixed_order) {
  static const char *const strategies[] = {"wide", "chunked"};
  for (size_t i = 0; i < 2; i++) {
    const struct clr_shape shape = shape_with(strategies[i], 0, 100000);
    const cl_ulong tile = shape.lanes * shape.rows;
    const clred_analysis analysis = clr_call_analysis(&shape, tile, false);
    ck_assert_uint_eq(analysis.operations, tile - 1);
    ck_assert_uint_eq(analysis.depth, shape.rows - 1 + clr_levels(shape.lanes));
    ck_assert_uint_eq(analysis.peak_parallelism, shape.lanes);
    ck_assert_uint_eq(clr_call_analysis(&shape, 2 * tile, false).depth, analysis.depth + 1);
    ck_assert(analysis.requests == CLRED_NOT_STATED && analysis.utilisation < 0);
    ck_assert(clr_call_analysis(&shape, tile, true).operations == CLRED_NOT_STATED);
  }
}

// Numbers that depend on the order of arrival or on polling are not stated. Numbers that are computed from these are
// not stated either.
TEST(numbers_that_are_not_known_are_not_stated) {
  const struct clr_shape floats = shape_with("atomic", 128, 1000);
  const clred_analysis analysis = clr_call_analysis(&floats, 1000, false);
  ck_assert(analysis.operations == CLRED_NOT_STATED && analysis.depth == CLRED_NOT_STATED);
  ck_assert(analysis.mean_parallelism < 0 && analysis.work_ratio < 0);
  ck_assert_uint_eq(analysis.barriers, 7);
  ck_assert(clr_call_analysis(&floats, 0, false).launches == 0);
}
