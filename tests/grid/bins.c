// Histograms for cases: see bins.h.

#include "bins.h"

#include <math.h>
#include <string.h>

#include "oracle/tree.h"

__extension__ typedef __int128 whole;

// ---------------------------------------------------------------- Bins

static const struct {
  double low, high;
} ranges[] = {
  [CLRED_TYPE_CHAR] = {-100, 100},       [CLRED_TYPE_UCHAR] = {0, 256},       [CLRED_TYPE_SHORT] = {-3000, 2999},
  [CLRED_TYPE_USHORT] = {0, 65536},      [CLRED_TYPE_INT] = {-1000000000, 7}, [CLRED_TYPE_UINT] = {0, 0x1p32},
  [CLRED_TYPE_LONG] = {-0x1p63, 0x1p63}, [CLRED_TYPE_ULONG] = {0, 0x1p64},    [CLRED_TYPE_FLOAT] = {-0.1, 1},
  [CLRED_TYPE_DOUBLE] = {-1.7, 1e9},     [CLRED_TYPE_HALF] = {-2.25, 1.1},    [CLRED_TYPE_BFLOAT16] = {-3, 5e9},
};

// Edge `k` as an element.
static long double edge_at(const struct bins *bins, uint64_t k) {
  return oracle_value_at(bins->type, bins->elements, k);
}

// Edges of integers are closer to each other at the low end. Edges of floating types have equal distances.
static double uneven(const struct bins *bins, double low, double high, uint64_t k) {
  const double part = (double)k / (double)bins->given.bins;
  return low + (high - low) * (oracle_is_floating(bins->type) ? part : part * (0.25 + 0.75 * part));
}

static bool ascend(const struct bins *bins) {
  for (uint64_t k = 1; k <= bins->given.bins; k++)
    if (bins->kind == BINS_EDGES || bins->kind == BINS_EDGE_ELEMENTS)
      if (!(bins->edges[k - 1] < bins->edges[k]))
        return false;
  return true;
}

static void give(struct bins *bins, double low, double high) {
  clred_histogram *given = &bins->given;
  const uint64_t count = given->bins;
  if (bins->kind == BINS_EDGES)
    given->edges = bins->numbers;
  else if (bins->kind == BINS_EDGE_ELEMENTS)
    given->edge_elements = bins->elements;
  else if (bins->kind == BINS_LOW_ELEMENT)
    given->low_element = bins->elements, given->high_element = bins->elements + count * bins->size;
  else
    given->low = low, given->high = high;
}

bool bins_make(struct bins *bins, clred_type type, uint64_t count, enum bins_kind kind) {
  *bins = (struct bins){.type = type, .size = oracle_size(type), .kind = kind, .given = {.bins = count}};
  bins->numbers = oracle_claim(count + 1, sizeof *bins->numbers);
  bins->edges = oracle_claim(count + 1, sizeof *bins->edges);
  bins->elements = oracle_claim(count + 1, bins->size);
  double low = ranges[type].low, high = ranges[type].high;
  const bool is_even = kind == BINS_EQUAL || kind == BINS_FRACTION || kind == BINS_LOW_ELEMENT;
  if (kind == BINS_FRACTION)
    low += 0.5, high -= (high - low) / 3;
  if (kind == BINS_LOW_ELEMENT) {
    oracle_put(bins->type, bins->elements, 0, low);
    oracle_put(bins->type, bins->elements, count, high);
    low = (double)edge_at(bins, 0), high = (double)edge_at(bins, count);
  }
  const double step = (high - low) / (double)count;
  for (uint64_t k = 0; k <= count; k++) {
    bins->numbers[k] = !is_even ? uneven(bins, low, high, k) : k == count ? high : (double)k * step + low;
    if (kind != BINS_LOW_ELEMENT || (k > 0 && k < count))
      oracle_put(bins->type, bins->elements, k, bins->numbers[k]);
    const bool by_element = oracle_is_floating(type) || kind == BINS_EDGE_ELEMENTS;
    bins->edges[k] = by_element ? edge_at(bins, k) : (long double)bins->numbers[k];
  }
  give(bins, low, high);
  return ascend(bins);
}

// ---------------------------------------------------------------- Elements

static uint64_t special(const struct bins *bins, uint64_t turn) {
  const uint64_t sign = (uint64_t)1 << (8 * bins->size - 1), all = sign - 1 + sign;
  const long double numbers[] = {(long double)INFINITY, -(long double)INFINITY, (long double)NAN, -0.0L};
  unsigned char element[8];
  if (!oracle_is_floating(bins->type))
    return (const uint64_t[]){0, all, sign, sign - 1}[turn % 4];
  if (turn % 4 != 2) {
    oracle_put(bins->type, element, 0, numbers[turn % 4]);
    return oracle_load(element, bins->size, 0);
  }
  return turn / 4 % 2 ? all : all ^ sign;  // NaNs of either sign
}

void bins_fill(const struct bins *bins, void *elements, uint64_t count, random_state *random) {
  const double low = bins->numbers[0], high = bins->numbers[bins->given.bins];
  for (uint64_t i = 0; i < count; i++) {
    unsigned char *element = (unsigned char *)elements + i * bins->size;
    const uint64_t k = random_below(random, bins->given.bins + 1), turn = random_word(random);
    if (turn % 8 < 3)
      oracle_store(element, bins->size, 0, oracle_load(bins->elements, bins->size, k) + turn % 8 - 1);
    else if (turn % 8 == 3)
      oracle_store(element, bins->size, 0, turn >> 8);
    else if (turn % 8 == 4)
      oracle_store(element, bins->size, 0, special(bins, turn >> 8));
    else
      oracle_put(bins->type, element, 0, low + (high - low) * (double)(turn >> 40) * 0x1p-24);
  }
}

// True if an element is at or above edge k.
static bool reaches(const struct bins *bins, long double value, uint64_t k) {
  const bool is_even = bins->kind == BINS_EQUAL || bins->kind == BINS_FRACTION || bins->kind == BINS_LOW_ELEMENT;
  const bool is_whole = bins->given.low == floor(bins->given.low) && bins->given.high == floor(bins->given.high);
  if (oracle_is_floating(bins->type) || !is_even || !is_whole)
    return value >= bins->edges[k];
  const bool by_elements = bins->kind == BINS_LOW_ELEMENT;
  const long double first = by_elements ? edge_at(bins, 0) : (long double)bins->given.low;
  const long double last = by_elements ? edge_at(bins, bins->given.bins) : (long double)bins->given.high;
  const whole low = (whole)first, high = (whole)last;
  return ((whole)value - low) * (whole)bins->given.bins >= (whole)k * (high - low);
}

static bool is_last_edge(const struct bins *bins, long double value) {
  const bool by_elements = bins->kind == BINS_LOW_ELEMENT;
  return value == (by_elements ? edge_at(bins, bins->given.bins) : bins->edges[bins->given.bins]);
}

void bins_count(const struct bins *bins, const void *elements, uint64_t count, uint64_t *counts) {
  memset(counts, 0, (size_t)bins->given.bins * sizeof *counts);
  for (uint64_t i = 0; i < count; i++) {
    const long double value = oracle_value_at(bins->type, elements, i);
    if (isnan(value) || isinf(value))
      continue;
    uint64_t passed = 0;
    // Edges ascend, so the search can skip many of them.
    for (uint64_t step = bins->given.bins > 4096 ? 1024 : 32; step >= 32; step /= 32)
      while (passed + step <= bins->given.bins && reaches(bins, value, passed + step - 1))
        passed += step;
    while (passed <= bins->given.bins && reaches(bins, value, passed))
      passed++;
    if (passed > 0 && passed <= bins->given.bins)
      counts[passed - 1]++;
    else if (passed > 0 && is_last_edge(bins, value))
      counts[bins->given.bins - 1]++;
  }
}
