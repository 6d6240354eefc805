// Look-back terminates and is right if tiles are never published, if they are late, and if a group polls only a few
// times. The kernels count polls and computed nodes (cl/scan/board.clh, COUNTS_WAITS); the test reads the counters
// in the plan's slot. CTest runs the suite a second time with one thread of the device.

#include "support/fixture.h"

#include "plan/plan.h"
#include "support/random.h"

#define COUNT ((cl_ulong)(1 << 17) + 77)
#define POLLS "64"
#define COUNTS " -DCOUNTS_WAITS -DPOLLS=" POLLS
#define SILENT "-DFAULT_SILENT=3" COUNTS
// Tiles are published, and overwritten in place, while other groups are about to compute them.
#define DELAY "-DFAULT_DELAY=100000 -DFAULT_LATE=200000" COUNTS
// The optimizer takes most of PoCL's time. QUICK trials are built with the options of the suite, which switch it off
// where that works. It matters for the order of events, so the others always have it.
#define QUICK true
#define OPTIMIZED false

// scan_wide with groups of 8 has tiles of 128 elements; scan_chunked with blocks of one lane has tiles of 16. So
// each call has thousands of tiles. With `groups` 1024 it has several launches.
#define LOOK_BACK .strategy = "scan_wide", .group_size = 8
#define CHUNKED .strategy = "scan_chunked"
#define MANY "compute_units=4096"

// A silent tile still overwrites its elements, so no trial in place has silent tiles.
static const struct trial {
  const char *options, *assume;
  clred_problem problem;
  bool computes;  // on every device, some nodes must be computed instead of waited for
  bool quick;
} trials[] = {
  {SILENT, NULL, {LOOK_BACK, .groups = 1024, SCAN(EXCLUSIVE)}, true, OPTIMIZED},
  {SILENT, MANY, {CHUNKED, .groups = 1024, .reversed = CL_TRUE}, true, OPTIMIZED},
  {SILENT, NULL, {LOOK_BACK}, true, QUICK},
  {SILENT, "cpu=0,int64_atomics=0", {LOOK_BACK, .reversed = CL_TRUE}, true, QUICK},
  {SILENT, MANY, {CHUNKED}, true, QUICK},
  {DELAY, NULL, {LOOK_BACK, .in_place = CL_TRUE}, false, QUICK},
  {DELAY, "cpu=0", {LOOK_BACK, .in_place = CL_TRUE, .groups = 1024}, false, QUICK},
  {DELAY, MANY, {CHUNKED, .in_place = CL_TRUE, .groups = 1024}, false, QUICK},
  {"-DCOUNTS_WAITS", NULL, {LOOK_BACK}, false, QUICK},
  {"-DCOUNTS_WAITS", MANY, {CHUNKED}, false, QUICK},
  // With the optimizer: optimized programs once crashed or hung, because a loop that depended on the tile had barriers.
  {"-DCOUNTS_WAITS", "cpu=0", {.strategy = "scan_wide", .group_size = 2}, false, OPTIMIZED},
  {"-DCOUNTS_WAITS", "cpu=0", {.strategy = "scan_wide", .group_size = 16}, false, OPTIMIZED},
};

#define FIRST_OF_ONE_LAUNCH 2  // with silent tiles: 64 bits, 32 bits, chunked

// The counters in a slot's ticket: tiles handed out, nodes computed instead of waited for, and the longest wait in
// polls.
enum { GIVEN, COMPUTED, LONGEST, COUNTERS };

static float *draw(uint64_t seed) {
  float *elements = claim(COUNT * sizeof *elements);
  random_addends(elements, COUNT, seed);
  return elements;
}

static float *expect(const clred_problem *problem, const float *elements, cl_ulong count) {
  static const oracle_tree tree = {.strategy = "scan_wide"};
  const oracle_scan scan = {problem->scan == CLRED_SCAN_INCLUSIVE, problem->reversed, NULL};
  float *expected = claim(count * sizeof *expected);
  oracle_solve_scan(problem, &scan, elements, NULL, count, &tree, expected);
  return expected;
}

static void scan_once(clred_plan *plan, const clred_problem *problem, const float *elements, cl_ulong count) {
  float *expected = expect(problem, elements, count);
  float *got = claim(count * sizeof *got);
  cl_mem in = fixture_buffer(elements, count * sizeof *elements);
  cl_mem out = problem->in_place ? in : fixture_buffer(elements, count * sizeof *elements);
  ENQUEUE(plan, .in = in, .count = count, .out = out);
  read_buffer(out, got, count * sizeof *got);
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(memcmp(&got[i], &expected[i], sizeof *got) == 0, "result %zu is %.9g, not %.9g", i, (double)got[i],
                  (double)expected[i]);
}

static bool has_one_unit(void) {
  cl_uint units = 0;
  clGetDeviceInfo(under_test.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  return units == 1;
}

static void check_counters(const struct trial *trial, const clred_plan *plan) {
  const bool one_by_one = has_one_unit() && !trial->computes;
  const bool is_patient = strstr(trial->options, "POLLS") == NULL;
  cl_uint counters[COUNTERS];
  read_buffer(plan->slots[0].space.ticket, counters, sizeof counters);
  ck_assert_uint_eq(counters[GIVEN], 0);
  ck_assert_uint_le(counters[LONGEST], is_patient ? 16384 : (cl_uint)atoi(POLLS));
  // On a busy machine the groups may run one after another, so tiles that publish late need not make others wait.
  if (trial->computes)
    ck_assert_msg(counters[COMPUTED] > 0, "no node was computed instead of waiting");
  if (one_by_one)
    ck_assert_msg(counters[COMPUTED] == 0 && counters[LONGEST] == 0, "%u nodes were computed, after %u polls at most",
                  counters[COMPUTED], counters[LONGEST]);
}

static clred_problem open_for(const struct trial *trial) {
  clred_problem problem = trial->problem;
  problem.type = CLRED_TYPE_FLOAT;
  problem.op = CLRED_OP_SUM;
  problem.scan = problem.scan ? problem.scan : CLRED_SCAN_INCLUSIVE;
  if (!trial->quick)
    ck_assert_int_eq(unsetenv("CLREDUCE_TEST_BUILD_OPTIONS"), 0);
  fixture_add_build_options(trial->options);
  const char *trouble = device_open_assuming(&under_test, trial->assume);
  ck_assert_msg(!trouble, "%s", trouble);
  return problem;
}

TEST_CASE("tests", NULL, fixture_close);

TEST_ROWS(ends_and_is_right, trials) {
  const struct trial *trial = &trials[_i];
  const clred_problem problem = open_for(trial);
  float *elements = draw(41);
  clred_plan *plan = fixture_plan(&problem);
  for (int i = 0; i < 3; i++)
    scan_once(plan, &problem, elements, COUNT);
  check_counters(trial, plan);
}

// When the tags of the board restart, the nodes that the first call left under the first tag must be gone. They are
// nodes of silent tiles, which no later call overwrites in time. The call in between has no whole tile.
TEST_EACH(tags_begin_anew, FIRST_OF_ONE_LAUNCH, FIRST_OF_ONE_LAUNCH + 3) {
  const clred_problem problem = open_for(&trials[_i]);
  float *elements = draw(41), *others = draw(42);
  clred_plan *plan = fixture_plan(&problem);
  scan_once(plan, &problem, elements, COUNT);
  ck_assert_uint_eq(plan->slots[0].space.tag, 2);
  plan->slots[0].space.tag = plan->shape.board.cell_bits == 64 ? 0xffffffffu : 0xffffu;
  scan_once(plan, &problem, others, 15);
  scan_once(plan, &problem, others, COUNT);
  ck_assert_uint_eq(plan->slots[0].space.tag, 2);
}
