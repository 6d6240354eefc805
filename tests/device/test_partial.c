// Partials: cut anywhere, folded by the device or the host, packed or not, and joined in any order, they give the bits
// of one call. The oracle or a loop gives the expected bits.

#include "support/material.h"

static const char *const devices[] = {"cpu=1", "cpu=0", "cpu=1,unified_memory=0", "cpu=0,unified_memory=0"};

// What is cut and joined.
struct whole {
  clred_plan *plan;
  struct material of;
  cl_ulong count;
  bool on_host;  // pieces may be folded on the host, too
  random_state random;
};

static struct whole whole_of(struct material of, bool on_host, uint64_t seed) {
  return (struct whole){
    .plan = fixture_plan(&of.problem), .of = of, .count = of.length, .on_host = on_host, .random = random_seed(seed)};
}

// --- One piece ---

static void fold_on_device(struct whole *whole, clred_partial *partial, cl_ulong first, cl_ulong count) {
  const clred_call call = material_call(&whole->of, &first, count);
  assert_ok(clred_partial_fold(under_test.queue, partial, &call, 0, NULL, NULL));
}

static void fold_host_memory(struct whole *whole, clred_partial *partial, cl_ulong first, cl_ulong count) {
  const void *input;
  const clred_host_call call = material_host_call(&whole->of, first, count, &input);
  if (whole->on_host && random_below(&whole->random, 2))
    assert_ok(clred_partial_fold_host(partial, &call));
  else
    assert_ok(clred_partial_push(under_test.queue, partial, &call));
}

static clred_partial *pack_and_unpack(struct whole *whole, clred_partial *partial) {
  size_t size = 0;
  clred_partial *unpacked = NULL;
  assert_ok(clred_partial_pack(partial, NULL, 0, &size));
  ck_assert_uint_le(size, clred_partial_bytes(whole->plan));
  unsigned char *bytes = claim(size + 1), *twice = claim(size + 1);
  bytes[size] = 0x5a;
  assert_ok(clred_partial_pack(partial, bytes, size, &size));
  ck_assert_uint_eq(bytes[size], 0x5a);
  assert_ok(clred_partial_unpack(whole->plan, bytes, size, &unpacked));
  const size_t again = partial_pack(unpacked, twice, size);
  ck_assert_msg(again == size && memcmp(bytes, twice, size) == 0, "%s: packed again, other bytes", whole->of.name);
  clred_partial_release(partial);
  return unpacked;
}

static clred_partial *make_piece(struct whole *whole, cl_ulong first, cl_ulong count) {
  clred_partial *partial = NULL;
  const clred_partial_options options = {.first = first + 1, .parameters = whole->of.parameters};
  const cl_ulong turns = 1 + random_below(&whole->random, 2);
  assert_ok(clred_partial_create(whole->plan, &options, &partial));
  if (count)
    fold_on_device(whole, partial, first, 1);
  assert_ok(clred_partial_reset(partial, first));
  for (cl_ulong turn = 0, done = 0; turn < turns; turn++) {
    const cl_ulong now = turn + 1 < turns ? random_below(&whole->random, count + 1) : count - done;
    (random_below(&whole->random, 2) ? fold_host_memory : fold_on_device)(whole, partial, first + done, now);
    done += now;
  }
  return random_below(&whole->random, 3) == 0 ? pack_and_unpack(whole, partial) : partial;
}

// --- All pieces ---

// BY_TREE makes pieces when they are needed, so it can have many.
enum joining { FROM_LEFT, FROM_RIGHT, ANYWHERE, BY_TREE };

// Either of two neighbours takes the other.
static clred_partial *join_two(struct whole *whole, clred_partial *left, clred_partial *right) {
  const bool swaps = random_below(&whole->random, 2);
  clred_partial *into = swaps ? right : left, *from = swaps ? left : right;
  assert_ok(clred_partial_join(into, from));
  clred_partial_release(from);
  return into;
}

static void join_all(struct whole *whole, clred_partial **pieces, size_t count, enum joining joining) {
  for (; count > 1; count--) {
    const size_t at = joining == FROM_LEFT    ? 0
                      : joining == FROM_RIGHT ? count - 2
                                              : (size_t)random_below(&whole->random, count - 1);
    pieces[at] = join_two(whole, pieces[at], pieces[at + 1]);
    memmove(pieces + at + 1, pieces + at + 2, (count - at - 2) * sizeof *pieces);
  }
}

// Joins the pieces from `first` to `end` by a random tree, so any association may come. Pieces are made when they are
// needed, so few of them exist at once.
static clred_partial *join_by_tree(struct whole *whole, const cl_ulong *cuts, size_t first, size_t end) {
  if (end - first == 1)
    return make_piece(whole, cuts[first], cuts[end] - cuts[first]);
  const size_t middle = first + 1 + (size_t)random_below(&whole->random, end - first - 1);
  clred_partial *left = join_by_tree(whole, cuts, first, middle);
  return join_two(whole, left, join_by_tree(whole, cuts, middle, end));
}

static clred_partial *join_pieces(struct whole *whole, const cl_ulong *cuts, size_t count, enum joining joining) {
  clred_partial **pieces = claim(count * sizeof *pieces);
  for (size_t i = 0; i < count; i++)
    pieces[i] = make_piece(whole, cuts[i], cuts[i + 1] - cuts[i]);
  join_all(whole, pieces, count, joining);
  return pieces[0];
}

static void reduce_in_pieces(struct whole *whole, size_t count, enum joining joining, void *result) {
  cl_ulong *cuts = claim((count + 1) * sizeof *cuts);
  clred_partial_info info;
  random_cuts(&whole->random, whole->count, count, cuts);
  clred_partial *joined =
    joining == BY_TREE ? join_by_tree(whole, cuts, 0, count) : join_pieces(whole, cuts, count, joining);
  assert_ok(clred_partial_inspect(joined, &info));
  ck_assert_uint_eq(info.first, 0);
  ck_assert_uint_eq(info.count, whole->count);
  assert_ok(clred_partial_result(joined, result));
  clred_partial_release(joined);
}

// Cuts `count` elements into each of these numbers of pieces. The three ways to join take turns, or all trees.
static void check_count(struct whole *whole, cl_ulong count, const size_t *pieces, size_t rows, bool by_tree) {
  whole->count = count;
  const struct answer expected = material_answer(&whole->of, count);
  for (size_t i = 0; i < rows; i++) {
    _Alignas(128) unsigned char result[512];
    char what[32];
    snprintf(what, sizeof what, "in %zu pieces", pieces[i]);
    reduce_in_pieces(whole, pieces[i], by_tree ? BY_TREE : (enum joining)((i + count) % BY_TREE), result);
    material_check_answer(&whole->of, &expected, result, what);
  }
}

static const size_t pieces_of[] = {1, 2, 3, 5, 8, 40};

// --- Built-in operators ---

static const clred_problem problems[] = {
  {OP(SUM, FLOAT)},   {OP(SUM, DOUBLE)},
  {OP(MEAN, FLOAT)},  {OP(VAR, DOUBLE)},
  {OP(NORM2, FLOAT)}, {OP(DOT, FLOAT)},
  {OP(DOT, DOUBLE)},  {OP(ARGMIN, FLOAT)},
  {OP(STATS, FLOAT)}, {OP(SUM, UCHAR)},
  {OP(SUM, HALF)},    {.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 3), .op = CLRED_OP_SUM},
  {OP(SUM, CFLOAT)},  {OP(SUM, INT), .overflow = CLRED_OVERFLOW_DETECT},
};

static bool is_computable(const clred_problem *problem) {
  return !oracle_needs_fp64(problem) || device_has_fp64(&under_test);
}

TEST_CASE("bits", NULL, fixture_close);

TEST_ROWS(builtin_operators, problems) {
  const clred_problem *problem = &problems[_i];
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, 70001};
  fixture_open_assuming(devices[_i % 4]);
  if (is_computable(problem)) {
    struct whole whole = whole_of(material_of_problem(problem, 70001, 12, 19), true, 7);
    const bool has_identity = problem->op != CLRED_OP_ARGMIN;
    for (size_t i = has_identity ? 0 : 1; i < COUNT_OF(counts); i++)
      check_count(&whole, counts[i], pieces_of, COUNT_OF(pieces_of), false);
  }
}

// logsumexp: functions of the host may have other bits than those of the device, so the device joins it. The oracle has
// no exact sums. So one call gives the expected bits.
static const clred_problem compared[] = {
  {OP(LOGSUMEXP, FLOAT)},
  {OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT},
  {OP(MEAN, DOUBLE), .order = CLRED_ORDER_EXACT},
};

TEST_ROWS(as_one_call, compared) {
  _Alignas(128) unsigned char result[16] = {0}, expected[16] = {0};
  fixture_open_assuming(devices[1]);
  if (!is_computable(&compared[_i]))
    return;
  struct whole whole = whole_of(material_of_problem(&compared[_i], 5000, 12, 19), true, 5);
  RUN_HOST(whole.plan, .in = whole.of.elements, .count = whole.count, .out = expected);
  for (int i = 0; i < 20; i++) {
    reduce_in_pieces(&whole, 3 + (size_t)i, ANYWHERE, result);
    ck_assert_msg(memcmp(result, expected, sizeof result) == 0, "turn %d: other bits", i);
  }
}

// So many elements that a fold takes nodes of several levels, and a group folds several tiles.
TEST_EACH(many_elements, 0, 2) {
  const clred_problem problem = {OP(SUM, FLOAT), .groups = 64};
  fixture_open_assuming(devices[_i]);
  struct whole whole = whole_of(material_of_problem(&problem, 3000017, 12, 19), false, 9);
  check_count(&whole, 3000017, pieces_of, COUNT_OF(pieces_of), false);
}

// --- Many parts ---

// All but the first row need minutes: tests/parts.sh runs them.
static const clred_problem summed[] = {{OP(SUM, FLOAT)},   {OP(SUM, DOUBLE)},   {OP(MEAN, FLOAT)}, {OP(VAR, FLOAT)},
                                       {OP(VAR, DOUBLE)},  {OP(NORM2, FLOAT)},  {OP(DOT, FLOAT)},  {OP(ARGMIN, FLOAT)},
                                       {OP(STATS, FLOAT)}, {OP(STATS, DOUBLE)}, {OP(SUM, INT)}};
static const cl_ulong long_counts[] = {3000017, (1 << 26) + 5};
static const size_t long_pieces[] = {1, 2, 3, 5, 8, 64, 1000};

static void check_trees(const clred_problem *problem, cl_ulong count, const size_t *pieces, size_t rows) {
  struct whole whole = whole_of(material_of_problem(problem, count, 12, 19), count < 100000, 13);
  check_count(&whole, count, pieces, rows, true);
}

TEST_CASE("many_parts", NULL, fixture_close);

// A thousand pieces in a random tree; in the long form every operator, and counts up to 2^26 + 5.
TEST_STEPS(trees_of_parts, 0, 1 + (int)(COUNT_OF(summed) * COUNT_OF(long_counts)), 1000) {
  static const size_t thousand[] = {1000};
  const size_t row = _i ? (size_t)(_i - 1) % COUNT_OF(summed) : 0;
  fixture_open_assuming(devices[_i % 4]);
  if (!_i)
    check_trees(&summed[row], 70001, thousand, 1);
  else if (is_computable(&summed[row]))
    check_trees(&summed[row], long_counts[(size_t)(_i - 1) / COUNT_OF(summed)], long_pieces, COUNT_OF(long_pieces));
}

TEST_CASE("own", NULL, fixture_close);

static void check_sample(const struct sample *of, bool has_host) {
  const cl_ulong counts[] = {1, 300, 9001};
  struct material made = material_create(of, 9001);
  clred_operator op = of->op;
  op.host = has_host ? op.host : NULL;
  made.problem.custom = &op;
  struct whole whole = whole_of(made, has_host, 11);
  for (size_t i = 0; i < COUNT_OF(counts); i++)
    check_count(&whole, counts[i], pieces_of + 1, 3, false);
}

// Operators that do not commute, that use the index, inputs and parameters, or whose states are structs; with host
// callbacks, and without them, so that the device joins.
TEST_EACH(own_operators, 0, 4) {
  static const char *const names[] = {"affine", "hash", "matrix", "blob256", "float3", "packed", "moments"};
  fixture_open_assuming(devices[_i / 2]);
  for (size_t i = 0; i < COUNT_OF(names); i++)
    check_sample(sample_named(names[i]), _i % 2);
}

// Matrix chains, affine maps and a struct of 24 bytes in a thousand parts: tests/parts.sh runs it.
TEST_STEPS(own_operators_in_many_parts, 6, 6, 2) {
  static const char *const names[] = {"affine", "matrix", "moments"};
  fixture_open_assuming(devices[_i % 2]);
  struct whole whole = whole_of(material_create(sample_named(names[_i / 2]), 3000017), false, 17);
  check_count(&whole, 3000017, long_pieces, COUNT_OF(long_pieces), true);
}
