// Making elements and solving each kind of work by a plain loop.
#include "bench/answers.h"

#include <stdlib.h>

#include "base/number.h"
#include "input/generate.h"

enum { LONGEST_RUN = 15, UNIT = 64, BIN_UNIT = 1 << 20 };

const clred_type bench_types[BENCH_TYPES] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_INT, CLRED_TYPE_UCHAR,
                                             CLRED_TYPE_HALF,  CLRED_TYPE_USHORT, CLRED_TYPE_LONG};

// ---- Elements

// All elements are whole numbers. Sums of 2^30 floats stay below 2^24, so they are exact.
static int64_t value_of_sum(enum bench_type type, uint64_t i) {
  const uint64_t bits = splitmix64(i);
  return type == BENCH_UCHAR ? (int64_t)(bits >> 56)
         : type == BENCH_INT ? (int64_t)(bits >> 44) - (1 << 19)
                             : (int64_t)((bits >> 32) % 127) - 63;
}

static int64_t value_of_bin(enum bench_type type, uint64_t i) {
  const int64_t value = (int64_t)(splitmix64(i) >> 44);
  return type == BENCH_UCHAR ? value >> 12 : type == BENCH_USHORT ? value >> 4 : value;
}

static int64_t value_at(enum pattern pattern, enum bench_type type, uint64_t i) {
  return pattern == PATTERN_UNITS ? value_of_sum(type, i) : value_of_bin(type, pattern == PATTERN_ALIKE ? 5 : i);
}

static double unit_of(enum pattern pattern, enum bench_type type) {
  if (type != BENCH_FLOAT && type != BENCH_DOUBLE)
    return 1;
  return pattern == PATTERN_UNITS ? UNIT : BIN_UNIT;
}

#define STORE(name, element) \
  static void store_##name(void *to, size_t i, double value) { \
    ((element *)to)[i] = (element)value; \
  }
STORE(float, float)
STORE(double, double)
STORE(int, int32_t)
STORE(uchar, unsigned char)
STORE(ushort, unsigned short)

void elements_make(enum pattern pattern, enum bench_type type, void *to, size_t count) {
  static void (*const stores[BENCH_TYPES])(void *, size_t, double) = {[BENCH_FLOAT] = store_float,
                                                                      [BENCH_DOUBLE] = store_double,
                                                                      [BENCH_INT] = store_int,
                                                                      [BENCH_UCHAR] = store_uchar,
                                                                      [BENCH_USHORT] = store_ushort};
  const double unit = unit_of(pattern, type);
  for (size_t i = 0; i < count; i++)
    stores[type](to, i, (double)value_at(pattern, type, i) / unit);
}

void keys_make(int32_t *keys, size_t count) {
  const uint64_t other = UINT64_C(1) << 40;  // larger than the index of any element
  size_t at = 0;
  for (uint32_t run = 0; at < count; run++)
    for (size_t left = 1 + splitmix64(other + run) % LONGEST_RUN; left > 0 && at < count; left--)
      keys[at++] = (int32_t)(run * 2654435761u);
}

// ---- Solving

static int64_t element(const struct answers *answers, size_t i) {
  return value_at(answers->pattern, answers->work->type, i);
}

static void solve_sum(struct answers *answers) {
  for (size_t i = 0; i < answers->work->count; i++)
    answers->results[0] += element(answers, i);
  answers->count = 1;
}

static void solve_scan(struct answers *answers) {
  const bool inclusive = answers->work->kind == BENCH_INCLUSIVE;
  int64_t sum = 0;
  size_t stretch = 0, at = 0;
  for (size_t i = 0; i < answers->work->count; i++) {
    const int64_t value = element(answers, i);
    if (stretch < answers->stretches && i >= answers->first[stretch]) {
      answers->results[at++] = inclusive ? sum + value : sum;
      stretch += i + 1 == answers->first[stretch] + answers->length;
    }
    sum += value;
  }
  answers->count = answers->work->count;
}

static void solve_segments(struct answers *answers) {
  const struct bench_work *work = answers->work;
  for (size_t i = 0; i < work->results; i++) {
    const size_t first = work->length ? i * work->length : work->offsets[i];
    const size_t end = work->length ? first + work->length : work->offsets[i + 1];
    for (size_t j = first; j < end; j++)
      answers->results[i] += element(answers, j);
  }
  answers->count = work->results;
}

static void solve_reduce_by_key(struct answers *answers) {
  const int32_t *keys = answers->work->keys;
  for (size_t i = 0; i < answers->work->count; i++) {
    if (i == 0 || keys[i] != keys[i - 1])
      answers->keys[answers->count++] = keys[i];
    answers->results[answers->count - 1] += element(answers, i);
  }
  answers->number = answers->count;
}

static void solve_scan_by_key(struct answers *answers) {
  const int32_t *keys = answers->work->keys;
  for (size_t i = 0; i < answers->work->count; i++)
    answers->results[i] = (i > 0 && keys[i] == keys[i - 1] ? answers->results[i - 1] : 0) + element(answers, i);
  answers->count = answers->work->count;
}

static void solve_select(struct answers *answers) {
  for (size_t i = 0; i < answers->work->count; i++)
    if (element(answers, i) > 0)
      answers->results[answers->count++] = element(answers, i);
  answers->number = answers->count;
}

// The number of bins is a power of two, so the edges are whole units.
static void solve_histogram(struct answers *answers) {
  const struct bench_work *work = answers->work;
  const int64_t range = (int64_t)(work->high * unit_of(answers->pattern, work->type));
  for (size_t i = 0; i < work->count; i++)
    answers->results[(size_t)element(answers, i) * work->results / (size_t)range]++;
  answers->count = work->results;
}

static void (*const solvers[BENCH_KINDS])(struct answers *) = {[BENCH_SUM] = solve_sum,
                                                               [BENCH_INCLUSIVE] = solve_scan,
                                                               [BENCH_EXCLUSIVE] = solve_scan,
                                                               [BENCH_SEGMENTS] = solve_segments,
                                                               [BENCH_SELECT] = solve_select,
                                                               [BENCH_REDUCE_BY_KEY] = solve_reduce_by_key,
                                                               [BENCH_HISTOGRAM] = solve_histogram,
                                                               [BENCH_SCAN_BY_KEY] = solve_scan_by_key};

// The last stretch ends with the last result.
static void place_stretches(struct answers *answers) {
  const struct bench_work *work = answers->work;
  const bool scans = work->kind == BENCH_INCLUSIVE || work->kind == BENCH_EXCLUSIVE;
  const size_t most = work->count / STRETCH_LENGTH, all = bench_part_count(work, BENCH_RESULTS);
  answers->stretches = !scans || most < 2 ? 1 : most < STRETCHES_MOST ? most : STRETCHES_MOST;
  answers->length = answers->stretches > 1 ? STRETCH_LENGTH : all;
  for (size_t i = 0; i + 1 < answers->stretches; i++)
    answers->first[i] = (all - answers->length) / (answers->stretches - 1) * i;
  answers->first[answers->stretches - 1] = all - answers->length;
}

int answers_make(struct answers *answers, const struct bench_work *work, enum pattern pattern) {
  *answers = (struct answers){.work = work, .pattern = pattern};
  place_stretches(answers);
  answers->results = calloc(answers->stretches * answers->length, sizeof *answers->results);
  answers->keys = calloc(bench_part_count(work, BENCH_KEYS_OUT) + 1, sizeof *answers->keys);
  answers->read = malloc(answers->length * 8);
  if (answers->results == NULL || answers->keys == NULL || answers->read == NULL)
    return 1;
  solvers[work->kind](answers);
  return 0;
}

void answers_release(struct answers *answers) {
  free(answers->results);
  free(answers->keys);
  free(answers->read);
  *answers = (struct answers){.work = NULL};
}

// Integers are compared in the bits of their type only.
static bool is_equal(clred_type type, size_t size, bool floating, const void *result, int64_t units, double unit) {
  if (floating)
    return number_as_double(type, result) * unit == (double)units;
  return (number_bits(type, result) ^ (uint64_t)units) << (64 - 8 * size) == 0;
}

size_t answers_wrong(const struct answers *answers, const struct bench_work *work, size_t at, const void *results,
                     size_t count) {
  const enum bench_type type = bench_result_type(work);
  const size_t size = bench_size(type);
  const bool floating = type == BENCH_FLOAT || type == BENCH_DOUBLE;
  const double unit = unit_of(answers->pattern, answers->work->type);
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong +=
      !is_equal(bench_types[type], size, floating, (const char *)results + i * size, answers->results[at + i], unit);
  return wrong;
}
