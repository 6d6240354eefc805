// Several operators in one reading: every part of a result has the bits that the oracle gives for its operator alone,
// for all types, policies, layouts and ways to call.

#include <math.h>

#include "support/lines.h"
#include "support/random.h"

#define OP_COUNT_MAX 16
#define RESULT_MAX 256
#define COUNT_MAX 100003

#define ONE(op) CLRED_OP_##op,
#define LIST_OF(...) .ops = {__VA_ARGS__ CLRED_OP_NONE}
#define EXTREMES ONE(ARGMINMAX) ONE(MINMAX) ONE(ARGMIN) ONE(ARGMAX) ONE(MIN) ONE(MAX)
#define MOMENTS ONE(VAR) ONE(VAR_SAMPLE) ONE(STD) ONE(STD_SAMPLE) ONE(MEAN) ONE(COUNT)

struct several {
  clred_op ops[OP_COUNT_MAX + 1];
  clred_problem problem;  // everything but the operators
  const char *assume;     // NULL: the device's own facts
};

static const struct several lists[] = {
  {LIST_OF(ONE(STATS) EXTREMES MOMENTS ONE(SUM) ONE(NORM2) ONE(PROD)), {.type = CLRED_TYPE_FLOAT}, NULL},
  {LIST_OF(EXTREMES MOMENTS ONE(LOGSUMEXP) ONE(ALL)), {.type = CLRED_TYPE_DOUBLE, .nan = CLRED_NAN_IGNORE}, NULL},
  {LIST_OF(ONE(MIN) ONE(MAX) ONE(MINMAX) ONE(MEAN) ONE(COUNT) ONE(SUMSQ)), {.type = CLRED_TYPE_HALF}, NULL},
  {LIST_OF(ONE(SUM) ONE(MIN) ONE(MAX) ONE(ARGMIN)), {.type = CLRED_TYPE_FLOAT}, NULL},
  {LIST_OF(ONE(ARGMAX) ONE(MAX) ONE(COUNT) ONE(NORM1)), {.type = CLRED_TYPE_BFLOAT16, .nan = CLRED_NAN_IGNORE}, NULL},
  ROW(LIST_OF(ONE(SUM) ONE(MEAN) ONE(COUNT) ONE(AND) ONE(OR) ONE(XOR) ONE(ANY) ONE(COUNT_NONZERO)),
      {.type = CLRED_TYPE_INT}, NULL),
  {LIST_OF(ONE(SUM) ONE(MIN) ONE(ARGMAX) ONE(MAX) ONE(XOR)), {.type = CLRED_TYPE_UCHAR}, NULL},
  {LIST_OF(ONE(STATS) EXTREMES ONE(STD) ONE(MEAN) ONE(SUM) ONE(COUNT)), {.type = CLRED_TYPE_ULONG}, NULL},
  {LIST_OF(ONE(SUM) ONE(VAR) ONE(MEAN)), {.type = CLRED_TYPE_SHORT, .state = CLRED_TYPE_DOUBLE}, NULL},
  {LIST_OF(ONE(SUM) ONE(PROD) ONE(NORM1) ONE(NORM2) ONE(SUMSQ)), {.type = CLRED_TYPE_CFLOAT}, NULL},
  {LIST_OF(ONE(MAX)), {.type = CLRED_TYPE_USHORT}, NULL},
  // Partials that the host folds, and trees of textbooks.
  {LIST_OF(ONE(SUM) ONE(ARGMIN) ONE(MEAN)), {.type = CLRED_TYPE_FLOAT, .strategy = "chunked", .finish = "host"}, NULL},
  {LIST_OF(ONE(SUM) ONE(ARGMIN) ONE(MEAN)), {.type = CLRED_TYPE_FLOAT, .strategy = "host_serial"}, NULL},
  {LIST_OF(ONE(SUM) ONE(ARGMIN) ONE(MEAN)), {.type = CLRED_TYPE_FLOAT, .strategy = "top_down"}, NULL},
  {LIST_OF(ONE(SUM) ONE(MIN)), {.type = CLRED_TYPE_INT, .strategy = "chunked", .finish = "relaunch"}, NULL},
  // Groups of work-items.
  {LIST_OF(ONE(SUM) ONE(MIN) ONE(MAX) ONE(ARGMIN)), {.type = CLRED_TYPE_FLOAT, .strategy = "wide"}, "cpu=0"},
  ROW(LIST_OF(ONE(SUM) ONE(ARGMAX) ONE(VAR)), {.type = CLRED_TYPE_FLOAT, .strategy = "wide", .nan = CLRED_NAN_IGNORE},
      "cpu=0"),
  {LIST_OF(ONE(SUM) ONE(MIN) ONE(ARGMAX)), {.type = CLRED_TYPE_CHAR, .strategy = "wide"}, "cpu=0"},
};

// --- Elements ---

// Small numbers, so that sums round and extremes are found more than once; some NaNs, infinities and zeros. Integers
// are random bits.
static unsigned char *make_elements(clred_type type, cl_ulong count) {
  const clred_type component = oracle_component(type);
  const size_t size = oracle_size(component), scalars = count * (oracle_size(type) / size);
  static const double special[] = {NAN, 0.0, -0.0, INFINITY};
  unsigned char *elements = claim(scalars * size + 1);
  random_state random = random_seed(count + (unsigned)type);
  const bool finite = random_below(&random, 2);
  for (size_t i = 0; i < scalars; i++) {
    const cl_ulong word = random_word(&random), turn = random_below(&random, 2000);
    const double value = ((double)(word >> 44) / 1048576.0 - 0.5) * 8;
    const bool is_special = turn < 4 && !(finite && (turn == 0 || turn == 3));
    oracle_store(elements, size, i,
                 oracle_is_floating(component) ? oracle_float_bits(component, is_special ? special[turn] : value)
                                               : word >> 13);
  }
  return elements;
}

// --- Comparing ---

static size_t count_ops(const struct several *several) {
  size_t count = 0;
  while (several->ops[count])
    count++;
  return count;
}

static clred_plan *plan_of(const struct several *several, clred_layout layout, clred_type segment_type) {
  clred_problem problem = several->problem;
  problem.layout = layout;
  problem.segment_type = segment_type;
  problem.list = several->ops;
  problem.list_count = count_ops(several);
  problem.count_max = problem.strategy ? COUNT_MAX : 0;
  return fixture_plan(&problem);
}

// Copies the parts of one operator to the places that they have in the result of the operator alone, and clears them.
static void take_operator(const clred_plan *plan, clred_op op, unsigned char *result, unsigned char *own) {
  clred_part part;
  const char *name = op_name(op);
  size_t end = 0;
  for (size_t i = 0; clred_plan_part(plan, i, &part) == CL_SUCCESS; i++) {
    const size_t size = oracle_size(part.type);
    if (part.op != op)
      continue;
    ck_assert_msg(strncmp(part.name, name, strlen(name)) == 0, "%s is a part of %s", part.name, name);
    end = (end + size - 1) / size * size;
    memcpy(own + end, result + part.offset, size);
    memset(result + part.offset, 0, size);
    end += size;
  }
}

// Compares every part with the oracle. Then only bytes between parts are left, which must be 0.
static void check_result(const struct several *several, const clred_plan *plan, const void *x, cl_ulong count,
                         const void *result, const char *what) {
  unsigned char left[RESULT_MAX], own[RESULT_MAX];
  const clred_plan_info info = fixture_inspect(plan, count);
  oracle_tree tree;
  char text[400];
  ck_assert_ptr_null(device_tree(&under_test, plan, count, &tree));
  if (strcmp(info.order, "fixed/1") == 0)
    tree.strategy = "wide";  // the oracle does not know strategies of rows and segments, whose tree is the same
  memcpy(left, result, info.result_size);
  for (size_t i = 0; several->ops[i]; i++) {
    clred_problem problem = several->problem;
    oracle_result expected;
    problem.op = several->ops[i];
    oracle_solve(&problem, x, NULL, count, &tree, &expected);
    memset(own, 0, sizeof own);
    take_operator(plan, problem.op, left, own);
    ck_assert_msg(oracle_same(&expected, own, text, sizeof text), "%s, operator %d of type %d, %llu elements: %s", what,
                  (int)problem.op, (int)problem.type, (unsigned long long)count, text);
  }
  for (size_t i = 0; i < info.result_size; i++)
    ck_assert_msg(left[i] == 0, "%s: byte %zu belongs to no part and is not 0", what, i);
}

static bool lacks_double(const struct several *several) {
  bool needs = false;
  for (size_t i = 0; several->ops[i]; i++) {
    clred_problem problem = several->problem;
    problem.op = several->ops[i];
    needs |= oracle_needs_fp64(&problem);
  }
  return needs && fixture_lacks_double("a list of operators");
}

// --- One row ---

TEST_CASE("lists", NULL, fixture_close);

static void call_and_check(const struct several *several, clred_plan *plan, cl_ulong count) {
  const size_t size = oracle_size(several->problem.type);
  unsigned char *elements = make_elements(several->problem.type, count + 3), *x = elements + 3 * size;
  _Alignas(16) unsigned char result[RESULT_MAX];
  cl_mem in = fixture_buffer(elements, (count + 3) * size);
  memset(result, 0xee, sizeof result);
  RUN(plan, .in = in, .in_offset = 3, .count = count, .result = result);
  check_result(several, plan, x, count, result, "a call");
  memset(result, 0xee, sizeof result);
  REFERENCE(plan, .in = x, .count = count, .out = result);
  check_result(several, plan, x, count, result, "the reference");
}

TEST_ROWS(parts_have_the_bits_of_their_operators, lists) {
  static const cl_ulong counts[] = {0, 1, 17, 1000, COUNT_MAX};
  const struct several *several = &lists[_i];
  if (several->assume)
    fixture_open_assuming(several->assume);
  else
    fixture_open();
  if (!lacks_double(several)) {
    clred_plan *plan = plan_of(several, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
      call_and_check(several, plan, counts[i]);
  }
}

// --- Beside plans of one operator ---

TEST_CASE("calls", fixture_open, fixture_close);

static const struct several four = {LIST_OF(ONE(SUM) ONE(MIN) ONE(MAX) ONE(ARGMIN)), {.type = CLRED_TYPE_FLOAT}, NULL};

// Of two checked sums the second overflows: the message names it, and the result is written all the same.
TEST(overflow_names_its_operator) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD};
  const cl_long x[] = {CL_LONG_MAX, -3, 3};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_LONG, .list = ops, .list_count = 2, .overflow = CLRED_OVERFLOW_DETECT);
  cl_mem in = fixture_buffer(x, sizeof x);
  struct {
    cl_long sum;
    cl_uint sum_overflows;
    cl_long product;
    cl_uint product_overflows;
  } result;
  REFUSED_CALL(plan, CLRED_OVERFLOW, "prod of 3 elements of long", .in = in, .count = 3, .result = &result,
               .blocking = CL_TRUE);
  ck_assert_int_eq(result.sum, CL_LONG_MAX);
  ck_assert_uint_eq(result.sum_overflows, 0);
  ck_assert_uint_eq(result.product_overflows, 1);
}

TEST(four_plans_give_the_same_bytes) {
  unsigned char *elements = make_elements(CLRED_TYPE_FLOAT, COUNT_MAX), result[RESULT_MAX], alone[RESULT_MAX];
  clred_plan *plan = plan_of(&four, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  cl_mem in = fixture_buffer(elements, COUNT_MAX * sizeof(float));
  clred_part whole, own;
  size_t at = 0;
  RUN(plan, .in = in, .count = COUNT_MAX, .result = result);
  for (size_t i = 0; four.ops[i]; i++) {
    clred_plan *single = PLAN(.type = CLRED_TYPE_FLOAT, .op = four.ops[i]);
    RUN(single, .in = in, .count = COUNT_MAX, .result = alone);
    for (size_t j = 0; clred_plan_part(single, j, &own) == CL_SUCCESS; j++) {
      assert_ok(clred_plan_part(plan, at++, &whole));
      ck_assert_int_eq(own.op, CLRED_OP_NONE);
      ck_assert_int_eq(whole.type, own.type);
      ck_assert_mem_eq(result + whole.offset, alone + own.offset, oracle_size(own.type));
    }
  }
  assert_invalid(clred_plan_part(plan, at, &whole));
}

// argmin keeps the least element, so min needs no state: 4 bytes each for sum, maximum and key, 8 for the index.
TEST(equal_states_are_kept_once) {
  clred_plan *plan = plan_of(&four, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  static const struct several moments = {
    LIST_OF(ONE(MEAN) ONE(STD) ONE(STD_SAMPLE) ONE(VAR) ONE(VAR_SAMPLE) ONE(COUNT)), {.type = CLRED_TYPE_FLOAT}, NULL};
  clred_plan *merged = plan_of(&moments, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  const clred_plan_info info = fixture_inspect(plan, 1);
  ck_assert_uint_eq(info.state_size, 24);
  ck_assert_uint_eq(info.parts, 5);
  ck_assert_int_eq(info.result_type, CLRED_TYPE_NONE);
  ck_assert_int_eq(info.state_type, CLRED_TYPE_NONE);
  ck_assert_uint_eq(fixture_inspect(merged, 1).state_size, 24);
}

TEST(names_say_the_operator_and_its_part) {
  static const char *const names[] = {"sum", "min", "max", "argmin_index", "argmin_value"};
  clred_plan *plan = plan_of(&four, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  clred_part part;
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    assert_ok(clred_plan_part(plan, i, &part));
    ck_assert_str_eq(part.name, names[i]);
  }
}

// --- Layouts ---

static const struct several layouts = {
  LIST_OF(ONE(SUM) ONE(ARGMIN) ONE(MIN) ONE(STD) ONE(MEAN)), {.type = CLRED_TYPE_FLOAT}, NULL};
#define ELEMENTS 40000

// The lines of the running call.
static struct lines at;

// Line i has the elements from ends[i] up to ends[i + 1].
static void set_lines(const cl_uint *ends, size_t count) {
  for (at.count = 0; at.count < count; at.count++)
    at.list[at.count] = (struct line){ends[at.count], 1, ends[at.count + 1] - ends[at.count]};
}

// Each line is copied to a row for the oracle.
static void check_lines(clred_layout layout, clred_type marks, clred_call call, const char *what) {
  float *x = (float *)(void *)make_elements(CLRED_TYPE_FLOAT, ELEMENTS), *row = claim(ELEMENTS * sizeof *row);
  unsigned char *got = claim(at.count * RESULT_MAX);
  clred_plan *plan = plan_of(&layouts, layout, marks);
  const size_t size = fixture_inspect(plan, 1).result_size;
  call.in = fixture_buffer(x, ELEMENTS * sizeof *x), call.out = fixture_buffer(got, at.count * RESULT_MAX);
  call.blocking = CL_TRUE;
  fixture_call(plan, &call, CL_SUCCESS, "");
  read_buffer(call.out, got, at.count * RESULT_MAX);
  for (size_t r = 0; r < at.count; r++) {
    for (cl_ulong i = 0; i < at.list[r].count; i++)
      row[i] = x[at.list[r].first + i * at.list[r].step];
    check_result(&layouts, plan, row, at.list[r].count, got + r * size, what);
  }
}

TEST(rows_are_reduced_alone) {
  const clred_call call = {.count = 1999, .rows = 19, .row_stride = 2000};
  lines_of_call(&call, CLRED_LAYOUT_ROWS, &at);
  check_lines(CLRED_LAYOUT_ROWS, CLRED_TYPE_NONE, call, "a row");
}

TEST(columns_are_reduced_alone) {
  const clred_call call = {.count = 399, .stride = 100, .rows = 1, .columns = 100};
  lines_of_call(&call, CLRED_LAYOUT_COLUMNS, &at);
  check_lines(CLRED_LAYOUT_COLUMNS, CLRED_TYPE_NONE, call, "a column");
}

TEST(segments_are_reduced_alone) {
  static const cl_uint offsets[] = {0, 0, 1, 18, 18, 2500, 39000, ELEMENTS};
  const clred_call call = {
    .count = ELEMENTS, .rows = COUNT_OF(offsets) - 1, .segments = fixture_buffer(offsets, sizeof offsets)};
  set_lines(offsets, COUNT_OF(offsets) - 1);
  check_lines(CLRED_LAYOUT_SEGMENTS, CLRED_TYPE_UINT, call, "a segment");
}

TEST(runs_of_equal_keys_are_reduced_alone) {
  static const cl_uint ends[] = {0, 1, 18, 2500, 39000, ELEMENTS};
  cl_uint *keys = claim(ELEMENTS * sizeof *keys);
  for (cl_uint i = 0, run = 0; i < ELEMENTS; i++)
    keys[i] = run += i == ends[run + 1];
  const clred_call call = {
    .count = ELEMENTS, .rows = COUNT_OF(ends) - 1, .segments = fixture_buffer(keys, ELEMENTS * sizeof *keys)};
  set_lines(ends, COUNT_OF(ends) - 1);
  check_lines(CLRED_LAYOUT_KEYS, CLRED_TYPE_UINT, call, "a run");
}

// --- Streams ---

// On the device, and on the host.
TEST_EACH(streams_give_the_bits_of_one_call, 0, 2) {
  unsigned char *elements = make_elements(CLRED_TYPE_FLOAT, COUNT_MAX), result[RESULT_MAX];
  clred_plan *plan = plan_of(&layouts, CLRED_LAYOUT_LINE, CLRED_TYPE_NONE);
  clred_stream *stream = STREAM(plan, .chunk = 4096, .on_host = _i == 1);
  for (cl_ulong first = 0, piece = 7001; first < COUNT_MAX; first += piece)
    assert_ok(clred_stream_push(stream, elements + first * sizeof(float), NULL,
                                COUNT_MAX - first < piece ? COUNT_MAX - first : piece));
  assert_ok(clred_stream_finish(stream, result));
  check_result(&layouts, plan, elements, COUNT_MAX, result, "a stream");
}
