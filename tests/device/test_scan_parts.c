// Scans in parts: cut anywhere, folded by the device or the host, packed or not, joined in any order, each part scanned
// from the partial of everything before it. All results together have the bits of one scan.

#include "support/operators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

static const char *const devices[] = {"cpu=1", "cpu=0", "cpu=1,unified_memory=0", "cpu=0,unified_memory=0"};

enum { MOST = 100003, PARTS_MOST = 8, FENCE = 16 };

struct whole {
  const char *name;
  clred_plan *scan, *folds;
  const unsigned char *in, *input;  // input NULL: the operator has no further input
  cl_mem buffer, input_buffer, out;
  size_t size, input_size, result;
  const void *const *parameters;
  const void *initial;
  cl_ulong count;
  bool on_host;  // pieces may be folded on the host, too
  random_state random;
};

// --- The parts ---

struct part {
  cl_ulong first, count;
  clred_partial *partial;
};

static clred_partial *create(const struct whole *whole, cl_ulong first) {
  clred_partial *partial = NULL;
  const clred_partial_options options = {.first = first, .parameters = whole->parameters};
  assert_ok(clred_partial_create(whole->folds, &options, &partial));
  return partial;
}

static clred_call call_of(const struct whole *whole, const struct part *part) {
  return (clred_call){.in = whole->buffer,
                      .in_offset = part->first,
                      .inputs = whole->input ? &whole->input_buffer : NULL,
                      .input_offsets = whole->input ? &part->first : NULL,
                      .count = part->count};
}

static void fold(struct whole *whole, struct part *part) {
  const void *input = whole->input ? whole->input + part->first * whole->input_size : NULL;
  const clred_host_call on_host = {
    .in = whole->in + part->first * whole->size, .inputs = input ? &input : NULL, .count = part->count};
  const clred_call call = call_of(whole, part);
  part->partial = create(whole, part->first);
  if (whole->on_host && random_below(&whole->random, 3) == 0)
    assert_ok(clred_partial_fold_host(part->partial, &on_host));
  else
    assert_ok(clred_partial_fold(under_test.queue, part->partial, &call, 0, NULL, NULL));
}

static clred_partial *copy(const struct whole *whole, clred_partial *of) {
  size_t size = 0;
  clred_partial *made = NULL;
  assert_ok(clred_partial_pack(of, NULL, 0, &size));
  unsigned char *bytes = claim(size);
  assert_ok(clred_partial_pack(of, bytes, size, &size));
  assert_ok(clred_partial_unpack(whole->folds, bytes, size, &made));
  free(bytes);
  return made;
}

// The partial of everything before part `index`: copies of the parts before it, joined anywhere.
static clred_partial *join_before(struct whole *whole, const struct part *parts, size_t index) {
  clred_partial *pieces[PARTS_MOST + 1];
  size_t left = index + 1;
  pieces[0] = create(whole, 0);
  for (size_t i = 0; i < index; i++)
    pieces[i + 1] = copy(whole, parts[i].partial);
  for (; left > 1; left--) {
    const size_t at = (size_t)random_below(&whole->random, left - 1);
    assert_ok(clred_partial_join(pieces[at], pieces[at + 1]));
    clred_partial_release(pieces[at + 1]);
    memmove(pieces + at + 1, pieces + at + 2, (left - at - 2) * sizeof *pieces);
  }
  return pieces[0];
}

static void scan_part(struct whole *whole, const struct part *part, clred_partial *before) {
  cl_event event = NULL;
  clred_partial_info info;
  clred_call call = call_of(whole, part);
  call.out = whole->out;
  call.out_offset = part->first;
  call.initial = whole->initial;
  assert_ok(clred_partial_scan(under_test.queue, whole->scan, before, part->partial, &call, 0, NULL, &event));
  assert_ok(clWaitForEvents(1, &event));
  assert_ok(clred_partial_inspect(before, &info));
  ck_assert_uint_eq(info.first, 0);
  ck_assert_uint_eq(info.count, part->first + part->count);
  clReleaseEvent(event);
}

// --- All parts ---

static int by_place(const void *a, const void *b) {
  const cl_ulong left = *(const cl_ulong *)a, right = *(const cl_ulong *)b;
  return left < right ? -1 : left > right;
}

static void cut(struct whole *whole, struct part *parts, size_t count) {
  const cl_ulong tile = clred_partial_tile(whole->folds);
  cl_ulong cuts[PARTS_MOST + 1] = {0};
  for (size_t i = 1; i < count; i++) {
    cuts[i] = random_below(&whole->random, whole->count + 1);
    if (random_below(&whole->random, 3) == 0)
      cuts[i] -= cuts[i] % tile;
  }
  cuts[count] = whole->count;
  qsort(cuts, count + 1, sizeof *cuts, by_place);
  for (size_t i = 0; i < count; i++) {
    parts[i] = (struct part){.first = cuts[i], .count = cuts[i + 1] - cuts[i]};
    fold(whole, &parts[i]);
  }
}

// From left to right one partial goes through all parts. Otherwise the last part comes first, and each part gets a
// partial of its own.
static void scan_in_parts(struct whole *whole, size_t count, bool from_left) {
  struct part parts[PARTS_MOST];
  cut(whole, parts, count);
  clred_partial *through = create(whole, 0);
  for (size_t i = 0; i < count; i++) {
    const size_t index = from_left ? i : count - 1 - i;
    clred_partial *before = from_left ? through : join_before(whole, parts, index);
    scan_part(whole, &parts[index], before);
    if (!from_left)
      clred_partial_release(before);
  }
  clred_partial_release(through);
  for (size_t i = 0; i < count; i++)
    clred_partial_release(parts[i].partial);
}

static void check_results(const struct whole *whole, const unsigned char *expected, size_t parts) {
  const size_t bytes = (size_t)whole->count * whole->result;
  unsigned char *got = claim(bytes + FENCE);
  read_buffer(whole->out, got, bytes + FENCE);
  for (cl_ulong i = 0; i < whole->count; i++)
    ck_assert_msg(memcmp(got + i * whole->result, expected + i * whole->result, whole->result) == 0,
                  "%s, %" PRIu64 " elements in %zu parts: result %" PRIu64 " has other bits", whole->name,
                  (uint64_t)whole->count, parts, (uint64_t)i);
  for (size_t i = 0; i < FENCE; i++)
    ck_assert_msg(got[bytes + i] == 0x5a, "%s: byte %zu behind the results was written", whole->name, i);
  free(got);
}

// `expected` has the results of one scan.
static void check_parts(struct whole *whole, const unsigned char *expected) {
  static const size_t counts[] = {1, 2, 3, 5, 8};
  const size_t bytes = (size_t)whole->count * whole->result + FENCE;
  unsigned char *blank = claim(bytes);
  memset(blank, 0x5a, bytes);
  for (size_t i = 0; i < COUNT_OF(counts); i++) {
    whole->out = fixture_buffer(blank, bytes);
    scan_in_parts(whole, counts[i], (i + whole->count) % 2 == 0);
    check_results(whole, expected, counts[i]);
    clReleaseMemObject(whole->out);
  }
  free(blank);
}

static const cl_ulong sizes[] = {0, 1, 3, 777, 5000, MOST};

// --- Built-in operators ---

#define INCLUSIVE .scan = CLRED_SCAN_INCLUSIVE
#define EXCLUSIVE .scan = CLRED_SCAN_EXCLUSIVE

// With the device, and whether there is an initial state.
static const struct {
  const char *name;
  clred_problem problem;
  int device;
  bool starts;
} rows[] = {
  {"inclusive sum of floats", {OP(ADD, FLOAT), INCLUSIVE}, 0, false},
  {"exclusive sum of floats", {OP(ADD, FLOAT), EXCLUSIVE}, 1, true},
  {"inclusive sum of floats with a start", {OP(ADD, FLOAT), INCLUSIVE}, 3, true},
  {"exclusive sum of doubles", {OP(ADD, DOUBLE), EXCLUSIVE}, 0, false},
  {"inclusive means", {OP(MEAN, FLOAT), INCLUSIVE}, 2, false},
  {"inclusive dot products", {OP(DOT, FLOAT), INCLUSIVE}, 0, false},
  {"inclusive sum of ints", {OP(ADD, INT), INCLUSIVE}, 0, false},
  {"inclusive argmin", {OP(ARGMIN, FLOAT), INCLUSIVE}, 0, false},
  {"exclusive argmax", {OP(ARGMAX, CHAR), EXCLUSIVE}, 1, false},
};

static unsigned char *make_elements(clred_type type, uint64_t seed) {
  const size_t size = oracle_size(type);
  unsigned char *bytes = claim(MOST * size);
  random_state random = random_seed(seed);
  for (cl_ulong i = 0; i < MOST; i++) {
    const double magnitude = (double)(1u << random_below(&random, 12));
    const uint64_t word = random_word(&random);
    const double value = ((double)(word >> 40) / 16777216.0 - 0.25) * magnitude;
    oracle_store(bytes, size, i, oracle_is_floating(type) ? oracle_float_bits(type, value) : word >> 45);
  }
  return bytes;
}

static void check_count(struct whole *whole, const clred_problem *problem, cl_ulong count) {
  const oracle_tree tree = {.strategy = "scan_chunked"};
  const oracle_scan scan = {problem->scan == CLRED_SCAN_INCLUSIVE, false, whole->initial};
  unsigned char *expected = claim((size_t)count * whole->result + 1);
  whole->count = count;
  oracle_solve_scan(problem, &scan, whole->in, whole->input, count, &tree, expected);
  check_parts(whole, expected);
  free(expected);
}

static void check_problem(const char *name, const clred_problem *problem, bool starts) {
  static const float start = 0.1f;
  const size_t size = oracle_size(problem->type);
  struct whole whole = {.name = name, .size = size, .input_size = size, .on_host = true};
  if (oracle_needs_fp64(problem) && !device_has_fp64(&under_test))
    return;
  whole.random = random_seed(7);
  whole.scan = fixture_plan(problem);
  whole.result = fixture_inspect(whole.scan, 1).result_size;
  whole.initial = starts ? &start : NULL;
  assert_ok(clred_plan_create_folds(whole.scan, &whole.folds));
  unsigned char *in = make_elements(problem->type, 1), *input = make_elements(problem->type, 2);
  whole.in = in;
  whole.input = problem->op == CLRED_OP_DOT ? input : NULL;
  whole.buffer = fixture_buffer(in, MOST * size);
  whole.input_buffer = fixture_buffer(input, MOST * size);
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    check_count(&whole, problem, sizes[i]);
  RELEASE(in, input, whole.folds, whole.scan, whole.buffer, whole.input_buffer);
}

TEST_CASE("bits", NULL, NULL);

TEST_EACH(builtin_operators, 0, (int)COUNT_OF(rows)) {
  fixture_open_assuming(devices[rows[_i].device]);
  check_problem(rows[_i].name, &rows[_i].problem, rows[_i].starts);
  fixture_close();
}

// --- Own operators ---

static void check_sample(const struct sample *of, clred_scan kind, bool has_host) {
  struct material made = material_create(of, 9001);
  clred_operator op = of->op;
  if (!has_host)
    op.host = NULL;
  struct whole whole = {.name = op.name,
                        .scan = PLAN(.custom = &op, .scan = kind),
                        .in = made.elements,
                        .input = made.input,
                        .buffer = made.in,
                        .input_buffer = made.input_buffer,
                        .size = of->element,
                        .input_size = of->input,
                        .result = of->result,
                        .parameters = of->parameter ? &of->parameter : NULL,
                        .on_host = has_host};
  const oracle_scan scan = {kind == CLRED_SCAN_INCLUSIVE, false, NULL};
  assert_ok(clred_plan_create_folds(whole.scan, &whole.folds));
  whole.random = random_seed(11);
  unsigned char *expected = claim(9001 * of->result);
  const cl_ulong counts[] = {1, 300, 9001};
  for (size_t i = has_host ? 0 : 1; i < COUNT_OF(counts); i++) {
    whole.count = counts[i];
    material_scan(&made, &(struct row){.stride = 1, .count = whole.count}, &scan, expected);
    check_parts(&whole, expected);
  }
  RELEASE(expected, whole.folds, whole.scan);
  material_release(&made);
}

// Operators that do not commute, with inputs and parameters, and states that are structs; with host callbacks, and
// without them, so that the device joins.
TEST_EACH(own_operators, 0, 3) {
  static const struct {
    const char *name;
    clred_scan kind;
    bool has_host;
  } samples[] = {{"affine", CLRED_SCAN_EXCLUSIVE, false},
                 {"hash", CLRED_SCAN_INCLUSIVE, true},
                 {"matrix", CLRED_SCAN_INCLUSIVE, true}};
  fixture_open_assuming(devices[_i % 2]);
  check_sample(sample_named(samples[_i].name), samples[_i].kind, samples[_i].has_host);
  fixture_close();
}
