// Keys, ranks and interpolation on the host.
#include "quantile/order.h"

#include <math.h>
#include <string.h>

#include "host/in_order.h"

static cl_ulong sign_of(const struct clr_type *type) {
  return (cl_ulong)1 << (8 * type->size - 1);
}

// Binary digits of the significand without the hidden one.
static int digits_of(const struct clr_type *type) {
  if (type->reading == CLR_READING_HALF)
    return 10;
  return type->reading == CLR_READING_BFLOAT16 ? 7 : type->size == 4 ? 23 : 52;
}

struct clr_ordering clr_ordering_make(const struct clr_type *type, bool descending, bool nans_first) {
  struct clr_ordering ordering = {.type = type, .descending = descending, .nans_first = nans_first};
  ordering.most = clr_key_last(type);
  if (type->class == CLR_FLOATING)
    ordering.infinite = sign_of(type) - ((cl_ulong)1 << digits_of(type));
  return ordering;
}

cl_ulong clr_nan_key(const struct clr_ordering *ordering) {
  return ordering->nans_first ? 0 : ordering->most;
}

cl_ulong clr_order_key(const struct clr_ordering *ordering, const void *element) {
  cl_ulong key = clr_key_at(ordering->type, element), sign = sign_of(ordering->type);
  if (ordering->infinite && (key < sign ? sign - key : key - sign) > ordering->infinite)
    return clr_nan_key(ordering);
  return ordering->descending ? ordering->most - key : key;
}

void clr_order_element(const struct clr_ordering *ordering, cl_ulong key, void *element) {
  const struct clr_type *type = ordering->type;
  cl_ulong sign = sign_of(type), bits = key;
  if (type->class == CLR_SIGNED)
    bits = key ^ sign;
  else if (ordering->infinite && key == clr_nan_key(ordering))
    bits = ordering->infinite | ((cl_ulong)1 << (digits_of(type) - 1));
  else if (ordering->infinite)
    bits = key < sign ? sign | (sign - key) : key - sign;
  clr_bits_put(bits, type->size, element);
}

// ---------------------------------------------------------------- Sorting

static cl_ulong digit_of(const struct clr_ranked *ranked, int digit) {
  return (digit < 8 ? ranked->place >> 8 * digit : ranked->key >> 8 * (digit - 8)) & 255;
}

static void sort_by_digit(const struct clr_ranked *from, struct clr_ranked *to, size_t count, int digit) {
  size_t starts[257] = {0};
  for (size_t i = 0; i < count; i++)
    starts[digit_of(&from[i], digit) + 1]++;
  for (size_t i = 1; i < 257; i++)
    starts[i] += starts[i - 1];
  for (size_t i = 0; i < count; i++)
    to[starts[digit_of(&from[i], digit)]++] = from[i];
}

// Sorts by each digit, from the last to the first. A digit that all keys have in common is skipped.
void clr_sort_ranked(struct clr_ranked *ranked, struct clr_ranked *room, size_t count) {
  struct clr_ranked differ = {0, 0, 0}, *from = ranked, *to = room;
  for (size_t i = 1; i < count; i++) {
    differ.key |= ranked[i].key ^ ranked[0].key;
    differ.place |= ranked[i].place ^ ranked[0].place;
  }
  for (int digit = 0; digit < 16; digit++) {
    if (!digit_of(&differ, digit))
      continue;
    sort_by_digit(from, to, count, digit);
    struct clr_ranked *sorted = to;
    to = from;
    from = sorted;
  }
  if (from != ranked)
    memcpy(ranked, from, count * sizeof *ranked);
}

// ---------------------------------------------------------------- Quantiles

static bool takes_higher(double fraction, cl_ulong lower, clred_interpolation interpolation) {
  if (interpolation == CLRED_INTERPOLATION_NEAREST)
    return fraction > 0.5 || (fraction == 0.5 && lower % 2 == 1);
  return interpolation == CLRED_INTERPOLATION_HIGHER && fraction > 0;
}

struct clr_position clr_position_of(double q, cl_ulong n, clred_interpolation interpolation) {
  double position = q * (double)(n - 1), whole = floor(position);
  cl_ulong lower = whole >= (double)(n - 1) ? n - 1 : (cl_ulong)whole, higher = lower + (lower < n - 1);
  double fraction = lower < higher ? position - whole : 0;
  if (interpolation == CLRED_INTERPOLATION_LINEAR)
    return (struct clr_position){lower, fraction > 0 ? higher : lower, fraction};
  cl_ulong taken = takes_higher(fraction, lower, interpolation) ? higher : lower;
  return (struct clr_position){taken, taken, 0};
}

static double number_of(const struct clr_ordering *ordering, cl_ulong key) {
  cl_ulong sign = sign_of(ordering->type);
  if (ordering->infinite && key == clr_nan_key(ordering))
    return NAN;
  if (ordering->infinite && (key < sign ? sign - key : key - sign) == ordering->infinite)
    return key < sign ? -INFINITY : INFINITY;
  return clr_key_number(ordering->type, key);
}

// Between an infinity and a finite number lies the infinity; between both infinities lies NaN.
static double beside_infinity(double lower, double higher) {
  return isinf(lower) && isinf(higher) ? NAN : isinf(lower) ? lower : higher;
}

// The exact sum of the products of both lists, rounded once to the nearest double, ties to even.
static double exact_dot(const double *x, const double *y, cl_ulong count) {
  const struct clr_choice dot = {.op = CLRED_OP_DOT, .type = CLRED_TYPE_DOUBLE, .exact = true};
  const void *inputs[] = {y};
  struct clr_operation operation;
  struct clr_status status;
  union clr_room state;
  double result = NAN;
  if (clr_operation_make(&dot, &operation, &status))
    return result;
  clr_fold_elements(
    &(struct clr_values){.operation = &operation, .elements = x, .count = count, .stride = 1, .inputs = inputs},
    &state);
  clr_state_lower(&operation, &state, &result);
  return result;
}

// A number as the sum of two doubles, which a 64-bit integer needs.
struct split {
  double high, low;
};

static struct split split(const struct clr_ordering *ordering, cl_ulong key) {
  if (ordering->infinite)
    return (struct split){number_of(ordering, key), 0};
  double least = ordering->type->class == CLR_SIGNED ? -(double)sign_of(ordering->type) : 0;
  return (struct split){(double)(key >> 32) * 0x1p32 + least, (double)(key & 0xffffffff)};
}

double clr_between(const struct clr_ordering *ordering, cl_ulong lower, cl_ulong higher, double fraction) {
  double from = number_of(ordering, lower), to = number_of(ordering, higher);
  if (lower == higher || fraction == 0 || isnan(from))
    return from;
  if (isinf(from) || isinf(to))
    return beside_infinity(from, to);
  const struct split a = split(ordering, lower), b = split(ordering, higher);
  const double x[] = {a.high, a.low, a.high, a.low, b.high, b.low};
  const double y[] = {1, 1, -fraction, -fraction, fraction, fraction};
  return exact_dot(x, y, sizeof x / sizeof *x) + 0.0;  // -0 becomes 0
}
