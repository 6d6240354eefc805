// auto takes every call that clreduce.h allows on every device: facts x layouts x tasks x types. A plan is refused only
// if the device lacks the type. No device is opened, so this is arithmetic only.
#include "support/suite.h"

#include "sort/sort.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Devices

static const cl_ulong local_sizes[] = {16 * KIB, 32 * KIB, 48 * KIB, 64 * KIB, 96 * KIB};
static const cl_ulong group_sizes[] = {1, 16, 64, 256, 1024};

static const struct {
  const char *name, *assume;
} lacks[] = {
  {"nothing", ""},
  {"64-bit atomics", "int64_atomics=0"},
  {"atomics", "atomics=0"},
  {"local atomics", "local_atomics=0"},
  {"all atomics", "atomics=0,local_atomics=0,int64_atomics=0"},
  {"a fence", "device_fence=0,ptx_target=0"},
  {"long loops", "loop_trips=65535"},
  {"double", "fp64=0"},
  {"atomics, fence and long loops",
   "atomics=0,local_atomics=0,int64_atomics=0,device_fence=0,ptx_target=0,loop_trips=65535"},
};

static struct clr_facts facts_with(cl_ulong cpu, cl_ulong local, cl_ulong group, size_t lack) {
  struct clr_facts facts = facts_of(cpu ? CPU : GPU, local);
  struct clr_status status = {0};
  facts.cpu = cpu;
  facts.max_work_group_size = facts.max_work_item_size = group;
  ck_assert_msg(!clr_facts_assume(&facts, lacks[lack].assume, &status), "%s", status.message);
  return facts;
}

// ---------------------------------------------------------------- Calls

static const clred_histogram histogram = {.bins = 100, .low = 0, .high = 100};
static const clred_histogram two_axes = {.bins = 9, .high = 9, .weight_type = CLRED_TYPE_DOUBLE, .next = &histogram};
static const clred_selection kept = {.name = "kept", .keep = "x > 0"};

#define KEYS .layout = CLRED_LAYOUT_KEYS, .segment_type = CLRED_TYPE_INT
#define HEADS .layout = CLRED_LAYOUT_HEADS
#define SEGMENTS .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT
#define BOUNDED .count_max = 1000

// Problems without operator and type. Scans of runs in place or reversed need count_max (clreduce.h).
static const clred_problem tasks[] = {
  {.layout = CLRED_LAYOUT_LINE},
  {.layout = CLRED_LAYOUT_LINE, BOUNDED},
  {.layout = CLRED_LAYOUT_STRIDED},
  {.layout = CLRED_LAYOUT_ROWS},
  {.layout = CLRED_LAYOUT_COLUMNS},
  {SEGMENTS},
  {HEADS},
  {KEYS},
  {KEYS, BOUNDED},
  {HEADS, .order = CLRED_ORDER_FIXED},
  {.scan = CLRED_SCAN_INCLUSIVE},
  {.scan = CLRED_SCAN_EXCLUSIVE},
  {.scan = CLRED_SCAN_INCLUSIVE, BOUNDED},
  {.scan = CLRED_SCAN_INCLUSIVE, .reversed = CL_TRUE},
  {.scan = CLRED_SCAN_INCLUSIVE, .in_place = CL_TRUE},
  {.scan = CLRED_SCAN_EXCLUSIVE, .layout = CLRED_LAYOUT_STRIDED},
  {.scan = CLRED_SCAN_INCLUSIVE, .layout = CLRED_LAYOUT_ROWS},
  {.scan = CLRED_SCAN_INCLUSIVE, .layout = CLRED_LAYOUT_ROWS, .in_place = CL_TRUE},
  {.scan = CLRED_SCAN_EXCLUSIVE, .layout = CLRED_LAYOUT_COLUMNS, .reversed = CL_TRUE},
  {.scan = CLRED_SCAN_INCLUSIVE, SEGMENTS},
  {.scan = CLRED_SCAN_EXCLUSIVE, SEGMENTS, .reversed = CL_TRUE},
  {.scan = CLRED_SCAN_INCLUSIVE, SEGMENTS, .in_place = CL_TRUE},
  {.scan = CLRED_SCAN_INCLUSIVE, HEADS},
  {.scan = CLRED_SCAN_EXCLUSIVE, HEADS},
  {.scan = CLRED_SCAN_INCLUSIVE, KEYS},
  {.scan = CLRED_SCAN_EXCLUSIVE, KEYS, BOUNDED},
  {.scan = CLRED_SCAN_INCLUSIVE, KEYS, BOUNDED, .reversed = CL_TRUE},
  {.scan = CLRED_SCAN_INCLUSIVE, KEYS, BOUNDED, .in_place = CL_TRUE},
};

// Operators with states of 1 to 32 bytes.
static const clred_problem operators[] = {
  {OF(MAX, CHAR)},  {OF(SUM, UCHAR)},  {OF(SUM, SHORT)},  {OF(SUM, INT)},      {OF(SUM, LONG)},   {OF(SUM, HALF)},
  {OF(SUM, FLOAT)}, {OF(SUM, DOUBLE)}, {OF(MEAN, FLOAT)}, {OF(ARGMIN, FLOAT)}, {OF(VAR, DOUBLE)}, {OF(ARGMAX, DOUBLE)},
};

// The elements and results of these operators have the same size.
static const bool fits_in_place[COUNT_OF(operators)] = {[4] = true, [6] = true, [7] = true};

// Problems that are complete.
static const clred_problem complete[] = {
  {.type = CLRED_TYPE_INT, .selection = &kept},
  {.type = CLRED_TYPE_FLOAT, .selection = &kept, .indices = CL_TRUE},
  {.type = CLRED_TYPE_CHAR, .selection = &kept, BOUNDED},
  {.type = CLRED_TYPE_INT, .histogram = &histogram},
  {.type = CLRED_TYPE_FLOAT, .histogram = &histogram},
  {.type = CLRED_TYPE_UCHAR, .histogram = &histogram},
  {.type = CLRED_TYPE_INT, .histogram = &two_axes},
};

// ---------------------------------------------------------------- Tests

static struct clr_tuned not_measured(const void *context, const struct clr_strategy *strategy) {
  (void)context;
  (void)strategy;
  return (struct clr_tuned){.given = 0};
}

// True if the refusal has a reason that clreduce.h gives: a type that the device lacks.
static bool may_refuse(cl_int err) {
  return err == CLRED_TYPE_NOT_SUPPORTED;
}

// Plans must accept at least this many elements on a device that ends loops after 65535 iterations
// (docs/portability.md).
enum { least_elements = 1000 };

enum { most_printed = 20 };
static unsigned failures;

// A call without elements, rows or columns has passes, too: the library asks for them before it finds that the call
// launches nothing.
static void ask_for_passes_of_nothing(const struct clr_shape *shape) {
  static const struct clr_extent extents[] = {{.stride = 1, .rows = 1, .columns = 1},
                                              {.stride = 1, .rows = 3, .columns = 1},
                                              {.count = 5, .stride = 1, .columns = 1},
                                              {.count = 5, .stride = 1, .rows = 3}};
  struct clr_pass pass;
  for (size_t i = 0; i < COUNT_OF(extents); i++) {
    for (unsigned index = 0; clr_strategy_pass(shape, &extents[i], index, &pass); index++)
      ck_assert_uint_lt(index, 1000);
    ck_assert(clr_strategy_pass(shape, &extents[i], 0, &pass) == (extents[i].rows && extents[i].columns));
  }
}

static void check(const struct clr_facts *facts, struct clr_problem *problem, const char *what) {
  const struct clr_strategy *strategy;
  struct clr_shape shape;
  struct clr_status status = {0};
  cl_int err = clr_strategy_choose(facts, problem, not_measured, NULL, &strategy, &shape, &status);
  if (!err)
    ask_for_passes_of_nothing(&shape);
  if (!err)
    err = shape.local_bytes > facts->local_mem_size ? clr_fail(&status, CLRED_STRATEGY_REFUSED, "%s takes %llu bytes",
                                                               strategy->name, (unsigned long long)shape.local_bytes)
                                                    : CL_SUCCESS;
  if (!err && shape.group_size > facts->max_work_group_size)
    err = clr_fail(&status, CLRED_STRATEGY_REFUSED, "%s has groups of %llu", strategy->name,
                   (unsigned long long)shape.group_size);
  if (!err && shape.count_most < least_elements && shape.count_most < problem->count_max - 1)
    err = clr_fail(&status, CLRED_STRATEGY_REFUSED, "%s takes only %llu elements", strategy->name,
                   (unsigned long long)shape.count_most);
  if (err && !may_refuse(err) && failures++ < most_printed)
    fprintf(stderr, "%s: %s\n", what, status.message);
}

// Checks a problem on every device.
static void check_everywhere(const clred_problem *given, const char *what) {
  struct clr_problem problem = problem_of(given);
  for (size_t l = 0; l < COUNT_OF(local_sizes); l++)
    for (size_t g = 0; g < COUNT_OF(group_sizes); g++)
      for (size_t lack = 0; lack < COUNT_OF(lacks); lack++)
        for (cl_ulong cpu = 0; cpu < 2; cpu++) {
          const struct clr_facts facts = facts_with(cpu, local_sizes[l], group_sizes[g], lack);
          char name[300];
          snprintf(name, sizeof name, "%s; cpu=%d, local_mem_size=%llu, max_work_group_size=%llu, without %s", what,
                   (int)cpu, (unsigned long long)facts.local_mem_size, (unsigned long long)group_sizes[g],
                   lacks[lack].name);
          check(&facts, &problem, name);
        }
  clr_problem_release(&problem);
}

TEST(auto_takes_every_layout_of_reductions_and_scans) {
  for (size_t t = 0; t < COUNT_OF(tasks); t++)
    for (size_t o = 0; o < COUNT_OF(operators); o++) {
      clred_problem given = tasks[t];
      char what[80];
      given.op = operators[o].op;
      given.type = operators[o].type;
      if (given.in_place && !fits_in_place[o])
        continue;
      snprintf(what, sizeof what, "task %zu, operator %zu", t, o);
      check_everywhere(&given, what);
    }
  ck_assert_uint_eq(failures, 0);
}

TEST(auto_takes_selections_and_histograms) {
  for (size_t i = 0; i < COUNT_OF(complete); i++) {
    char what[80];
    snprintf(what, sizeof what, "complete problem %zu", i);
    check_everywhere(&complete[i], what);
  }
  ck_assert_uint_eq(failures, 0);
}

// The states of the caller's operators have up to 64 bytes here.
TEST(auto_takes_states_of_every_size) {
  static const size_t sizes[] = {1, 2, 4, 8, 16, 24, 64};
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    for (size_t t = 0; t < COUNT_OF(tasks); t++) {
      const clred_operator own = sized(sizes[i], sizes[i], sizes[i]);
      clred_problem given = tasks[t];
      char what[80];
      given.custom = &own;
      snprintf(what, sizeof what, "task %zu, states of %zu bytes", t, sizes[i]);
      check_everywhere(&given, what);
    }
  ck_assert_uint_eq(failures, 0);
}

// ---------------------------------------------------------------- Geometry

// On GPU-like devices the strategies of groups take all of these themselves, so that auto need not fall back to single
// work-items.
TEST(groups_fit_small_local_memories) {
  static const struct {
    const char *strategy;
    clred_problem problem;
  } cases[] = {
    {"scan_runs_wide", {.scan = CLRED_SCAN_INCLUSIVE, KEYS}},
    {"scan_runs_wide", {.scan = CLRED_SCAN_EXCLUSIVE, HEADS}},
    {"runs_wide", {KEYS}},
    {"segments_wide", {SEGMENTS}},
    {"scan_segments_wide", {.scan = CLRED_SCAN_INCLUSIVE, SEGMENTS}},
    {"scan_wide", {.scan = CLRED_SCAN_INCLUSIVE}},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++)
    for (size_t l = 0; l < COUNT_OF(local_sizes); l++)
      for (size_t size = 1; size <= 16; size *= 2) {
        const clred_operator own = sized(size, size, size);
        clred_problem given = cases[c].problem;
        given.custom = &own;
        struct clr_shape shape = shape_of(cases[c].strategy, ON(GPU, local_sizes[l]), &given);
        ck_assert_msg(shape.group_size >= 16, "%s, %zu: groups of %d", cases[c].strategy, size, (int)shape.group_size);
      }
}

// The numbers that were measured on GPUs with 48 KiB.
TEST(scans_of_runs_of_floats_keep_their_groups) {
  const clred_problem given = {OF(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, KEYS};
  const struct clr_shape shape = shape_of("scan_runs_wide", ON(GPU, 0), &given);
  ck_assert_uint_eq(shape.group_size, 256);
  ck_assert_uint_eq(shape.runs.tile, 4096);
}

// The bytes of local memory that the largest kernel of a sort declares (cl/sort).
static cl_ulong local_bytes_of_sort(const struct clr_sort_shape *shape, size_t key) {
  const cl_ulong radix = (cl_ulong)1 << shape->radix_log2, value = shape->carried_size;
  const cl_ulong counters = shape->has_votes ? shape->group_size / 32 : shape->group_size;
  const cl_ulong room = 2 * counters * radix + 4 * counters;
  const cl_ulong small = shape->tile * (key + (value ? 2 : 0)) + room;
  const cl_ulong move = shape->tile * clr_max(key, value) + room + radix * shape->position_size + 12;
  const cl_ulong rows = shape->has_rows ? shape->tile * (key + 6) + 2 + room : 0;
  const cl_ulong count = shape->digits * radix * 4 + 4 * counters + 8;
  return clr_max(clr_max(small, move), clr_max(rows, count));
}

TEST(sorts_fit_local_memory) {
  static const size_t values[] = {0, 1, 2, 3, 8, 40};
  for (size_t device = 0; device < COUNT_OF(devices); device++)
    for (cl_ulong local = 1024; local <= 64 * KIB; local += 512)
      for (size_t i = 0; i < COUNT_OF(values) * 24; i++) {
        const clred_sort_problem problem = {.layout = i / 12 % 2 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_LINE,
                                            .type = (clred_type)(CLRED_TYPE_CHAR + i % 12),
                                            .form = values[i / 24] ? CLRED_SORT_PAIRS : CLRED_SORT_KEYS,
                                            .value_size = values[i / 24],
                                            .count_max = (cl_ulong)1 << 33};
        struct clr_sort_shape shape;
        struct clr_status status = {0};
        const struct clr_facts *facts = ON(device, local);
        if (clr_sort_resolve(&problem, facts, &shape, &status) || shape.in_chunks)
          continue;
        const cl_ulong bytes = local_bytes_of_sort(&shape, clr_type_row(problem.type)->size);
        ck_assert_msg(bytes <= clr_usable_local(facts) && shape.group_size >= (cl_ulong)1 << shape.radix_log2,
                      "device %zu with %d: type %zu, values of %zu: groups of %d need %d", device, (int)local, i % 12,
                      problem.value_size, (int)shape.group_size, (int)bytes);
      }
}
