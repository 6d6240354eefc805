// Computes integers by a loop in 64 bits and extremes by another loop. Sums, means and variances are exact
// values with bounds (verify/measure.h).
#include "bench/expect.h"

#include <math.h>

#include "base/number.h"
#include "verify/measure.h"

// ---- Integers

typedef uint64_t fold(uint64_t a, uint64_t b);

#define FOLD(name, operation) \
  static uint64_t fold_##name(uint64_t a, uint64_t b) { \
    return a operation b; \
  }
FOLD(sum, +)
FOLD(prod, *)
FOLD(and, &)
FOLD(or, |)
FOLD(xor, ^)

static const struct integer_row {
  clred_op op;
  fold *join;
} integer_rows[] = {{CLRED_OP_SUM, fold_sum},
                    {CLRED_OP_PROD, fold_prod},
                    {CLRED_OP_AND, fold_and},
                    {CLRED_OP_OR, fold_or},
                    {CLRED_OP_XOR, fold_xor}};

static uint64_t integer_at(const struct expected *expected, uint64_t index) {
  return number_bits(expected->element.type, (const char *)expected->elements + index * expected->element.size);
}

static void expect_integer(struct expected *expected) {
  const struct integer_row *row = integer_rows, *end = row + sizeof integer_rows / sizeof *integer_rows;
  while (row < end && row->op != expected->op)
    row++;
  if (row == end)
    return;
  expected->whole = true;
  expected->bits = integer_at(expected, 0);
  for (uint64_t i = 1; i < expected->count; i++)
    expected->bits = row->join(expected->bits, integer_at(expected, i));
}

// ---- Extremes

// Generated elements have no NaNs; both zeros are equal.
static uint64_t key_at(const struct expected *expected, uint64_t index) {
  return number_order(expected->element.type, (const char *)expected->elements + index * expected->element.size);
}

// Returns the index of the first of equal values.
static uint64_t find_place(const struct expected *expected, bool least) {
  uint64_t most = 0, place = 0;
  for (uint64_t i = 0; i < expected->count; i++) {
    const uint64_t key = least ? ~key_at(expected, i) : key_at(expected, i);
    if (i > 0 && key <= most)
      continue;
    most = key;
    place = i;
  }
  return place;
}

static void expect_extreme(struct expected *expected) {
  const uint64_t place = find_place(expected, expected->op == CLRED_OP_MIN);
  expected->real = expected->element.floating;
  expected->whole = !expected->real;
  if (expected->whole)
    expected->bits = integer_at(expected, place);
  else
    expected->value =
      number_as_double(expected->element.type, (const char *)expected->elements + place * expected->element.size);
}

// ---- Sums, means and variances of floating values

static bool measure_result(const struct expected *expected, double result, double depth, struct measured *measured) {
  const struct samples samples = {.type = expected->element.type,
                                  .stride = expected->element.size,
                                  .x = expected->elements,
                                  .count = expected->count};
  return measure(expected->op, "", &samples, expected->result.type, result, depth, measured);
}

// Independent rounding errors grow like the square root of their number (Higham and Mary, 2019).
static void expect_measured(struct expected *expected) {
  struct measured measured = {0};
  expected->real = measure_result(expected, 0, 8 + 4 * sqrt((double)expected->count), &measured);
  expected->value = measured.value;
  expected->noise = expected->real ? measured.bound : 0;
}

void expect(struct expected *expected, clred_op op, clred_type type, const void *elements, uint64_t count) {
  clred_type result = CLRED_TYPE_NONE;
  *expected = (struct expected){.op = op, .elements = elements, .count = count};
  clred_type_inspect(type, &expected->element);
  clred_result_type(op, type, &result);
  expected->place = expected->element.components == 1 && (op == CLRED_OP_ARGMIN || op == CLRED_OP_ARGMAX);
  if (expected->place)
    expected->bits = find_place(expected, op == CLRED_OP_ARGMIN);
  if (clred_type_inspect(result, &expected->result) != CL_SUCCESS || expected->result.components != 1 ||
      expected->element.components != 1)
    return;
  if (op == CLRED_OP_MIN || op == CLRED_OP_MAX)
    expect_extreme(expected);
  else if (!expected->result.floating && !expected->element.floating)
    expect_integer(expected);
  else if (expected->result.floating)
    expect_measured(expected);
}

// ---- Comparing results

bool expected_allows(const struct expected *expected, const void *result, double depth) {
  struct measured measured;
  if (expected->whole)
    return number_bits(expected->result.type, result) == expected->bits;
  double value = number_as_double(expected->result.type, result);
  if (measure_result(expected, value, depth, &measured))
    return measure_allows(&measured, expected->result.type, value);
  return value == expected->value;
}

bool expected_allows_place(const struct expected *expected, uint64_t index, clred_type type, const void *value) {
  const char *found = (const char *)expected->elements + expected->bits * expected->element.size;
  bool same = expected->element.floating
                ? number_as_double(expected->element.type, found) == number_as_double(type, value)
                : number_bits(expected->element.type, found) == number_bits(type, value);
  return index == expected->bits && same;
}

bool expected_allows_text(const struct expected *expected, const char *text) {
  number value;
  if (!number_parse(expected->place ? CLRED_TYPE_ULONG : expected->result.type, text, value.bytes))
    return false;
  if (expected->place)
    return number_bits(CLRED_TYPE_ULONG, value.bytes) == expected->bits;
  if (expected->whole)
    return number_bits(expected->result.type, value.bytes) == expected->bits;
  return fabs(number_as_double(expected->result.type, value.bytes) - expected->value) <= expected->noise;
}
