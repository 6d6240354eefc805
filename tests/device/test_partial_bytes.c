// The bytes of packed partials: whoever folded, they are the same, and no others are unpacked.

#include "support/fixture.h"
#include "support/operators.h"

#include "support/packed.h"

TEST_CASE("bytes", fixture_open, fixture_close);

// The states of this sum have padding. The host and the device fill it with different bytes.
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
  for (size_t i = 0; i < COUNT_OF(numbers); i++)
    numbers[i] = (cl_uint)i;
  clred_plan *plan = PLAN(.custom = &op);
  clred_partial *there = fixture_partial(plan, 100), *here = fixture_partial(plan, 100);
  const clred_host_call call = {.in = numbers, .count = COUNT_OF(numbers)};
  assert_ok(clred_partial_fold_host(here, &call));
  assert_ok(clred_partial_push(under_test.queue, there, &call));
  const size_t size = partial_pack(here, by_host, sizeof by_host);
  ck_assert_uint_eq(partial_pack(there, by_device, sizeof by_device), size);
  ck_assert_msg(memcmp(by_host, by_device, size) == 0, "other bytes");
}

// The fourth component of a vector of three may be anything.
TEST(equal_bytes_of_threes) {
  static cl_uchar numbers[4 * 3000], others[4 * 3000];
  static unsigned char bytes[2][16384];
  size_t sizes[2];
  clred_plan *plan = PLAN(.type = CLRED_VECTOR(CLRED_TYPE_UCHAR, 3), .op = CLRED_OP_SUM);
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    numbers[i] = (cl_uchar)i;
    others[i] = i % 4 < 3 ? numbers[i] : 77;
  }
  for (int i = 0; i < 2; i++) {
    clred_partial *partial = fixture_partial(plan, 5);
    const clred_host_call call = {.in = i ? others : numbers, .count = 3000};
    assert_ok(i ? clred_partial_push(under_test.queue, partial, &call) : clred_partial_fold_host(partial, &call));
    sizes[i] = partial_pack(partial, bytes[i], sizeof bytes[i]);
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
  static const float numbers[3000] = {1, 2, 3};
  clred_plan *plan = PLAN(OP(SUM, FLOAT));
  clred_partial *partial = fixture_partial(plan, 1000), *unpacked = NULL, *kept = fixture_partial(plan, 7);
  size_t size = 0;
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = 3000}));
  assert_ok(clred_partial_fold_host(kept, &(clred_host_call){.in = numbers, .count = 9}));
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

// Numbers that no partial of this size has, behind a right checksum; of a sum with an order, and an exact one.
TEST_EACH(damaged_numbers, 0, 2) {
  static const float numbers[3000] = {1, 2, 3};
  static const struct {
    cl_ulong first, count;
    const char *words;
  } rows[] = {
    {10, 0, "another size"}, {CL_ULONG_MAX - 9, 10, "64 bits"}, {10, CL_ULONG_MAX, "64 bits"}, {10, 1, "another size"}};
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .order = _i ? CLRED_ORDER_EXACT : CLRED_ORDER_FIXED);
  clred_partial *partial = fixture_partial(plan, 10), *kept = fixture_partial(plan, 7);
  static unsigned char bytes[16384];
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = numbers, .count = 3000}));
  assert_ok(clred_partial_fold_host(kept, &(clred_host_call){.in = numbers, .count = 9}));
  const size_t size = partial_pack(partial, bytes, sizeof bytes);
  for (size_t i = 0; i < COUNT_OF(rows) - (_i ? 1 : 0); i++) {
    packed_put(bytes + PACKED_FIRST, rows[i].first);
    packed_put(bytes + PACKED_COUNT, rows[i].count);
    packed_sign(bytes, size);
    check_refused(plan, kept, bytes, size, CLRED_PARTIAL_DAMAGED);
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
