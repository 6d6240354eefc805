// Selections: the kept elements, byte by byte and in order, and their number, by every strategy that can select. The
// test makes each element so that it is kept or not, so it knows the results.

#include "support/fixture.h"

#include "support/random.h"

// ---------------------------------------------------------------- Samples

#define LIMIT 0.25f

static const clred_operand limit = {"limit", "float", sizeof(float)};
static const float limit_value = LIMIT;
static const void *const parameters[] = {&limit_value};

// An element has random bytes and one number that decides whether it is kept: first + step * random. Those of elements
// that are not kept come first.
static const struct sample {
  clred_type type;
  clred_selection selection;
  size_t size;
  clred_type number;  // NONE: the index alone decides
  double first[2], step[2];
} samples[] = {
  {CLRED_TYPE_CHAR, {.name = "negative", .keep = "x < 0"}, 1, CLRED_TYPE_CHAR, {0, -1}, {1, -1}},
  ROW(CLRED_TYPE_FLOAT, {.name = "not_below", .keep = "!(x < limit)", .parameters = &limit, .parameter_count = 1}, 4,
      CLRED_TYPE_FLOAT, {-LIMIT, LIMIT}, {-LIMIT, LIMIT}),
  {CLRED_TYPE_DOUBLE, {.name = "whole", .keep = "x == floor(x)"}, 8, CLRED_TYPE_DOUBLE, {2.5, 2}, {2, 2}},
  ROW(CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), {.name = "tall", .keep = "x.s3 > x.s0"}, 16, CLRED_TYPE_FLOAT, {-1, 1},
      {-1, 1}),
  {CLRED_TYPE_HALF, {.name = "large", .keep = "x >= 0.5f"}, 2, CLRED_TYPE_HALF, {-0.5, 0.5}, {-0x1p-11, 0x1p-11}},
  {CLRED_TYPE_NONE,
   OPERATOR(.name = "threefold", .preamble = "typedef struct { long key; float weight[3]; char kind; } record;",
            .element = "record", .element_size = 24,
            .keep = "{\n  // any number but 0\n  if (x.key % 3 == 0)\n    return -2;\n  return 0;\n}"),
   24,
   CLRED_TYPE_LONG,
   {1, 0},
   {3, 3}},
  {CLRED_TYPE_UINT, {.name = "fifth", .keep = "index % 5 == 0"}, 4, CLRED_TYPE_NONE, {0}, {0}},
};

enum { CHARS, FLOATS, DOUBLES, FLOAT4S, HALVES, RECORDS, FIFTHS, SAMPLES };

// Changes element `at`, which has random bytes, so that it is kept or not. NaNs among floats are kept with their bits.
static void make_element(const struct sample *sample, void *at, bool kept, uint64_t random) {
  const uint32_t nan = 0x7fa00000u | ((uint32_t)random & 0xfffffu);
  const bool is_vector = oracle_components(sample->type) == 4;
  const uint64_t turns = random % (sample->number == CLRED_TYPE_CHAR ? 128 : 1000);
  const double number = sample->first[kept] + sample->step[kept] * (double)turns;
  if (is_vector)
    oracle_put(sample->number, at, 0, -number);
  if (sample->number)
    oracle_put(sample->number, at, is_vector ? 3 : 0, number);
  if (sample->type == CLRED_TYPE_FLOAT && kept && random % 7 == 0)
    memcpy(at, &nan, sizeof nan);
}

// ---------------------------------------------------------------- Data

// The output has room for this number of results before and after those of the call. The room holds a pattern that must
// not change.
#define GUARD 5

// MOST: all elements but the last one of each lane.
enum pattern { ALL, NONE, ALTERNATING, MOST, RANDOM, LAST, PATTERNS };

struct data {
  const struct sample *sample;
  size_t count;
  bool *kept;
  unsigned char *elements;
  uint64_t results;
};

static bool is_kept(const struct sample *sample, enum pattern pattern, size_t i, size_t count) {
  const bool kept[PATTERNS] = {true, false, i % 2 == 1, i % 16 != 15, random_at(pattern, i) % 3 == 0, i + 1 == count};
  return sample->number == CLRED_TYPE_NONE ? i % 5 == 0 : kept[pattern];
}

static struct data make_data(const struct sample *sample, enum pattern pattern, size_t count) {
  struct data data = {sample, count, claim(count + 1), claim((count + 1) * sample->size), 0};
  for (size_t i = 0; i < count * sample->size; i++)
    data.elements[i] = (unsigned char)random_at(7, i);
  for (size_t i = 0; i < count; i++) {
    data.kept[i] = is_kept(sample, pattern, i, count);
    data.results += data.kept[i];
    make_element(sample, data.elements + i * sample->size, data.kept[i], random_at(8, i));
  }
  return data;
}

// Uploads `before` other elements, then the elements of the call, then one more. If the call read the others, it would
// keep them all.
static cl_mem upload(const struct data *data, size_t before) {
  const size_t size = data->sample->size;
  unsigned char *bytes = claim((before + data->count + 1) * size);
  for (size_t i = 0; i <= before + data->count; i++)
    make_element(data->sample, bytes + i * size, true, i);
  memcpy(bytes + before * size, data->elements, data->count * size);
  return fixture_buffer(bytes, (before + data->count + 1) * size);
}

// Writes what the call must write to `out`, after GUARD results.
static void expect(const struct data *data, bool indices, unsigned char *out) {
  const size_t result = indices ? sizeof(cl_ulong) : data->sample->size;
  unsigned char *at = out + GUARD * result;
  for (cl_ulong i = 0; i < data->count; i++)
    if (data->kept[i]) {
      memcpy(at, indices ? (void *)&i : data->elements + i * result, result);
      at += result;
    }
}

// ---------------------------------------------------------------- One call

static void select_one(clred_plan *plan, const struct sample *sample, bool indices, enum pattern pattern, size_t count,
                       size_t before) {
  struct data data = make_data(sample, pattern, count);
  clred_outcome outcome = {99, 99};
  struct image out = fixture_image((count + 2 * GUARD) * (indices ? sizeof(cl_ulong) : sample->size));
  cl_mem in = upload(&data, before);
  char what[128];
  snprintf(what, sizeof what, "%s, pattern %d, %zu elements from %zu on%s", sample->selection.name, (int)pattern, count,
           before, indices ? ", indices" : "");
  RUN(plan, .in = in, .in_offset = before, .count = count, .stride = 1, .parameters = parameters, .out = out.mem,
      .out_offset = GUARD, .outcome = &outcome);
  ck_assert_msg(outcome.count == data.results && outcome.fault == 0, "%s: the outcome is %llu, %llu, not %llu, 0", what,
                (unsigned long long)outcome.count, (unsigned long long)outcome.fault, (unsigned long long)data.results);
  expect(&data, indices, out.bytes);
  check_image(&out, what);
}

// ---------------------------------------------------------------- Strategies

static const struct way {
  const char *strategy, *assume;
  cl_ulong group_size, groups, count_max;
} ways[] = {
  {"scan_chunked", NULL, 0, 0, 0},
  {"scan_wide", "cpu=0", 16, 32, 60000},
  {"scan_reduce_then_scan", "cpu=0", 16, 8, 0},
};

enum { CHUNKED, LOOK_BACK, THREE_LAUNCHES, WAYS };

static void open_as(const struct way *way) {
  if (way->assume)
    fixture_reopen(way->assume);
}

static clred_plan *plan_for(const struct way *way, const struct sample *sample, bool indices) {
  return PLAN(.type = sample->type, .selection = &sample->selection, .indices = indices, .strategy = way->strategy,
              .group_size = way->group_size, .groups = way->groups, .count_max = way->count_max);
}

// Elements of a tile, or of a block.
static size_t tile_of(const clred_plan *plan) {
  const clred_plan_info info = fixture_inspect(plan, 4000);
  const bool runs = strcmp(info.strategy, "scan_wide") != 0;
  return (size_t)info.group_size * (runs ? 32 : (size_t)info.elements);
}

static void by_all_sizes(const struct way *way, const struct sample *sample, bool indices) {
  clred_plan *plan = plan_for(way, sample, indices);
  const size_t tile = tile_of(plan);
  const size_t sizes[] = {0, 1, 2, 3, 17, 127, tile - 1, tile, tile + 1, 2 * tile + 7, 3001, 4096};
  for (size_t i = 0; i < COUNT_OF(sizes); i++)
    for (int pattern = 0; pattern < PATTERNS; pattern++)
      if (pattern == RANDOM || sizes[i] == 17 || sizes[i] == tile)
        select_one(plan, sample, indices, (enum pattern)pattern, sizes[i], i % 2 ? 3 : 0);
  select_one(plan, sample, indices, RANDOM, 40009, 0);
}

// Elements of 3 bytes: no word has this size.
static const struct sample threes = {
  CLRED_TYPE_NONE,
  {.name = "three", .preamble = "typedef struct { char a[3]; } three;", .element = "three", .keep = "x.a[0] < 0"},
  3,
  CLRED_TYPE_CHAR,
  {0, -1},
  {1, -1}};

// Each way has samples that go through local memory and, if the way allows it, samples that do not.
static const bool served[WAYS][SAMPLES] = {
  [CHUNKED] = {[FLOATS] = true, [DOUBLES] = true, [RECORDS] = true, [FIFTHS] = true},
  [LOOK_BACK] = {[FLOATS] = true, [HALVES] = true, [RECORDS] = true},
  [THREE_LAUNCHES] = {[CHARS] = true, [FLOAT4S] = true},
};

TEST_CASE("strategies", fixture_open, fixture_close);

TEST_EACH(kept_by, 0, WAYS) {
  const struct way *way = &ways[_i];
  open_as(way);
  for (int i = 0; i < SAMPLES; i++)
    if (served[_i][i] && (i != DOUBLES || device_has_fp64(&under_test)))
      by_all_sizes(way, &samples[i], false);
  if (_i == CHUNKED)
    by_all_sizes(way, &threes, false);
}

TEST_EACH(indices_by, 0, WAYS) {
  open_as(&ways[_i]);
  by_all_sizes(&ways[_i], &samples[_i == LOOK_BACK ? CHARS : FLOATS], true);
}

// ---------------------------------------------------------------- On the host

static cl_uint keep_on_host(const void *element, cl_ulong index, const void *const *inputs, const void *const *values,
                            void *user_data) {
  float x;
  (void)index, (void)inputs;
  memcpy(&x, element, sizeof x);
  ++*(int *)user_data;
  return !(x < *(const float *)values[0]) ? 7 : 0;
}

TEST_CASE("host", fixture_open, fixture_close);

TEST(kept_on_the_host) {
  int asked = 0;
  struct sample sample = samples[FLOATS];
  sample.selection.host = keep_on_host;
  sample.selection.user_data = &asked;
  clred_plan *plan = plan_for(&(struct way){.strategy = "scan_host_serial"}, &sample, false);
  clred_plan *places = plan_for(&(struct way){.strategy = "scan_host_serial"}, &sample, true);
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    select_one(plan, &sample, false, (enum pattern)pattern, 1001, 3);
    select_one(places, &sample, true, (enum pattern)pattern, 1001, 3);
  }
  select_one(plan, &sample, false, ALL, 0, 0);
  ck_assert_int_eq(asked, 2 * PATTERNS * 1001);
}

TEST(host_memory) {
  struct data data = make_data(&samples[FIFTHS], ALL, 1001);
  unsigned char out[1001 * 4], with_guards[(1001 + GUARD) * 4], *expected = with_guards + GUARD * 4;
  cl_ulong kept = 99;
  image_pattern(out, sizeof out);
  image_pattern(expected, sizeof out);
  expect(&data, false, with_guards);
  const clred_selection *selection = &samples[FIFTHS].selection;
  assert_ok(clred_select_host(under_test.runtime, CLRED_TYPE_UINT, selection, data.elements, 1001, out, &kept));
  ck_assert_uint_eq(kept, 201);
  ck_assert_mem_eq(out, expected, sizeof out);
  assert_ok(clred_select_host(under_test.runtime, CLRED_TYPE_UINT, selection, NULL, 0, NULL, &kept));
  ck_assert_uint_eq(kept, 0);
  // In place: results overwrite the elements.
  assert_ok(
    clred_select_host(under_test.runtime, CLRED_TYPE_UINT, selection, data.elements, 1001, data.elements, &kept));
  ck_assert_mem_eq(data.elements, expected, 201 * 4);
}
