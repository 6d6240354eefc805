// Layouts: strides, rows, columns, and arrays of up to 8 dimensions along each axis. A loop on the host gives the
// results for integers and user-defined operators. Sums of floats must have the bits of a plan without a layout over a
// copy of each row.

#include "support/lines.h"
#include "support/material.h"

// ---------------------------------------------------------------- What is folded

// A built-in operator, or the operator of a sample.
static const struct subject {
  const char *name;
  clred_type type;
  clred_op op;
} subjects[] = {
  {"add int", CLRED_TYPE_INT, CLRED_OP_ADD},
  {"argmin int", CLRED_TYPE_INT, CLRED_OP_ARGMIN},
  {"mean int", CLRED_TYPE_INT, CLRED_OP_MEAN},
  {"add float", CLRED_TYPE_FLOAT, CLRED_OP_ADD},
  {"argmin float", CLRED_TYPE_FLOAT, CLRED_OP_ARGMIN},
  {"mean float", CLRED_TYPE_FLOAT, CLRED_OP_MEAN},
  {"matrix", CLRED_TYPE_NONE, CLRED_OP_NONE},
  {"affine", CLRED_TYPE_NONE, CLRED_OP_NONE},
  {"hash", CLRED_TYPE_NONE, CLRED_OP_NONE},
};

#define SUBJECTS ((int)COUNT_OF(subjects))

#define LENGTH 12000

static const struct sample plain_words = {.op = {.name = "numbers"}, .element = 4};

// The subject of the running test, its elements, and plans for it by layout.
static const struct subject *subject;
static struct material material;
static clred_plan *plans[4];
static size_t result_size;

static bool is_custom(void) {
  return subject->op == CLRED_OP_NONE;
}

static clred_problem problem_with(clred_layout layout) {
  if (is_custom())
    return (clred_problem){.custom = &material.of->op, .layout = layout};
  return (clred_problem){.type = subject->type, .op = subject->op, .layout = layout};
}

static clred_plan *plan_with(clred_layout layout) {
  const clred_problem problem = problem_with(layout);
  if (!plans[layout])
    plans[layout] = fixture_plan(&problem);
  return plans[layout];
}

// Integers among which many are equal, or floats whose sums round.
static void fill_numbers(void) {
  random_state random = random_seed(77);
  for (size_t i = 0; i < LENGTH; i++) {
    const double number = (double)random_below(&random, 2001) - 1000, value = random_addend(&random, true);
    oracle_put(subject->type, material.elements, i, (long double)(subject->type == CLRED_TYPE_INT ? number : value));
  }
  material.in = fixture_buffer(material.elements, LENGTH * sizeof(cl_int));
}

// False if the device cannot compute the subject. Prints this.
static bool begin(int index) {
  subject = &subjects[index];
  memset(plans, 0, sizeof plans);
  if (subject->op == CLRED_OP_MEAN && subject->type == CLRED_TYPE_INT && !device_has_fp64(&under_test)) {
    fixture_skip(subject->name, "the device has no double");
    return false;
  }
  material = material_create(is_custom() ? sample_named(subject->name) : &plain_words, LENGTH);
  if (!is_custom())
    fill_numbers();
  result_size = fixture_inspect(plan_with(CLRED_LAYOUT_LINE), 1).result_size;
  return true;
}

// ---------------------------------------------------------------- What must come out

// Writes a part at the offset that the plan reports.
static void put_part(unsigned char *result, size_t index, const void *value) {
  clred_part part;
  assert_ok(clred_plan_part(plan_with(CLRED_LAYOUT_LINE), index, &part));
  memcpy(result + part.offset, value, oracle_size(part.type));
}

static void loop_over_ints(const struct row *row, unsigned char *result) {
  static const cl_ulong nan_bits = 0x7ff8000000000000u;
  cl_long sum = 0, least = CL_LONG_MAX;
  cl_ulong where = CL_ULONG_MAX;
  for (uint64_t i = 0; i < row->count; i++) {
    cl_int x;
    memcpy(&x, material.elements + (row->first + i * row->stride) * sizeof x, sizeof x);
    sum += x;
    where = x < least ? i : where;
    least = x < least ? x : least;
  }
  const double mean = row->count ? (double)sum / (double)row->count : 0;
  if (subject->op == CLRED_OP_ADD)
    put_part(result, 0, &sum);
  if (subject->op == CLRED_OP_MEAN)
    put_part(result, 0, row->count ? (const void *)&mean : &nan_bits);
  if (subject->op != CLRED_OP_ARGMIN)
    return;
  put_part(result, 0, &where);
  put_part(result, 1, &least);
}

// Copies the rows, and calls a plan without a layout for each.
static void fold_copies(const struct lines *at, unsigned char *results) {
  const uint64_t n = at->count, count = at->list[0].count;
  cl_float *copies = claim((n * count + 1) * sizeof *copies);
  for (uint64_t result = 0; result < n; result++)
    for (uint64_t i = 0; i < count; i++)
      memcpy(copies + result * count + i, material.elements + 4 * (at->list[result].first + i * at->list[result].step),
             4);
  cl_mem in = fixture_buffer(copies, (n * count + 1) * sizeof *copies);
  cl_mem out = fixture_buffer(results, n * result_size);
  for (uint64_t result = 0; result < n; result++)
    assert_ok(clred_enqueue_reduce(under_test.queue, plan_with(CLRED_LAYOUT_LINE), in, out, result * count, result,
                                   count, 0, NULL, NULL));
  read_buffer(out, results, n * result_size);
  RELEASE(in, out, copies);
}

static void expect(const struct lines *at, unsigned char *results) {
  if (subject->type == CLRED_TYPE_FLOAT) {
    fold_copies(at, results);
    return;
  }
  for (size_t result = 0; result < at->count; result++) {
    const struct line *line = &at->list[result];
    const struct row row = {line->first, line->first, line->step, line->count};
    if (is_custom())
      material_fold(&material, &row, results + result * result_size);
    else
      loop_over_ints(&row, results + result * result_size);
  }
}

// Compares the parts of results, because structs have padding; all bytes for samples.
static bool are_equal(const unsigned char *p, const unsigned char *q) {
  clred_part part;
  if (is_custom())
    return memcmp(p, q, material.of->result) == 0;
  for (size_t i = 0; clred_plan_part(plan_with(CLRED_LAYOUT_LINE), i, &part) == CL_SUCCESS; i++)
    if (memcmp(p + part.offset, q + part.offset, oracle_size(part.type)) != 0)
      return false;
  return true;
}

// ---------------------------------------------------------------- A call, and what came out

#define BEFORE 3
#define AFTER 5

static void complete(clred_call *call) {
  call->in = material.in;
  call->inputs = material.of->input ? &material.input_buffer : NULL;
  call->input_offsets = material.of->input ? &call->in_offset : NULL;
  call->parameters = material.of->parameter ? &material.of->parameter : NULL;
}

static void compare(const struct lines *at, const unsigned char *got, const char *what) {
  unsigned char *expected = claim((at->count + 1) * result_size);
  if (at->count)
    expect(at, expected);
  for (size_t i = 0; i < at->count; i++)
    if (!are_equal(got + i * result_size, expected + i * result_size)) {
      const struct line *line = &at->list[i];
      uint64_t words[2][2] = {{0, 0}, {0, 0}};
      memcpy(words[0], got + i * result_size, result_size < 16 ? result_size : 16);
      memcpy(words[1], expected + i * result_size, result_size < 16 ? result_size : 16);
      ck_abort_msg("%s, %s: result %zu of %zu, %" PRIu64 " elements from %" PRIu64 " on, %" PRIu64
                   " apart, is %016" PRIx64 " %016" PRIx64 ", not %016" PRIx64 " %016" PRIx64,
                   subject->name, what, i, at->count, (uint64_t)line->count, (uint64_t)line->first,
                   (uint64_t)line->step, words[0][0], words[0][1], words[1][0], words[1][1]);
    }
  RELEASE(expected);
}

// Results in a buffer; the bytes around them must not change.
static void check_in_buffer(clred_plan *plan, clred_layout layout, clred_call call, const char *what) {
  static struct lines at;
  lines_of_call(&call, layout, &at);
  struct image image = fixture_image((BEFORE + at.count + AFTER) * result_size);
  unsigned char *got = claim(at.count * result_size);
  complete(&call);
  call.out = image.mem;
  call.out_offset = BEFORE;
  fixture_call(plan, &call, CL_SUCCESS, "");
  take_image(&image, BEFORE * result_size, at.count * result_size, got, what);
  compare(&at, got, what);
  RELEASE(got);
}

static void check_call(const clred_call *call, clred_layout layout) {
  check_in_buffer(plan_with(layout), layout, *call, "into a buffer");
}

#define CHECK(of, ...) check_call(&(clred_call){__VA_ARGS__}, CLRED_LAYOUT_##of)

TEST_CASE("layouts", fixture_open, fixture_close);

TEST_STEPS(strides, 0, SUBJECTS, 2) {
  static const cl_ulong numbers[] = {0, 1, 2, 7}, counts[] = {0, 1, 2, 17, 1025, 1700};
  if (!begin(_i))
    return;
  for (size_t s = 0; s < 4; s++)
    for (size_t c = 0; c < 6; c++) {
      CHECK(STRIDED, .stride = numbers[s], .count = counts[c]);
      CHECK(STRIDED, .stride = numbers[s], .count = counts[c], .in_offset = 13);
    }
}

// ---------------------------------------------------------------- Rows

TEST_STEPS(rows_of_neighbours, 1, SUBJECTS, 2) {
  static const cl_ulong counts[] = {0, 1, 2, 33, 256, 300}, rows[] = {0, 1, 5, 37}, gaps[] = {0, 1, 5};
  if (!begin(_i))
    return;
  for (size_t c = 0; c < 6; c++)
    for (size_t r = 0; r < 4; r++) {
      CHECK(ROWS, .count = counts[c], .rows = rows[r]);
      for (size_t g = 0; g < 3; g++)
        CHECK(ROWS, .in_offset = 5, .count = counts[c], .rows = rows[r], .row_stride = counts[c] + gaps[g]);
    }
}

// A window that slides by one element, or by three: rows may share elements.
TEST_STEPS(rows_that_overlap, 0, SUBJECTS, 2) {
  if (!begin(_i))
    return;
  CHECK(ROWS, .count = 50, .rows = 100, .row_stride = 1);
  CHECK(ROWS, .in_offset = 2, .count = 700, .rows = 20, .row_stride = 3);
}

// Few long rows, and many rows of one element.
TEST_STEPS(long_rows, 1, SUBJECTS, 2) {
  if (!begin(_i))
    return;
  CHECK(ROWS, .count = LENGTH, .rows = 1);
  CHECK(ROWS, .in_offset = 1, .count = LENGTH - 1, .rows = 1);
  CHECK(ROWS, .in_offset = 11, .count = 5000, .rows = 2, .row_stride = 6001);
  CHECK(ROWS, .count = 1, .rows = LENGTH);
}

// ---------------------------------------------------------------- Columns

TEST_STEPS(columns_of_rows, 0, SUBJECTS, 2) {
  static const cl_ulong counts[] = {0, 1, 2, 40}, columns[] = {1, 3, 16, 33}, rows[] = {0, 1, 4};
  if (!begin(_i))
    return;
  for (size_t n = 0; n < 4; n++)
    for (size_t c = 0; c < 4; c++)
      for (size_t r = 0; r < 3; r++) {
        const cl_ulong stride = columns[c], wide = columns[c] + 4;
        CHECK(COLUMNS, .count = counts[n], .stride = stride, .columns = columns[c], .rows = rows[r],
              .row_stride = counts[n] * stride);
        CHECK(COLUMNS, .in_offset = 9, .count = counts[n], .stride = wide, .columns = columns[c], .rows = rows[r],
              .row_stride = counts[n] * wide + 7);
        // Pitched images without gaps between them, and images whose lines overlap.
        CHECK(COLUMNS, .count = counts[n], .stride = wide, .columns = columns[c], .rows = rows[r]);
        CHECK(COLUMNS, .count = counts[n], .stride = 1, .columns = columns[c], .rows = rows[r]);
      }
}

TEST_STEPS(columns_of_many_elements, 1, SUBJECTS, 2) {
  if (!begin(_i))
    return;
  CHECK(COLUMNS, .count = 3000, .stride = 4, .columns = 4, .rows = 1);
  CHECK(COLUMNS, .count = 5, .stride = 2000, .columns = 2000, .rows = 1);
  CHECK(COLUMNS, .in_offset = 1, .count = 1500, .stride = 7, .columns = 2, .rows = 1);
  CHECK(COLUMNS, .count = 100, .stride = 0, .columns = 10, .rows = 1);
  CHECK(COLUMNS, .count = 100, .rows = 1, .columns = 1);
  CHECK(COLUMNS, .count = 20, .stride = 6, .columns = 6, .rows = 100);
}

// ---------------------------------------------------------------- Along an axis

#define DIMENSIONS 8

static const struct shape {
  cl_uint dimensions;
  cl_ulong lengths[DIMENSIONS];
} shapes[] = {
  {1, {1}},
  {1, {700}},
  {2, {3, 5}},
  {2, {1, 300}},
  {2, {300, 1}},
  {2, {2, 2500}},
  {2, {2500, 2}},
  {3, {2, 3, 4}},
  {3, {5, 1, 7}},
  {3, {3, 1100, 2}},
  {4, {2, 3, 17, 5}},
  {5, {3, 1, 2, 2, 4}},
  {6, {2, 2, 3, 2, 1, 3}},
  {7, {2, 1, 2, 3, 2, 33, 2}},
  {8, {2, 2, 2, 2, 2, 2, 2, 2}},
  {8, {1, 3, 1, 2, 5, 1, 4, 3}},
};

static cl_ulong product(const cl_ulong *lengths, cl_uint from, cl_uint to) {
  cl_ulong product = 1;
  for (cl_uint i = from; i < to; i++)
    product *= lengths[i];
  return product;
}

// Element i of result j by the indexes of a C-ordered array, one dimension after the other.
static cl_ulong position(const struct shape *shape, cl_uint axis, cl_ulong j, cl_ulong i) {
  cl_ulong position = 0, apart = 1;
  for (cl_uint d = shape->dimensions; d-- > 0; apart *= shape->lengths[d]) {
    const cl_ulong at = d == axis ? i : j % shape->lengths[d];
    position += at * apart;
    j = d == axis ? j : j / shape->lengths[d];
  }
  return position;
}

TEST_CASE("axes", fixture_open, fixture_close);

// The fields of the call lead to the right elements of the array.
TEST(axes_are_where_they_are) {
  static struct lines at;
  for (size_t s = 0; s < COUNT_OF(shapes); s++)
    for (cl_uint axis = 0; axis < shapes[s].dimensions; axis++) {
      const struct shape *shape = &shapes[s];
      clred_call call = {.in_offset = 4, .out_offset = 6};
      clred_layout layout = (clred_layout)99;
      assert_ok(clred_call_along_axis(&call, &layout, shape->dimensions, shape->lengths, axis));
      ck_assert_uint_eq(call.in_offset, 4);
      ck_assert_uint_eq(call.out_offset, 6);
      lines_of_call(&call, layout, &at);
      ck_assert_uint_eq(call.count, shape->lengths[axis]);
      ck_assert_uint_eq(at.count,
                        product(shape->lengths, 0, axis) * product(shape->lengths, axis + 1, shape->dimensions));
      for (cl_ulong j = 0; j < at.count; j++)
        for (cl_ulong i = 0; i < call.count; i++)
          ck_assert_uint_eq(at.list[j].first + i * at.list[j].step, 4 + position(shape, axis, j, i));
    }
}

TEST_STEPS(along_every_axis, 0, SUBJECTS, 2) {
  if (!begin(_i))
    return;
  for (size_t s = 0; s < COUNT_OF(shapes); s++)
    for (cl_uint axis = 0; axis < shapes[s].dimensions; axis++) {
      clred_call call = {.in_offset = s % 3};
      clred_layout layout = CLRED_LAYOUT_LINE;
      assert_ok(clred_call_along_axis(&call, &layout, shapes[s].dimensions, shapes[s].lengths, axis));
      check_call(&call, layout);
    }
}

// Rows of no elements have the identity; where there are no rows nothing is written.
TEST_EACH(along_an_axis_of_nothing, 0, SUBJECTS) {
  static const struct shape empty[] = {{1, {0}}, {2, {4, 0}}, {2, {0, 4}}, {3, {3, 0, 2}}, {3, {0, 3, 0}}};
  if (!begin(_i))
    return;
  for (size_t s = 0; s < COUNT_OF(empty); s++)
    for (cl_uint axis = 0; axis < empty[s].dimensions; axis++) {
      const cl_ulong n = product(empty[s].lengths, 0, axis) * product(empty[s].lengths, axis + 1, empty[s].dimensions);
      clred_call call = {.in_offset = 2};
      clred_layout layout = CLRED_LAYOUT_LINE;
      assert_ok(clred_call_along_axis(&call, &layout, empty[s].dimensions, empty[s].lengths, axis));
      ck_assert(call.count == empty[s].lengths[axis] && n == (layout == CLRED_LAYOUT_LINE ? 1 : call.rows) *
                                                               (layout == CLRED_LAYOUT_COLUMNS ? call.columns : 1));
      check_call(&call, layout);
    }
}

// Numbers of elements around 2^64. A length of 0 does not hide that the others are too large.
TEST(arrays_of_more_than_64_bits) {
  static const struct {
    cl_ulong lengths[4];
    cl_int status;
  } arrays[] = {{{(cl_ulong)1 << 62, 2, 2, 1}, CLRED_INVALID_ARGUMENT},
                {{2, 2, (cl_ulong)1 << 62, 1}, CLRED_INVALID_ARGUMENT},
                {{(cl_ulong)1 << 40, (cl_ulong)1 << 40, 1, 0}, CLRED_INVALID_ARGUMENT},
                {{0, 6700418, 2753074036095, 1}, CLRED_INVALID_ARGUMENT},
                {{1, 6700417, 2753074036095, 1}, CL_SUCCESS},
                {{(cl_ulong)1 << 61, 2, 2, 0}, CL_SUCCESS}};
  for (size_t i = 0; i < COUNT_OF(arrays); i++)
    for (cl_uint axis = 0; axis < 4; axis++) {
      clred_call call = {.count = 7};
      clred_layout layout = CLRED_LAYOUT_STRIDED;
      const cl_int got = clred_call_along_axis(&call, &layout, 4, arrays[i].lengths, axis);
      ck_assert_msg(got == arrays[i].status, "array %zu along axis %u: %s", i, axis, clred_status_name(got));
      ck_assert(got == CL_SUCCESS ? call.count == arrays[i].lengths[axis] : call.count == 7 && layout == 1);
    }
}

// ---------------------------------------------------------------- Other strategies, and results in host memory

static const char *layout_name(clred_layout layout) {
  static const char *const names[] = {"line", "strided", "rows", "columns"};
  return names[layout];
}

// Few columns without gaps between them: groups read all of them as neighbours. With one group of 16 work-items there
// are several turns of its list of nodes. The last tile has few elements; vectors end inside of it, or are not aligned.
TEST_EACH(few_columns_without_gaps, 0, 4) {
  static const int chosen[] = {0, 3, 4, 5};  // add int; add, argmin and mean of floats
  static const clred_call calls[] = {{.count = 4000, .stride = 3, .columns = 3, .rows = 1},
                                     {.count = 3999, .stride = 3, .columns = 3, .rows = 1, .in_offset = 1},
                                     {.count = 1090, .stride = 5, .columns = 5, .rows = 2},
                                     {.count = 1025, .stride = 7, .columns = 7, .rows = 1, .in_offset = 4},
                                     {.count = 2900, .stride = 4, .columns = 4, .rows = 1},
                                     {.count = 37, .stride = 3, .columns = 3, .rows = 40, .row_stride = 130},
                                     {.count = 3, .stride = 1, .columns = 1, .rows = 3}};
  if (!begin(chosen[_i]))
    return;
  for (cl_uint groups = 0; groups < 2; groups++) {
    clred_problem problem = problem_with(CLRED_LAYOUT_COLUMNS);
    problem.strategy = "columns_wide";
    problem.group_size = 16;
    problem.groups = groups;
    clred_plan *plan = fixture_plan(&problem);
    for (size_t i = 0; i < COUNT_OF(calls); i++)
      check_in_buffer(plan, CLRED_LAYOUT_COLUMNS, calls[i], groups ? "one group" : "groups");
  }
}

// If a strategy accepts a problem, its results must be right. The subjects are integers, indices, and an operator that
// does not commute.
static void check_strategy(const char *strategy, const char *finish, clred_layout layout) {
  static const clred_call calls[4] = {{.count = 3001, .in_offset = 3},
                                      {.count = 1601, .stride = 7},
                                      {.count = 301, .rows = 23, .row_stride = 305, .in_offset = 1},
                                      {.count = 41, .stride = 19, .rows = 3, .row_stride = 1000, .columns = 17}};
  clred_problem problem = problem_with(layout);
  char what[80], reason[256] = "";
  problem.strategy = strategy;
  problem.finish = finish;
  problem.count_max = LENGTH;
  snprintf(what, sizeof what, "%s+%s, %s", strategy, finish ? finish : "", layout_name(layout));
  const cl_int asked = clred_strategy_applies(under_test.runtime, strategy, &problem, reason, sizeof reason);
  if (asked != CL_SUCCESS) {
    ck_assert_msg(asked == CLRED_STRATEGY_REFUSED || asked == CLRED_NO_HOST_OPERATOR, "%s: %s", what,
                  clred_status_name(asked));
    ck_assert_str_ne(reason, "");
    return;
  }
  clred_plan *plan = fixture_plan(&problem);
  check_in_buffer(plan, layout, calls[layout], what);
  RELEASE(plan);
}

TEST_EACH(every_strategy, 0, 3) {
  static const int chosen[] = {0, 1, 7};  // add int, argmin int, affine
  clred_strategy_info info;
  int met = 0;
  begin(chosen[_i]);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; !info.scans && !info.counts && f < finish_count(&info); f++)
      // Each operator tests a third of the combinations, and all combinations with strategies for rows or columns.
      for (int layout = 0; layout < 4; layout++)
        if (met++ % 3 == _i || strstr(info.name, "rows_") || strstr(info.name, "columns_"))
          check_strategy(info.name, info.finishes[f], (clred_layout)layout);
}

// A single result may be in host memory. The call blocks, or its event completes after the result is written.
TEST_EACH(result_in_host_memory, 0, SUBJECTS) {
  static const clred_call calls[4] = {{.count = 33},
                                      {.count = 33, .stride = 7},
                                      {.count = 33, .rows = 1},
                                      {.count = 33, .stride = 7, .rows = 1, .columns = 1}};
  static struct lines at;
  if (!begin(_i))
    return;
  for (int i = 0; i < 8; i++) {
    const clred_layout layout = (clred_layout)(i / 2);
    clred_call call = calls[layout];
    lines_of_call(&call, layout, &at);
    _Alignas(16) unsigned char result[64];
    memset(result, 0x5a, sizeof result);
    complete(&call);
    call.result = result;
    call.blocking = i % 2 ? CL_TRUE : CL_FALSE;
    cl_event event = fixture_enqueue_event(under_test.queue, plan_with(layout), NULL, &call);
    assert_ok(clWaitForEvents(1, &event));
    compare(&at, result, "into host memory");
    for (size_t byte = result_size; byte < sizeof result; byte++)
      ck_assert_msg(result[byte] == 0x5a, "byte %zu past the result was written", byte);
  }
}

// Several results need a buffer.
TEST(results_in_host_memory_are_refused) {
  cl_long result[2] = {-7, -7};
  begin(0);
  clred_call call = {.count = 5, .rows = 2, .result = result, .blocking = CL_TRUE};
  complete(&call);
  fixture_call(plan_with(CLRED_LAYOUT_ROWS), &call, CLRED_INVALID_ARGUMENT, "result");
  call = (clred_call){.count = 5, .stride = 2, .rows = 1, .columns = 2, .result = result, .blocking = CL_TRUE};
  complete(&call);
  fixture_call(plan_with(CLRED_LAYOUT_COLUMNS), &call, CLRED_INVALID_ARGUMENT, "");
  ck_assert_int_eq(result[0], -7);
  ck_assert_int_eq(result[1], -7);
}

// ---------------------------------------------------------------- Past the end

#define HIGH ((cl_ulong)1 << 62)

static const struct beyond {
  clred_layout layout;
  clred_call call;
} beyond[] = {
  {CLRED_LAYOUT_STRIDED, {.count = 2, .stride = LENGTH}},
  {CLRED_LAYOUT_STRIDED, {.count = 2, .stride = LENGTH - 1, .in_offset = 1}},
  {CLRED_LAYOUT_STRIDED, {.count = 1001, .stride = 12}},
  {CLRED_LAYOUT_STRIDED, {.count = 5, .stride = HIGH}},  // 4 x 2^62 wraps to 0
  {CLRED_LAYOUT_STRIDED, {.count = CL_ULONG_MAX, .stride = CL_ULONG_MAX}},
  {CLRED_LAYOUT_STRIDED, {.count = 1, .stride = 0, .in_offset = LENGTH}},
  {CLRED_LAYOUT_STRIDED, {.count = CL_ULONG_MAX, .stride = 1}},
  {CLRED_LAYOUT_ROWS, {.count = LENGTH + 1, .rows = 1}},
  {CLRED_LAYOUT_ROWS, {.count = 100, .rows = 121}},
  {CLRED_LAYOUT_ROWS, {.count = 101, .rows = 120, .row_stride = 100}},
  {CLRED_LAYOUT_ROWS, {.count = 100, .rows = 120, .in_offset = 1}},
  {CLRED_LAYOUT_ROWS, {.count = 1, .rows = 5, .row_stride = HIGH}},
  {CLRED_LAYOUT_ROWS, {.count = HIGH, .rows = 4}},
  {CLRED_LAYOUT_ROWS, {.count = 1, .rows = CL_ULONG_MAX, .row_stride = CL_ULONG_MAX}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 1200, .columns = 1201, .rows = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 1200, .columns = 1200, .rows = 1, .in_offset = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 10, .stride = 100, .columns = 100, .rows = 13, .row_stride = 1000}},
  {CLRED_LAYOUT_COLUMNS, {.count = 5, .stride = HIGH, .columns = 1, .rows = 1}},
  {CLRED_LAYOUT_COLUMNS, {.count = 1, .columns = CL_ULONG_MAX, .rows = 1, .in_offset = 2}},
  {CLRED_LAYOUT_COLUMNS, {.count = 3, .stride = 1, .columns = 2, .rows = 5, .row_stride = HIGH}},
};

TEST_CASE("ranges", fixture_open, fixture_close);

TEST_ROWS(past_the_end, beyond) {
  begin(0);
  clred_call call = beyond[_i].call;
  struct image image = fixture_image(20000 * result_size);
  complete(&call);
  call.out = image.mem;
  fixture_call(plan_with(beyond[_i].layout), &call, CLRED_OUT_OF_RANGE, "");
  ck_assert_str_ne(clred_last_error(under_test.runtime), "");
  check_image(&image, "a refused call");
}

// A range that ends exactly at the buffer's end is valid: the last row needs no gap after it.
TEST_EACH(up_to_the_end, 0, SUBJECTS) {
  if (!begin(_i))
    return;
  CHECK(STRIDED, .count = 2, .stride = LENGTH - 1);
  CHECK(ROWS, .count = 100, .rows = 120);
  CHECK(ROWS, .count = 90, .rows = 120, .row_stride = 100, .in_offset = 10);
  CHECK(COLUMNS, .count = 10, .stride = 1200, .columns = 1200, .rows = 1);
  CHECK(COLUMNS, .count = 10, .stride = 1200, .columns = 1000, .rows = 1, .in_offset = 200);
}

// There must be room for one result a row.
TEST(results_past_the_end) {
  begin(0);
  struct image image = fixture_image(10 * result_size);
  clred_call call = {.count = 20, .rows = 10, .out = image.mem, .out_offset = 1};
  complete(&call);
  fixture_call(plan_with(CLRED_LAYOUT_ROWS), &call, CLRED_OUT_OF_RANGE, "");
  call.out_offset = CL_ULONG_MAX;
  fixture_call(plan_with(CLRED_LAYOUT_ROWS), &call, CLRED_OUT_OF_RANGE, "");
  call = (clred_call){.count = 5, .stride = 11, .columns = 11, .rows = 1, .out = image.mem};
  complete(&call);
  fixture_call(plan_with(CLRED_LAYOUT_COLUMNS), &call, CLRED_OUT_OF_RANGE, "");
  call = (clred_call){.count = 0, .rows = 4, .columns = HIGH, .out = image.mem};  // 2^64 results wrap to none
  complete(&call);
  fixture_call(plan_with(CLRED_LAYOUT_COLUMNS), &call, CLRED_OUT_OF_RANGE, "");
  check_image(&image, "a refused call");
}

// The further input has the layout of the elements, and its end is checked.
TEST(inputs_past_the_end) {
  cl_ulong offset = 1;
  begin(7);
  struct image image = fixture_image(120 * result_size);
  clred_call call = {.count = 100, .rows = 120, .out = image.mem};
  complete(&call);
  call.input_offsets = &offset;
  fixture_call(plan_with(CLRED_LAYOUT_ROWS), &call, CLRED_OUT_OF_RANGE, "inputs[0]");
  check_image(&image, "a refused call");
}

// Every state contains 97. The operator ends the process if it combines memory that holds no state.
TEST(nothing_absent_is_combined) {
  static const clred_operator guarded =
    OPERATOR(.name = "guarded", .element = "uint", .state = "{ uint value; uint guard; }", .identity = "{ 0, 97 }",
             .lift = "MAKE(x % 97, 97)",
             .combine = "{ if (a.guard != 97 || b.guard != 97) *(__private volatile uint *)8 = 1;\n"
                        "  return MAKE(a.value + b.value, 97); }",
             .commutative = CL_TRUE);
  static const clred_layout layouts[] = {CLRED_LAYOUT_ROWS, CLRED_LAYOUT_COLUMNS};
  static const cl_ulong extents[][2] = {{3, 5}, {5, 3}, {17, 64}, {33, 130}, {100, 7}};
  cl_uint numbers[33 * 130];
  clred_strategy_info info;
  for (cl_uint i = 0; i < 33 * 130; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = fixture_buffer(numbers, sizeof numbers);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t i = 0; !info.scans && !info.counts && i < 2 * COUNT_OF(extents); i++) {
      const clred_problem problem = {.custom = &guarded, .strategy = info.name, .layout = layouts[i % 2]};
      clred_call call = {.in = in, .out = out};
      clred_layout layout;
      clred_plan *plan = NULL;
      if (clred_strategy_applies(under_test.runtime, info.name, &problem, NULL, 0) != CL_SUCCESS)
        continue;
      plan = fixture_plan(&problem);
      assert_ok(clred_call_along_axis(&call, &layout, 2, extents[i / 2], i % 2 ? 0 : 1));
      ck_assert_int_eq(layout, layouts[i % 2]);
      fixture_call(plan, &call, CL_SUCCESS, "");
      assert_ok(clFinish(under_test.queue));
      RELEASE(plan);
    }
}
