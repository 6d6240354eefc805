// Selections: the kept elements, byte by byte and in order, and their number, by every strategy that can select. The
// test makes each element so that it is kept or not, so it knows the results.

#include "support/fixture.h"

#include "support/random.h"

// ---------------------------------------------------------------- Samples

#define LIMIT 0.25f

// Changes element `at`, which has random bytes, so that it is kept or not.
typedef void make_element(void *at, bool kept, uint64_t random);

static void make_char(void *at, bool kept, uint64_t random) {
  *(cl_char *)at = (cl_char)(kept ? -1 - (int)(random % 128) : (int)(random % 128));
}

// NaNs are kept with their bits.
static void make_float(void *at, bool kept, uint64_t random) {
  const cl_uint nan = 0x7fa00000u | ((cl_uint)random & 0xfffffu);
  const float value = (kept ? LIMIT : -LIMIT) * (1 + (float)(random % 1000));
  memcpy(at, &value, sizeof value);
  if (kept && random % 7 == 0)
    memcpy(at, &nan, sizeof nan);
}

static void make_double(void *at, bool kept, uint64_t random) {
  const double value = (kept ? 2.0 : 2.5) + (double)(2 * (random % 1000));
  memcpy(at, &value, sizeof value);
}

static void make_float4(void *at, bool kept, uint64_t random) {
  const float value[4] = {1, (float)(random % 99), -3, kept ? 1.5f : 0.5f};
  memcpy(at, value, sizeof value);
}

static void make_half(void *at, bool kept, uint64_t random) {
  const cl_ushort bits = (cl_ushort)((kept ? 0x3800 : 0xb800) + random % 0x400);  // 0.5 and up, -0.5 and down
  memcpy(at, &bits, sizeof bits);
}

static void make_record(void *at, bool kept, uint64_t random) {
  const cl_long key = (cl_long)(3 * (random % 100000) + !kept);
  memcpy(at, &key, sizeof key);
}

// The index alone decides whether an element is kept.
static void make_anything(void *at, bool kept, uint64_t random) {
  (void)at, (void)kept, (void)random;
}

static const clred_operand limit = {"limit", "float", sizeof(float)};
static const float limit_value = LIMIT;
static const void *const parameters[] = {&limit_value};

static const struct sample {
  clred_type type;
  clred_selection selection;
  size_t size;
  make_element *make;
} samples[] = {
  {CLRED_TYPE_CHAR, {.name = "negative", .keep = "x < 0"}, 1, make_char},
  ROW(CLRED_TYPE_FLOAT, {.name = "not_below", .keep = "!(x < limit)", .parameters = &limit, .parameter_count = 1}, 4,
      make_float),
  {CLRED_TYPE_DOUBLE, {.name = "whole", .keep = "x == floor(x)"}, 8, make_double},
  {CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), {.name = "tall", .keep = "x.s3 > x.s0"}, 16, make_float4},
  {CLRED_TYPE_HALF, {.name = "large", .keep = "x >= 0.5f"}, 2, make_half},
  {CLRED_TYPE_NONE,
   OPERATOR(.name = "threefold", .preamble = "typedef struct { long key; float weight[3]; char kind; } record;",
            .element = "record", .element_size = 24,
            .keep = "{\n  // any number but 0\n  if (x.key % 3 == 0)\n    return -2;\n  return 0;\n}"),
   24, make_record},
  {CLRED_TYPE_UINT, {.name = "fifth", .keep = "index % 5 == 0"}, 4, make_anything},
};

enum { CHARS, FLOATS, DOUBLES, FLOAT4S, HALVES, RECORDS, FIFTHS, SAMPLES };

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
  return sample->make == make_anything ? i % 5 == 0 : kept[pattern];
}

static struct data make_data(const struct sample *sample, enum pattern pattern, size_t count) {
  struct data data = {sample, count, claim(count + 1), claim((count + 1) * sample->size), 0};
  for (size_t i = 0; i < count * sample->size; i++)
    data.elements[i] = (unsigned char)random_at(7, i);
  for (size_t i = 0; i < count; i++) {
    data.kept[i] = is_kept(sample, pattern, i, count);
    data.results += data.kept[i];
    sample->make(data.elements + i * sample->size, data.kept[i], random_at(8, i));
  }
  return data;
}

// Uploads `before` other elements, then the elements of the call, then one more. If the call read the others, it would
// keep them all.
static cl_mem upload(const struct data *data, size_t before) {
  const size_t size = data->sample->size;
  unsigned char *bytes = claim((before + data->count + 1) * size);
  for (size_t i = 0; i <= before + data->count; i++)
    data->sample->make(bytes + i * size, true, i);
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

static cl_mem empty_out(size_t size) {
  unsigned char *bytes = claim(size);
  image_pattern(bytes, size);
  return fixture_buffer(bytes, size);
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
  {"scan_look_back", "cpu=0", 16, 32, 60000},
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
  const bool runs = strcmp(info.strategy, "scan_look_back") != 0;
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
  make_char};

// Each way has samples that go through local memory and, if the way allows it, samples that do not.
static const bool served[WAYS][SAMPLES] = {
  [CHUNKED] = {[FLOATS] = true, [DOUBLES] = true, [RECORDS] = true, [FIFTHS] = true},
  [LOOK_BACK] = {[FLOATS] = true, [HALVES] = true, [RECORDS] = true},
  [THREE_LAUNCHES] = {[CHARS] = true, [FLOAT4S] = true},
};

TEST_CASE("kept", fixture_open, fixture_close);

TEST_EACH(kept_by, 0, WAYS) {
  const struct way *way = &ways[_i];
  open_as(way);
  for (int i = 0; i < SAMPLES; i++)
    if (served[_i][i] && (i != DOUBLES || device_has_fp64(&under_test)))
      by_all_sizes(way, &samples[i], false);
  if (_i == CHUNKED)
    by_all_sizes(way, &threes, false);
}

TEST_CASE("indices", fixture_open, fixture_close);

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

// A selection on the host writes its outcome to a buffer. clred_strategy_applies accepts and refuses selections, too.
TEST(outcome_of_the_host) {
  int asked = 0;
  clred_selection selection = samples[FLOATS].selection;
  selection.host = keep_on_host;
  selection.user_data = &asked;
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .selection = &selection, .strategy = "scan_host_serial"};
  clred_plan *plan = fixture_plan(&problem);
  cl_mem in = fixture_numbers(500), out = empty_out(2000), table = empty_out(3 * sizeof(clred_outcome));
  clred_outcome found[3], before[3];
  image_pattern(before, sizeof before);
  cl_event event = ENQUEUE_EVENT(under_test.queue, plan, NULL, .in = in, .parameters = parameters, .count = 500,
                                 .out = out, .outcome_buffer = table, .outcome_offset = 1);
  assert_ok(clEnqueueReadBuffer(under_test.queue, table, CL_TRUE, 0, sizeof found, found, 1, &event, NULL));
  ck_assert_uint_eq(found[1].count, 500);
  ck_assert_uint_eq(found[1].fault, 0);
  ck_assert_msg(memcmp(&found[0], &before[0], sizeof found[0]) == 0 &&
                  memcmp(&found[2], &before[2], sizeof found[2]) == 0,
                "a neighbour of the outcome was written");
  check_applies("scan_host_serial", &problem, CL_SUCCESS, "");
  check_applies("scan_blelloch", &problem, CLRED_STRATEGY_REFUSED, "");
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
  ck_assert_msg(memcmp(out, expected, sizeof out) == 0, "host memory holds something else than what is kept");
  assert_ok(clred_select_host(under_test.runtime, CLRED_TYPE_UINT, selection, NULL, 0, NULL, &kept));
  ck_assert_uint_eq(kept, 0);
  // In place: results overwrite the elements.
  assert_ok(
    clred_select_host(under_test.runtime, CLRED_TYPE_UINT, selection, data.elements, 1001, data.elements, &kept));
  ck_assert_msg(memcmp(data.elements, expected, 201 * 4) == 0, "selected over itself, something else is there");
}

// ---------------------------------------------------------------- Calls

#define LENGTH 5000

static clred_plan *fifths(bool strided) {
  return PLAN(.type = CLRED_TYPE_UINT, .selection = &samples[FIFTHS].selection,
              .layout = strided ? CLRED_LAYOUT_STRIDED : CLRED_LAYOUT_LINE, .in_flight = 2);
}

// Outcomes in host memory and in a buffer, of calls that do not wait.
static void outcomes(cl_command_queue_properties properties) {
  clred_plan *plan = fifths(false);
  cl_command_queue queue = fixture_queue(properties);
  cl_mem in = fixture_numbers(LENGTH), outs[4], table = empty_out(8 * sizeof(clred_outcome));
  clred_outcome here[4], there[8], before[8];
  cl_event events[4];
  image_pattern(before, sizeof before);
  for (size_t i = 0; i < 4; i++) {
    outs[i] = empty_out(LENGTH * 4);
    events[i] =
      ENQUEUE_EVENT(queue, plan, NULL, .in = in, .count = i * 1000, .out = outs[i], .outcome = i == 1 ? NULL : &here[i],
                    .outcome_buffer = i == 3 ? NULL : table, .outcome_offset = 2 * i);
  }
  assert_ok(clWaitForEvents(4, events));
  assert_ok(clEnqueueReadBuffer(queue, table, CL_TRUE, 0, sizeof there, there, 0, NULL, NULL));
  for (size_t i = 0; i < 4; i++) {
    ck_assert_msg(i == 1 || (here[i].count == i * 200 && here[i].fault == 0), "outcome %zu in host memory is %llu", i,
                  (unsigned long long)here[i].count);
    ck_assert_msg(i == 3 || (there[2 * i].count == i * 200 && there[2 * i].fault == 0),
                  "outcome %zu on the device is %llu", i, (unsigned long long)there[2 * i].count);
    ck_assert_msg(memcmp(&there[2 * i + 1], &before[2 * i + 1], sizeof before[0]) == 0, "place %zu was written",
                  2 * i + 1);
  }
}

TEST_CASE("calls", fixture_open, fixture_close);

TEST(outcomes_in_order) {
  outcomes(0);
}

TEST(outcomes_out_of_order) {
  if (fixture_has_out_of_order())
    outcomes(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  else
    fixture_skip("outcomes out of order", "the device has no such queues");
}

TEST(strided_elements) {
  clred_plan *plan = fifths(true);
  cl_uint numbers[300], got[100];
  clred_outcome outcome;
  for (cl_uint i = 0; i < 300; i++)
    numbers[i] = i;
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = empty_out(sizeof got);
  RUN(plan, .in = in, .in_offset = 1, .count = 99, .stride = 3, .out = out, .outcome = &outcome);
  ck_assert_uint_eq(outcome.count, 20);
  read_buffer(out, got, sizeof got);
  for (cl_uint i = 0; i < 20; i++)
    ck_assert_uint_eq(got[i], 1 + 15 * i);
}

// A further input of flags, with another offset than the elements.
TEST(further_inputs) {
  static const clred_operand flag = {"flag", "uchar", 1};
  static const clred_selection marked = {.name = "marked", .keep = "flag", .inputs = &flag, .input_count = 1};
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .selection = &marked);
  unsigned char flags[1004];
  clred_outcome outcome;
  float got[1000];
  size_t kept = 0;
  for (size_t i = 0; i < sizeof flags; i++)
    flags[i] = random_at(3, i) % 4 == 0 ? 128 : 0;
  const cl_mem in = fixture_numbers(1000), mask = fixture_buffer(flags, sizeof flags), out = empty_out(sizeof got);
  const cl_ulong offset = 4;
  RUN(plan, .in = in, .inputs = &mask, .input_offsets = &offset, .count = 1000, .out = out, .outcome = &outcome);
  read_buffer(out, got, sizeof got);
  for (size_t i = 0; i < 1000; i++)
    if (flags[4 + i])
      ck_assert_float_eq(got[kept++], fixture_sum(i, 1));
  ck_assert_uint_eq(outcome.count, kept);
}

// ---------------------------------------------------------------- What is refused

static const clred_selection odd = {.name = "odd", .keep = "(int)x & 1"};
static const clred_operator plus = {
  .name = "plus", .element = "float", .state = "float", .identity = "0", .combine = "a + b"};
#define ODD .type = CLRED_TYPE_FLOAT, .selection = &odd

static const struct refused_plan refusals[] = {
  {{ODD, .op = CLRED_OP_ADD}, CLRED_INVALID_PROBLEM, "op is given together with selection"},
  {{ODD, .custom = &plus}, CLRED_INVALID_PROBLEM, "custom is given together with selection"},
  {{ODD, SCAN(INCLUSIVE)}, CLRED_INVALID_PROBLEM, "scan is given together with selection"},
  {{ODD, .in_place = CL_TRUE}, CLRED_INVALID_PROBLEM, "in_place is given"},
  {{ODD, .reversed = CL_TRUE}, CLRED_INVALID_PROBLEM, "reversed is given"},
  {{ODD, .nan = CLRED_NAN_IGNORE}, CLRED_INVALID_PROBLEM, "nan is given"},
  {{ODD, LAYOUT(ROWS)}, CLRED_INVALID_PROBLEM, "layout"},
  {{ODD, .strategy = "scan_blelloch"}, CLRED_STRATEGY_REFUSED, "scan_blelloch cannot run selections"},
  {{ODD, .strategy = "wide"}, CLRED_STRATEGY_REFUSED, "wide"},
  {{ODD, .strategy = "scan_host_serial"}, CLRED_NO_HOST_OPERATOR, "odd has no host callbacks"},
  {{.selection = &odd}, CLRED_INVALID_PROBLEM, "the element type is missing"},
  {{.type = (clred_type)77, .selection = &odd}, CLRED_INVALID_PROBLEM, "type: 77"},
  {{OP(ADD, FLOAT), .indices = CL_TRUE}, CLRED_INVALID_PROBLEM, "indices is for selections"},
  ROW({.type = CLRED_TYPE_FLOAT, .selection = &(const clred_selection){.name = "none"}}, CLRED_OPERATOR_TEXT,
      "selection 'none': keep is missing"),
  ROW({.type = CLRED_TYPE_FLOAT, .selection = &(const clred_selection){.keep = "x > 0"}}, CLRED_OPERATOR_TEXT,
      "name is missing"),
  ROW({.type = CLRED_TYPE_FLOAT, .selection = &(const clred_selection){.name = "both", .element = "int", .keep = "x"}},
      CLRED_INVALID_PROBLEM, "element 'int' is given together with type"),
  ROW({.type = CLRED_TYPE_FLOAT, .selection = &(const clred_selection){.name = "open", .keep = "(x > 0"}},
      CLRED_OPERATOR_TEXT, "selection 'open': keep, line 1"),
  ROW({.type = CLRED_TYPE_FLOAT, .selection = &(const clred_selection){.name = "stranger", .keep = "x >\n  stranger"}},
      CLRED_OPERATOR_TEXT, "selection 'stranger': keep, line 2"),
  ROW({.selection = &(const clred_selection){.name = "large", .element = "int4", .element_size = 12, .keep = "x.x"}},
      CLRED_OPERATOR_TEXT, "selection 'large': element"),
};

TEST_CASE("refused", fixture_open, fixture_close);

TEST(refused_problems) {
  check_refused_plans(refusals);
  clred_law laws[CLRED_LAWS];
  assert_refused(clred_check_laws(under_test.runtime, &(const clred_problem){ODD}, 1, laws), CLRED_INVALID_PROBLEM,
                 "selection: only operators");
}

TEST(refused_calls) {
  clred_plan *plan = fifths(false), *sum = PLAN(OP(ADD, FLOAT));
  clred_outcome outcome = {5, 6};
  cl_uint state = 0;
  cl_mem in = fixture_numbers(1000), out = empty_out(4000), table = empty_out(32);
  const struct {
    clred_call call;
    cl_int status;
    const char *word;
  } calls[] = {
    {{.in = in, .out = out, .out_offset = 1, .count = 1000}, CLRED_OUT_OF_RANGE, "out: "},
    {{.in = in, .out = out, .in_offset = 1, .count = 1000}, CLRED_OUT_OF_RANGE, "in: "},
    {{.in = in, .out = in, .count = 500}, CLRED_INVALID_ARGUMENT, "out overlaps in"},
    {{.in = in, .out = in, .out_offset = 499, .count = 500}, CLRED_INVALID_ARGUMENT, "out overlaps in"},
    {{.in = in, .count = 500}, CLRED_INVALID_ARGUMENT, "out is NULL"},
    {{.in = in, .result = &state, .count = 1}, CLRED_INVALID_ARGUMENT, "result: "},
    {{.in = in, .out = out, .initial = &state, .count = 1}, CLRED_INVALID_ARGUMENT, "initial: "},
    {{.in = in, .out = out, .initial_buffer = table, .count = 1}, CLRED_INVALID_ARGUMENT, "initial_buffer: "},
    {{.in = in, .out = out, .out_stride = 2, .count = 1}, CLRED_INVALID_ARGUMENT, "out_stride: "},
    ROW({.in = in, .out = out, .count = 9, .outcome_buffer = table, .outcome_offset = 2}, CLRED_OUT_OF_RANGE,
        "outcome_buffer: "),
    {{.in = in, .out = out, .count = 9, .outcome_buffer = out}, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps out"},
    {{.in = in, .out = out, .count = 9, .outcome_buffer = in}, CLRED_INVALID_ARGUMENT, "outcome_buffer overlaps in"},
  };
  for (size_t i = 0; i < COUNT_OF(calls); i++) {
    clred_call call = calls[i].call;
    call.outcome = &outcome;
    fixture_call(plan, &call, calls[i].status, calls[i].word);
    ck_assert_msg(outcome.count == 5 && outcome.fault == 6, "a refused call wrote its outcome");
  }
  refused_naming(clred_enqueue_scan(under_test.queue, plan, in, out, 0, 0, 9, 0, NULL, NULL),
                 "the plan selects, and this call scans");
  refused_naming(clred_enqueue_reduce(under_test.queue, plan, in, out, 0, 0, 9, 0, NULL, NULL),
                 "the plan selects, and this call reduces");
  refused_naming(clred_enqueue_scan(under_test.queue, sum, in, out, 0, 0, 9, 0, NULL, NULL),
                 "make it with problem.scan");
  assert_invalid(clred_plan_reference(plan, &(clred_host_call){.in = &state, .count = 1, .out = &state}));
}
