// Quantiles and the largest and smallest elements of every type, compared with a sorted copy: many lengths and kinds of
// data, buffers and host memory, samples that mislead, and devices of other shapes.

#include "support/sorted.h"

#define FEW 37  // elements of top and bottom

// ---------------------------------------------------------------- The expected quantiles

// Long doubles are nearer to the exact value than a double can be, unless it is half way between two of them.
static bool is_nearest(long double exact, double got) {
  const long double error = exact - (long double)got;
  const double beside = nextafter(got, error > 0 ? INFINITY : -INFINITY);
  return fabsl(error) <= fabsl((long double)beside - (long double)got) * 0.5005L;
}

static bool is_linear(const struct item *items, uint64_t count, double q, double got) {
  double position = q * (double)(count - 1);
  uint64_t lower = (uint64_t)position;
  double part = position - (double)lower;
  long double a = items[lower].value, b = items[lower + (part > 0)].value;
  if (part == 0 || a == b)
    return got == (double)a;
  if (isinf(a) || isinf(b))
    return isinf(a) && isinf(b) ? isnan(got) : got == (double)(a + b);
  return is_nearest(a + (b - a) * part, got);
}

static uint64_t expected_rank(double q, uint64_t count, clred_interpolation rule) {
  double position = q * (double)(count - 1), part = position - floor(position);
  uint64_t lower = (uint64_t)position;
  if (rule == CLRED_INTERPOLATION_LOWER)
    return lower;
  if (rule == CLRED_INTERPOLATION_HIGHER)
    return lower + (part > 0);
  return part < 0.5 ? lower : part > 0.5 ? lower + 1 : lower + lower % 2;
}

// ---------------------------------------------------------------- One problem

static const double some[] = {0.5, 0.25, 0.999, 1, 0};

struct trial {
  clred_type type;
  clred_quantile_problem problem;
  clred_quantile *quantile;
  unsigned char *elements;
  struct item *items;
  cl_mem in;
  char name[96];
};

#define TRIAL(...) open_trial(&(const clred_quantile_problem){__VA_ARGS__})
#define SOME(count) .at = some, .at_count = (count)

static struct trial open_trial(const clred_quantile_problem *problem) {
  struct trial trial = {.type = problem->type, .problem = *problem, .quantile = fixture_quantile(problem)};
  const size_t size = (LONGEST + MARGIN) * oracle_size(trial.type);
  trial.elements = claim(size);
  trial.items = claim(LONGEST * sizeof *trial.items);
  trial.in = fixture_buffer(trial.elements, size);
  return trial;
}

// The bits of the element that is the quantile. A zero has no sign.
static uint64_t expected_bits(const struct trial *trial, uint64_t numbers, double q) {
  const uint64_t rank = expected_rank(q, numbers, trial->problem.interpolation);
  const uint64_t bits = oracle_load(trial->elements, oracle_size(trial->type), trial->items[rank].place);
  return oracle_is_floating(trial->type) && oracle_float_value(trial->type, bits) == 0 ? 0 : bits;
}

static void check_quantiles(const struct trial *trial, uint64_t count, uint64_t nans, const void *results) {
  const bool is_nan = nans && trial->problem.nan == CLRED_NAN_PROPAGATE;
  for (size_t i = 0; i < trial->problem.at_count; i++) {
    const double q = trial->problem.at[i];
    if (trial->problem.interpolation == CLRED_INTERPOLATION_LINEAR) {
      const double got = ((const double *)results)[i];
      ck_assert_msg(is_nan ? isnan(got) : is_linear(trial->items, count - nans, q, got),
                    "%s: quantile %g of %llu is not %.17g", trial->name, q, (unsigned long long)count, got);
      continue;
    }
    const uint64_t bits = oracle_load(results, oracle_size(trial->type), i);
    const uint64_t expected = is_nan ? oracle_float_bits(trial->type, NAN) : expected_bits(trial, count - nans, q);
    ck_assert_msg(bits == expected, "%s: quantile %g of %llu has the bits %llx, not %llx", trial->name, q,
                  (unsigned long long)count, (unsigned long long)bits, (unsigned long long)expected);
  }
}

static void check_chosen(const struct trial *trial, const void *results, const cl_ulong *places, uint64_t chosen) {
  const size_t size = oracle_size(trial->type);
  for (uint64_t i = 0; i < chosen; i++) {
    uint64_t place = trial->items[i].place;
    ck_assert_msg(places[i] == place, "%s: number %llu is at %llu, not %llu", trial->name, (unsigned long long)i,
                  (unsigned long long)places[i], (unsigned long long)place);
    ck_assert_msg(oracle_load(results, size, i) == oracle_load(trial->elements, size, place),
                  "%s: number %llu has other bits than its element", trial->name, (unsigned long long)i);
  }
}

// The call takes elements 0 to count - 1 of the trial. `in` has them from `offset` on.
static void run(const struct trial *trial, uint64_t offset, uint64_t count, bool on_host) {
  const clred_quantile_problem *problem = &trial->problem;
  const uint64_t chosen = problem->top + problem->bottom;
  cl_ulong *places = claim((size_t)(chosen + 1) * sizeof *places);
  unsigned char *results = claim((size_t)(chosen + problem->at_count) * sizeof(cl_ulong));
  nans_first = chosen && problem->nan == CLRED_NAN_PROPAGATE;
  descends = problem->top > 0;
  uint64_t nans = sort(trial->type, trial->elements, count, trial->items);
  if (on_host)
    assert_ok(clred_quantile_run_host(under_test.queue, trial->quantile, trial->elements, count, results,
                                      chosen ? places : NULL));
  else
    assert_ok(clred_quantile_run(under_test.queue, trial->quantile, trial->in, offset, count, results,
                                 chosen ? places : NULL, 0, NULL));
  if (chosen)
    check_chosen(trial, results, places, chosen);
  else
    check_quantiles(trial, count, nans, results);
}

static void check_kind(struct trial *trial, enum kind kind, const uint64_t *counts, size_t number) {
  const size_t size = oracle_size(trial->type);
  fill(trial->type, kind, trial->elements);
  for (size_t i = 0; i < number; i++) {
    const uint64_t offset = i % 4;
    snprintf(trial->name, sizeof trial->name, "%s, kind %d, %s", type_name(trial->type), (int)kind,
             trial->problem.at    ? "quantiles"
             : trial->problem.top ? "top"
                                  : "bottom");
    assert_ok(clEnqueueWriteBuffer(under_test.queue, trial->in, CL_TRUE, offset * size, LONGEST * size, trial->elements,
                                   0, NULL, NULL));
    if (counts[i] >= trial->problem.top + trial->problem.bottom)
      run(trial, offset, counts[i], i == number / 2);
  }
}

static const uint64_t lengths[] = {1, 2, 3, 100, 16384, 16385, 50021, LONGEST};

static void check(const clred_quantile_problem *problem) {
  struct trial trial = open_trial(problem);
  check_kind(&trial, ANY_BITS, lengths, COUNT_OF(lengths));
  for (int kind = ANY_BITS + 1; kind < KINDS; kind++)
    check_kind(&trial, (enum kind)kind, lengths + 4, kind == ONE_BUCKET ? 4 : 3);
}

#define CHECK(...) check(&(const clred_quantile_problem){__VA_ARGS__})

TEST_CASE("types", fixture_open, fixture_close);

TEST_EACH(quantiles_of_every_type, CLRED_TYPE_CHAR, CLRED_TYPE_BFLOAT16 + 1) {
  CHECK(SOME(COUNT_OF(some)), .type = (clred_type)_i, .nan = _i % 2 ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE,
        .interpolation = (clred_interpolation)(_i % 4));
}

// The other policy of NaNs, and every rule, by the programs of the tests above.
TEST_EACH(rules, 0, 4) {
  static const clred_type types[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_HALF, CLRED_TYPE_DOUBLE, CLRED_TYPE_BFLOAT16};
  for (size_t i = 0; i < COUNT_OF(types); i++) {
    struct trial trial = TRIAL(SOME(COUNT_OF(some)), .type = types[i], .interpolation = (clred_interpolation)_i,
                               .nan = _i % 2 ? CLRED_NAN_PROPAGATE : CLRED_NAN_IGNORE);
    check_kind(&trial, _i < 2 ? ANY_BITS : FEW_VALUES, lengths, COUNT_OF(lengths));
  }
}

// Linear quantiles of two elements, given by their bits, are the nearest doubles.
static const struct between {
  clred_type type;
  uint64_t low, high;
  double q, value;
} betweens[] = {
  {CLRED_TYPE_LONG, 0x20000000000001, 0x20000000000003, 0.5, 0x20000000000002},
  {CLRED_TYPE_LONG, (uint64_t)1 << 63, CL_LONG_MAX, 0.5, -0.5},
  {CLRED_TYPE_LONG, (uint64_t)1 << 63, CL_LONG_MAX, 0x1p-64, -0x1p63},
  {CLRED_TYPE_LONG, 0x20000000000001, 0x20000000000003, 0.25, 0x20000000000002},  // 1.5 above 2^53
  {CLRED_TYPE_LONG, 0x20000000000000, 0x20000000000001, 0x1p-1074, 0x20000000000000},
  {CLRED_TYPE_LONG, 0x20000000000001, 0x20000000000002, 0x1p-1074, 0x20000000000002},  // just above half way
  {CLRED_TYPE_ULONG, 0, UINT64_MAX, 0.5, 0x1p63},
  {CLRED_TYPE_ULONG, UINT64_MAX - 2050, UINT64_MAX, 0.5, 0x1.fffffffffffffp63},
  {CLRED_TYPE_INT, 0x80000000u, 0x7fffffff, 0x1p-32, -2147483647.0 - 0x1p-32},
  {CLRED_TYPE_DOUBLE, 0xffefffffffffffff, 0x7fefffffffffffff, 0.5, 0},
  {CLRED_TYPE_DOUBLE, 0xffefffffffffffff, 0x7fefffffffffffff, 0.75, 0x1.fffffffffffffp1022},
  {CLRED_TYPE_DOUBLE, 0x8000000000000001, 0, 0.75, 0},  // -2^-1076: zero is +0
  {CLRED_TYPE_DOUBLE, 0x3cb0000000000000, 0x4340000000000000, 0.75, 0x1.8p52},
  {CLRED_TYPE_FLOAT, 0xff7fffff, 0x7f7fffff, 0.25, -0x1.fffffep126},
};

TEST_ROWS(between_two, betweens) {
  const struct between *row = &betweens[_i];
  const size_t size = oracle_size(row->type);
  unsigned char elements[2 * sizeof(cl_ulong)];
  double value = -1;
  oracle_store(elements, size, 0, row->high);
  oracle_store(elements, size, 1, row->low);
  clred_quantile *quantile = QUANTILE(.type = row->type, .at = &row->q, .at_count = 1);
  assert_ok(clred_quantile_run_host(under_test.queue, quantile, elements, 2, &value, NULL));
  ck_assert_msg(value == row->value && (value != 0 || !signbit(value)), "%.17g is not %.17g", value, row->value);
}

// The kernels of other types differ in a few lines that quantiles test, too.
static const clred_quantile_problem chosen[] = {
  {.type = CLRED_TYPE_CHAR, .top = FEW, .count_max = LONGEST},
  {.type = CLRED_TYPE_INT, .bottom = FEW, .count_max = LONGEST},
  {.type = CLRED_TYPE_ULONG, .top = FEW, .count_max = LONGEST},
  {.type = CLRED_TYPE_FLOAT, .bottom = FEW, .nan = CLRED_NAN_IGNORE, .count_max = LONGEST},
  {.type = CLRED_TYPE_DOUBLE, .top = FEW, .count_max = LONGEST},
  {.type = CLRED_TYPE_HALF, .top = FEW, .nan = CLRED_NAN_IGNORE, .count_max = LONGEST},
  {.type = CLRED_TYPE_BFLOAT16, .bottom = FEW, .count_max = LONGEST},
};

TEST_ROWS(tops_and_bottoms, chosen) {
  check(&chosen[_i]);
}

// ---------------------------------------------------------------- Ways through the search

TEST_CASE("ways", fixture_open, fixture_close);

static clred_quantile_info inspect(const struct trial *trial) {
  clred_quantile_info info;
  assert_ok(clred_quantile_inspect(trial->quantile, &info));
  return info;
}

// More elements than candidates, so that keys are counted; most of the elements are chosen.
TEST(many_of_the_elements) {
  struct trial trial = TRIAL(.type = CLRED_TYPE_INT, .bottom = 100000);
  check_kind(&trial, ANY_BITS, (const uint64_t[]){100000, LONGEST}, 2);
  check_kind(&trial, TWO_VALUES, (const uint64_t[]){100001, LONGEST}, 2);
}

// A hundred quantiles are searched by bins alone.
TEST(many_quantiles) {
  double at[100];
  for (int i = 0; i < 100; i++)
    at[i] = (99 - i) / 99.0;
  for (int i = 0; i < 2; i++) {
    struct trial trial =
      TRIAL(.type = i ? CLRED_TYPE_UCHAR : CLRED_TYPE_FLOAT, .at = at, .at_count = 100, .nan = CLRED_NAN_IGNORE);
    check_kind(&trial, ANY_BITS, (const uint64_t[]){1, 100, LONGEST}, 3);
    check_kind(&trial, ONE_BUCKET, (const uint64_t[]){LONGEST}, 1);
  }
}

// The index of element i of the sample (src/quantile/reading.c).
static uint64_t sampled_place(uint64_t i, uint64_t count) {
  uint64_t part = count / 16384, word = i + 1;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 27) * 0x94d049bb133111ebu;
  return i * part + i * (count % 16384) / 16384 + (word ^ word >> 31) % part;
}

// In one run all sampled elements are far below the others, in the next run far above. If this test fails with one
// reading, the library samples other indices now.
TEST(samples_that_mislead) {
  for (int sign = -1; sign <= 1; sign += 2) {
    struct trial trial = TRIAL(SOME(2), .type = CLRED_TYPE_FLOAT);
    float *elements = (float *)trial.elements;
    for (uint64_t i = 0; i < LONGEST; i++)
      elements[i] = (float)random_below(&(random_state){i}, 1000000);
    for (uint64_t i = 0; i < 16384; i++)
      elements[sampled_place(i, LONGEST)] = (float)sign * (2e6f + (float)i);
    write_buffer(trial.in, elements, LONGEST * sizeof *elements);
    run(&trial, 0, LONGEST, false);
    ck_assert_uint_gt(inspect(&trial).readings, 1);
  }
}

// Equal elements need no more passes than others: one or two that guess an interval, and two that find the indices.
TEST(common_elements) {
  for (int values = 1; values <= 3; values++)
    for (int i = 0; i < 3; i++) {
      const clred_quantile_problem problems[] = {
        {.type = CLRED_TYPE_FLOAT, .top = 2, .count_max = LONGEST},
        {.type = CLRED_TYPE_FLOAT, .bottom = 2, .count_max = LONGEST},
        {SOME(5), .type = CLRED_TYPE_FLOAT, .count_max = LONGEST},
      };
      struct trial trial = open_trial(&problems[i]);
      for (uint64_t j = 0; j < LONGEST; j++)
        ((float *)trial.elements)[j] = (float)(random_below(&(random_state){j}, 16) * (uint64_t)values / 16) - 1;
      write_buffer(trial.in, trial.elements, LONGEST * sizeof(float));
      run(&trial, 0, LONGEST, false);
      ck_assert_uint_le(inspect(&trial).readings, i < 2 ? 3 : 2);
    }
}

// A NaN that the sample does not see, and one that it sees.
TEST(a_rare_nan) {
  for (int i = 0; i < 4; i++) {
    const int nan = i % 2, is_seen = i / 2;
    struct trial trial = TRIAL(SOME(5), .type = CLRED_TYPE_FLOAT, .nan = (clred_nan)nan);
    float *elements = (float *)trial.elements;
    for (uint64_t j = 0; j < LONGEST; j++)
      elements[j] = (float)(j * 7919 % 65537);
    elements[sampled_place(9, LONGEST) + !is_seen] = -NAN;
    write_buffer(trial.in, elements, LONGEST * sizeof *elements);
    run(&trial, 0, LONGEST, false);
    ck_assert_uint_eq(inspect(&trial).nans, 1);
  }
}

// ---------------------------------------------------------------- Other devices

static const char *const devices[] = {"cpu=0,compute_units=4", "cpu=0,local_mem_size=4096,max_work_group_size=32",
                                      "max_alloc=262144", "loop_trips=40000"};

TEST_CASE("devices", fixture_open, fixture_close);

TEST_ROWS(on_other_devices, devices) {
  fixture_reopen(devices[_i]);
  CHECK(SOME(5), .type = CLRED_TYPE_FLOAT, .nan = CLRED_NAN_IGNORE);
  if (_i == 0)
    CHECK(.type = CLRED_TYPE_USHORT, .top = FEW);
}

// Memory that no buffer of the device holds.
TEST(longer_than_a_buffer) {
  fixture_reopen("max_alloc=100000");
  for (int i = 0; i < 2; i++) {
    struct trial trial = i ? TRIAL(.type = CLRED_TYPE_FLOAT, .bottom = FEW) : TRIAL(SOME(5), .type = CLRED_TYPE_FLOAT);
    for (int kind = FEW_VALUES; kind < KINDS; kind++) {
      fill(CLRED_TYPE_FLOAT, (enum kind)kind, trial.elements);
      run(&trial, 0, LONGEST, true);
    }
  }
}

// Returns the seconds of a run in a queue with these properties.
static double median_in_queue(cl_command_queue_properties properties) {
  cl_command_queue queue = fixture_queue(properties);
  struct trial trial = TRIAL(SOME(1), .type = CLRED_TYPE_FLOAT);
  double median;
  for (uint64_t i = 0; i < LONGEST; i++)
    ((float *)trial.elements)[i] = (float)(i * 7919 % LONGEST);
  write_buffer(trial.in, trial.elements, LONGEST * sizeof(float));
  assert_ok(clred_quantile_run(queue, trial.quantile, trial.in, 0, LONGEST, &median, NULL, 0, NULL));
  ck_assert(median == LONGEST / 2);
  return inspect(&trial).seconds;
}

TEST(in_other_queues) {
  if (fixture_has_out_of_order())
    ck_assert_double_eq(median_in_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), 0);
  ck_assert_double_gt(median_in_queue(CL_QUEUE_PROFILING_ENABLE), 0);
}

// ---------------------------------------------------------------- Wait lists

// A run waits for the events of its list. The writes before the last one take longer than a run that does not wait.
TEST(waits_for_events) {
  cl_command_queue queue = fixture_queue(0);
  const size_t large = (size_t)16 << 20;
  void *bytes = claim(large);
  cl_mem slow = fixture_buffer(bytes, large), in = fixture_numbers(20);
  cl_event written = NULL;
  float others[20];
  double result = -1;
  clred_quantile *median = QUANTILE(.type = CLRED_TYPE_FLOAT, SOME(1));
  for (int i = 0; i < 20; i++)
    others[i] = 1000;
  assert_ok(clred_quantile_warm(under_test.queue, median));
  for (int i = 0; i < 20; i++)
    assert_ok(clEnqueueWriteBuffer(queue, slow, CL_FALSE, 0, large, bytes, 0, NULL, NULL));
  assert_ok(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, sizeof others, others, 0, NULL, &written));
  assert_ok(clFlush(queue));
  assert_ok(clred_quantile_run(under_test.queue, median, in, 0, 20, &result, NULL, 1, &written));
  ck_assert(result == 1000);
  clReleaseEvent(written);
  if (!fixture_has_user_events())
    return;
  result = -1;
  cl_event failed = fixture_user_event();
  assert_ok(clSetUserEventStatus(failed, -5));
  assert_refused(clred_quantile_run(under_test.queue, median, in, 0, 20, &result, NULL, 1, &failed),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event_wait_list ended in");
  ck_assert(result == -1);
}
