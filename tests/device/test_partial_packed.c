// Packed partials with several ranges of elements: sizes, and bytes that no partial has.

#include "support/ranges.h"

#include "support/packed.h"

TEST_CASE("packed", ranges_open, fixture_close);

static void check_damaged(clred_partial *kept, const unsigned char *bytes, size_t size, const char *words) {
  clred_partial *unpacked = NULL;
  assert_status(clred_partial_unpack(ranges_plan, bytes, size, &unpacked), CLRED_PARTIAL_DAMAGED);
  ck_assert_ptr_null(unpacked);
  check_said(words);
  assert_status(clred_partial_read(kept, bytes, size), CLRED_PARTIAL_DAMAGED);
  check_ranges(kept, ENDS(1, 2, 4, 8));
}

// One range is in the header. Several have 16 bytes each.
TEST(sizes) {
  unsigned char bytes[PACKED_ROOM];
  clred_partial *partial = partial_of(1, 2);
  const size_t one = partial_pack(partial, bytes, PACKED_ROOM);
  ck_assert_uint_eq(one, 64 + sizeof(cl_long));
  for (cl_ulong i = 1; i < RANGES_MAX; i++) {
    partial_add(partial, 3 * i, 3 * i + 2);
    ck_assert_uint_eq(partial_pack(partial, bytes, PACKED_ROOM), one + (i + 1) * 16);
  }
  ck_assert_uint_eq(clred_partial_bytes(ranges_plan), one + RANGES_MAX * 16);
}

TEST(damaged_ranges) {
  static const struct {
    cl_ulong ends[6], count, ranges;
    const char *words;
  } rows[] = {
    {{30, 40, 10, 20, 50, 60}, 30, 3, "not sorted"},
    {{10, 20, 50, 60, 30, 40}, 30, 3, "not sorted"},
    {{10, 20, 20, 30, 50, 60}, 30, 3, "not sorted"},         // neighbours
    {{10, 20, 19, 29, 50, 60}, 30, 3, "not sorted"},         // overlap
    {{10, 20, 30, 30, 50, 70}, 30, 3, "not sorted"},         // no elements
    {{10, 20, 40, 30, 50, 80}, 30, 3, "not sorted"},         // end before first
    {{10, 10, 30, 40, 50, 70}, 30, 3, "not sorted"},         // no elements at first
    {{11, 20, 30, 40, 50, 61}, 30, 3, "not sorted"},         // another first element
    {{10, 20, 30, 40, 50, 61}, 30, 3, "other elements"},     // more elements
    {{10, 20, 30, 40, 50, 60}, 29, 3, "other elements"},     // fewer
    {{10, 20, 30, 40, 50, 60}, CL_ULONG_MAX, 3, "64 bits"},  // too many
    {{10, 20, 30, 40, 50, 60}, 0, 3, "another size"},        // no state
    {{10, 20, 30, 40, 50, 60}, 30, 0, "another size"},       // ranges that are not named
    {{10, 20, 30, 40, 50, 60}, 30, 1, "number of ranges"},   // a single range is in the header
    {{10, 20, 30, 40, 50, 60}, 30, 2, "another size"},
    {{10, 20, 30, 40, 50, 60}, 30, 4, "another size"},
    {{10, 20, 30, 40, 50, 60}, 30, 65, "number of ranges"},
    {{10, 20, 30, 40, 50, 60}, 30, 3 + (1ull << 60), "number of ranges"},
  };
  unsigned char bytes[PACKED_ROOM];
  clred_partial *partial = partial_of_ranges(ENDS(10, 20, 30, 40, 50, 60)), *kept = partial_of_ranges(ENDS(1, 2, 4, 8)),
                *right = NULL;
  const size_t size = partial_pack(partial, bytes, PACKED_ROOM);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    for (size_t j = 0; j < 6; j++)
      packed_put(bytes + size - 48 + 8 * j, rows[i].ends[j]);
    packed_put(bytes + PACKED_COUNT, rows[i].count);
    packed_put(bytes + PACKED_RANGES, rows[i].ranges);
    packed_sign(bytes, size);
    check_damaged(kept, bytes, size, rows[i].words);
  }
  partial_pack(partial, bytes, size);
  packed_sign(bytes, size);
  assert_ok(clred_partial_unpack(ranges_plan, bytes, size, &right));
  assert_ok(clred_partial_read(kept, bytes, size));
  check_ranges(kept, ENDS(10, 20, 30, 40, 50, 60));
  RELEASE(right);
}

// Every byte, and every shorter size.
TEST(altered_bytes) {
  unsigned char bytes[PACKED_ROOM];
  clred_partial *partial = partial_of_ranges(ENDS(10, 20, 30, 40, 50, 60)), *kept = partial_of_ranges(ENDS(1, 2, 4, 8));
  const size_t size = partial_pack(partial, bytes, PACKED_ROOM);
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 0x10;
    check_damaged(kept, bytes, size, "bytes: ");
    bytes[i] ^= 0x10;
    check_damaged(kept, bytes, i, "bytes: ");
  }
}

// A partial with an order has one range only, whatever its bytes say.
TEST(ranges_of_an_order) {
  unsigned char bytes[PACKED_ROOM];
  const float numbers[30] = {1};
  clred_plan *sum = PLAN(OP(SUM, FLOAT));
  clred_partial *partial = fixture_partial(sum, 10), *unpacked = NULL;
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = 30}));
  const size_t size = partial_pack(partial, bytes, PACKED_ROOM);
  for (cl_ulong ranges = 1; ranges < 4; ranges++) {
    packed_put(bytes + PACKED_RANGES, ranges);
    packed_sign(bytes, size);
    assert_refused(clred_partial_unpack(sum, bytes, size, &unpacked), CLRED_PARTIAL_DAMAGED, "number of ranges");
  }
}
