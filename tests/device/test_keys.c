// Runs of equal keys, and of elements from one head flag to the next, reduced and scanned by every strategy that takes
// them. Keys are made from runs, so the test knows where each run begins.

#include "support/segmented.h"

#include "plan/plan.h"

// The field `elements` is more than two chunks.
static const struct segmented_way ways[] = {
  ROW("runs_chunked", NULL, 0, 140000, 4,
      {{SUMS, CLRED_TYPE_FLOAT, REDUCES, PLAINLY},
       {MAPS, CLRED_TYPE_NONE, REDUCES, PLAINLY},
       {LEAST, CLRED_TYPE_ULONG, REDUCES, PLAINLY},
       {MEANS, CLRED_TYPE_UCHAR, REDUCES, PLAINLY}}),
  {"runs_wide", "cpu=0", 64, 40000, 1, {{SUMS, CLRED_TYPE_DOUBLE, REDUCES, PLAINLY}}},
  // Several launches: one has 32 tiles of 1024 or 2048 elements.
  {"runs_wide", "cpu=0", 64, 140000, 1, {{SUMS, CLRED_TYPE_ULONG, REDUCES, FEW_GROUPS}}},
  {"scan_runs_wide", "cpu=0", 64, 140000, 1, {{LEAST, CLRED_TYPE_ULONG, INCLUSIVE, FEW_GROUPS}}},
  {"runs_wide", "cpu=0,int64_atomics=0", 64, 40000, 1, {{MATRICES, CLRED_TYPE_NONE, REDUCES, PLAINLY}}},
  {"segments_chunked", NULL, 0, 140000, 1, {{MAPS, CLRED_TYPE_NONE, REDUCES, PLAINLY}}},
  {"segments_wide", "cpu=0", 64, 40000, 1, {{MAXIMA, CLRED_TYPE_UCHAR, REDUCES, PLAINLY}}},
  ROW("scan_runs_chunked", NULL, 0, 140000, 3,
      {{SUMS, CLRED_TYPE_DOUBLE, INCLUSIVE, PLAINLY},
       {MAPS, CLRED_TYPE_NONE, EXCLUSIVE, INITIAL},
       {MATRICES, CLRED_TYPE_UCHAR, INCLUSIVE, INITIAL}}),
  {"scan_runs_wide", "cpu=0", 64, 40000, 1, {{SUMS, CLRED_TYPE_DOUBLE, INCLUSIVE, PLAINLY}}},
  {"scan_runs_wide", "cpu=0,int64_atomics=0", 64, 40000, 1, {{MATRICES, CLRED_TYPE_UCHAR, EXCLUSIVE, INITIAL}}},
  ROW("scan_segments_chunked", NULL, 0, 140000, 2,
      {{SUMS, CLRED_TYPE_DOUBLE, INCLUSIVE, IN_PLACE | INITIAL}, {MAPS, CLRED_TYPE_NONE, EXCLUSIVE, REVERSED}}),
  {"scan_segments_wide", "cpu=0", 64, 40000, 1, {{MATRICES, CLRED_TYPE_ULONG, EXCLUSIVE, REVERSED | INITIAL}}},
  {"scan_segments_wide", NULL, 64, 40000, 1, {{MATRICES, CLRED_TYPE_ULONG, EXCLUSIVE, REVERSED | INITIAL}}},
};

// ---------------------------------------------------------------- Runs

enum pattern { ONES, MIXED, LONG, ONE_OF_ALL, NONE_AT_ALL, PATTERNS };

struct runs {
  unsigned char *marks;  // keys or flags
  cl_ulong *begins, number, count;
};

// Keys 3 and 4 of every five are NaNs. Two adjacent NaNs are two runs.
static bool is_nan(clred_type keys, cl_ulong run) {
  return (keys == CLRED_TYPE_FLOAT || keys == CLRED_TYPE_DOUBLE) && run % 5 > 2;
}

static size_t size_of(clred_type keys) {
  return keys ? oracle_size(keys) : 1;
}

// Element `at` of run number `run`. Keys repeat in later runs. -0 and +0 are one key and alternate.
static void make_key(clred_type keys, unsigned char *to, cl_ulong run, cl_ulong at) {
  const double values[] = {at % 3 == 1 ? -0.0 : 0.0, -1.5, 7}, value = values[run % 5 % 3];
  const float narrow = (float)value;
  const cl_uint nan = 0x7fc00000u + (cl_uint)(run % 100);
  const cl_ulong wide_nan = 0x7ff8000000000000u + run % 100, wide = (run % 3) << 40 | 5;
  const cl_uchar byte = (cl_uchar)(run % 2 ? 255 : 3), flag = (cl_uchar)(at ? 0 : run % 2 ? 128 : run ? 1 : 0);
  const void *value_of_type = keys == CLRED_TYPE_FLOAT    ? is_nan(keys, run) ? (const void *)&nan : &narrow
                              : keys == CLRED_TYPE_DOUBLE ? is_nan(keys, run) ? (const void *)&wide_nan : &value
                              : keys == CLRED_TYPE_ULONG  ? (const void *)&wide
                              : keys == CLRED_TYPE_UCHAR  ? (const void *)&byte
                                                          : &flag;
  memcpy(to, value_of_type, size_of(keys));
}

static cl_ulong length_of(enum pattern pattern, cl_ulong run, size_t elements, random_state *random) {
  const cl_ulong some = random_below(random, 700), lengths[PATTERNS] = {1, some < 650 ? some % 40 + 1 : some * 9,
                                                                        run == 5 ? elements * 3 / 4 : 3, elements, 0};
  return lengths[pattern];
}

static struct runs make_runs(clred_type keys, enum pattern pattern, size_t elements) {
  const size_t size = size_of(keys), count = pattern == ONES ? 4099 : pattern == NONE_AT_ALL ? 0 : elements - pattern;
  struct runs runs = {claim((count + 1) * size), claim((count + 1) * sizeof(cl_ulong)), 0, count};
  random_state random = random_seed(pattern);
  for (cl_ulong i = 0; i < count; runs.number++) {
    const cl_ulong length = is_nan(keys, runs.number) ? 1 : length_of(pattern, runs.number, elements, &random);
    runs.begins[runs.number] = i;
    for (cl_ulong at = 0; at < length && i < count; at++, i++)
      make_key(keys, runs.marks + i * size, runs.number, at);
  }
  runs.begins[runs.number] = count;
  return runs;
}

#define MARKS_BEFORE 3

// The first key is repeated before the call's keys, and the last one after them. The call must read neither.
static cl_mem upload(const struct runs *runs, size_t size) {
  const size_t n = MARKS_BEFORE + runs->count + 1;
  unsigned char *made = claim(n * size);
  memcpy(made + MARKS_BEFORE * size, runs->marks, runs->count * size);
  memcpy(made + (MARKS_BEFORE - 1) * size, runs->marks, size);
  memcpy(made + (n - 1) * size, made + (n - 2) * size, size);
  return fixture_buffer(made, n * size);
}

// ---------------------------------------------------------------- One call

// `room`: clred_call.rows; 0: room for as many runs as there are elements.
static void check_call(const struct segmented_task *task, const struct runs *runs, cl_ulong room, bool wants_keys) {
  const bool scans = task->question->scan != REDUCES, in_place = (task->question->how & IN_PLACE) != 0;
  const size_t size = size_of(task->question->marks), results = room && !scans ? room : runs->count;
  const cl_ulong in_offset = IN_BEFORE, held = room ? room : runs->count;
  const bool fits = runs->number <= held;
  cl_mem marks = upload(runs, size);
  struct image out = segmented_out(task, results), keys = fixture_image((OUT_BEFORE + results + OUT_AFTER) * size),
               outcomes = fixture_image(3 * sizeof(clred_outcome));
  const clred_outcome expected = {runs->number, fits ? 0 : held + 1};
  clred_outcome outcome = {99, 99};
  REFUSED_CALL(task->plan, fits ? CL_SUCCESS : CLRED_INVALID_SEGMENTS, "",
               .in = in_place ? out.mem : task->material->in, .in_offset = in_offset, .count = runs->count,
               .rows = room, .segments = marks, .segments_offset = MARKS_BEFORE, .out = out.mem,
               .out_offset = segmented_out_offset(task), .inputs = &task->material->input_buffer,
               .input_offsets = &in_offset, .initial = segmented_start(task), .outcome = &outcome,
               .outcome_buffer = outcomes.mem, .outcome_offset = 1, .blocking = CL_TRUE,
               .keys_out = wants_keys ? keys.mem : NULL, .keys_out_offset = wants_keys ? OUT_BEFORE : 0);
  ck_assert_msg(outcome.fault == expected.fault && outcome.count == expected.count,
                "%s: the outcome is %llu, %llu, not %llu, %llu", task->what, (unsigned long long)outcome.count,
                (unsigned long long)outcome.fault, (unsigned long long)expected.count,
                (unsigned long long)expected.fault);
  const cl_ulong rows = fits ? runs->number : held;
  segmented_expect(task, runs->begins, rows, &out);
  for (cl_ulong r = 0; wants_keys && r < rows; r++)
    memcpy(keys.bytes + (OUT_BEFORE + r) * size, runs->marks + runs->begins[r] * size, size);
  memcpy(outcomes.bytes + sizeof expected, &expected, sizeof expected);
  check_image(&out, task->what);
  check_image(&keys, task->what);
  check_image(&outcomes, task->what);
}

static void check_patterns(struct segmented_task *task) {
  const bool keyed = task->question->marks && task->question->scan == REDUCES;
  const size_t length = strlen(task->what);
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    struct runs runs = make_runs(task->question->marks, (enum pattern)pattern, task->way->elements);
    snprintf(task->what + length, sizeof task->what - length, ", pattern %d", pattern);
    check_call(task, &runs, 0, keyed);
    if (runs.number > 20 && pattern != LONG) {
      snprintf(task->what + length, sizeof task->what - length, ", pattern %d, room for just as many", pattern);
      check_call(task, &runs, runs.number, false);
      snprintf(task->what + length, sizeof task->what - length, ", pattern %d, room for fewer", pattern);
      check_call(task, &runs, 10, keyed);
    }
  }
}

TEST_CASE("by", fixture_open, fixture_close);

TEST_ROWS(runs_by, ways) {
  segmented_ask(&ways[_i], false, check_patterns);
}

// ---------------------------------------------------------------- Several calls

#define CALLS 6
#define LENGTH 20000

// Call number c has runs of c + 2 elements. Keys are written after a user event that is set when all calls are
// enqueued, so the search for runs must wait for the keys.
static cl_event call_behind_gate(cl_command_queue queue, clred_plan *plan, cl_mem in, const cl_int *keys, cl_event gate,
                                 cl_mem outs[2], clred_outcome *outcome) {
  cl_event written;
  cl_mem marks = fixture_buffer(keys + 1, LENGTH * sizeof *keys);
  assert_ok(clEnqueueWriteBuffer(queue, marks, CL_FALSE, 0, LENGTH * sizeof *keys, keys, 1, &gate, &written));
  return ENQUEUE_EVENT(queue, plan, OWN(written), .in = in, .count = LENGTH, .segments = marks, .out = outs[0],
                       .keys_out = outs[1], .outcome = outcome);
}

static void check_results(size_t length, cl_mem outs[2], const clred_outcome *outcome) {
  static float sums[LENGTH];
  static cl_int keys[LENGTH];
  const size_t runs = (LENGTH + length - 1) / length;
  ck_assert_uint_eq(outcome->count, runs);
  ck_assert_uint_eq(outcome->fault, 0);
  read_buffer(outs[0], sums, sizeof sums);
  read_buffer(outs[1], keys, sizeof keys);
  for (size_t r = 0; r < runs; r++) {
    ck_assert_int_eq(keys[r], (cl_int)r);
    ck_assert_float_eq(sums[r], fixture_sum(r * length, r + 1 < runs ? length : LENGTH - r * length));
  }
}

static void call_at_once(cl_command_queue queue, clred_plan *plan) {
  static cl_int keys[CALLS][LENGTH + 1];
  cl_mem in = fixture_numbers(LENGTH), outs[CALLS][2];
  clred_outcome outcomes[CALLS];
  cl_event events[CALLS];
  cl_event gate = fixture_user_event();
  for (size_t c = 0; c < CALLS; c++) {
    for (size_t i = 0; i <= LENGTH; i++)
      keys[c][i] = (cl_int)(i / (c + 2));
    outs[c][0] = fixture_numbers(LENGTH);
    outs[c][1] = fixture_numbers(LENGTH);
    events[c] = call_behind_gate(queue, plan, in, keys[c], gate, outs[c], &outcomes[c]);
  }
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(CALLS, events));
  for (size_t c = 0; c < CALLS; c++)
    check_results(c + 2, outs[c], &outcomes[c]);
}

static clred_problem sum_by_int(void) {
  return (clred_problem)PROBLEM(OP(SUM, FLOAT), LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT, .count_max = LENGTH);
}

TEST_CASE("calls", fixture_open, fixture_close);

TEST(calls_at_once) {
  if (!fixture_has_user_events())
    return;
  clred_problem problem = sum_by_int();
  problem.in_flight = 2;
  clred_plan *plan = fixture_plan(&problem);
  call_at_once(under_test.queue, plan);
  if (fixture_has_out_of_order()) {
    cl_command_queue queue = fixture_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    call_at_once(queue, plan);
  } else {
    fixture_skip("calls by key at once", "the device has no out-of-order queues");
  }
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
