// Partials: which can be joined, what a partial says of its plan, refused calls, packed bytes, and refused scans of
// parts. The program parts compares results.

#include "support/callbacks.h"
#include "support/fixture.h"
#include "support/operators.h"
#include "support/packed.h"

static const cl_float numbers[5000] = {1, 2, 3};

static void fold_numbers(clred_partial *partial, cl_ulong count) {
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = count}));
}

// A partial that has folded elements `first` to `first + count`.
static clred_partial *partial_of(clred_plan *plan, cl_ulong first, cl_ulong count) {
  clred_partial *partial = fixture_partial(plan, first);
  fold_numbers(partial, count);
  return partial;
}

TEST_CASE("joins", fixture_open, fixture_close);

// ---------------------------------------------------------------- Joining

static void check_span(clred_partial *partial, cl_ulong first, cl_ulong end) {
  clred_partial_info info;
  assert_ok(clred_partial_inspect(partial, &info));
  ck_assert_uint_eq(info.first, first);
  ck_assert_uint_eq(info.first + info.count, end);
}

// A sum with an order, and one that is exact in any order. Parts that are no neighbours change nothing.
TEST_EACH(neighbours_only, 0, 2) {
  static const struct {
    cl_ulong first, count;
    const char *words;
  } rows[] = {
    {112, 3, "left has elements 100 to 109 and right 112 to 114: they are not neighbours; join parts in the order of"},
    {0, 99, "right 0 to 98: they are not neighbours"},
    {109, 3, "right 109 to 111: they overlap; each element must be in one part"},
    {98, 3, "right 98 to 100: they overlap"},
    {103, 2, "right 103 to 104: they overlap"},
    {0, 5000, "right 0 to 4999: they overlap"},
    {100, 10, "right 100 to 109: they overlap"},
  };
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *middle = partial_of(plan, 100, 10), *before = partial_of(plan, 0, 100),
                *behind = partial_of(plan, 110, 3);
  float result = -1;
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_partial *other = partial_of(plan, rows[i].first, rows[i].count);
    assert_refused(clred_partial_join(middle, other), CLRED_PARTIAL_GAP, rows[i].words);
    assert_status(clred_partial_join(other, middle), CLRED_PARTIAL_GAP);
    check_span(other, rows[i].first, rows[i].first + rows[i].count);
  }
  assert_refused(clred_partial_join(middle, middle), CLRED_PARTIAL_GAP, "the same partial");
  assert_refused(clred_partial_result(middle, &result), CLRED_PARTIAL_GAP, "begins at element 100");
  ck_assert_msg(result == -1, "a refused result was written");
  check_span(middle, 100, 110);
  assert_ok(clred_partial_join(middle, before));
  assert_ok(clred_partial_join(middle, behind));
  fold_numbers(middle, 2);
  check_span(middle, 0, 115);
  assert_ok(clred_partial_result(middle, &result));
  ck_assert_msg(result == 6 + 6 + 6 + 3, "%g", result);
}

// They join with every other part, wherever they begin.
TEST_EACH(parts_without_elements, 0, 2) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *left = fixture_partial(plan, 7), *right = fixture_partial(plan, 3), *some = partial_of(plan, 4, 2);
  float result = -1;
  assert_refused(clred_partial_result(left, &result), CLRED_PARTIAL_GAP, "begins at element 7");
  assert_ok(clred_partial_join(left, right));
  check_span(left, 7, 7);
  assert_ok(clred_partial_join(some, left));
  check_span(some, 4, 6);
  assert_ok(clred_partial_join(left, some));
  check_span(left, 4, 6);
  assert_ok(clred_partial_reset(left, 0));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &result));
  ck_assert_msg(result == 0, "%g", result);
}

// The operator, the type, the policy of NaNs and the names of a state's members are parts of the problem.
TEST(of_one_problem_only) {
  clred_operator pair =
    OPERATOR(.name = "pair", .element = "float", .state = "{ float s; float m; }", .identity = "{ 0, 0 }",
             .lift = "MAKE(x, 2 * x)", .combine = "MAKE(a.s + b.s, a.m + b.m)");
  clred_operator renamed = pair;
  renamed.state = "{ float m; float s; }";
  const clred_problem sum = {OP(SUM, FLOAT)}, own = {.custom = &pair};
  const struct {
    const clred_problem *one;
    clred_problem other;
    const char *words;
  } rows[] = {{&sum, {OP(MAX, FLOAT)}, "sum of float"},
              {&sum, {OP(SUM, INT)}, "sum of float"},
              {&sum, {OP(SUM, FLOAT), .nan = CLRED_NAN_IGNORE}, "sum of float"},
              {&own, {.custom = &renamed}, "pair"}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    clred_plan *plan = fixture_plan(rows[i].one);
    clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(fixture_plan(&rows[i].other), 0),
                  *unpacked = NULL;
    unsigned char bytes[512];
    assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
    const size_t size = partial_pack(right, bytes, sizeof bytes);
    assert_refused(clred_partial_unpack(plan, bytes, size, &unpacked), CLRED_PARTIAL_MISMATCH, rows[i].words);
    ck_assert_ptr_null(unpacked);
  }
}

// The values of parameters are a part of the problem.
TEST(of_one_parameter_only) {
  static const cl_uint values[] = {3, 4};
  const void *const three = &values[0], *const four = &values[1];
  const clred_operand factor = {.type = "uint", .name = "factor"};
  const clred_operator op =
    OPERATOR(.name = "scaled", .element = "uint", .state = "uint", .identity = "0", .lift = "x * factor",
             .combine = "a + b", .parameters = &factor, .parameter_count = 1, .commutative = CL_TRUE);
  unsigned char bytes[512];
  clred_partial *left = NULL, *right = NULL, *unpacked = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  refused_naming(clred_partial_create(plan, NULL, &left), "parameters[0] is NULL: scaled takes 'factor'");
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &three}, &left));
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &four}, &right));
  assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
  const size_t size = partial_pack(right, bytes, sizeof bytes);
  assert_ok(clred_partial_unpack(plan, bytes, size, &unpacked));
  assert_ok(clred_partial_join(right, unpacked));
  refused_naming(clred_partial_fold(under_test.queue, left, &(clred_call){.parameters = &four}, 0, NULL, NULL),
                 "parameters[0] differs from that of the partial");
  RELEASE(left, right, unpacked);
}

// ---------------------------------------------------------------- Folds

// What libraries that carry partials ask for.
TEST(facts_of_a_plan) {
  char name[40], cut[4];
  clred_plan *sum = PLAN(OP(SUM, FLOAT)), *same = PLAN(OP(SUM, FLOAT), .groups = 3), *max = PLAN(OP(MAX, FLOAT)),
             *serial = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  clred_partial *partial = fixture_partial(sum, 0);
  ck_assert_uint_ne(clred_partial_tile(sum), 0);
  ck_assert_uint_eq(clred_partial_tile(serial), 0);
  ck_assert_uint_eq(clred_partial_tile(NULL), 0);
  ck_assert_uint_eq(clred_partial_fingerprint(sum, name, sizeof name), clred_partial_fingerprint(same, NULL, 0));
  ck_assert_uint_ne(clred_partial_fingerprint(sum, cut, sizeof cut), clred_partial_fingerprint(max, NULL, 0));
  ck_assert_str_eq(name, "sum of float");
  ck_assert_str_eq(cut, "sum");
  ck_assert_ptr_eq(clred_partial_plan(partial), sum);
  ck_assert_ptr_eq(clred_plan_runtime(sum), under_test.runtime);
  ck_assert_ptr_null(clred_partial_plan(NULL));
  ck_assert_ptr_null(clred_plan_runtime(NULL));
  assert_refused(clred_runtime_fail(under_test.runtime, CLRED_MPI_FAILED, "the cable is out"), CLRED_MPI_FAILED,
                 "the cable is out");
  assert_ok(clred_runtime_fail(under_test.runtime, CL_SUCCESS, "nothing"));
  check_said("the cable is out");
  assert_status(clred_runtime_fail(NULL, -5, "nobody"), -5);
}

TEST(refused_folds) {
  static const float eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float result;
  clred_plan *plan = PLAN(OP(SUM, FLOAT)), *serial = PLAN(OP(SUM, FLOAT), .strategy = "host_serial");
  clred_partial *partial = NULL, *last = fixture_partial(plan, CL_ULONG_MAX - 3);
  cl_mem buffer = fixture_buffer(eight, sizeof eight);
  refused_naming(clred_partial_create(serial, NULL, &partial),
                 "strategy host_serial makes no partials; wide and chunked do");
  ck_assert_uint_eq(clred_partial_bytes(serial), 0);
  partial = fixture_partial(plan, 0);
  const struct {
    clred_call call;
    cl_int status;
    const char *words;
  } rows[] = {
    {{.in = buffer, .count = 8, .out = buffer}, CLRED_INVALID_ARGUMENT, "out: the partial keeps what is folded"},
    {{.in = buffer, .count = 8, .result = &result}, CLRED_INVALID_ARGUMENT, "result: the partial keeps"},
    {{.in = buffer, .count = 9}, CLRED_OUT_OF_RANGE, "in"},
    {{.in = buffer, .in_offset = 1, .count = 8}, CLRED_OUT_OF_RANGE, "in"},
    {{.count = 8}, CLRED_INVALID_ARGUMENT, "in"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    assert_refused(clred_partial_fold(under_test.queue, partial, &rows[i].call, 0, NULL, NULL), rows[i].status,
                   rows[i].words);
  }
  assert_status(clred_partial_fold(under_test.queue, last, &(clred_call){.in = buffer, .count = 8}, 0, NULL, NULL),
                CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_partial_fold(under_test.queue, partial, &(clred_call){.in = buffer, .count = 8}, 0, NULL, NULL));
  assert_ok(clred_partial_result(partial, &result));
  ck_assert_msg(result == 36, "refused folds changed the partial");
}

// Strided elements: every third one, neighbours, and (stride 0) the same one each time.
TEST_EACH(strided, 0, 3) {
  enum { COUNT = 3000 };
  static cl_float strided_numbers[3 * COUNT];
  const cl_ulong stride = (const cl_ulong[]){3, 1, 0}[_i];
  float sum, expected = 0;
  cl_event event = NULL;
  for (int i = 0; i < 3 * COUNT; i++)
    strided_numbers[i] = (float)(i % 100);
  for (int j = 0; j < COUNT; j++)
    expected += strided_numbers[1 + (cl_ulong)j * stride];
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .layout = CLRED_LAYOUT_STRIDED);
  cl_mem buffer = fixture_buffer(strided_numbers, sizeof strided_numbers);
  clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(plan, 777);
  const clred_call first = {.in = buffer, .in_offset = 1, .count = 777, .stride = stride};
  const clred_call rest = {.in = buffer, .in_offset = 1 + 777 * stride, .count = COUNT - 777, .stride = stride};
  assert_ok(clred_partial_fold(under_test.queue, left, &first, 0, NULL, &event));
  assert_ok(clred_partial_fold(under_test.queue, right, &rest, 1, &event, NULL));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &sum));
  ck_assert_msg(sum == expected, "%g instead of %g", sum, expected);
  RELEASE(event);
}

// ---------------------------------------------------------------- Packed bytes

TEST_CASE("bytes", fixture_open, fixture_close);

// The states of this sum have padding, which the host fills with other bytes than the device.
struct padded {
  cl_uchar any, padding[7];
  cl_ulong sum;
};

#define PADDING \
  { 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a }
IDENTITY(padded, struct padded, {0, PADDING, 0})
LIFT(padded, cl_uint, struct padded, {1, PADDING, x})
COMBINE(padded, struct padded, {a.any | b.any, PADDING, a.sum + b.sum})
HOST(padded, struct padded);

// The device or the host may fold: equal partials have equal bytes, also where states have padding.
TEST(equal_bytes) {
  static const clred_operator op =
    OPERATOR(.name = "padded", .element = "uint", .state = "{ uchar any; ulong sum; }",
             .state_size = sizeof(struct padded), .identity = "{ 0, 0 }", .lift = "MAKE((uchar)1, (ulong)x)",
             .combine = "MAKE((uchar)(a.any | b.any), a.sum + b.sum)", .host = &padded_host);
  static cl_uint whole[5000];
  static unsigned char by_host[8192], by_device[8192];
  for (size_t i = 0; i < COUNT_OF(whole); i++)
    whole[i] = (cl_uint)i;
  clred_plan *plan = PLAN(.custom = &op);
  clred_partial *there = fixture_partial(plan, 100), *here = fixture_partial(plan, 100);
  const clred_host_call call = {.in = whole, .count = COUNT_OF(whole)};
  assert_ok(clred_partial_fold_host(here, &call));
  assert_ok(clred_partial_push(under_test.queue, there, &call));
  const size_t size = partial_pack(here, by_host, sizeof by_host);
  ck_assert_uint_eq(partial_pack(there, by_device, sizeof by_device), size);
  ck_assert_msg(memcmp(by_host, by_device, size) == 0, "other bytes");
}

// The fourth component of a vector of three may be anything.
TEST(equal_bytes_of_threes) {
  static cl_uchar threes[4 * 3000], others[4 * 3000];
  static unsigned char bytes[2][16384];
  size_t sizes[2];
  clred_plan *plan = PLAN(.type = CLRED_VECTOR(CLRED_TYPE_UCHAR, 3), .op = CLRED_OP_SUM);
  for (size_t i = 0; i < COUNT_OF(threes); i++) {
    threes[i] = (cl_uchar)i;
    others[i] = i % 4 < 3 ? threes[i] : 77;
  }
  for (int i = 0; i < 2; i++) {
    clred_partial *partial = fixture_partial(plan, 5);
    const clred_host_call call = {.in = i ? others : threes, .count = 3000};
    assert_ok(i ? clred_partial_push(under_test.queue, partial, &call) : clred_partial_fold_host(partial, &call));
    sizes[i] = partial_pack(partial, bytes[i], sizeof bytes[i]);
  }
  ck_assert_uint_eq(sizes[0], sizes[1]);
  ck_assert_msg(memcmp(bytes[0], bytes[1], sizes[0]) == 0, "other bytes");
}

// Refused bytes leave the partial as it is.
static void check_damaged(clred_plan *plan, clred_partial *kept, const void *bytes, size_t size, cl_int status) {
  clred_partial *unpacked = NULL;
  clred_partial_info info;
  assert_status(clred_partial_unpack(plan, bytes, size, &unpacked), status);
  ck_assert_ptr_null(unpacked);
  assert_status(clred_partial_read(kept, bytes, size), status);
  assert_ok(clred_partial_inspect(kept, &info));
  ck_assert_msg(info.first == 7 && info.count == 9, "a partial was changed by refused bytes");
}

// Changes each byte of a packed partial, and cuts it anywhere.
TEST(altered_bytes) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT));
  clred_partial *partial = partial_of(plan, 1000, 3000), *unpacked = NULL, *kept = partial_of(plan, 7, 9);
  size_t size = 0;
  assert_ok(clred_partial_pack(partial, NULL, 0, &size));
  unsigned char *bytes = claim(size);
  assert_status(clred_partial_pack(partial, bytes, size - 1, &size), CL_INVALID_BUFFER_SIZE);
  ck_assert_msg(bytes[0] == 0, "a packed partial that did not fit was begun");
  assert_ok(clred_partial_pack(partial, bytes, size, &size));
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 0x40;
    check_damaged(plan, kept, bytes, size, CLRED_PARTIAL_DAMAGED);
    bytes[i] ^= 0x40;
  }
  for (size_t i = 0; i < size; i++)
    check_damaged(plan, kept, bytes, i, CLRED_PARTIAL_DAMAGED);
  assert_ok(clred_partial_unpack(plan, bytes, size, &unpacked));
  RELEASE(unpacked);
}

// Numbers that no partial of this size has, behind a right checksum; of a sum with an order, and an exact one.
TEST_EACH(damaged_numbers, 0, 2) {
  static const struct {
    cl_ulong first, count;
    const char *words;
  } rows[] = {
    {10, 0, "another size"}, {CL_ULONG_MAX - 9, 10, "64 bits"}, {10, CL_ULONG_MAX, "64 bits"}, {10, 1, "another size"}};
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *partial = partial_of(plan, 10, 3000), *kept = partial_of(plan, 7, 9);
  static unsigned char bytes[16384];
  const size_t size = partial_pack(partial, bytes, sizeof bytes);
  for (size_t i = 0; i < COUNT_OF(rows) - (_i ? 1 : 0); i++) {
    packed_put(bytes + PACKED_FIRST, rows[i].first);
    packed_put(bytes + PACKED_COUNT, rows[i].count);
    packed_sign(bytes, size);
    check_damaged(plan, kept, bytes, size, CLRED_PARTIAL_DAMAGED);
    check_said(rows[i].words);
  }
}

// The bytes name a byte order only if a type is opaque: 1 is little-endian, 2 big-endian. Any other order is refused,
// also behind a right checksum, and so is another version.
TEST(byte_orders_and_versions) {
  clred_plan *plans[] = {PLAN(OP(STATS, FLOAT)), PLAN(.custom = &sample_named("moments")->op)};
  const cl_ushort one = 1;
  const unsigned char ours = *(const unsigned char *)&one ? 1 : 2;
  for (unsigned char i = 0; i < 2; i++) {
    unsigned char bytes[512], right = i ? ours : 0;
    clred_partial *partial = fixture_partial(plans[i], 3), *unpacked = NULL;
    const size_t size = partial_pack(partial, bytes, sizeof bytes);
    ck_assert_uint_eq(bytes[PACKED_VERSION], 5);
    ck_assert_uint_eq(bytes[PACKED_ORDER], right);
    for (unsigned char order = 0; order < 4; order++) {
      bytes[PACKED_ORDER] = order;
      packed_sign(bytes, size);
      assert_status(clred_partial_unpack(plans[i], bytes, size, &unpacked),
                    order == right ? CL_SUCCESS : CLRED_PARTIAL_DAMAGED);
      if (order == right)
        RELEASE(unpacked);
      else
        check_said("byte order");
    }
    bytes[PACKED_ORDER] = right;
    bytes[PACKED_VERSION] = 1;
    packed_sign(bytes, size);
    clred_partial *none = NULL;
    assert_refused(clred_partial_unpack(plans[i], bytes, size, &none), CLRED_PARTIAL_DAMAGED,
                   "version 1 of packed partials; this library reads version 5");
  }
}

// A partial takes packed elements and the values of the parameters, whatever it had before.
TEST(read_replaces_all) {
  const struct sample *hash = sample_named("hash");
  static const unsigned char text[5000] = "the elements of one partial";
  const cl_ulong own = 3;
  const void *mine = &own;
  clred_plan *plan = PLAN(.custom = &hash->op);
  clred_partial *from = NULL, *to = NULL;
  clred_partial_info info, other;
  unsigned char bytes[8192], again[8192];
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.first = 5, .parameters = &hash->parameter}, &from));
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &mine}, &to));
  assert_ok(clred_partial_fold_host(from, &(clred_host_call){.in = text, .count = 5000}));
  assert_ok(clred_partial_fold_host(to, &(clred_host_call){.in = text, .count = 700}));
  assert_ok(clred_partial_inspect(from, &info));
  assert_ok(clred_partial_inspect(to, &other));
  ck_assert_uint_ne(info.fingerprint, other.fingerprint);
  const size_t size = partial_pack(from, bytes, sizeof bytes);
  assert_ok(clred_partial_read(to, bytes, size));
  ck_assert_uint_eq(partial_pack(to, again, sizeof again), size);
  ck_assert_msg(memcmp(bytes, again, size) == 0, "read and packed again: other bytes");
  assert_ok(clred_partial_inspect(to, &other));
  ck_assert_uint_eq(info.fingerprint, other.fingerprint);
  RELEASE(from, to);
}

// ---------------------------------------------------------------- Scans of parts

TEST_CASE("scans", fixture_open, fixture_close);

// Refused scans leave the partial of everything before the part as it was.
// A scan of 1000 elements after 1500 others.
struct refusing {
  clred_plan *scan, *folds;
  clred_partial *before, *mine;
  cl_mem in, out;
};

static struct refusing open_refusing(void) {
  struct refusing it = {.scan = PLAN(OP(SUM, FLOAT), SCAN(INCLUSIVE))};
  assert_ok(clred_plan_create_scan_partials(it.scan, &it.folds));
  OWN(it.folds);
  it.before = partial_of(it.folds, 0, 1500);
  it.mine = partial_of(it.folds, 1500, 1000);
  it.in = fixture_buffer(numbers, 3000 * sizeof *numbers);
  it.out = fixture_buffer(numbers, 3000 * sizeof *numbers);
  return it;
}

static void check_refused_scan(const struct refusing *it, const clred_call *call, cl_int status, const char *words) {
  clred_partial_info before, after;
  assert_ok(clred_partial_inspect(it->before, &before));
  assert_refused(clred_partial_scan(under_test.queue, it->scan, it->before, it->mine, call, 0, NULL, NULL), status,
                 words);
  assert_ok(clred_partial_inspect(it->before, &after));
  ck_assert_msg(after.first == before.first && after.count == before.count,
                "a refused scan changed the partial before");
}

TEST(refused_scans) {
  struct refusing it = open_refusing();
  const float start = 0;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  cl_mem closed = OWN(clCreateBuffer(under_test.context, flags, 3000 * sizeof *numbers, NULL, NULL));
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
    check_refused_scan(&it, &rows[i].call, rows[i].status, rows[i].words);
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.mine, it.mine, &rows[0].call, 0, NULL, NULL),
                 "before and mine are the same partial");
  const clred_call *call = &rows[0].call;
  assert_invalid(clred_partial_scan(under_test.queue, NULL, it.before, it.mine, call, 0, NULL, NULL));
  refused_naming(clred_partial_scan(under_test.queue, it.scan, NULL, it.mine, call, 0, NULL, NULL), "before");
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.before, NULL, call, 0, NULL, NULL), "mine");
  refused_naming(clred_partial_scan(under_test.queue, it.scan, it.before, it.mine, NULL, 0, NULL, NULL), "call");
}

// Gaps, overlaps, a beginning that is missing, and other problems.
TEST(scans_after_other_partials) {
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
    other.before = partial_of(rows[i].of_before, rows[i].first, rows[i].count);
    check_refused_scan(&other, &call, rows[i].status, rows[i].words);
  }
  struct refusing other = it;
  other.scan = greatest;
  check_refused_scan(&other, &call, CLRED_PARTIAL_MISMATCH,
                     "mine: its elements were folded for another problem than the scan of max over float");
  RELEASE(folds);
}

TEST(plans_without_partials) {
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
TEST(scans_whose_events_fail) {
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
