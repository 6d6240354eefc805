// Segments and runs of equal keys: times, memory, descriptions; and what only the device can see: wrong offsets, and
// more runs than results. Whatever the offsets are, a call writes only its results, and the next call on the plan is
// right. The program layouts compares the results, the suite events has calls at once.

#include "support/fixture.h"

#include "plan/plan.h"
#include "support/random.h"

TEST_CASE("calls", fixture_open, fixture_close);

// ---------------------------------------------------------------- Keys

#define LENGTH 20000

static clred_problem sum_by_int(void) {
  return (clred_problem)PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, .count_max = LENGTH);
}

// ---------------------------------------------------------------- Times

static cl_ulong time_of(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  assert_ok(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL));
  return time;
}

// The time from the start of the search for runs to the end of the last kernel.
TEST(seconds_have_the_search_in_them) {
  clred_problem problem = sum_by_int();
  problem.strategy = "segments_chunked";
  problem.profile = CL_TRUE;
  clred_plan *plan = fixture_plan(&problem);
  cl_command_queue queue = fixture_queue(CL_QUEUE_PROFILING_ENABLE);
  static cl_int keys[LENGTH];
  cl_mem in = fixture_numbers(LENGTH), marks = fixture_buffer(keys, sizeof keys), out = fixture_numbers(LENGTH);
  clred_outcome outcome;
  double seconds = -1;
  for (int i = 0; i < 2; i++) {
    RUN_ON(queue, plan, .in = in, .count = LENGTH, .segments = marks, .out = out, .outcome = &outcome);
    assert_ok(clred_plan_seconds(plan, &seconds));
    const cl_ulong begin = time_of(plan->runs->latest->first, CL_PROFILING_COMMAND_START),
                   end = time_of(plan->latest->last, CL_PROFILING_COMMAND_END);
    ck_assert(begin < end && plan->latest->last != plan->runs->latest->last);
    ck_assert_double_eq(seconds, (double)(end - begin) / 1e9);
  }
}

// ---------------------------------------------------------------- Memory

// A plan that finds the runs itself needs as much memory for any count_max, also for none.
TEST(memory_is_the_same_for_any_bound) {
  static const char *const names[] = {"runs_chunked", "runs_wide", "scan_runs_chunked", "scan_runs_wide"};
  static const cl_ulong bounds[] = {0, LENGTH, (cl_ulong)1 << 40};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    cl_ulong bytes[COUNT_OF(bounds)];
    for (size_t b = 0; b < COUNT_OF(bounds); b++) {
      clred_problem problem = sum_by_int();
      problem.strategy = names[i];
      problem.scan = i >= 2 ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
      problem.count_max = bounds[b];
      clred_plan *plan = fixture_plan(&problem);
      ck_assert_ptr_null(plan->runs);
      bytes[b] = fixture_inspect(plan, LENGTH).scratch_bytes;
    }
    ck_assert_uint_eq(bytes[0], bytes[1]);
    ck_assert_uint_eq(bytes[0], bytes[2]);
  }
}

// ---------------------------------------------------------------- Descriptions of plans

TEST(the_search_is_described) {
  clred_problem problem = sum_by_int();
  problem.strategy = "segments_chunked";
  clred_plan *plan = fixture_plan(&problem);
  clred_plan_info whole, search;
  char text[8192], line[128];
  assert_ok(clred_plan_inspect(plan, LENGTH, &whole));
  assert_ok(clred_plan_inspect(plan->runs, LENGTH, &search));
  ck_assert_uint_ge(whole.passes, search.passes + 2);
  ck_assert_uint_gt(whole.scratch_bytes, search.scratch_bytes + (LENGTH + 1) * sizeof(cl_ulong));
  ck_assert_uint_lt(clred_plan_describe(plan, LENGTH, text, sizeof text), sizeof text);
  snprintf(line, sizeof line, "by %s in %llu of the launches", search.strategy, (unsigned long long)search.passes);
  check_message(text, line);
}

// ---------------------------------------------------------------- Offsets

#define MOST 140000
#define NUMBER 200
#define GUARD 5

static clred_problem problem_of(clred_layout layout, clred_type offsets) {
  return (clred_problem){OP(SUM, FLOAT), .layout = layout, .segment_type = offsets};
}

// Host memory may hold the result of one segment. Calls over no segments write nothing.
TEST(into_host_memory) {
  const cl_long offsets[2] = {2, 6};
  const clred_problem problem = problem_of(CLRED_LAYOUT_SEGMENTS, CLRED_TYPE_LONG);
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(10), segments = fixture_buffer(offsets, sizeof offsets);
  float result = -7;
  clred_outcome outcome = {99, 99};
  clred_call call = {
    .in = in, .count = 10, .segments = segments, .result = &result, .outcome = &outcome, .blocking = CL_TRUE};
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert(result == -7 && outcome.count == 0 && outcome.fault == 0);
  call.rows = 1;
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_float_eq(result, fixture_sum(2, 4));
  ck_assert(outcome.count == 1 && outcome.fault == 0);
  call.rows = 2;
  fixture_call(plan, &call, CLRED_OUT_OF_RANGE, "");
}

static const struct way {
  const char *strategy, *assume;
  cl_ulong group_size;
  bool scans;
  size_t elements;  // several chunks
} ways[] = {
  {"segments_chunked", NULL, 0, false, MOST},
  {"segments_wide", "cpu=0", 64, false, MOST},
  {"scan_segments_chunked", NULL, 0, true, 70000},
  {"scan_segments_wide", "cpu=0,local_mem_size=2048", 8, true, 9000},
};

struct bench {
  clred_plan *plan;
  cl_mem in;
  size_t elements, results;
  clred_outcome outcome;
  cl_int status;
};

static void make_good(cl_long *offsets, size_t elements) {
  for (size_t i = 0; i <= NUMBER; i++)
    offsets[i] = (cl_long)(i * elements / NUMBER);
}

static bool is_wrong(const cl_long *offsets, size_t i, size_t elements) {
  return offsets[i] < 0 || offsets[i] > (cl_long)elements || (i > 0 && offsets[i] < offsets[i - 1]);
}

// Makes a call, and checks that only the results are written.
static void call_with(struct bench *bench, const cl_long *offsets, bool blocking, float *results) {
  cl_mem segments = fixture_buffer(offsets, (NUMBER + 1) * sizeof *offsets);
  struct image image = fixture_image((bench->results + 2 * GUARD) * sizeof(float));
  cl_event event;
  bench->outcome = (clred_outcome){99, 99};
  bench->status = clred_enqueue(under_test.queue, bench->plan,
                                &(clred_call)CALL(.in = bench->in, .count = bench->elements, .rows = NUMBER,
                                                  .segments = segments, .out = image.mem, .out_offset = GUARD,
                                                  .outcome = &bench->outcome, .blocking = blocking),
                                0, NULL, &event);
  assert_ok(clWaitForEvents(1, &event));
  clReleaseEvent(event);
  take_image(&image, GUARD * sizeof(float), bench->results * sizeof(float), results, "segments");
}

static void check_good(struct bench *bench, const struct way *way) {
  static float results[MOST];
  cl_long offsets[NUMBER + 1];
  make_good(offsets, bench->elements);
  call_with(bench, offsets, true, results);
  assert_ok(bench->status);
  ck_assert_uint_eq(bench->outcome.fault, 0);
  ck_assert_uint_eq(bench->outcome.count, NUMBER);
  for (size_t s = 0; s < NUMBER; s++)
    ck_assert_float_eq(results[way->scans ? offsets[s + 1] - 1 : (cl_long)s],
                       fixture_sum((size_t)offsets[s], (size_t)(offsets[s + 1] - offsets[s])));
}

// The call must report a wrong offset. If `only` is not -1, it must be offset number `only`.
static void check_bad(struct bench *bench, const cl_long *offsets, int only, const char *what) {
  static float results[MOST];
  char said[64], bound[64];
  call_with(bench, offsets, true, results);
  const cl_ulong fault = bench->outcome.fault;
  ck_assert_msg(bench->status == CLRED_INVALID_SEGMENTS, "%s gave %s", what, clred_status_name(bench->status));
  ck_assert_msg(fault > 0 && fault <= NUMBER + 1 && is_wrong(offsets, fault - 1, bench->elements),
                "%s: offset %lld is not wrong", what, (long long)fault - 1);
  ck_assert_msg(only < 0 || fault == (cl_ulong)only + 1, "%s: offset %llu was reported, not %d", what,
                (unsigned long long)fault - 1, only);
  snprintf(said, sizeof said, "offset number %llu ", (unsigned long long)fault - 1);
  check_said(said);
  check_said("segments");
  snprintf(bound, sizeof bound, "the %zu elements", bench->elements);
  check_said(bound);
}

// A call that does not wait succeeds. Its outcome has the error when the event is complete.
static void check_without_blocking(struct bench *bench) {
  static float results[MOST];
  cl_long offsets[NUMBER + 1];
  make_good(offsets, bench->elements);
  offsets[7] = 0;
  call_with(bench, offsets, false, results);
  assert_ok(bench->status);
  ck_assert_uint_eq(bench->outcome.fault, 8);
}

static void one_that_is_wrong(struct bench *bench, const struct way *way) {
  const cl_long end = (cl_long)bench->elements;
  const struct {
    int number;
    cl_long value;
    bool alone;  // only this offset is reported, because the next one is not smaller
  } wrong[] = {{100, 10, true},           {100, end - 1, false}, {100, end + 1, false},   {100, -1, true},
               {100, CL_LONG_MAX, false}, {NUMBER, 0, true},     {NUMBER, end + 1, true}, {NUMBER, CL_LONG_MAX, true},
               {0, end + 1, false},       {0, -5, true},         {1, end * 8 / 9, false}, {1, CL_LONG_MIN, true},
               {199, -1, true},           {199, 1, true}};
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    cl_long offsets[NUMBER + 1];
    char what[64];
    make_good(offsets, bench->elements);
    offsets[wrong[i].number] = wrong[i].value;
    snprintf(what, sizeof what, "%s, offset %d as %lld", way->strategy, wrong[i].number, (long long)wrong[i].value);
    check_bad(bench, offsets, wrong[i].alone ? wrong[i].number : -1, what);
  }
  check_good(bench, way);
}

// Many wrong offsets: exchanged halves, descending, alternating, or random ones; some with a segment of all elements at
// the wrong place.
static cl_long disordered(int kind, size_t i, const cl_long *good, size_t elements, random_state *random) {
  const cl_long all = (cl_long)elements, any = (cl_long)random_word(random),
                within = (cl_long)random_below(random, elements + 1);
  if (kind > 4 && kind < 14 && (i == 180 || i == 181))
    return i == 180 ? 0 : all;
  return kind == 0   ? good[(i + NUMBER / 2) % (NUMBER + 1)]
         : kind == 1 ? good[NUMBER - i]
         : kind == 2 ? (i % 2 ? all : 0)
         : kind == 3 ? (i < 198    ? good[i]
                        : i == 198 ? 0
                                   : all)
         : kind < 14 ? within
                     : any;
}

// ---------------------------------------------------------------- Scratch

// Bytes of the slot's scratch that the launches of a call may write. The rest is for larger calls.
static size_t scratch_in_use(const struct bench *bench) {
  const struct clr_shape *shape = &bench->plan->shape;
  const struct clr_extent extent = {.count = bench->elements, .stride = 1, .rows = NUMBER, .columns = 1};
  struct clr_pass pass;
  ck_assert(clr_strategy_pass(shape, &extent, 0, &pass));
  ck_assert_msg(pass.work > 1, "there is one chunk");
  return (size_t)(pass.target + shape->chunks.states * pass.work) * shape->state_size;
}

static void many_that_are_wrong(struct bench *bench, const struct way *way) {
  const size_t used = scratch_in_use(bench), room = used + (1 << 16);
  random_state random = random_seed(3);
  struct image scratch = {.mem = bench->plan->slots[0].space.scratch, .bytes = claim(room), .size = room};
  image_pattern(scratch.bytes, room);
  for (int kind = 0; kind < 20; kind++) {
    cl_long offsets[NUMBER + 1], good[NUMBER + 1];
    char what[64];
    ck_assert_ptr_null(image_upload(&scratch, &under_test));
    make_good(good, bench->elements);
    for (size_t i = 0; i <= NUMBER; i++)
      offsets[i] = disordered(kind, i, good, bench->elements, &random);
    snprintf(what, sizeof what, "%s, disorder %d", way->strategy, kind);
    check_bad(bench, offsets, -1, what);
    unsigned char *some = claim(used);
    const char *trouble = image_check_except(&scratch, &under_test, 0, used, some);
    ck_assert_msg(!trouble, "%s: scratch: %s", what, trouble);
  }
  check_good(bench, way);
}

TEST_CASE("offsets", fixture_open, fixture_close);

TEST_ROWS(offsets_by, ways) {
  const struct way *way = &ways[_i];
  clred_problem problem = problem_of(CLRED_LAYOUT_SEGMENTS, CLRED_TYPE_LONG);
  if (way->assume)
    fixture_reopen(way->assume);
  problem.strategy = way->strategy;
  problem.group_size = way->group_size;
  problem.scan = way->scans ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
  problem.in_place = way->scans;
  struct bench bench = {fixture_plan(&problem),
                        fixture_numbers(way->elements),
                        way->elements,
                        way->scans ? way->elements : NUMBER,
                        {0, 0},
                        CL_SUCCESS};
  check_good(&bench, way);
  one_that_is_wrong(&bench, way);
  check_without_blocking(&bench);
  many_that_are_wrong(&bench, way);
}

// If `out` has no room for all runs, the error message is about runs, not about offsets. A blocking call returns the
// error. A call that does not block reports it in the outcome. The plan works afterwards.
TEST(more_runs_than_room) {
  const cl_int keys[10] = {4, 4, 4, 5, 5, 4, 9, 9, 9, 9};
  clred_problem problem = problem_of(CLRED_LAYOUT_KEYS, CLRED_TYPE_INT);
  problem.count_max = 10;
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(10), out = fixture_numbers(10), segments = fixture_buffer(keys, sizeof keys);
  clred_outcome outcome = {99, 99};
  REFUSED_CALL(plan, CLRED_INVALID_SEGMENTS, "rows: |room for 3 runs, but 4 ", .in = in, .count = 10, .rows = 3,
               .segments = segments, .out = out, .outcome = &outcome, .blocking = CL_TRUE);
  ck_assert(outcome.count == 4 && outcome.fault == 1 + 3);
  ck_assert(fixture_read(out, 0) == 6 && fixture_read(out, 1) == 9 && fixture_read(out, 2) == 6 &&
            fixture_read(out, 3) == 4);
  outcome = (clred_outcome){99, 99};
  ENQUEUE(plan, .in = in, .count = 10, .rows = 3, .segments = segments, .out = out, .outcome = &outcome);
  assert_ok(clFinish(under_test.queue));
  ck_assert(outcome.count == 4 && outcome.fault == 1 + 3);
  RUN(plan, .in = in, .count = 10, .rows = 4, .segments = segments, .out = out, .outcome = &outcome);
  ck_assert(outcome.count == 4 && outcome.fault == 0);
  ck_assert_float_eq(fixture_read(out, 3), fixture_sum(6, 4));
}
