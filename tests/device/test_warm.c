// After clred_plan_warm the driver compiles nothing in the first calls, and no compiler writes to the process's error
// stream. PoCL keeps a file for each compiled kernel, so the test counts files. Other drivers have no such files, and
// the count stays 0.

#define _XOPEN_SOURCE 700
#include "support/fixture.h"

#include <fcntl.h>
#include <unistd.h>

#define DIRECTORY "warm_kernels"
#define COUNT 300000

// ---------------------------------------------------------------- Files of the driver

static unsigned count_files(void) {
  unsigned files = 0;
  FILE *count = popen("find " DIRECTORY " -type f -name '*.so' | wc -l", "r");
  ck_assert(count && fscanf(count, "%u", &files) == 1);
  pclose(count);
  return files;
}

static void empty_directory(void) {
  char directory[4096];
  ck_assert_int_eq(system("rm -rf " DIRECTORY), 0);
  ck_assert_ptr_nonnull(getcwd(directory, sizeof directory - sizeof DIRECTORY - 1));
  strcat(strcat(directory, "/"), DIRECTORY);
  setenv("POCL_CACHE_DIR", directory, 1);
}

// PoCL's cache is a directory that is empty when the driver starts. No two plans below share a program.
static void open_with_a_directory(void) {
  static bool has_directory;
  if (!has_directory)
    empty_directory();
  has_directory = true;
  fixture_open();
}

// ---------------------------------------------------------------- Plans

static const clred_operand weight = {"weight", "int", 4};
// The operator divides by an element and by a parameter, so warming must not use zeros.
static const clred_operator quotients =
  OPERATOR(.name = "quotients", .preamble = "typedef struct { int x; uchar tag; } item;", .element = "item",
           .state = "{ int sum; uchar tag; }", .identity = "{ 0, 0 }", .lift = "MAKE(100 / x.x / weight, x.tag)",
           .combine = "MAKE(a.sum + b.sum, a.tag | b.tag)", .commutative = CL_TRUE, .parameters = &weight,
           .parameter_count = 1);
static const clred_selection positive = {.name = "positive", .keep = "x > 0"};
static const clred_histogram bins = {.bins = 10, .low = 0, .high = 100};

static const struct subject {
  clred_problem problem;
  clred_call calls[4];  // made after warming
} subjects[] = {
  {{OP(SUM, FLOAT)}, {{.count = COUNT}, {.count = 3}, {.count = 0}}},
  {{OP(SUM, FLOAT), .strategy = "wide"}, {{.count = COUNT}, {.count = 3}, {.count = 0}}},
  {{OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "relaunch", .count_max = COUNT},
   {{.count = COUNT}, {.count = 100}, {.count = 0}}},
  {{OP(SUM, FLOAT), .strategy = "bottom_up", .count_max = COUNT}, {{.count = COUNT}, {.count = 100}, {.count = 1}}},
  {{OP(SUM, FLOAT), SCAN(INCLUSIVE)}, {{.count = COUNT}, {.count = 3}, {.count = 70000}}},
  {{OP(SUM, FLOAT), SCAN(EXCLUSIVE), .strategy = "scan_reduce_then_scan"}, {{.count = COUNT}, {.count = 3}}},
  {{OP(SUM, FLOAT), LAYOUT(ROWS)},
   {{.count = 100, .rows = 3000}, {.count = COUNT, .rows = 1}, {.count = 1, .rows = COUNT}, {.count = 0, .rows = 5}}},
  ROW({OP(SUM, FLOAT), LAYOUT(COLUMNS)}, {{.count = 100, .stride = 3000, .rows = 1, .columns = 3000},
                                          {.count = COUNT / 2, .stride = 2, .rows = 1, .columns = 2},
                                          {.count = 5, .stride = 20, .rows = 3000, .columns = 20}}),
  {{OP(SUM, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT},
   {{.count = COUNT, .rows = 3000}, {.count = COUNT, .rows = 1}, {.count = 0, .rows = 5}}},
  {{OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_UINT, .count_max = COUNT},
   {{.count = COUNT}, {.count = 1}, {.count = COUNT, .rows = 7}}},
  {{.type = CLRED_TYPE_FLOAT, .selection = &positive}, {{.count = COUNT}, {.count = 3}}},
  {{.type = CLRED_TYPE_FLOAT, .histogram = &bins}, {{.count = COUNT}, {.count = 3}, {.count = 0}}},
  {{.custom = &quotients, .strategy = "chunked"}, {{.count = COUNT}, {.count = 3}}},
  {{OP(SUM, FLOAT), .strategy = "host_serial"}, {{.count = COUNT}}},
};

TEST_CASE("first calls", open_with_a_directory, fixture_close);

TEST_ROWS(first_calls_compile_nothing, subjects) {
  static cl_uint offsets[COUNT + 1];
  static cl_int items[COUNT][2];
  const cl_int parameter = 2;
  const void *parameters[] = {&parameter};
  const struct subject *subject = &subjects[_i];
  const unsigned others = count_files();
  for (size_t i = 0; i < COUNT; i++)
    items[i][0] = items[i][1] = 1;
  clred_plan *plan = fixture_plan(&subject->problem);
  assert_ok(clred_plan_warm(under_test.queue, plan));
  const unsigned before = count_files();
  cl_mem in = subject->problem.custom ? fixture_buffer(items, sizeof items) : fixture_numbers(COUNT);
  cl_mem segments = fixture_buffer(offsets, sizeof offsets), out = fixture_buffer(items, sizeof items);
  for (size_t i = 0; i < 4 && (i == 0 || subject->calls[i].count || subject->calls[i].rows || i == 2); i++) {
    clred_call call = subject->calls[i];
    call.in = in, call.out = out;
    call.parameters = subject->problem.custom ? parameters : NULL;
    call.segments = subject->problem.layout >= CLRED_LAYOUT_SEGMENTS ? segments : NULL;
    fixture_call(plan, &call, CL_SUCCESS, "");
    assert_ok(clFinish(under_test.queue));
    ck_assert_msg(count_files() == before, "call %zu compiled %u kernels", i, count_files() - before);
  }
  if (strstr(under_test.name, "pthread"))
    ck_assert_msg(before > others || _i == (int)COUNT_OF(subjects) - 1, "nothing was compiled before the call");
}

// Warming does not change what the plan reports about its latest call, and it does not change results.
TEST(nothing_is_left_of_it) {
  clred_problem problem = {OP(SUM, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_wide", .profile = CL_TRUE};
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  clred_plan *plan = fixture_plan(&problem);
  double seconds = -1, again = -2;
  cl_mem in = fixture_numbers(COUNT), out = fixture_numbers(COUNT);
  assert_ok(clred_plan_warm(queue, plan));
  assert_status(clred_plan_seconds(plan, &seconds), CL_PROFILING_INFO_NOT_AVAILABLE);
  assert_ok(clred_enqueue_scan(queue, plan, in, out, 0, 0, 100, 0, NULL, NULL));
  assert_ok(clFinish(queue));
  ck_assert_float_eq(fixture_read(out, 99), fixture_sum(0, 100));
  assert_ok(clred_plan_seconds(plan, &seconds));
  assert_ok(clred_plan_warm(queue, plan));
  assert_ok(clred_plan_seconds(plan, &again));
  ck_assert(seconds == again);
  assert_ok(clred_enqueue_scan(queue, plan, in, out, 0, 0, 2000, 0, NULL, NULL));
  assert_ok(clFinish(queue));
  ck_assert_float_eq(fixture_read(out, 1999), fixture_sum(0, 2000));
  assert_invalid(clred_plan_warm(queue, NULL));
  assert_invalid(clred_plan_warm(NULL, plan));
}

// A call that still waits has no time, whatever the driver reports.
TEST(time_of_a_call_that_waits) {
  float result = -1;
  double seconds = -1;
  if (!fixture_has_user_events()) {
    fixture_skip("a call that waits", "the device has no user events");
    return;
  }
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  cl_event gate = fixture_user_event();
  cl_mem in = fixture_numbers(1000);
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "chunked", .profile = CL_TRUE);
  assert_ok(clred_enqueue(queue, plan, &(clred_call){.in = in, .count = 1000, .result = &result}, 1, &gate, NULL));
  assert_status(clred_plan_seconds(plan, &seconds), CL_PROFILING_INFO_NOT_AVAILABLE);
  ck_assert(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS);
  assert_ok(clred_plan_seconds(plan, &seconds));
  ck_assert_float_eq(result, fixture_sum(0, 1000));
}

// ---------------------------------------------------------------- The error stream

static const clred_operator noisy =
  OPERATOR(.name = "noisy", .preamble = "int without(int a) { int unused; if (a) return 1; }", .element = "int",
           .state = "int", .identity = "0", .lift = "{ int unused; unsigned u = -1; return x < u ? x : without(x); }",
           .combine = "a + b", .commutative = CL_TRUE);

// Compilers write to file descriptor 2.
TEST(compilers_are_not_heard) {
  static const clred_problem problems[] = {{.custom = &noisy, .strategy = "chunked"},
                                           {.custom = &noisy, .strategy = "wide"},
                                           {OP(SUM, FLOAT), .strategy = "chunked", .finish = "last_group"},
                                           {.type = CLRED_TYPE_FLOAT, .selection = &positive},
                                           {.type = CLRED_TYPE_FLOAT, .histogram = &bins}};
  char said[200] = "";
  const int kept = dup(STDERR_FILENO), file = open("warm_stderr", O_RDWR | O_CREAT | O_TRUNC, 0600);
  ck_assert(kept >= 0 && file >= 0);
  dup2(file, STDERR_FILENO);
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < COUNT_OF(problems) && !err; i++) {
    clred_plan *plan = NULL;
    err = clred_plan_create(under_test.runtime, &problems[i], &plan);
    if (!err)
      err = clred_plan_warm(under_test.queue, plan);
    clred_plan_release(plan);
  }
  dup2(kept, STDERR_FILENO);
  const ssize_t length = pread(file, said, sizeof said - 1, 0);
  close(kept), close(file), remove("warm_stderr");
  assert_ok(err);
  ck_assert_msg(length == 0, "on the error stream: %s", said);
}
