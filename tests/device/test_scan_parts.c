// Scans in parts: cut anywhere, folded by the device or the host, packed or not, joined in any order, each part scanned
// from the partial of everything before it. All results together have the bits of one scan.

#include "support/material.h"

static const char *const devices[] = {"cpu=1", "cpu=0", "cpu=1,unified_memory=0", "cpu=0,unified_memory=0"};

enum { MOST = 100003, PARTS_MAX = 8, FENCE = 16 };

struct whole {
  clred_plan *scan, *folds;
  struct material of;
  cl_mem out;
  size_t result;  // bytes
  const void *initial;
  cl_ulong count;
  bool on_host;  // parts may be folded on the host, too
  random_state random;
  clred_partial *parts[PARTS_MAX], *copies[PARTS_MAX + 1];
};

// --- The parts ---

struct part {
  cl_ulong first, count;
  clred_partial *partial;
};

static clred_partial *create_partial(const struct whole *whole) {
  const clred_partial_options options = {.first = 5, .parameters = whole->of.parameters};
  clred_partial *partial = NULL;
  assert_ok(clred_partial_create(whole->folds, &options, &partial));
  return OWN(partial);
}

static struct whole whole_of(struct material of, uint64_t seed) {
  struct whole whole = {
    .scan = fixture_plan(&of.problem), .of = of, .count = of.length, .on_host = true, .random = random_seed(seed)};
  whole.result = of.of ? of.of->result : fixture_inspect(whole.scan, 1).result_size;
  assert_ok(clred_plan_create_scan_partials(whole.scan, &whole.folds));
  OWN(whole.folds);
  for (size_t i = 0; i < PARTS_MAX; i++)
    whole.parts[i] = create_partial(&whole);
  for (size_t i = 0; i <= PARTS_MAX; i++)
    whole.copies[i] = create_partial(&whole);
  return whole;
}

static void fold(struct whole *whole, struct part *part) {
  const void *input;
  const clred_host_call on_host = material_host_call(&whole->of, part->first, part->count, &input);
  const clred_call call = material_call(&whole->of, &part->first, part->count);
  assert_ok(clred_partial_reset(part->partial, part->first));
  if (whole->on_host && random_below(&whole->random, 3) == 0)
    assert_ok(clred_partial_fold_host(part->partial, &on_host));
  else
    assert_ok(clred_partial_fold(under_test.queue, part->partial, &call, 0, NULL, NULL));
}

static void copy(clred_partial *from, clred_partial *to) {
  size_t size = 0;
  assert_ok(clred_partial_pack(from, NULL, 0, &size));
  unsigned char *bytes = claim(size);
  assert_ok(clred_partial_pack(from, bytes, size, &size));
  assert_ok(clred_partial_read(to, bytes, size));
  RELEASE(bytes);
}

// The partial of everything before part `index`: copies of the earlier parts, joined in a random order.
static clred_partial *join_before(struct whole *whole, const struct part *parts, size_t index) {
  clred_partial *pieces[PARTS_MAX + 1];
  size_t left = index + 1;
  memcpy(pieces, whole->copies, sizeof pieces);
  assert_ok(clred_partial_reset(pieces[0], 0));
  for (size_t i = 0; i < index; i++)
    copy(parts[i].partial, pieces[i + 1]);
  for (; left > 1; left--) {
    const size_t at = (size_t)random_below(&whole->random, left - 1);
    assert_ok(clred_partial_join(pieces[at], pieces[at + 1]));
    memmove(pieces + at + 1, pieces + at + 2, (left - at - 2) * sizeof *pieces);
  }
  return pieces[0];
}

static void scan_part(struct whole *whole, const struct part *part, clred_partial *before) {
  cl_event event = NULL;
  clred_partial_info info;
  clred_call call = material_call(&whole->of, &part->first, part->count);
  call.out = whole->out, call.out_offset = part->first, call.initial = whole->initial;
  assert_ok(clred_partial_scan(under_test.queue, whole->scan, before, part->partial, &call, 0, NULL, &event));
  assert_ok(clWaitForEvents(1, &event));
  assert_ok(clred_partial_inspect(before, &info));
  ck_assert(info.first == 0 && info.count == part->first + part->count);
  clReleaseEvent(event);
}

// --- All parts ---

static void cut(struct whole *whole, struct part *parts, size_t count) {
  const cl_ulong tile = clred_partial_tile(whole->folds);
  cl_ulong cuts[PARTS_MAX + 1];
  random_cuts(&whole->random, whole->count, count, cuts);
  for (size_t i = 1; i < count; i++)
    if (random_below(&whole->random, 3) == 0 && cuts[i] - cuts[i] % tile > cuts[i - 1])
      cuts[i] -= cuts[i] % tile;
  for (size_t i = 0; i < count; i++) {
    parts[i] = (struct part){.first = cuts[i], .count = cuts[i + 1] - cuts[i], .partial = whole->parts[i]};
    fold(whole, &parts[i]);
  }
}

// From left to right one partial goes through all parts. Otherwise the last part comes first, and the partial before
// each part is joined anew.
static void scan_in_parts(struct whole *whole, size_t count, bool from_left) {
  struct part parts[PARTS_MAX];
  cut(whole, parts, count);
  assert_ok(clred_partial_reset(whole->copies[0], 0));
  for (size_t i = 0; i < count; i++) {
    const size_t index = from_left ? i : count - 1 - i;
    scan_part(whole, &parts[index], from_left ? whole->copies[0] : join_before(whole, parts, index));
  }
}

static void check_results(const struct whole *whole, const unsigned char *expected, size_t parts) {
  const size_t bytes = (size_t)whole->count * whole->result;
  unsigned char *got = claim(bytes + FENCE);
  read_buffer(whole->out, got, bytes + FENCE);
  cl_ulong right = 0;
  while (right < whole->count &&
         memcmp(got + right * whole->result, expected + right * whole->result, whole->result) == 0)
    right++;
  ck_assert_msg(right == whole->count, "%s, %" PRIu64 " elements in %zu parts: result %" PRIu64 " has other bits",
                whole->of.name, (uint64_t)whole->count, parts, (uint64_t)right);
  for (size_t i = 0; i < FENCE; i++)
    ck_assert_msg(got[bytes + i] == 0x5a, "%s: byte %zu behind the results was written", whole->of.name, i);
  RELEASE(got);
}

// `expected` has the results of one scan.
static void check_parts(struct whole *whole, const unsigned char *expected) {
  static const size_t counts[] = {1, 2, 3, 5, 8};
  const size_t bytes = (size_t)whole->count * whole->result + FENCE;
  unsigned char *blank = memset(claim(bytes), 0x5a, bytes);
  for (size_t i = 0; i < COUNT_OF(counts); i++) {
    whole->out = fixture_buffer(blank, bytes);
    scan_in_parts(whole, counts[i], (i + whole->count) % 2 == 0);
    check_results(whole, expected, counts[i]);
  }
}

static void check_counts(struct whole *whole, const cl_ulong *counts, size_t number) {
  const oracle_scan scan = {whole->of.problem.scan == CLRED_SCAN_INCLUSIVE, false, whole->initial};
  for (size_t i = 0; i < number; i++) {
    whole->count = counts[i];
    check_parts(whole, material_scan_all(&whole->of, &scan, counts[i], whole->result));
  }
}

// --- Built-in operators ---

#define INCLUSIVE .scan = CLRED_SCAN_INCLUSIVE
#define EXCLUSIVE .scan = CLRED_SCAN_EXCLUSIVE

// With the device, and whether there is an initial state. The argmin has many equal elements.
static const struct {
  clred_problem problem;
  int device;
  bool starts;
} subjects[] = {
  {{OP(SUM, FLOAT), INCLUSIVE}, 1, true},   {{OP(SUM, FLOAT), EXCLUSIVE}, 0, false},
  {{OP(SUM, DOUBLE), INCLUSIVE}, 0, false}, {{OP(MEAN, FLOAT), EXCLUSIVE}, 2, false},
  {{OP(SUM, INT), INCLUSIVE}, 0, false},    {{OP(ARGMIN, CHAR), INCLUSIVE}, 1, false},
  {{OP(PROD, FLOAT), EXCLUSIVE}, 1, true},
};

TEST_CASE("bits", NULL, fixture_close);

TEST_ROWS(builtin_operators, subjects) {
  static const cl_ulong counts[] = {0, 1, 3, 777, 5000, MOST};
  const clred_problem *problem = &subjects[_i].problem;
  const clred_product_float start = {problem->op == CLRED_OP_PROD ? 0x1p-149f : 0.1f, 0};
  fixture_open_assuming(devices[subjects[_i].device]);
  if (!oracle_needs_fp64(problem) || device_has_fp64(&under_test)) {
    struct whole whole = whole_of(material_of_problem(problem, MOST, 12, 19), 7);
    whole.initial = subjects[_i].starts ? &start : NULL;
    check_counts(&whole, counts, COUNT_OF(counts));
  }
}

// --- Own operators ---

// Operators that do not commute, with inputs, and states that are structs.
TEST_EACH(own_operators, 0, 2) {
  static const cl_ulong counts[] = {1, 300, 9001};
  fixture_open_assuming(devices[_i]);
  struct material made = material_create(sample_named(_i ? "matrix" : "affine"), 9001);
  made.problem.scan = _i ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_EXCLUSIVE;
  struct whole whole = whole_of(made, 11);
  check_counts(&whole, counts, COUNT_OF(counts));
}

// An operator that does not commute, uses the index and a parameter, and rounds. It has no host callbacks, so the
// device joins. One call gives the expected results.
TEST(joined_on_the_device) {
  static const cl_float decay = 0.75f;
  const void *const parameter = &decay;
  const clred_operand operand = {.type = "float", .name = "decay"};
  const clred_operator op =
    OPERATOR(.name = "decaying", .element = "float", .state = "{ float m; float c; }", .identity = "{ 1, 0 }",
             .lift = "MAKE(index % 5 ? decay : 1.1f, x)", .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)",
             .parameters = &operand, .parameter_count = 1);
  fixture_open_assuming(devices[0]);
  struct material made = material_of_problem(&(clred_problem){OP(SUM, FLOAT)}, 9001, 12, 19);
  made.problem = (clred_problem){.custom = &op, INCLUSIVE};
  made.parameters = &parameter;
  struct whole whole = whole_of(made, 13);
  unsigned char *expected = claim(9001 * whole.result);
  whole.on_host = false;
  RUN_HOST(whole.scan, .in = made.elements, .parameters = &parameter, .count = 9001, .out = expected);
  check_parts(&whole, expected);
}

// Results replace the elements, on a queue that may run commands in any order, if the device has one.
TEST(in_place) {
  enum { COUNT = 5000, FIRST = 1234 };
  static cl_float got[COUNT], expected[COUNT];
  fixture_open();
  cl_command_queue queue = fixture_queue(fixture_has_out_of_order() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  const clred_problem problem = {OP(SUM, FLOAT), INCLUSIVE, .in_place = CL_TRUE};
  struct whole whole = whole_of(material_of_problem(&problem, COUNT, 12, 19), 1);
  whole.on_host = false;
  RUN_HOST(whole.scan, .in = whole.of.elements, .count = COUNT, .out = expected);
  struct part parts[] = {{0, FIRST, whole.parts[0]}, {FIRST, COUNT - FIRST, whole.parts[1]}};
  fold(&whole, &parts[0]);
  fold(&whole, &parts[1]);
  clFinish(under_test.queue);
  assert_ok(clred_partial_reset(whole.copies[0], 0));
  for (int i = 0; i < 2; i++) {
    clred_call call = material_call(&whole.of, &parts[i].first, parts[i].count);
    call.out = whole.of.in, call.out_offset = parts[i].first;
    assert_ok(clred_partial_scan(queue, whole.scan, whole.copies[0], parts[i].partial, &call, 0, NULL, NULL));
  }
  clFinish(queue);
  read_buffer(whole.of.in, got, sizeof got);
  ck_assert_msg(memcmp(got, expected, sizeof got) == 0, "other bits");
}
