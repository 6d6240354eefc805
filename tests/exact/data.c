// Elements for the order exact: data.h.

#include "exact/data.h"

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

// What the elements of a problem share.
struct shared {
  const struct layout *layout;
  enum exact_data data;
  uint64_t middle;  // an exponent
  uint64_t word;
};

static uint64_t within(const struct layout *layout, int64_t exponent) {
  const int64_t most = (int64_t)top_exponent(layout) - 1;
  return (uint64_t)(exponent < 0 ? 0 : exponent > most ? most : exponent);
}

// The first number, half of its last bit, and in some problems a little more or less. The others cancel.
static uint64_t draw_tie(const struct shared *shared, size_t i, uint64_t word) {
  const struct layout *layout = shared->layout;
  const uint64_t middle = within(layout, (int64_t)(shared->middle + layout->fraction + 3));
  if (i == 0)
    return pack(layout, shared->middle, middle, word);
  if (i == 1)
    return pack(layout, shared->middle, middle - layout->fraction - 1, 0);
  return i == 2 ? pack(layout, word >> 63, 0, shared->middle >> 2 & 1) : pack(layout, word >> 63, middle, word);
}

static uint64_t pack_integer(const struct layout *layout, int64_t exponent, uint64_t integer) {
  unsigned bits = 0;
  while (integer >> bits > 1)
    bits++;
  return pack(layout, 0, within(layout, exponent + bits), integer << (layout->fraction - bits));
}

// Pairs of a number and its negative: 4k, 4k, 2k, a small number or 0, and then 3k. Without the small number the
// variance is (3k)^2, because 2 x (4^2 + 4^2 + 2^2) = 8 x 3^2. k is odd, so that (3k)^2 has one bit more than a result.
static uint64_t draw_even(const struct shared *shared, size_t i, uint64_t word) {
  const uint64_t k = shared->layout->fraction == 52   ? 31640001 + 2 * (shared->word % 6500000)
                     : shared->layout->fraction == 23 ? 1367 + 2 * (shared->word % 280)
                                                      : 1;
  static const uint64_t times[] = {4, 4, 2};
  if (i / 2 == 3)
    return shared->word >> 60 & 1
             ? 0
             : pack(shared->layout, 0, within(shared->layout, (int64_t)(shared->middle - (word >> 32) % 120)), word);
  return pack_integer(shared->layout, (int64_t)shared->middle, k * (i / 2 < 3 ? times[i / 2] : 3));
}

static uint64_t draw(const struct shared *shared, size_t i, random_state *random) {
  const struct layout *layout = shared->layout;
  const uint64_t word = random_word(random), top = top_exponent(layout), sign = word >> 63;
  const int64_t middle = (int64_t)shared->middle;
  switch (shared->data) {
  case DATA_HUGE:
    return pack(layout, sign, top - 1 - (word >> 60 & 1), word);
  case DATA_TINY:
    return pack(layout, sign, word >> 56 & 1, word);
  case DATA_TIES:
    return draw_tie(shared, i, word);
  case DATA_STEPS:
    return pack(layout, 0, within(layout, middle + (int64_t)(i / 300 * 0x9e3779b9u >> 8 & 31) - 16), word);
  case DATA_SPECIALS:
    // Many of them or few: one that is lost must not be hidden by others.
    if ((word >> 44) % (shared->word & 1 ? 16 : 1000) == 0)
      return pack(layout, sign, top, word >> 40 & 15 ? 0 : 1);
    return pack(layout, sign, middle % 4 ? top - 1 : shared->middle, word);
  case DATA_ZEROS:
    return pack(layout, middle & 1 ? 1 : sign, 0, 0);
  case DATA_EQUAL:
    return pack(layout, middle & 1, shared->middle, (shared->word & ~(uint64_t)3) | (word & 3));
  case DATA_EVEN:
    return draw_even(shared, i, word);
  case DATA_NEAR:
  case DATA_CANCELS:
    return pack(layout, middle & 1 ? 0 : sign, within(layout, middle - (int64_t)(word >> 60 & 3)), word);
  case DATA_HIDDEN:
    return pack(layout, sign, within(layout, middle - (i % 4 < 2 ? 0 : 30 + (int64_t)((word >> 32) % 100))), word);
  case DATA_FINE:
    return pack(layout, sign, within(layout, middle - (int64_t)((word >> 32) % 100)), word);
  default:
    return pack(layout, sign, (word >> 32) % top, word);
  }
}

// True if the element is the negative of the one before it.
static bool cancels(const struct shared *shared, size_t i) {
  switch (shared->data) {
  case DATA_TIES:
    return i > 3 && i % 2 == 0;
  case DATA_CANCELS:
  case DATA_FINE:
  case DATA_EVEN:
    return i % 2 == 1;
  case DATA_HIDDEN:
    return i % 4 == 1;
  default:
    return false;
  }
}

void exact_data_fill(clred_type type, enum exact_data data, size_t count, random_state *random, void *elements,
                     double *values) {
  const struct layout *layout = layout_of(type);
  const struct shared shared = {layout, data, 1 + random_below(random, top_exponent(layout) - 2), random_word(random)};
  const uint64_t sign = (uint64_t)1 << (layout->fraction + layout->exponent);
  const size_t size = oracle_size(type);
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    // The later half of the steps cancels the earlier one.
    const size_t half = count / 2, at = i >= half ? i - half : 0;
    if (data == DATA_STEPS && i >= half && i + 1 < count)
      bits = oracle_load(elements, size, at) ^ sign;
    else
      bits = cancels(&shared, i) ? bits ^ sign : draw(&shared, i, random);
    oracle_store(elements, size, i, bits);
    values[i] = oracle_float_value(type, bits);
  }
}
