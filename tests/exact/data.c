// Elements for the order exact: data.h.

#include "exact/data.h"

#include <math.h>
#include <string.h>

// Bits of a type's parts: the fraction without its hidden bit, and the exponent.
static const struct layout {
  clred_type type;
  unsigned fraction, exponent;
} layouts[] = {
  {CLRED_TYPE_HALF, 10, 5}, {CLRED_TYPE_BFLOAT16, 7, 8}, {CLRED_TYPE_FLOAT, 23, 8}, {CLRED_TYPE_DOUBLE, 52, 11}};

static const struct layout *layout_of(clred_type type) {
  const struct layout *layout = layouts;
  while (layout->type != type)
    layout++;
  return layout;
}

static uint64_t top_exponent(const struct layout *layout) {
  return (1u << layout->exponent) - 1;
}

static uint64_t pack(const struct layout *layout, uint64_t negative, uint64_t exponent, uint64_t fraction) {
  const uint64_t mask = ((uint64_t)1 << layout->fraction) - 1;
  return (negative & 1) << (layout->fraction + layout->exponent) | exponent << layout->fraction | (fraction & mask);
}

static double value_of(const struct layout *layout, uint64_t bits) {
  const uint64_t fraction = bits & (((uint64_t)1 << layout->fraction) - 1);
  const uint64_t exponent = bits >> layout->fraction & top_exponent(layout);
  const int bias = (1 << (layout->exponent - 1)) - 1;
  const double hidden = exponent ? 1 : 0;
  double value = ldexp(hidden + ldexp((double)fraction, -(int)layout->fraction), (int)(exponent ? exponent : 1) - bias);
  if (exponent == top_exponent(layout))
    value = fraction ? NAN : INFINITY;
  return bits >> (layout->fraction + layout->exponent) ? -value : value;
}

// One element; `middle` is an exponent that the elements of a problem share.
static uint64_t draw(const struct layout *layout, enum exact_data data, uint64_t middle, random_state *random) {
  const uint64_t word = random_word(random), top = top_exponent(layout), sign = word >> 63;
  const uint64_t lowest = middle > layout->fraction + 2 ? middle - layout->fraction - 2 : 0;
  switch (data) {
  case DATA_HUGE:
    return pack(layout, sign, top - 1 - (word >> 60 & 1), word);
  case DATA_TINY:
    return pack(layout, sign, word >> 56 & 1, word);
  case DATA_TIES:  // powers of two, and their sums with a few others
    return pack(layout, sign, (word >> 56 & 3) == 0 ? lowest + (word >> 58 & 3) : middle, word >> 54 & 3);
  case DATA_SPECIALS:
    if ((word >> 50 & 15) == 0)
      return pack(layout, sign, top, word >> 40 & 15 ? 0 : 1);
    return pack(layout, sign, middle, word);
  case DATA_ZEROS:
    return pack(layout, middle & 1 ? 1 : sign, 0, 0);
  case DATA_NEAR:
  case DATA_CANCELS:
    return pack(layout, sign, middle > 4 ? middle - (word >> 60 & 3) : middle, word);
  default:
    return pack(layout, sign, (word >> 32) % top, word);
  }
}

void exact_data_fill(clred_type type, enum exact_data data, size_t count, random_state *random, void *elements,
                     double *values) {
  const struct layout *layout = layout_of(type);
  const uint64_t sign = (uint64_t)1 << (layout->fraction + layout->exponent);
  const uint64_t middle = 1 + random_below(random, top_exponent(layout) - 2);
  const size_t size = oracle_size(type);
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    const bool cancels = data == DATA_CANCELS && i % 2 == 1;
    bits = cancels ? bits ^ sign
                   : draw(layout, i + 1 == count && data == DATA_CANCELS ? DATA_ALL_EXPONENTS : data, middle, random);
    oracle_store(elements, size, i, bits);
    values[i] = value_of(layout, bits);
  }
}
