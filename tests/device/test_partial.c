// Partials: cut anywhere, folded by the device or the host, packed or not, and joined in any order, they give the bits
// of one call. The oracle or a loop gives the expected bits.

#include "support/material.h"

#include "support/packed.h"

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
  size_t size = 0, again = 0;
  clred_partial *unpacked = NULL;
  assert_ok(clred_partial_pack(partial, NULL, 0, &size));
  ck_assert_uint_le(size, clred_partial_bytes(whole->plan));
  unsigned char *bytes = claim(size + 1), *twice = claim(size + 1);
  bytes[size] = 0x5a;
  assert_ok(clred_partial_pack(partial, bytes, size, &size));
  ck_assert_uint_eq(bytes[size], 0x5a);
  assert_ok(clred_partial_unpack(whole->plan, bytes, size, &unpacked));
  assert_ok(clred_partial_pack(unpacked, twice, size, &again));
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

static void join_all(struct whole *whole, clred_partial **pieces, size_t count, enum joining joining) {
  for (; count > 1; count--) {
    const size_t at = joining == FROM_LEFT    ? 0
                      : joining == FROM_RIGHT ? count - 2
                                              : (size_t)random_below(&whole->random, count - 1);
    assert_ok(clred_partial_join(pieces[at], pieces[at + 1]));
    clred_partial_release(pieces[at + 1]);
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
  clred_partial *right = join_by_tree(whole, cuts, middle, end);
  assert_ok(clred_partial_join(left, right));
  clred_partial_release(right);
  return left;
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
  {OP(ADD, FLOAT)},   {OP(ADD, DOUBLE)},
  {OP(MEAN, FLOAT)},  {OP(VAR, DOUBLE)},
  {OP(NORM2, FLOAT)}, {OP(DOT, FLOAT)},
  {OP(DOT, DOUBLE)},  {OP(ARGMIN, FLOAT)},
  {OP(STATS, FLOAT)}, {OP(ADD, UCHAR)},
  {OP(ADD, HALF)},    {.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 3), .op = CLRED_OP_ADD},
  {OP(ADD, CFLOAT)},  {OP(ADD, INT), .overflow = CLRED_OVERFLOW_DETECT},
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

// Functions of the host may have other bits than those of the device, so the device joins logsumexp.
TEST(logsumexp) {
  _Alignas(128) unsigned char result[16], expected[16];
  fixture_open_assuming(devices[1]);
  struct whole whole = whole_of(material_of_problem(&(clred_problem){OP(LOGSUMEXP, FLOAT)}, 5000, 12, 19), true, 5);
  RUN_HOST(whole.plan, .in = whole.of.elements, .count = whole.count, .out = expected);
  for (int i = 0; i < 20; i++) {
    reduce_in_pieces(&whole, 3, ANYWHERE, result);
    ck_assert_msg(memcmp(result, expected, sizeof(float)) == 0, "turn %d: other bits", i);
  }
}

// So many elements that a fold takes nodes of several levels, and a group folds several tiles.
TEST_EACH(many_elements, 0, 2) {
  const clred_problem problem = {OP(ADD, FLOAT), .groups = 64};
  fixture_open_assuming(devices[_i]);
  struct whole whole = whole_of(material_of_problem(&problem, 3000017, 12, 19), false, 9);
  check_count(&whole, 3000017, pieces_of, COUNT_OF(pieces_of), false);
}

// --- Many parts ---

// All but the first row need minutes: tests/parts.sh runs them.
static const clred_problem summed[] = {{OP(ADD, FLOAT)},   {OP(ADD, DOUBLE)},   {OP(MEAN, FLOAT)}, {OP(VAR, FLOAT)},
                                       {OP(VAR, DOUBLE)},  {OP(NORM2, FLOAT)},  {OP(DOT, FLOAT)},  {OP(ARGMIN, FLOAT)},
                                       {OP(STATS, FLOAT)}, {OP(STATS, DOUBLE)}, {OP(ADD, INT)}};
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

TEST_CASE("refused", fixture_open, fixture_close);

static void fold_numbers(clred_partial *partial, cl_ulong count) {
  static const float numbers[5000] = {1, 2, 3};
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = count}));
}

TEST(neighbours_only) {
  float result;
  clred_plan *plan = PLAN(OP(ADD, FLOAT));
  clred_partial *left = fixture_partial(plan, 0), *gap = fixture_partial(plan, 12), *overlap = fixture_partial(plan, 9),
                *far = fixture_partial(plan, 10);
  fold_numbers(left, 10);
  assert_refused(clred_partial_join(left, gap), CLRED_PARTIAL_GAP,
                 "right begins at element 12, but left ends before element 10: the elements between them are missing");
  assert_refused(clred_partial_join(left, overlap), CLRED_PARTIAL_GAP,
                 "right begins at element 9, but left ends before element 10: they overlap");
  assert_status(clred_partial_join(left, left), CLRED_PARTIAL_GAP);
  fold_numbers(far, 3);
  assert_refused(clred_partial_result(far, &result), CLRED_PARTIAL_GAP, "begins at element 10");
  assert_ok(clred_partial_join(left, far));
  assert_ok(clred_partial_result(left, &result));
  ck_assert_msg(result == 12, "the refused joins changed the partial");
}

TEST(of_one_problem_only) {
  clred_plan *sum = PLAN(OP(ADD, FLOAT)), *max = PLAN(OP(MAX, FLOAT)), *ints = PLAN(OP(ADD, INT)),
             *quiet = PLAN(OP(ADD, FLOAT), .nan = CLRED_NAN_IGNORE);
  clred_plan *const others[] = {max, ints, quiet};
  clred_partial *left = fixture_partial(sum, 0), *unpacked = NULL;
  unsigned char bytes[512];
  size_t size = 0;
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    clred_partial *right = fixture_partial(others[i], 0);
    assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
    assert_ok(clred_partial_pack(right, bytes, sizeof bytes, &size));
    assert_status(clred_partial_unpack(sum, bytes, size, &unpacked), CLRED_PARTIAL_MISMATCH);
    ck_assert_ptr_null(unpacked);
    check_said("add of float");
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
  size_t size = 0;
  clred_partial *left = NULL, *right = NULL, *unpacked = NULL;
  clred_plan *plan = PLAN(.custom = &op);
  refused_naming(clred_partial_create(plan, NULL, &left), "parameters[0] is NULL: scaled takes 'factor'");
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &three}, &left));
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.parameters = &four}, &right));
  assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
  assert_ok(clred_partial_pack(right, bytes, sizeof bytes, &size));
  assert_ok(clred_partial_unpack(plan, bytes, size, &unpacked));
  assert_ok(clred_partial_join(right, unpacked));
  refused_naming(clred_partial_fold(under_test.queue, left, &(clred_call){.parameters = &four}, 0, NULL, NULL),
                 "parameters[0] differs from that of the partial");
  RELEASE(left, right, unpacked);
}

// The names of a state's members are a part of the problem.
TEST(of_one_state_only) {
  clred_operator op =
    OPERATOR(.name = "pair", .element = "float", .state = "{ float s; float m; }", .identity = "{ 0, 0 }",
             .lift = "MAKE(x, 2 * x)", .combine = "MAKE(a.s + b.s, a.m + b.m)");
  clred_plan *plan = PLAN(.custom = &op);
  op.state = "{ float m; float s; }";
  clred_plan *other = PLAN(.custom = &op);
  clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(other, 0);
  assert_status(clred_partial_join(left, right), CLRED_PARTIAL_MISMATCH);
}

// A sum whose states have padding, which the host fills with other bytes than the device does.
struct padded {
  cl_uchar any;
  cl_ulong sum;
};

static void put(void *state, cl_uchar any, cl_ulong sum) {
  memset(state, 0x5a, sizeof(struct padded));
  ((struct padded *)state)->any = any;
  ((struct padded *)state)->sum = sum;
}

static void padded_identity(void *state, void *data) {
  (void)data;
  put(state, 0, 0);
}

static void padded_lift(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                        void *state, void *data) {
  (void)index, (void)inputs, (void)parameters, (void)data;
  put(state, 1, *(const cl_uint *)element);
}

static void padded_combine(void *a, const void *b, void *data) {
  const struct padded *left = a, *right = b;
  (void)data;
  put(a, left->any | right->any, left->sum + right->sum);
}

static void padded_lower(const void *state, void *result, void *data) {
  (void)data;
  memcpy(result, state, sizeof(struct padded));
}

// The device or the host may fold: equal partials have equal bytes, also where states have padding.
TEST(equal_bytes) {
  static const clred_host_operator host = {padded_identity, padded_lift, padded_combine, padded_lower, NULL};
  static const clred_operator op =
    OPERATOR(.name = "padded", .element = "uint", .state = "{ uchar any; ulong sum; }",
             .state_size = sizeof(struct padded), .identity = "{ 0, 0 }", .lift = "MAKE((uchar)1, (ulong)x)",
             .combine = "MAKE((uchar)(a.any | b.any), a.sum + b.sum)", .host = &host);
  static cl_uint numbers[5000];
  static unsigned char by_host[8192], by_device[8192];
  size_t size = 0, again = 0;
  for (size_t i = 0; i < COUNT_OF(numbers); i++)
    numbers[i] = (cl_uint)i;
  clred_plan *plan = PLAN(.custom = &op);
  clred_partial *there = fixture_partial(plan, 100), *here = fixture_partial(plan, 100);
  const clred_host_call call = {.in = numbers, .count = COUNT_OF(numbers)};
  assert_ok(clred_partial_fold_host(here, &call));
  assert_ok(clred_partial_push(under_test.queue, there, &call));
  assert_ok(clred_partial_pack(here, by_host, sizeof by_host, &size));
  assert_ok(clred_partial_pack(there, by_device, sizeof by_device, &again));
  ck_assert_uint_eq(size, again);
  ck_assert_msg(memcmp(by_host, by_device, size) == 0, "other bytes");
}

// The fourth component of a vector of three may be anything.
TEST(equal_bytes_of_threes) {
  static cl_uchar numbers[4 * 3000], others[4 * 3000];
  static unsigned char bytes[2][16384];
  size_t sizes[2];
  clred_plan *plan = PLAN(.type = CLRED_VECTOR(CLRED_TYPE_UCHAR, 3), .op = CLRED_OP_ADD);
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    numbers[i] = (cl_uchar)i;
    others[i] = i % 4 < 3 ? numbers[i] : 77;
  }
  for (int i = 0; i < 2; i++) {
    clred_partial *partial = fixture_partial(plan, 5);
    const clred_host_call call = {.in = i ? others : numbers, .count = 3000};
    assert_ok(i ? clred_partial_push(under_test.queue, partial, &call) : clred_partial_fold_host(partial, &call));
    assert_ok(clred_partial_pack(partial, bytes[i], sizeof bytes[i], &sizes[i]));
  }
  ck_assert_uint_eq(sizes[0], sizes[1]);
  ck_assert_msg(memcmp(bytes[0], bytes[1], sizes[0]) == 0, "other bytes");
}

// Refused bytes leave the partial as it is.
static void check_refused(clred_plan *plan, clred_partial *kept, const void *bytes, size_t size, cl_int status) {
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
  clred_plan *plan = PLAN(OP(ADD, FLOAT));
  clred_partial *partial = fixture_partial(plan, 1000), *unpacked = NULL, *kept = fixture_partial(plan, 7);
  size_t size = 0;
  fold_numbers(partial, 3000);
  fold_numbers(kept, 9);
  assert_ok(clred_partial_pack(partial, NULL, 0, &size));
  unsigned char *bytes = claim(size);
  assert_status(clred_partial_pack(partial, bytes, size - 1, &size), CL_INVALID_BUFFER_SIZE);
  ck_assert_msg(bytes[0] == 0, "a packed partial that did not fit was begun");
  assert_ok(clred_partial_pack(partial, bytes, size, &size));
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 0x40;
    check_refused(plan, kept, bytes, size, CLRED_PARTIAL_DAMAGED);
    bytes[i] ^= 0x40;
  }
  for (size_t i = 0; i < size; i++)
    check_refused(plan, kept, bytes, i, CLRED_PARTIAL_DAMAGED);
  assert_ok(clred_partial_unpack(plan, bytes, size, &unpacked));
  RELEASE(unpacked);
}

static size_t pack(clred_partial *partial, unsigned char *bytes, size_t room) {
  size_t size = 0;
  assert_ok(clred_partial_pack(partial, bytes, room, &size));
  return size;
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
    size_t size = 0;
    assert_ok(clred_partial_pack(partial, bytes, sizeof bytes, &size));
    ck_assert_uint_eq(bytes[PACKED_VERSION], 4);
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
                   "version 1 of packed partials; this library reads version 4");
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
  const size_t size = pack(from, bytes, sizeof bytes);
  assert_ok(clred_partial_read(to, bytes, size));
  ck_assert_uint_eq(pack(to, again, sizeof again), size);
  ck_assert_msg(memcmp(bytes, again, size) == 0, "read and packed again: other bytes");
  assert_ok(clred_partial_inspect(to, &other));
  ck_assert_uint_eq(info.fingerprint, other.fingerprint);
  RELEASE(from, to);
}

// What libraries that carry partials ask for.
TEST(facts_of_a_plan) {
  char name[40], cut[4];
  clred_plan *sum = PLAN(OP(ADD, FLOAT)), *same = PLAN(OP(ADD, FLOAT), .groups = 3), *max = PLAN(OP(MAX, FLOAT)),
             *serial = PLAN(OP(ADD, FLOAT), .strategy = "host_serial");
  clred_partial *partial = fixture_partial(sum, 0);
  ck_assert_uint_ne(clred_partial_tile(sum), 0);
  ck_assert_uint_eq(clred_partial_tile(serial), 0);
  ck_assert_uint_eq(clred_partial_tile(NULL), 0);
  ck_assert_uint_eq(clred_partial_fingerprint(sum, name, sizeof name), clred_partial_fingerprint(same, NULL, 0));
  ck_assert_uint_ne(clred_partial_fingerprint(sum, cut, sizeof cut), clred_partial_fingerprint(max, NULL, 0));
  ck_assert_str_eq(name, "add of float");
  ck_assert_str_eq(cut, "add");
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

TEST(calls) {
  static const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float result;
  clred_plan *plan = PLAN(OP(ADD, FLOAT)), *serial = PLAN(OP(ADD, FLOAT), .strategy = "host_serial");
  clred_partial *partial = NULL, *last = fixture_partial(plan, CL_ULONG_MAX - 3);
  cl_mem buffer = fixture_buffer(numbers, sizeof numbers);
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
  static cl_float numbers[3 * COUNT];
  const cl_ulong stride = (const cl_ulong[]){3, 1, 0}[_i];
  float sum, expected = 0;
  cl_event event = NULL;
  for (int i = 0; i < 3 * COUNT; i++)
    numbers[i] = (float)(i % 100);
  for (int j = 0; j < COUNT; j++)
    expected += numbers[1 + (cl_ulong)j * stride];
  clred_plan *plan = PLAN(OP(ADD, FLOAT), .layout = CLRED_LAYOUT_STRIDED);
  cl_mem buffer = fixture_buffer(numbers, sizeof numbers);
  clred_partial *left = fixture_partial(plan, 0), *right = fixture_partial(plan, 777);
  const clred_call first = {.in = buffer, .in_offset = 1, .count = 777, .stride = stride};
  const clred_call rest = {.in = buffer, .in_offset = 1 + 777 * stride, .count = COUNT - 777, .stride = stride};
  assert_ok(clred_partial_fold(under_test.queue, left, &first, 0, NULL, &event));
  assert_ok(clred_partial_fold(under_test.queue, right, &rest, 1, &event, NULL));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, &sum));
  ck_assert_msg(sum == expected, "%g in place of %g", sum, expected);
  RELEASE(event);
}
