// Where runs begin, by flags and by keys of every type: the offsets of the runs, the count after them, and their
// number.

#include "support/fixture.h"

#include "call/call.h"
#include "support/random.h"

#define GUARD 3

// Keys repeat after three runs. Only the second parts of complex numbers differ.
static const struct kind {
  const char *name;
  clred_type keys;
  double values[3];
} kinds[] = {
  {"flags", CLRED_TYPE_NONE, {0}},           {"int", CLRED_TYPE_INT, {-1, 0, 1}},
  {"char", CLRED_TYPE_CHAR, {9, -7, 5}},     {"ulong", CLRED_TYPE_ULONG, {5, 0x1p40 + 5, 0x1p41 + 5}},
  {"float", CLRED_TYPE_FLOAT, {0, 1.5, -2}}, {"cfloat", CLRED_TYPE_CFLOAT, {4, 3, 2}},
  {"half", CLRED_TYPE_HALF, {2, 1, 0.5}},
};

enum { FLAGS, INTS, CHARS, ULONGS, FLOATS, CFLOATS, HALVES, KINDS };

static size_t key_size(const struct kind *kind) {
  return kind->keys ? oracle_size(kind->keys) : 1;
}

// -0 and +0 are one key and alternate. For NaNs see every_nan_is_a_run.
static void make_key(const struct kind *kind, void *at, uint64_t run) {
  static unsigned turn;
  const double value = kind->values[run % 3];
  if (kind->keys == CLRED_TYPE_CFLOAT)
    memcpy(at, (float[2]){2, (float)value}, 2 * sizeof(float));
  else
    oracle_put(kind->keys, at, 0, value == 0 && ++turn % 2 ? -0.0L : (long double)value);
}

struct runs_data {
  unsigned char *keys;
  cl_ulong *offsets, runs;
};

static struct runs_data make_runs(const struct kind *kind, size_t count, uint64_t longest) {
  struct runs_data data = {claim((count + 1) * key_size(kind)), claim((count + 1) * sizeof(cl_ulong)), 0};
  uint64_t left = 0;
  for (size_t i = 0; i < count; i++, left--) {
    const bool head = left == 0;
    if (head) {
      data.offsets[data.runs++] = i;
      left = 1 + random_at(longest, i) % longest;
    }
    if (kind->keys)
      make_key(kind, data.keys + i * key_size(kind), data.runs);
    else
      data.keys[i] = head && i > 0 ? 128 : 0;
  }
  data.offsets[data.runs] = count;
  return data;
}

static cl_int enqueue(clred_plan *plan, const clred_call *call) {
  const struct clr_request request = {.purpose = CLR_FOR_SELECTIONS, .queue = under_test.queue, .call = *call};
  struct clr_status status = {0};
  return clr_enqueue(plan, &request, &status);
}

static void find_runs(clred_plan *plan, const struct kind *kind, size_t count, uint64_t longest, size_t before) {
  struct runs_data data = make_runs(kind, count, longest);
  cl_ulong *got = claim((count + 1 + 2 * GUARD) * sizeof *got), found[2];
  unsigned char *keys = claim((before + count) * key_size(kind));
  memcpy(keys + before * key_size(kind), data.keys, count * key_size(kind));
  for (size_t i = 0; i < count + 1 + 2 * GUARD; i++)
    got[i] = 77;
  cl_mem in = fixture_buffer(keys, (before + count) * key_size(kind)),
         outcome = fixture_buffer((cl_ulong[2]){9, 9}, 16);
  cl_mem out = fixture_buffer(got, (count + 1 + 2 * GUARD) * sizeof *got);
  assert_ok(enqueue(
    plan,
    &(const clred_call){
      .in = in, .in_offset = before, .count = count, .out = out, .out_offset = GUARD, .outcome_buffer = outcome}));
  read_buffer(outcome, found, 16);
  read_buffer(out, got, (count + 1 + 2 * GUARD) * sizeof *got);
  ck_assert_msg(found[0] == data.runs && found[1] == 0, "%s: %llu runs of %zu, not %llu", kind->name,
                (unsigned long long)found[0], count, (unsigned long long)data.runs);
  for (size_t i = 0; i < count + 1 + 2 * GUARD; i++) {
    const cl_ulong expected = i < GUARD || i > GUARD + data.runs ? 77 : data.offsets[i - GUARD];
    ck_assert_msg(got[i] == expected, "%s: %zu from %zu on: place %zu is %llu, not %llu", kind->name, count, before, i,
                  (unsigned long long)got[i], (unsigned long long)expected);
  }
}

static clred_plan *plan_of(clred_type keys, const char *strategy) {
  struct clr_status status = {0};
  clred_plan *plan = NULL;
  const cl_int made = clr_runs_plan_make(under_test.runtime,
                                         &(const struct clr_runs){.keys = keys, .strategy = strategy}, &plan, &status);
  ck_assert_msg(made == CL_SUCCESS, "no plan: %s", status.message);
  return OWN(plan);
}

static void by_all_sizes(const struct kind *kind, const char *strategy) {
  static const size_t sizes[] = {1, 2, 3, 16, 17, 1000, 2047, 2048, 2049, 9001, 20000};
  clred_plan *plan = plan_of(kind->keys, strategy);
  for (size_t i = 0; i < COUNT_OF(sizes); i++) {
    find_runs(plan, kind, sizes[i], i % 3 == 0 ? 1 : 40, i % 2);
    find_runs(plan, kind, sizes[i], 5000, 0);
  }
}

TEST_CASE("runs", fixture_open, fixture_close);

TEST(runs_by_blocks) {
  for (int i = 0; i < KINDS; i++)
    if (i != CHARS && i != ULONGS)
      by_all_sizes(&kinds[i], "scan_chunked");
}

TEST(runs_by_tiles) {
  static const int served[] = {ULONGS, CHARS};
  fixture_reopen("cpu=0");
  for (size_t i = 0; i < COUNT_OF(served); i++)
    by_all_sizes(&kinds[served[i]], i == 0 ? "scan_reduce_then_scan" : "scan_wide");
}

// A NaN is not equal to itself, so each NaN is a run.
TEST(every_nan_is_a_run) {
  cl_uint keys[100];
  cl_ulong got[101], found[2];
  clred_plan *plan = plan_of(CLRED_TYPE_FLOAT, NULL);
  for (size_t i = 0; i < 100; i++)
    keys[i] = i < 50 ? 0x7fc00000u : 0x3f800000u;
  cl_mem in = fixture_buffer(keys, sizeof keys), out = fixture_buffer(got, sizeof got),
         outcome = fixture_buffer(found, 16);
  assert_ok(enqueue(plan, &(const clred_call){.in = in, .count = 100, .out = out, .outcome_buffer = outcome}));
  read_buffer(outcome, found, 16);
  read_buffer(out, got, sizeof got);
  ck_assert_uint_eq(found[0], 51);
  for (size_t i = 0; i <= 51; i++)
    ck_assert_uint_eq(got[i], i <= 50 ? i : 100);
  // There is no room for the offset after the last run.
  assert_status(enqueue(plan, &(const clred_call){.in = in, .count = 100, .out = out, .out_offset = 1}),
                CLRED_OUT_OF_RANGE);
}
