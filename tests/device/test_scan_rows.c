// Scans of many rows, along every axis. For integers a loop gives the expected results; for floats the library's
// reference does, row by row.

#include "support/lines.h"

#define ELEMENTS 12000
#define UNTOUCHED 0x5a

static const cl_ulong shapes[][3] = {{1, 1, 1}, {3, 17, 5}, {2, 1, 9}, {40, 33, 4}, {7, 100, 16}, {5, 300, 3}};

static cl_ulong elements_of(const cl_ulong *shape) {
  return shape[0] * shape[1] * shape[2];
}

// The lines of the running call, without the offset of its elements.
static struct lines lines;

static void *run(const clred_problem *problem, clred_call *call, const void *elements, size_t size,
                 size_t result_size) {
  clred_plan *plan = fixture_plan(problem);
  unsigned char *results = claim(ELEMENTS * result_size);
  memset(results, UNTOUCHED, ELEMENTS * result_size);
  cl_mem in = fixture_buffer(elements, ELEMENTS * size);
  cl_mem out = problem->in_place ? in : fixture_buffer(results, ELEMENTS * result_size);
  call->in = in;
  call->out = out;
  fixture_call(plan, call, CL_SUCCESS, "");
  clred_call at_0 = *call;
  at_0.in_offset = 0;
  lines_of_call(&at_0, problem->layout, &lines);
  read_buffer(out, results, ELEMENTS * result_size);
  return results;
}

// ---------------------------------------------------------------- Integers

static void check_line(const clred_problem *problem, const clred_call *call, const struct line *line,
                       const cl_long *elements, const cl_long *got, unsigned char *met) {
  cl_long sum = 0;
  for (cl_ulong i = 0; i < line->count; i++) {
    const cl_ulong at = line->first + (problem->reversed ? line->count - 1 - i : i) * line->step;
    const cl_long before = sum;
    sum += elements[call->in_offset + at];
    const cl_long expected = problem->scan == CLRED_SCAN_INCLUSIVE ? sum : before;
    ck_assert_msg(got[call->out_offset + at] == expected, "element %zu of the row from %zu is %lld, not %lld",
                  (size_t)i, (size_t)line->first, (long long)got[call->out_offset + at], (long long)expected);
    met[call->out_offset + at] = 1;
  }
}

static void check_integers(const clred_problem *problem, clred_call call, const cl_long *elements) {
  unsigned char met[ELEMENTS] = {0};
  cl_long *got = run(problem, &call, elements, sizeof *elements, sizeof *got), untouched;
  memset(&untouched, UNTOUCHED, sizeof untouched);
  for (size_t i = 0; i < lines.count; i++)
    check_line(problem, &call, &lines.list[i], elements, got, met);
  for (size_t i = 0; i < ELEMENTS; i++)
    ck_assert_msg(met[i] || got[i] == (problem->in_place ? elements[i] : untouched), "place %zu was written", i);
}

static cl_long *make_integers(void) {
  cl_long *elements = claim(ELEMENTS * sizeof *elements);
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = (cl_long)(i * 2654435761u % 1000) - 300;
  return elements;
}

TEST_CASE("integers", fixture_open, fixture_close);

TEST_EACH(along_every_axis, 0, 8) {
  cl_long *elements = make_integers();
  clred_problem problem =
    PROBLEM(OP(SUM, LONG), .scan = _i % 2 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE,
            .reversed = _i / 2 % 2 ? CL_TRUE : CL_FALSE, .in_place = _i / 4 % 2 ? CL_TRUE : CL_FALSE);
  for (size_t s = 0; s < COUNT_OF(shapes); s++)
    for (cl_uint axis = 0; axis < 3; axis++) {
      clred_call call = {.in_offset = 3, .out_offset = problem.in_place ? 3 : 5};
      assert_ok(clred_call_along_axis(&call, &problem.layout, 3, shapes[s], axis));
      check_integers(&problem, call, elements);
      ck_assert_uint_eq(lines.count * call.count, elements_of(shapes[s]));
    }
}

TEST(rows_with_gaps) {
  cl_long *elements = make_integers();
  clred_problem rows = {OP(SUM, LONG), SCAN(INCLUSIVE), LAYOUT(ROWS)};
  clred_problem columns = rows;
  columns.layout = CLRED_LAYOUT_COLUMNS;
  check_integers(&rows, (clred_call){.count = 37, .rows = 90, .row_stride = 41, .in_offset = 1}, elements);
  check_integers(&rows, (clred_call){.count = 0, .rows = 90}, elements);
  check_integers(&rows, (clred_call){.count = 37, .rows = 0}, elements);
  check_integers(&columns,
                 (clred_call){.count = 18, .stride = 9, .rows = 3, .row_stride = 200, .columns = 7, .out_offset = 2},
                 elements);
  check_integers(&columns, (clred_call){.count = 18, .stride = 9, .rows = 3, .row_stride = 200, .columns = 0},
                 elements);
  // Pitched images, one behind the other.
  check_integers(&columns, (clred_call){.count = 18, .stride = 9, .rows = 3, .columns = 7}, elements);
}

TEST_CASE("teams", fixture_open, fixture_close);

// Groups of 4 have tiles of 64. Rows are shorter, as long and longer than a tile, and so few that they are split.
TEST_EACH(rows_by_teams, 0, 4) {
  const cl_ulong lengths[][2] = {{50, 3}, {41, 16}, {9, 17},   {11, 48},  {7, 63},
                                 {5, 64}, {6, 65},  {3, 1000}, {2, 4096}, {1, 9001}};
  const cl_ulong sizes[][2] = {{4, 0}, {4, 8}, {1, 32}, {32, 5}};
  cl_long *elements = make_integers();
  clred_problem problem =
    PROBLEM(OP(SUM, LONG), .scan = _i % 2 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE,
            .reversed = _i == 1 || _i == 2 ? CL_TRUE : CL_FALSE, .in_place = _i == 2 ? CL_TRUE : CL_FALSE, LAYOUT(ROWS),
            .strategy = "scan_rows", .group_size = sizes[_i][0], .groups = sizes[_i][1]);
  for (size_t l = 0; l < COUNT_OF(lengths); l++)
    check_integers(&problem,
                   (clred_call)CALL(.rows = lengths[l][0], .count = lengths[l][1], .row_stride = lengths[l][1] + l % 3,
                                    .in_offset = 3, .out_offset = problem.in_place ? 3 : 5),
                   elements);
}

// Each line has the bits of a scan of that line alone, with an initial state and without; also for a state of several
// members.
static void check_floats(const clred_problem *problem, clred_call call) {
  static float elements[ELEMENTS], alone[ELEMENTS], expected[ELEMENTS];
  clred_plan *plan = fixture_plan(problem);
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = (float)(i * 40503u % 65536) / 7.0f;
  float *got = run(problem, &call, elements, sizeof *elements, sizeof *got);
  for (size_t l = 0; l < lines.count; l++) {
    const struct line *line = &lines.list[l];
    for (cl_ulong i = 0; i < line->count; i++)
      alone[i] = elements[line->first + i * line->step];
    REFERENCE(plan, .in = alone, .count = line->count, .initial = call.initial, .out = expected);
    for (cl_ulong i = 0; i < line->count; i++)
      ck_assert_msg(memcmp(&got[line->first + i * line->step], &expected[i], sizeof *expected) == 0,
                    "element %zu of line %zu is %a, not %a", (size_t)i, l, got[line->first + i * line->step],
                    expected[i]);
  }
}

TEST_EACH(floats_by_teams, 0, 2) {
  static const cl_ulong lengths[][2] = {{3, 3989}, {1, 8209}, {9, 61}, {30, 20}};
  static const float start = 0.3f;
  const clred_problem problem = PROBLEM(.type = CLRED_TYPE_FLOAT, .op = _i ? CLRED_OP_VAR : CLRED_OP_SUM,
                                        .scan = _i ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE, LAYOUT(ROWS),
                                        .strategy = "scan_rows", .group_size = 4, .groups = 32);
  for (size_t l = 0; l < COUNT_OF(lengths); l++)
    check_floats(&problem, (clred_call)CALL(.rows = lengths[l][0], .count = lengths[l][1],
                                            .initial = !_i && l % 2 ? &start : NULL));
}

TEST_CASE("floats", fixture_open, fixture_close);

TEST_EACH(each_column_as_by_itself, 0, 3) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_VAR, CLRED_OP_MEAN};
  static const float start[4] = {1, 0.5f, 0.25f, 0};
  const clred_problem problem = PROBLEM(.type = CLRED_TYPE_FLOAT, .op = ops[_i],
                                        .scan = _i % 2 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE, LAYOUT(COLUMNS));
  check_floats(&problem, (clred_call)CALL(.count = 190, .stride = 21, .rows = 3, .row_stride = 3990, .columns = 21,
                                          .initial = _i ? NULL : start));
}
