// Calls of scans that overlap, that run out of order, and that wait for events; and repeated calls, which must give the
// same bits.

#include "support/fixture.h"

#include "support/random.h"

#define INCLUSIVE SCAN(INCLUSIVE)

#define LENGTH 20000

static const clred_problem problems[] = {
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_look_back", .group_size = 4, .groups = 32},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_chunked"},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_reduce_then_scan", .group_size = 8},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_blelloch_recursive", .group_size = 32, .count_max = LENGTH},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_host_serial"},
  {OP(SUM, FLOAT), INCLUSIVE, .strategy = "scan_blelloch", .group_size = 32},
};

// ---------------------------------------------------------------- One call and its answer

static float *read_all(cl_mem buffer, size_t count) {
  float *got = claim(count * sizeof *got);
  read_buffer(buffer, got, count * sizeof *got);
  return got;
}

// Checks that `out` has the sums of the numbers from `first` on, and -1 after them.
static void check_sums(cl_mem out, size_t first, size_t count, const char *what) {
  float *got = read_all(out, LENGTH);
  for (size_t i = 0, sum = 0; i < LENGTH; i++) {
    sum += i < count ? (size_t)fixture_sum(first + i, 1) : 0;
    const float expected = i < count ? (float)sum : -1;
    ck_assert_msg(got[i] == expected, "%s: result %zu is %.1f, not %.1f", what, i, (double)got[i], (double)expected);
  }
}

static cl_mem empty_out(void) {
  float nothing[LENGTH];
  for (size_t i = 0; i < LENGTH; i++)
    nothing[i] = -1;
  return fixture_buffer(nothing, sizeof nothing);
}

// ---------------------------------------------------------------- Many at once

#define CALLS 8

static void overlap(const clred_problem *problem, cl_command_queue_properties properties) {
  clred_plan *plan = fixture_plan(problem);
  cl_mem in = fixture_numbers(2 * LENGTH), outs[CALLS];
  cl_command_queue queues[2] = {fixture_queue(properties), fixture_queue(properties)};
  cl_event events[CALLS];
  for (size_t i = 0; i < CALLS; i++)
    outs[i] = empty_out();
  for (size_t i = 0; i < CALLS; i++)
    events[i] =
      ENQUEUE_EVENT(queues[i % 2], plan, NULL, .in = in, .in_offset = 7 * i, .count = LENGTH - 900 * i, .out = outs[i]);
  assert_ok(clFlush(queues[0]));
  assert_ok(clFlush(queues[1]));
  assert_ok(clWaitForEvents(CALLS, events));
  for (size_t i = 0; i < CALLS; i++)
    check_sums(outs[i], 7 * i, LENGTH - 900 * i, problem->strategy);
}

TEST_CASE("queues", fixture_open, fixture_close);

TEST_ROWS(calls_that_overlap, problems) {
  clred_problem problem = problems[_i];
  problem.in_flight = 2;
  overlap(&problem, 0);
  if (fixture_has_out_of_order())
    overlap(&problem, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  else
    fixture_skip("out-of-order queues", "the device has none");
}

// The second call reads the results of the first, and starts from its last result. Only events order them.
TEST_EACH(one_call_behind_another, 0, 4) {
  if (!fixture_has_user_events())
    return;
  const cl_command_queue_properties properties =
    fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
  clred_problem problem = problems[_i];
  cl_command_queue queue = fixture_queue(properties);
  cl_mem in = fixture_buffer((const float[4]){1, 2, 3, 4}, 16), middle = empty_out(), out = empty_out();
  cl_event gate = fixture_user_event();
  problem.in_flight = 2;
  clred_plan *plan = fixture_plan(&problem);
  cl_event between = ENQUEUE_EVENT(queue, plan, gate, .in = in, .count = 4, .out = middle);
  cl_event end = ENQUEUE_EVENT(queue, plan, between, .in = middle, .count = 4, .out = out, .initial_buffer = middle,
                               .initial_offset = 3);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(1, &end));
  float *got = read_all(out, 4);
  // The first call gives 1 3 6 10, and the second starts from 10.
  ck_assert_float_eq(got[0], 11);
  ck_assert_float_eq(got[1], 14);
  ck_assert_float_eq(got[2], 20);
  ck_assert_float_eq(got[3], 30);
}

// ---------------------------------------------------------------- The same bits

#define MANY ((size_t)1 << 20)
#define RUNS 50
#define FIXED 3  // the first strategies have the order fixed/1

// Returns the results of the first run. All other runs must give the same.
static float *run_often(const clred_problem *problem, cl_mem in, size_t count, const float *known) {
  clred_problem wider = *problem;
  wider.count_max = problem->count_max ? count : 0;
  wider.group_size = problem->group_size ? 64 : 0;
  wider.groups = 0;
  clred_plan *plan = fixture_plan(&wider);
  cl_mem out = OWN(clCreateBuffer(under_test.context, CL_MEM_READ_WRITE, MANY * sizeof(float), NULL, NULL));
  float *first = NULL;
  for (int run = 0; run < RUNS; run++) {
    ENQUEUE(plan, .in = in, .count = count, .out = out);
    float *got = read_all(out, count);
    const float *expected = first ? first : known;
    ck_assert_msg(!expected || memcmp(got, expected, count * sizeof *got) == 0, "run %d of %s has other bits", run,
                  problem->strategy);
    if (first)
      RELEASE(got);
    else
      first = got;
  }
  return first;
}

TEST_CASE("bits", fixture_open, fixture_close);

// The three strategies with the order fixed/1 give the same bits. The other ones are much slower and get fewer
// elements.
TEST(same_bits) {
  static float elements[MANY];
  float *fixed = NULL;
  random_addends(elements, MANY, 20);
  cl_mem in = fixture_buffer(elements, sizeof elements);
  for (int i = 0; i < (int)COUNT_OF(problems); i++) {
    const bool is_fixed = i < FIXED;
    float *results = run_often(&problems[i], in, is_fixed ? MANY : MANY / 32, is_fixed ? fixed : NULL);
    fixed = fixed ? fixed : results;
  }
}
