// Scans in parts that are refused: calls, partials with gaps, other plans, and wait lists that fail. The partial of
// everything before the part stays as it was.

#include "support/fixture.h"

TEST_CASE("refused", fixture_open, fixture_close);

static const cl_float numbers[3000] = {1, 2, 3};

// A scan of 1000 elements after 1500 others.
struct refusing {
  clred_plan *scan, *folds;
  clred_partial *before, *mine;
  cl_mem in, out;
};

static clred_partial *fold_numbers(clred_plan *folds, cl_ulong first, cl_ulong count) {
  clred_partial *partial = fixture_partial(folds, first);
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = count}));
  return partial;
}

static struct refusing open_refusing(void) {
  struct refusing it = {.scan = PLAN(OP(SUM, FLOAT), SCAN(INCLUSIVE))};
  assert_ok(clred_plan_create_scan_partials(it.scan, &it.folds));
  OWN(it.folds);
  it.before = fold_numbers(it.folds, 0, 1500);
  it.mine = fold_numbers(it.folds, 1500, 1000);
  it.in = fixture_buffer(numbers, sizeof numbers);
  it.out = fixture_buffer(numbers, sizeof numbers);
  return it;
}

static void check_refused(const struct refusing *it, const clred_call *call, cl_int status, const char *words) {
  clred_partial_info before, after;
  assert_ok(clred_partial_inspect(it->before, &before));
  assert_refused(clred_partial_scan(under_test.queue, it->scan, it->before, it->mine, call, 0, NULL, NULL), status,
                 words);
  assert_ok(clred_partial_inspect(it->before, &after));
  ck_assert_msg(after.first == before.first && after.count == before.count,
                "a refused scan changed the partial before");
}

TEST(calls) {
  struct refusing it = open_refusing();
  const float start = 0;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  cl_mem closed = OWN(clCreateBuffer(under_test.context, flags, sizeof numbers, NULL, NULL));
  const struct {
    clred_call call;
    cl_int status;
    const char *words;
  } rows[] = {
    {{.in = it.in, .count = 999, .out = it.out}, CLRED_INVALID_ARGUMENT, "count is 999, but mine has 1000 elements"},
    {{.in = it.in, .count = 1000}, CLRED_INVALID_ARGUMENT, "out"},
    {{.in = it.in, .count = 1000, .out = it.in}, CLRED_INVALID_ARGUMENT, "out overlaps in"},
    {{.in = it.in, .in_offset = 2001, .count = 1000, .out = it.out}, CLRED_OUT_OF_RANGE, "in"},
    ROW({.in = it.in, .count = 1000, .out = it.out, .initial_buffer = it.in}, CLRED_INVALID_ARGUMENT,
        "initial_buffer: the host needs the state before the first element; set initial instead"),
    ROW({.in = it.in, .count = 1000, .out = it.out, .initial = &start, .result = (void *)&start},
        CLRED_INVALID_ARGUMENT, "result"),
    {{.in = it.in, .count = 1000, .out = closed}, CLRED_INVALID_ARGUMENT, "out"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    check_refused(&it, &rows[i].call, rows[i].status, rows[i].words);
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.mine, it.mine, &rows[0].call, 0, NULL, NULL),
                 "before and mine are the same partial");
  const clred_call *call = &rows[0].call;
  assert_invalid(clred_partial_scan(under_test.queue, NULL, it.before, it.mine, call, 0, NULL, NULL));
  refused_naming(clred_partial_scan(under_test.queue, it.scan, NULL, it.mine, call, 0, NULL, NULL), "before");
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.before, NULL, call, 0, NULL, NULL), "mine");
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.before, it.mine, NULL, 0, NULL, NULL), "call");
}

// Gaps, overlaps, a beginning that is missing, and other problems.
TEST(partials) {
  struct refusing it = open_refusing();
  clred_plan *reduction = PLAN(OP(SUM, FLOAT)), *greatest = PLAN(OP(MAX, FLOAT), SCAN(INCLUSIVE)), *folds = NULL;
  assert_ok(clred_plan_create_scan_partials(greatest, &folds));
  const clred_call call = {.in = it.in, .count = 1000, .out = it.out};
  const struct {
    clred_plan *of_before;
    cl_ulong first, count;
    cl_int status;
    const char *words;
  } rows[] = {
    {it.folds, 0, 1499, CLRED_PARTIAL_GAP, "mine begins at element 1500, but before ends before element 1499"},
    {it.folds, 1, 1500, CLRED_PARTIAL_GAP, "before begins at element 1; join it to the elements before it"},
    {it.folds, 0, 1501, CLRED_PARTIAL_GAP, "they overlap"},
    {reduction, 0, 1500, CLRED_INVALID_ARGUMENT, "before: its plan is for reductions"},
    {folds, 0, 1500, CLRED_PARTIAL_MISMATCH, "left is of max of float and right of sum of float"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct refusing other = it;
    other.before = fold_numbers(rows[i].of_before, rows[i].first, rows[i].count);
    check_refused(&other, &call, rows[i].status, rows[i].words);
  }
  struct refusing other = it;
  other.scan = greatest;
  check_refused(&other, &call, CLRED_PARTIAL_MISMATCH,
                "mine: its elements were folded for another problem than the scan of max over float");
  RELEASE(folds);
}

TEST(plans) {
  clred_plan *folds = NULL;
  clred_partial *partial = NULL;
  clred_plan *scan = PLAN(OP(SUM, FLOAT), SCAN(INCLUSIVE));
  const struct {
    clred_problem problem;
    const char *words;
  } rows[] = {
    {{OP(SUM, FLOAT)}, "the plan is no scan"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE), .reversed = CL_TRUE}, "the plan is reversed"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE), LAYOUT(STRIDED)}, "the plan has another layout"},
    {{OP(SUM, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_blelloch"},
     "strategy scan_blelloch makes no scans in chunks or"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_plan *plan = fixture_plan(&rows[i].problem);
    refused_naming(clred_plan_create_scan_partials(plan, &folds), rows[i].words);
    ck_assert_ptr_null(folds);
  }
  refused_naming(clred_partial_create(scan, NULL, &partial),
                 "the plan scans; partials need its plan of clred_plan_create_scan_partials");
  assert_invalid(clred_plan_create_scan_partials(NULL, &folds));
  assert_invalid(clred_plan_create_scan_partials(scan, NULL));
}

// A wait list that fails: the scan does not run, and `before` can be reset.
TEST(events) {
  if (!fixture_has_user_events())
    return;
  struct refusing it = open_refusing();
  const clred_call call = {.in = it.in, .count = 1000, .out = it.out};
  cl_event waits = fixture_user_event(), scanned = NULL;
  assert_ok(clred_partial_scan(under_test.queue, it.scan, it.before, it.mine, &call, 1, &waits, &scanned));
  assert_ok(clSetUserEventStatus(waits, -5));
  ck_assert_int_ne(clWaitForEvents(1, &scanned), CL_SUCCESS);
  assert_ok(clred_partial_reset(it.before, 0));
  RELEASE(scanned);
}
