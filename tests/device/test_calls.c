// Counts OpenCL calls: the linker puts the wrappers below between the library and OpenCL (--wrap=NAME for each of
// them), so this suite is linked with the static library. Only the first of equal plans builds a program, calls make no
// objects, and every object is released.

#include "prototypes.h"
#include "support/fixture.h"

// Numbers of calls.
static struct calls {
  int build_program;
  int create_program;
  int create_kernel;
  int create_buffer;
  int create_sub_buffer;
} calls;

// References that are held: plus one for each create or retain, minus one for each release.
static int programs, kernels, buffers;

#define MAKES(name, counter, held) \
  WRAPPED_OPENCL(name) { \
    RETURNS_##name made = __real_##name ARGUMENTS_##name; \
    calls.counter++; \
    held += made != NULL; \
    return made; \
  }
#define CHANGES(name, held, change) \
  WRAPPED_OPENCL(name) { \
    held += change; \
    return __real_##name ARGUMENTS_##name; \
  }

MAKES(clCreateBuffer, create_buffer, buffers)
MAKES(clCreateSubBuffer, create_sub_buffer, buffers)
MAKES(clCreateProgramWithSource, create_program, programs)
MAKES(clCreateKernel, create_kernel, kernels)
CHANGES(clBuildProgram, calls.build_program, 1)
CHANGES(clRetainMemObject, buffers, 1)
CHANGES(clReleaseMemObject, buffers, -1)
CHANGES(clRetainProgram, programs, 1)
CHANGES(clReleaseProgram, programs, -1)
CHANGES(clRetainKernel, kernels, 1)
CHANGES(clReleaseKernel, kernels, -1)

#define NUMBERS 20000

// Every strategy for lines, with its default finish.
static clred_problem problem_at(int index) {
  clred_strategy_info info = {0};
  clred_problem problem = {OP(SUM, FLOAT), .count_max = NUMBERS};
  if (clred_strategy_at((size_t)index, &info) == CL_SUCCESS && reduces_lines(&info))
    problem.strategy = info.name;
  return problem;
}

static bool has_kernels(const clred_problem *problem) {
  return !problem->strategy || strcmp(problem->strategy, "host_serial") != 0;
}

static void check_no_calls(const char *when) {
  const struct calls none = {0};
  ck_assert_msg(memcmp(&calls, &none, sizeof calls) == 0,
                "%s: %d programs made, %d built, %d kernels, %d buffers, %d sub-buffers", when, calls.create_program,
                calls.build_program, calls.create_kernel, calls.create_buffer, calls.create_sub_buffer);
}

TEST_CASE("made", fixture_open, fixture_close);

TEST(runtime_builds_nothing) {
  check_no_calls("making a runtime");
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
}

TEST_EACH(one_build_for_equal_plans, 0, 20) {
  const clred_problem problem = problem_at(_i);
  const int builds = has_kernels(&problem) ? 1 : 0;
  const int built = 2 * builds;  // for the first plan the runtime also measures how many iterations loops may have
  clred_plan *first = fixture_plan(&problem);
  ck_assert_int_eq(calls.build_program, built);
  ck_assert_int_eq(calls.create_program, built);
  clred_plan *second = fixture_plan(&problem);
  ck_assert_int_eq(calls.build_program, built);
  ck_assert_int_eq(calls.create_program, built);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, (unsigned)builds);
  RELEASE(first, second);
  // The program outlives the plans, so a third plan finds it.
  fixture_plan(&problem);
  ck_assert_int_eq(calls.build_program, built);
}

TEST_EACH(enqueues_make_nothing, 0, 20) {
  const clred_problem problem = problem_at(_i);
  const float nothing = -1;
  float result = 0;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(NUMBERS), out = fixture_buffer(&nothing, sizeof nothing);
  memset(&calls, 0, sizeof calls);
  for (size_t i = 0; i < 1000; i++) {
    const size_t count = i % 10 ? i : 19 * i;
    assert_ok(clred_enqueue_reduce(under_test.queue, plan, in, out, i, 0, count, 0, NULL, NULL));
    if (i % 100 == 0)
      assert_ok(clFinish(under_test.queue));
  }
  assert_ok(clFinish(under_test.queue));
  for (size_t i = 0; i < 100; i++)
    RUN(plan, .in = in, .in_offset = i, .count = 100, .result = &result);
  assert_ok(clred_reduce_buffer(under_test.queue, plan, in, 7, 100, &result));
  check_no_calls("1101 calls");
  ck_assert_float_eq(fixture_read(out, 0), fixture_sum(999, 999));
  ck_assert_float_eq(result, fixture_sum(7, 100));
}

TEST_CASE("released", fixture_open, fixture_close);

static void check_released(void) {
  fixture_close();
  ck_assert_msg(!buffers && !programs && !kernels, "%d buffers, %d programs, %d kernels", buffers, programs, kernels);
}

// After everything is released no reference is held, in spite of refused plans and failed calls.
TEST_EACH(all_is_released, 0, 20) {
  clred_problem problem = problem_at(_i);
  clred_plan *refused = NULL;
  cl_mem in = fixture_numbers(NUMBERS);
  const float numbers[100] = {1};
  float result = 0;
  problem.in_flight = 3;
  clred_plan *plan = fixture_plan(&problem);
  RUN(plan, .in = in, .count = NUMBERS, .result = &result);
  REFUSED_CALL(plan, CLRED_OUT_OF_RANGE, "", .in = in, .in_offset = 1, .count = NUMBERS, .result = &result,
               .blocking = CL_TRUE);
  RUN_HOST(plan, .in = numbers, .count = 100, .out = &result);
  assert_ok(clred_reduce_host(under_test.runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, numbers, 100, &result));
  problem.finish = "none such";
  ck_assert_int_ne(clred_plan_create(under_test.runtime, &problem, &refused), CL_SUCCESS);
  check_released();
}

// The first stream of a plan may build the kernel that folds lists of states; after that streams build nothing. If the
// device folds host memory in place, each chunk makes a buffer. Otherwise buffers are reused.
TEST_EACH(streams_build_nothing_but_one_kernel, 0, 2) {
  static const char *const facts[] = {"unified_memory=1,max_alloc=65536", "unified_memory=0,max_alloc=65536"};
  static float numbers[100000];
  float result;
  fixture_close();
  fixture_open_assuming(facts[_i]);
  clred_plan *plan = PLAN(OP(SUM, FLOAT));
  memset(&calls, 0, sizeof calls);
  RELEASE(STREAM(plan, .chunk = 1024));
  ck_assert_int_le(calls.build_program, 1);
  memset(&calls, 0, sizeof calls);
  clred_stream *stream = STREAM(plan, .chunk = 1024);
  assert_ok(clred_stream_push(stream, numbers, NULL, 10000));
  const int made = calls.create_buffer;
  assert_ok(clred_stream_push(stream, numbers, NULL, 90000));
  assert_ok(clred_stream_finish(stream, &result));
  RUN_HOST(plan, .in = numbers, .count = 100000, .out = &result);
  ck_assert_int_eq(calls.build_program + calls.create_program, 0);
  if (_i == 1)
    ck_assert_int_le(calls.create_buffer, 2 * made);
  check_released();
}
