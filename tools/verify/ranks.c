// Sorts all elements by value and index.
#include "verify/ranks.h"

#include <clreduce_device.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/value.h"
#include "verify/measure.h"

// The index of an element, and the key by which elements are sorted, the smallest key first.
struct ranked {
  uint64_t key, place;
};

struct sorting {
  const clred_quantile_problem *problem;
  clred_type_info type;
  const unsigned char *elements;
  struct ranked *sorted;
  uint64_t count, numbers;
};

static int compare(const void *one, const void *other) {
  const struct ranked *a = one, *b = other;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

// For top, the largest element comes first. A NaN gets the key 0, which no floating number has.
static uint64_t key_of(const struct sorting *at, uint64_t place) {
  const uint64_t order = number_order(at->type.type, at->elements + place * at->type.size);
  const bool is_nan = at->type.floating && order == UINT64_MAX;
  return is_nan ? 0 : at->problem->top > 0 ? ~order : order;
}

// NaNs come first, then `numbers` numbers.
static void sort(struct sorting *at) {
  at->numbers = at->count;
  for (uint64_t i = 0; i < at->count; i++) {
    at->sorted[i] = (struct ranked){key_of(at, i), i};
    at->numbers -= at->type.floating && at->sorted[i].key == 0;
  }
  qsort(at->sorted, (size_t)at->count, sizeof *at->sorted, compare);
}

// ---- Chosen elements

static bool are_chosen(const struct sorting *at, const unsigned char *values, const cl_ulong *places) {
  const struct ranked *from =
    at->problem->nan == CLRED_NAN_IGNORE ? at->sorted + (at->count - at->numbers) : at->sorted;
  for (uint64_t i = 0; i < at->problem->top + at->problem->bottom; i++)
    if (places[i] != from[i].place ||
        memcmp(values + i * at->type.size, at->elements + places[i] * at->type.size, at->type.size) != 0)
      return false;
  return true;
}

// ---- Quantiles

static double number_at(const struct sorting *at, uint64_t rank) {
  return number_as_double(at->type.type,
                          at->elements + at->sorted[at->count - at->numbers + rank].place * at->type.size);
}

// Adds number x factor to an exact sum, in units of 2^-scale. A 64-bit integer takes two doubles.
static void add_number(const struct sorting *at, uint64_t rank, double factor, int scale, struct exact_sum *sum) {
  const uint64_t key = at->sorted[at->count - at->numbers + rank].key;
  double parts[] = {number_at(at, rank), 0};
  if (!at->type.floating) {
    parts[0] = (double)(key >> 32) * 0x1p32 - (at->type.is_signed ? 0x1p63 : 0);
    parts[1] = (double)(key & UINT32_MAX);
  }
  for (size_t i = 0; i < 2; i++) {
    const double part = ldexp(parts[i], scale), product = part * factor;
    exact_sum_add(sum, product);
    exact_sum_add(sum, fma(part, factor, -product));
  }
}

static bool is_even(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits % 2 == 0;
}

// True if no double is nearer to the sum. If two doubles are equally near, the even one is correct.
static bool is_nearest(const struct exact_sum *sum, int scale, double got) {
  for (int sign = -1; sign <= 1; sign += 2) {
    const double beside = nextafter(got, sign * (double)INFINITY), value = ldexp(got, scale);
    struct exact_sum rest = *sum;
    if (isinf(beside))
      continue;
    exact_sum_add(&rest, -value);
    exact_sum_add(&rest, (value - ldexp(beside, scale)) / 2);
    const double over = sign * exact_sum_value(&rest);
    if (over > 0 || (over == 0 && !is_even(got)))
      return false;
  }
  return true;
}

// Scales small numbers, so that their products are exact.
static bool is_linear(const struct sorting *at, uint64_t lower, double part, double got) {
  const double a = number_at(at, lower), b = part > 0 ? number_at(at, lower + 1) : a;
  struct exact_sum sum = {.pending = 0};
  int exponent;
  if (part == 0 || (a == b && (at->type.floating || at->type.size < 8)))
    return got == a;
  if (isinf(a) || isinf(b))
    return got == a + b || (isnan(got) && isnan(a + b));
  frexp(fmax(fabs(a), fabs(b)), &exponent);
  const int scale = exponent < 500 ? 500 - exponent : 0;
  add_number(at, lower, 1, scale, &sum);
  add_number(at, lower, -part, scale, &sum);
  add_number(at, lower + 1, part, scale, &sum);
  return a <= got && got <= b && is_nearest(&sum, scale, got);
}

static bool is_quantile(const struct sorting *at, double q, const unsigned char *value) {
  double position = q * (double)(at->numbers - 1), part = position - floor(position), got;
  uint64_t lower = (uint64_t)position, taken = lower;
  clred_interpolation rule = at->problem->interpolation;
  bool spoilt = at->problem->nan == CLRED_NAN_PROPAGATE && at->numbers < at->count;
  if (rule == CLRED_INTERPOLATION_LINEAR) {
    memcpy(&got, value, sizeof got);
    return spoilt ? isnan(got) : is_linear(at, lower, part, got);
  }
  got = number_as_double(at->type.type, value);
  if (spoilt)
    return isnan(got);
  if (rule == CLRED_INTERPOLATION_HIGHER)
    taken += part > 0;
  if (rule == CLRED_INTERPOLATION_NEAREST)
    taken += part > 0.5 || (part == 0.5 && lower % 2 == 1);
  return number_bits(at->type.type, value) ==
           number_bits(at->type.type,
                       at->elements + at->sorted[at->count - at->numbers + taken].place * at->type.size) ||
         (at->type.floating && got == number_at(at, taken));
}

static bool are_quantiles(const struct sorting *at, const unsigned char *values) {
  size_t size = at->problem->interpolation == CLRED_INTERPOLATION_LINEAR ? sizeof(double) : at->type.size;
  for (size_t i = 0; i < at->problem->at_count; i++)
    if (!is_quantile(at, at->problem->at[i], values + i * size))
      return false;
  return true;
}

int ranks_verify(const clred_quantile_problem *problem, const void *elements, uint64_t count, const void *values,
                 const cl_ulong *places, bool *correct) {
  struct sorting at = {.problem = problem, .type = type_info(problem->type), .elements = elements, .count = count};
  at.sorted = count > SIZE_MAX / sizeof *at.sorted ? NULL : malloc((size_t)count * sizeof *at.sorted);
  if (at.sorted == NULL)
    return fail_memory();
  sort(&at);
  *correct = problem->at == NULL ? are_chosen(&at, values, places) : are_quantiles(&at, values);
  free(at.sorted);
  return EXIT_DONE;
}

// ---- Sorts

// NaNs come first or last. Other floating numbers have no order 0 and no order UINT64_MAX.
static uint64_t sort_key_of(const clred_sort_problem *problem, const clred_type_info *type, const void *element) {
  const uint64_t order = number_order(type->type, element);
  if (type->floating && order == UINT64_MAX)
    return problem->nans_first ? 0 : UINT64_MAX;
  return problem->descending ? ~order : order;
}

int ranks_verify_sort(const clred_sort_problem *problem, const void *elements, uint64_t count, const void *results,
                      bool *correct) {
  const clred_type_info type = type_info(problem->type);
  const bool places = problem->form == CLRED_SORT_INDICES;
  const size_t size = places ? sizeof(cl_ulong) : type.size;
  struct ranked *sorted = count > SIZE_MAX / sizeof *sorted ? NULL : malloc((size_t)count * sizeof *sorted + 1);
  if (sorted == NULL)
    return fail_memory();
  for (uint64_t i = 0; i < count; i++)
    sorted[i] = (struct ranked){sort_key_of(problem, &type, (const char *)elements + i * type.size), i};
  qsort(sorted, (size_t)count, sizeof *sorted, compare);
  *correct = true;
  for (uint64_t i = 0; i < count && *correct; i++) {
    const void *expected =
      places ? (const void *)&sorted[i].place : (const char *)elements + sorted[i].place * type.size;
    *correct = memcmp((const char *)results + i * size, expected, size) == 0;
  }
  free(sorted);
  return EXIT_DONE;
}
