// Partials of operators that are exact in any order: cut anywhere and joined in any order, they give the bits of one
// call.

#include "support/ranges.h"

#include "support/material.h"

static const clred_problem problems[] = {
  {OP(SUM, INT)},
  {OP(SUM, INT), .overflow = CLRED_OVERFLOW_DETECT},
  {OP(ARGMIN, FLOAT)},
  {OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT},
  {OP(SUM, DOUBLE), .order = CLRED_ORDER_EXACT},
  {OP(MEAN, FLOAT), .order = CLRED_ORDER_EXACT},
  {OP(MEAN, DOUBLE), .order = CLRED_ORDER_EXACT},
};

struct whole {
  clred_plan *plan;
  struct material of;
  cl_ulong count;
  unsigned char result[64], packed[PACKED_ROOM];  // of one call
  size_t packed_size;
  random_state random;
};

// Folds elements on the device, from a buffer or from host memory, or on the host.
static void fold(struct whole *whole, clred_partial *partial, cl_ulong first, cl_ulong count) {
  const void *input;
  const clred_host_call call = material_host_call(&whole->of, first, count, &input);
  const clred_call on_device = material_call(&whole->of, &first, count);
  const cl_ulong way = random_below(&whole->random, 3);
  if (way == 0)
    assert_ok(clred_partial_push(under_test.queue, partial, &call));
  else if (way == 1)
    assert_ok(clred_partial_fold_host(partial, &call));
  else
    assert_ok(clred_partial_fold(under_test.queue, partial, &on_device, 0, NULL, NULL));
}

static void solve(struct whole *whole) {
  clred_partial *all = fixture_partial(whole->plan, 0);
  memset(whole->result, 0, sizeof whole->result);
  RUN_HOST(whole->plan, .in = whole->of.elements, .count = whole->count, .out = whole->result);
  fold(whole, all, 0, whole->count);
  whole->packed_size = partial_pack(all, whole->packed, PACKED_ROOM);
}

// Cuts the whole at random places, which may coincide.
static void make_pieces(struct whole *whole, clred_partial **pieces, size_t count) {
  cl_ulong cuts[2 * RANGES_MAX + 1];
  random_cuts(&whole->random, whole->count, count, cuts);
  for (size_t i = 0; i < count; i++) {
    pieces[i] = fixture_partial(whole->plan, cuts[i]);
    fold(whole, pieces[i], cuts[i], cuts[i + 1] - cuts[i]);
  }
}

static clred_partial *unpack_sometimes(struct whole *whole, clred_partial *partial) {
  unsigned char bytes[PACKED_ROOM], again[PACKED_ROOM];
  clred_partial *unpacked = NULL;
  if (random_below(&whole->random, 3))
    return partial;
  const size_t size = partial_pack(partial, bytes, PACKED_ROOM);
  assert_ok(clred_partial_unpack(whole->plan, bytes, size, &unpacked));
  ck_assert_uint_eq(partial_pack(unpacked, again, PACKED_ROOM), size);
  ck_assert_msg(memcmp(bytes, again, size) == 0, "packed again: other bytes");
  RELEASE(partial);
  return OWN(unpacked);
}

// Joins two random pieces until one is left. `grows`: one of them is always the first, so it takes all others.
static void join_pieces(struct whole *whole, clred_partial **pieces, size_t count, bool grows) {
  for (; count > 1; count--) {
    const size_t right = 1 + (size_t)random_below(&whole->random, count - 1);
    const size_t left = grows ? 0 : (size_t)random_below(&whole->random, right);
    const bool swaps = random_below(&whole->random, 2);
    clred_partial *into = pieces[swaps ? right : left], *from = pieces[swaps ? left : right];
    assert_ok(clred_partial_join(into, from));
    RELEASE(from);
    pieces[left] = unpack_sometimes(whole, into);
    pieces[right] = pieces[count - 1];
  }
}

static void check_pieces(struct whole *whole, size_t count, bool grows) {
  clred_partial *pieces[2 * RANGES_MAX];
  unsigned char result[64] = {0}, packed[PACKED_ROOM];
  make_pieces(whole, pieces, count);
  join_pieces(whole, pieces, count, grows);
  assert_ok(clred_partial_result(pieces[0], result));
  ck_assert_msg(memcmp(result, whole->result, sizeof result) == 0, "%d elements in %zu pieces: other bits",
                (int)whole->count, count);
  ck_assert_msg(partial_pack(pieces[0], packed, PACKED_ROOM) == whole->packed_size &&
                  memcmp(packed, whole->packed, whole->packed_size) == 0,
                "%d elements in %zu pieces: another partial", (int)whole->count, count);
  RELEASE(pieces[0]);
}

TEST_CASE("bits", fixture_open, fixture_close);

// 128 pieces never have more than 64 ranges.
TEST_ROWS(in_any_order, problems) {
  const clred_problem *problem = &problems[_i];
  static const cl_ulong counts[] = {1, 50, 3000, 70001};
  static const size_t pieces[] = {2, 3, 8, 64, 128};
  if (problem->type == CLRED_TYPE_DOUBLE && fixture_lacks_double("exact sums in any order"))
    return;
  struct whole whole = {
    .plan = fixture_plan(problem), .of = material_of_problem(problem, 70001, 30, 19), .random = random_seed(31)};
  for (size_t i = 0; i < COUNT_OF(counts) * COUNT_OF(pieces); i++) {
    whole.count = counts[i / COUNT_OF(pieces)];
    solve(&whole);
    check_pieces(&whole, pieces[i % COUNT_OF(pieces)], i % 2);
  }
}
