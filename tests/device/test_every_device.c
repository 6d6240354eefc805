// auto takes the same calls on every device, with the same bits, and writes nothing beside the results. Each task runs
// on devices that differ by assumed facts, and is compared with the device as it is.

#include "support/fixture.h"

#define ELEMENTS 5000
#define GUARD 5  // results before and after those of a call

// The first has the facts that the device reports.
static const char *const facts[] = {
  NULL,
  "cpu=0",
  "cpu=0,local_mem_size=16384",
  "cpu=0,max_work_group_size=16,int64_atomics=0",
  "atomics=0",
  "loop_trips=65535",
  "cpu=0,local_atomics=0,device_fence=0",
  "cpu=0,max_work_group_size=1,local_mem_size=32768,atomics=0,loop_trips=65535",
};
enum { DEVICES = COUNT_OF(facts) };

// ---------------------------------------------------------------- Tasks

#define FLOATS OP(SUM, FLOAT)
#define INTS OP(SUM, INT)
#define DOUBLES OP(SUM, DOUBLE)
#define KEYS LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT
#define OFFSETS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT

// Work-items leave its loop after different numbers of turns.
static const clred_operator gcd =
  OPERATOR(.name = "gcd", .element = "int", .state = "int", .identity = "0",
           .combine = "{ while (b) { int rest = a % b; a = b; b = rest; } return a; }", .commutative = CL_TRUE);
static const clred_selection positive = {.name = "positive", .keep = "x > 40"};
static const clred_histogram bins = {.bins = 100, .low = 0, .high = 100};

// `devices`: bit i is set if the task runs with facts[i]. Building programs takes long, so only runs by keys, for which
// the choice of strategies is widest, run with all of them.
static const struct task {
  const char *name;
  unsigned devices;
  clred_problem problem;
} tasks[] = {
  ROW("sums", 0x4a, {FLOATS}),
  ROW("sums of a stride", 0x84, {DOUBLES, LAYOUT(STRIDED)}),
  ROW("sums of rows", 0x62, {INTS, LAYOUT(ROWS)}),
  ROW("sums of columns", 0x94, {FLOATS, LAYOUT(COLUMNS)}),
  ROW("sums of segments", 0x48, {FLOATS, OFFSETS}),
  ROW("sums by flags", 0x24, {DOUBLES, LAYOUT(HEADS)}),
  ROW("sums by keys", 0xfe, {FLOATS, KEYS}),
  ROW("scan", 0x16, {FLOATS, SCAN(INCLUSIVE)}),
  ROW("scan in place", 0x28, {DOUBLES, SCAN(EXCLUSIVE), .in_place = CL_TRUE}),
  ROW("reversed scan", 0xc0, {INTS, SCAN(INCLUSIVE), .reversed = CL_TRUE}),
  ROW("scan of rows", 0x46, {FLOATS, SCAN(EXCLUSIVE), LAYOUT(ROWS)}),
  ROW("scan of columns", 0xa0, {INTS, SCAN(INCLUSIVE), LAYOUT(COLUMNS)}),
  ROW("scan of segments", 0x44, {FLOATS, SCAN(INCLUSIVE), OFFSETS}),
  ROW("scan by keys", 0xfe, {FLOATS, SCAN(INCLUSIVE), KEYS}),
  ROW("scan of doubles by keys", 0x26, {DOUBLES, SCAN(EXCLUSIVE), KEYS}),
  ROW("scan by flags", 0x8a, {INTS, SCAN(INCLUSIVE), LAYOUT(HEADS)}),
  ROW("reversed scan by keys", 0x50, {FLOATS, SCAN(INCLUSIVE), KEYS, .reversed = CL_TRUE, .count_max = ELEMENTS}),
  ROW("scan of divisors by keys", 0x12, {.custom = &gcd, SCAN(EXCLUSIVE), KEYS}),
  ROW("divisors by flags", 0x02, {.custom = &gcd, LAYOUT(HEADS)}),
  ROW("selection", 0x56, {.type = CLRED_TYPE_FLOAT, .selection = &positive}),
  ROW("histogram", 0xd2, {.type = CLRED_TYPE_FLOAT, .histogram = &bins}),
};

// ---------------------------------------------------------------- Data

// Runs of one element, then long ones, then short ones: the begin of the run of each element.
static cl_uint begin_of(cl_uint at) {
  static const cl_uint begins[] = {17, 1600, 1603, 1650, 4300};
  cl_uint begin = at < begins[0] ? at : begins[0];
  for (size_t i = 0; i < COUNT_OF(begins); i++)
    begin = at >= begins[i] ? begins[i] : begin;
  return at >= begins[COUNT_OF(begins) - 1] ? at - (at - begin) % 7 : begin;
}

static cl_mem make_elements(clred_type type, struct image *into) {
  const size_t size = oracle_size(type);
  unsigned char *bytes = into ? into->bytes + GUARD * size : claim(ELEMENTS * size);
  for (size_t i = 0; i < ELEMENTS; i++) {
    const cl_int whole = (cl_int)(i * 37 % 97);
    const cl_double real = whole + 1.0 / (whole + 3);
    const cl_float narrow = (cl_float)real;
    memcpy(bytes + i * size,
           type == CLRED_TYPE_INT     ? (const void *)&whole
           : type == CLRED_TYPE_FLOAT ? (const void *)&narrow
                                      : &real,
           size);
  }
  return into ? NULL : fixture_buffer(bytes, ELEMENTS * size);
}

// Keys, flags or offsets of the first `count` elements. Returns the number of runs.
static cl_ulong make_marks(clred_layout layout, cl_uint count, cl_mem *marks) {
  cl_int *keys = claim((ELEMENTS + 1) * sizeof *keys);
  cl_uint *offsets = claim((ELEMENTS + 1) * sizeof *offsets);
  cl_uchar *flags = claim(ELEMENTS);
  cl_uint runs = 0;
  for (cl_uint i = 0; i < count; i++) {
    keys[i] = (cl_int)begin_of(i);
    flags[i] = begin_of(i) == i;
    if (flags[i])
      offsets[runs++] = i;
  }
  offsets[runs] = count;
  *marks = layout == CLRED_LAYOUT_KEYS       ? fixture_buffer(keys, ELEMENTS * sizeof *keys)
           : layout == CLRED_LAYOUT_SEGMENTS ? fixture_buffer(offsets, (ELEMENTS + 1) * sizeof *offsets)
                                             : fixture_buffer(flags, ELEMENTS);
  return runs;
}

// Sets where the elements of a call over about `count` of them are. Returns the number of results of a reduction.
static cl_ulong lay_out(clred_layout layout, cl_uint count, clred_call *call) {
  const cl_ulong rows = count > 13 ? 13 : 1, each = count / rows;
  call->count = count;
  if (layout >= CLRED_LAYOUT_SEGMENTS)
    call->rows = make_marks(layout, count, &call->segments);
  if (layout == CLRED_LAYOUT_STRIDED)
    call->count = (count + 2) / 3, call->stride = 3;
  if (layout == CLRED_LAYOUT_ROWS)
    call->count = each, call->rows = rows;
  if (layout == CLRED_LAYOUT_COLUMNS)
    call->count = each, call->columns = call->stride = rows, call->rows = 1;
  return layout >= CLRED_LAYOUT_SEGMENTS ? call->rows : layout >= CLRED_LAYOUT_ROWS ? rows : 1;
}

// ---------------------------------------------------------------- Calls

#define LENGTHS 4
static const cl_uint lengths[LENGTHS] = {1, 17, 1700, ELEMENTS};

// The results of all lengths, with the memory between and behind them.
struct results {
  unsigned char *bytes;  // NULL: the device lacks the type
  size_t size;
};

// Runs one call. Appends the memory between the guards.
static void run(const struct task *task, clred_plan *plan, cl_uint count, struct results *all) {
  const clred_problem *problem = &task->problem;
  const size_t result = fixture_inspect(plan, count).result_size;
  const bool many = problem->scan || problem->selection;
  struct image out = fixture_image((ELEMENTS + 2 * GUARD) * result);
  clred_call call = {.out = out.mem, .out_offset = GUARD, .blocking = CL_TRUE};
  char what[100];
  cl_ulong written = lay_out(problem->layout, count, &call);
  written = many ? count : problem->histogram ? problem->histogram->bins : written;
  call.in = make_elements(problem->custom ? CLRED_TYPE_INT : problem->type, problem->in_place ? &out : NULL);
  if (problem->in_place) {
    const char *trouble = image_upload(&out, &under_test);
    ck_assert_msg(!trouble, "%s", trouble);
    call.in = out.mem, call.in_offset = GUARD;
  }
  snprintf(what, sizeof what, "%s of %u elements", task->name, (unsigned)count);
  fixture_call(plan, &call, CL_SUCCESS, "");
  take_image(&out, GUARD * result, written * result, all->bytes + all->size, what);
  all->size += written * result;
}

// The bytes live longer than the device.
static struct results run_all(const struct task *task, const char *assume) {
  struct results all = {NULL, 0};
  fixture_open_assuming(assume);
  if (task->problem.type != CLRED_TYPE_DOUBLE || device_has_fp64(&under_test)) {
    clred_plan *plan = fixture_plan(&task->problem);
    all.bytes = malloc(LENGTHS * ELEMENTS * sizeof(cl_ulong));
    for (int i = 0; i < LENGTHS; i++)
      run(task, plan, lengths[i], &all);
  }
  fixture_close();
  return all;
}

TEST_CASE("every device", NULL, fixture_close);

TEST_ROWS(every_device_gives_the_same_bits, tasks) {
  const struct task *task = &tasks[_i];
  const struct results expected = run_all(task, NULL);
  for (int d = 1; d < DEVICES && expected.bytes; d++) {
    if (!(task->devices >> d & 1))
      continue;
    const struct results got = run_all(task, facts[d]);
    size_t at = 0;
    while (at < expected.size && got.bytes[at] == expected.bytes[at])
      at++;
    ck_assert_msg(got.size == expected.size && at == expected.size, "%s: byte %zu of %zu differs with %s", task->name,
                  at, expected.size, facts[d]);
    free(got.bytes);
  }
  if (!expected.bytes)
    fixture_skip(task->name, "the device has no double");
  free(expected.bytes);
}
