// Kernels access no memory outside of the buffers of a call, and combine no memory that holds no state. On a CPU the
// test allocates the memory of the buffers. The page before or behind each buffer is not accessible, so a kernel that
// accesses it ends the test.
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/fixture.h"

#define KEYS LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT
#define OFFSETS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define CHARS OP(SUM, CHAR)
#define ALIGNED 128u  // OpenCL gives kernels pointers at multiples of the largest type

static const clred_selection positive = {.name = "positive", .keep = "x > 40"};
static const clred_histogram bins = {.bins = 32, .low = 0, .high = 100};

// Every state contains 97. The operator ends the test if it combines memory that holds no state.
static const clred_operator guarded =
  OPERATOR(.name = "guarded", .element = "uint", .state = "{ uint value; uint guard; }", .identity = "{ 0, 97 }",
           .lift = "MAKE(x % 97, 97)",
           .combine = "{ if (a.guard != 97 || b.guard != 97) *(__private volatile uint *)8 = 1;\n"
                      "  return MAKE(a.value + b.value, 97); }",
           .commutative = CL_TRUE);

static const struct task {
  const char *name;
  clred_problem problem;
} tasks[] = {
  ROW("line", {CHARS, LAYOUT(LINE)}),
  ROW("exact", {OP(SUM, FLOAT), LAYOUT(LINE), .order = CLRED_ORDER_EXACT}),
  ROW("strided", {CHARS, LAYOUT(STRIDED)}),
  ROW("rows", {CHARS, LAYOUT(ROWS)}),
  ROW("columns", {CHARS, LAYOUT(COLUMNS)}),
  ROW("segments", {CHARS, OFFSETS}),
  ROW("keys", {CHARS, KEYS}),
  ROW("flags", {CHARS, LAYOUT(HEADS)}),
  ROW("scan", {CHARS, LAYOUT(LINE), SCAN(INCLUSIVE)}),
  ROW("scan of rows", {CHARS, LAYOUT(ROWS), SCAN(INCLUSIVE)}),
  ROW("scan of columns", {CHARS, LAYOUT(COLUMNS), SCAN(INCLUSIVE)}),
  ROW("scan of segments", {CHARS, OFFSETS, SCAN(INCLUSIVE)}),
  ROW("scan by keys", {CHARS, KEYS, SCAN(INCLUSIVE)}),
  ROW("scan by flags", {CHARS, LAYOUT(HEADS), SCAN(INCLUSIVE)}),
  ROW("scan of places by keys", {OP(ARGMINMAX, CHAR), KEYS, SCAN(INCLUSIVE)}),
  ROW("selection", {.type = CLRED_TYPE_CHAR, .selection = &positive}),
  ROW("histogram", {.type = CLRED_TYPE_CHAR, .histogram = &bins}),
  ROW("rows of guarded states", {.custom = &guarded, LAYOUT(ROWS)}),
  ROW("columns of guarded states", {.custom = &guarded, LAYOUT(COLUMNS)}),
};

static const char *const facts[] = {NULL, "cpu=0", "cpu=0,local_mem_size=32768"};

// ---------------------------------------------------------------- Memory

static char now[200];  // what runs

static void tell(int number) {
  (void)number;
  const ssize_t written = write(STDERR_FILENO, now, strlen(now));
  _exit(written < 0 ? 2 : 1);
}

struct memory {
  unsigned char *pages, *bytes;
  size_t size;  // of all pages
  cl_mem buffer;
};

// Allocates memory and makes a buffer of it. The page behind the memory cannot be accessed; without `at_end`, the page
// before it.
static struct memory make_memory(size_t size, bool at_end) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
  struct memory made = {.size = room + 2 * page};
  cl_int err = CL_SUCCESS;
  made.pages = mmap(NULL, made.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(made.pages != MAP_FAILED && mprotect(made.pages + page, room, PROT_READ | PROT_WRITE) == 0);
  made.bytes = made.pages + page + (at_end ? (room - size) / ALIGNED * ALIGNED : 0);
  made.buffer = clCreateBuffer(under_test.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, made.bytes, &err);
  ck_assert_int_eq(err, CL_SUCCESS);
  return made;
}

static void release_memory(struct memory *memory) {
  clReleaseMemObject(memory->buffer);
  munmap(memory->pages, memory->size);
}

// ---------------------------------------------------------------- Calls

// Runs of several lengths, one of them longer than a tile.
static bool begins_run(cl_uint i, cl_uint runs, cl_uint count) {
  return i < runs - 1 || i == (runs > 1 ? count / 2 : 0);
}

static struct memory make_marks(clred_layout layout, cl_uint count, cl_uint runs, bool at_end) {
  const bool offsets = layout == CLRED_LAYOUT_SEGMENTS, keys = layout == CLRED_LAYOUT_KEYS;
  struct memory made = make_memory(offsets ? (runs + 1) * sizeof(cl_uint)
                                   : keys  ? count * sizeof(cl_int)
                                           : count,
                                   at_end);
  cl_uint run = 0;
  for (cl_uint i = 0; i < count; i++) {
    const bool begins = begins_run(i, runs, count);
    if (offsets && begins)
      ((cl_uint *)(void *)made.bytes)[run] = i;
    run += begins;
    if (keys)
      ((cl_int *)(void *)made.bytes)[i] = (cl_int)run;
    else if (!offsets)
      made.bytes[i] = begins;
  }
  if (offsets)
    ((cl_uint *)(void *)made.bytes)[runs] = count;
  ck_assert_uint_eq(run, runs);
  return made;
}

// `count` elements in all.
static void lay_out(clred_layout layout, cl_uint count, cl_uint runs, clred_call *call) {
  call->count = count;
  if (layout == CLRED_LAYOUT_STRIDED)
    call->count = (count + 2) / 3, call->stride = 3;
  if (layout == CLRED_LAYOUT_ROWS)
    call->count = count / runs, call->rows = runs;
  if (layout == CLRED_LAYOUT_COLUMNS)
    call->count = count / runs, call->columns = call->stride = runs, call->rows = 1;
  if (layout >= CLRED_LAYOUT_SEGMENTS)
    call->rows = runs;
}

static void run(clred_plan *plan, const clred_problem *problem, cl_uint count, cl_uint runs, bool at_end) {
  const bool many = problem->scan || problem->selection, has_rows = problem->layout >= CLRED_LAYOUT_ROWS;
  const size_t results = many ? count : problem->histogram ? problem->histogram->bins : has_rows ? runs : 1;
  struct memory marks = {.pages = NULL};
  const clred_plan_info info = fixture_inspect(plan, count);
  struct memory in = make_memory(count * info.element_size, at_end);
  struct memory out = make_memory(results * info.result_size, at_end);
  clred_call call = {.in = in.buffer, .out = out.buffer};
  for (size_t i = 0; i < count * info.element_size; i++)
    in.bytes[i] = (unsigned char)(i * 37 % 97);
  lay_out(problem->layout, count, runs, &call);
  if (problem->layout >= CLRED_LAYOUT_SEGMENTS) {
    marks = make_marks(problem->layout, count, runs, at_end);
    call.segments = marks.buffer;
  }
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_int_eq(clFinish(under_test.queue), CL_SUCCESS);
  release_memory(&in);
  release_memory(&out);
  if (marks.pages)
    release_memory(&marks);
}

// Ends are exact only where a buffer is a whole number of ALIGNED bytes.
static void run_all(clred_plan *plan, const struct task *task, const char *strategy, const char *assume) {
  static const struct {
    cl_uint count, runs;
    bool at_end;
  } calls[] = {{1, 1, false},    {2, 1, false},     {17, 1, false},  {102, 17, false},
               {1025, 5, false}, {4107, 3, false},  {128, 32, true}, {1024, 32, true},
               {1024, 64, true}, {4096, 128, true}, {8192, 32, true}};
  for (size_t i = 0; i < COUNT_OF(calls); i++) {
    snprintf(now, sizeof now, "%s by %s with %s: %u elements, %u runs: access beside a buffer, or no state\n",
             task->name, strategy, assume ? assume : "the device's facts", calls[i].count, calls[i].runs);
    run(plan, &task->problem, calls[i].count, calls[i].runs, calls[i].at_end);
  }
}

static bool is_cpu(void) {
  cl_device_type type = 0;
  clGetDeviceInfo(under_test.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  return type & CL_DEVICE_TYPE_CPU;
}

TEST_CASE("memory ends", NULL, fixture_close);

TEST_ROWS(nothing_is_accessed_beside_buffers, tasks) {
  const struct task *task = &tasks[_i];
  clred_strategy_info info;
  for (size_t d = 0; d < COUNT_OF(facts); d++) {
    fixture_open_assuming(facts[d]);
    if (!is_cpu()) {
      fixture_skip(task->name, "only buffers of CPUs are memory of the process");
      return;
    }
    signal(SIGSEGV, tell);
    signal(SIGBUS, tell);
    for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++) {
      clred_problem problem = task->problem;
      problem.strategy = info.name;
      problem.count_max = info.needs_bound ? 8192 : 0;
      if (clred_strategy_applies(under_test.runtime, info.name, &problem, NULL, 0))
        continue;
      snprintf(now, sizeof now, "%s by %s: the plan\n", task->name, info.name);
      run_all(fixture_plan(&problem), task, info.name, facts[d]);
    }
    fixture_close();
  }
}
