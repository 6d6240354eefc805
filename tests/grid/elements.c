// Elements of cases: see elements.h.

#include "elements.h"

#include <math.h>
#include <string.h>

#include "oracle/tree.h"

const char *const flavour_names[FLAVOURS] = {"plain",           "zeros", "denormals", "one infinity",
                                             "both infinities", "NaNs",  "extremes",  "scaled"};

#define STEPS 13  // the number of values next to the type's end that decide a minimum or maximum

bool seeks_least(clred_op op) {
  return ORACLE_IS_ONE(op, CLRED_OP_MIN, CLRED_OP_ARGMIN, CLRED_OP_MINMAX, CLRED_OP_ARGMINMAX, CLRED_OP_STATS);
}

bool seeks_greatest(clred_op op) {
  return ORACLE_IS_ONE(op, CLRED_OP_MAX, CLRED_OP_ARGMAX, CLRED_OP_MINMAX, CLRED_OP_ARGMINMAX, CLRED_OP_STATS);
}

static uint64_t ones(clred_type type) {
  return UINT64_MAX >> (64 - 8 * oracle_size(type));
}

// The bits of a type with nothing but the sign set.
static uint64_t sign_bit(clred_type type) {
  return (ones(type) >> 1) + 1;
}

// The bits of the smallest and of the largest value of an integer type.
static uint64_t lowest(clred_type type) {
  return oracle_is_signed(type) ? sign_bit(type) : 0;
}

static uint64_t highest(clred_type type) {
  return lowest(type) ^ ones(type);
}

// ---------------------------------------------------------------- Elements that do not decide

static uint64_t draw_float(clred_op op, clred_type type, bool imaginary, random_state *random) {
  const bool single = type != CLRED_TYPE_DOUBLE;
  const double value = op == CLRED_OP_PROD ? random_factor(random, single) : random_addend(random, single);
  if (op == CLRED_OP_ANY)
    return random_word(random) & sign_bit(type);
  if (op == CLRED_OP_ALL && !(value < 0 || value > 0))
    return oracle_float_bits(type, 1);
  if (op == CLRED_OP_COUNT_NONZERO && fabs(value) < 32)
    return 0;
  if (op == CLRED_OP_LOGSUMEXP)
    return oracle_float_bits(type, value / 16);
  // Close to the real axis, so that products of thousands stay in range.
  if (op == CLRED_OP_PROD && imaginary)
    return oracle_float_bits(type, fabs(value) - 1);
  return oracle_float_bits(type, value);
}

// In every third block of elements the values have the full range of the type. In the others they are smaller, so that
// some sums of squares do not overflow.
static uint64_t in_part_of_range(clred_type type, uint64_t word, unsigned turn) {
  const unsigned shift = (unsigned)oracle_size(type) * 3 * (turn % 3);
  const uint64_t sign = word & lowest(type) ? ones(type) ^ (ones(type) >> shift) : 0;
  return word >> shift | sign;
}

static uint64_t draw_integer(clred_op op, clred_type type, unsigned turn, random_state *random) {
  const uint64_t word = random_word(random) & ones(type);
  const uint64_t from_end = (word - lowest(type)) & ones(type), to_end = (highest(type) - word) & ones(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_PROD, CLRED_OP_ALL))
    return word | 1;  // even factors would soon make every product 0
  if (op == CLRED_OP_AND)
    return ones(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_OR, CLRED_OP_ANY))
    return 0;
  if (op == CLRED_OP_COUNT_NONZERO)
    return word & 2 ? word : 0;
  if (op == CLRED_OP_LOGSUMEXP)
    return word & 15;  // near enough to each other that all of them count
  if (op == CLRED_OP_XOR)
    return word;
  if ((seeks_least(op) && from_end <= STEPS) || (seeks_greatest(op) && to_end <= STEPS))
    return ones(type) / 3;
  return seeks_least(op) || seeks_greatest(op) ? word : in_part_of_range(type, word, turn);
}

uint64_t element_draw(clred_op op, clred_type type, bool imaginary, unsigned turn, random_state *random) {
  return oracle_is_floating(type) ? draw_float(op, type, imaginary, random) : draw_integer(op, type, turn, random);
}

// ---------------------------------------------------------------- Elements that decide

// A NaN changes every floating result; if NaNs are ignored, an infinity does.
static uint64_t poison_float(clred_op op, clred_type type, clred_nan nan, random_state *random) {
  const bool either = seeks_least(op) && seeks_greatest(op);
  const bool negative = either ? random_word(random) & 1 : seeks_least(op);
  if (op == CLRED_OP_ALL)
    return 0;
  if (nan == CLRED_NAN_PROPAGATE)
    return oracle_float_bits(type, NAN);
  return oracle_float_bits(type, negative ? -(double)INFINITY : (double)INFINITY);
}

uint64_t element_poison(clred_op op, clred_type type, clred_nan nan, random_state *random) {
  const uint64_t word = random_word(random);
  if (oracle_is_floating(type))
    return poison_float(op, type, nan, random);
  if (seeks_least(op) && seeks_greatest(op))
    return word & 1 ? lowest(type) : highest(type);
  if (seeks_least(op))
    return lowest(type);
  if (seeks_greatest(op))
    return highest(type);
  if (ORACLE_IS_ONE(op, CLRED_OP_AND, CLRED_OP_ALL))
    return 0;
  if (ORACLE_IS_ONE(op, CLRED_OP_OR, CLRED_OP_ANY))
    return ones(type);
  return op == CLRED_OP_LOGSUMEXP ? highest(type) : (word | 2) & ones(type);
}

uint64_t element_decisive(clred_op op, clred_type type, bool least, unsigned turn) {
  const unsigned step = turn * 5 % STEPS;
  if (op == CLRED_OP_ANY)
    return 1;  // as the bits of a float: the smallest denormal, not zero
  if (op == CLRED_OP_ALL)
    return 0;
  if (oracle_is_floating(type))
    return oracle_float_bits(type, least ? -1000.0 - step : 1000.0 + step);
  return least ? lowest(type) + 1 + step : highest(type) - 1 - step;
}

// ---------------------------------------------------------------- Special values

// The largest finite values, the smallest normal and denormal ones, and anything finite.
static uint64_t extreme_float(clred_type type, uint64_t infinity, uint64_t word) {
  const uint64_t least_normal = infinity & -infinity;
  switch (word >> 56 & 7) {
  case 0:
  case 1:
    return infinity - 1;
  case 2:
    return least_normal;
  case 3:
    return 1;
  case 4:
    return infinity - least_normal;  // the largest power of two
  default:
    return (word & (sign_bit(type) - 1)) % infinity;
  }
}

static uint64_t special_integer(enum flavour flavour, clred_type type, uint64_t word) {
  const uint64_t extremes[] = {lowest(type), highest(type), lowest(type) + 1, 1, ones(type)};
  return flavour == ZEROS ? 0 : extremes[word % 5];
}

uint64_t element_special(enum flavour flavour, clred_type type, uint64_t turn, random_state *random) {
  const uint64_t infinity = oracle_float_bits(type, INFINITY), word = random_word(random);
  const uint64_t sign = word & sign_bit(type);
  if (!oracle_is_floating(type))
    return special_integer(flavour, type, word);
  switch (flavour) {
  case ZEROS:
    return sign;
  case DENORMALS:
    return sign | (word & (sign_bit(type) - 1) & ~infinity);
  case ONE_INFINITY:
    return infinity;
  case BOTH_INFINITIES:
    return turn % 2 ? infinity | sign_bit(type) : infinity;
  case EXTREMES:
    return sign | extreme_float(type, infinity, random_word(random));
  default:  // any payload, quiet or signalling, but not all of it zero
    return sign | infinity | (word & (sign_bit(type) - 1)) | 1;
  }
}

// ---------------------------------------------------------------- Selections

#define LIMIT 0.25f

static const clred_operand limit = {"limit", "float", sizeof(float)};
static const float limit_value = LIMIT;
const void *const choice_parameters[] = {&limit_value};

static cl_uint not_below(const void *element, cl_ulong index, const void *const *inputs, const void *const *values,
                         void *user_data) {
  float x;
  (void)index, (void)inputs, (void)user_data;
  memcpy(&x, element, sizeof x);
  return !(x < *(const float *)values[0]) ? 7 : 0;
}

const struct choice choices[] = {
  {CLRED_TYPE_CHAR, {.name = "negative", .keep = "x < 0"}, 1, CLRED_TYPE_CHAR, {0, -1}, {1, -1}},
  {CLRED_TYPE_FLOAT,
   OPERATOR(.name = "not_below", .keep = "!(x < limit)", .parameters = &limit, .parameter_count = 1, .host = not_below),
   4,
   CLRED_TYPE_FLOAT,
   {-LIMIT, LIMIT},
   {-LIMIT, LIMIT}},
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
  // No word has this size.
  {CLRED_TYPE_NONE,
   {.name = "three", .preamble = "typedef struct { char a[3]; } three;", .element = "three", .keep = "x.a[0] < 0"},
   3,
   CLRED_TYPE_CHAR,
   {0, -1},
   {1, -1}},
};

const size_t choice_count = sizeof choices / sizeof *choices;

const struct choice *choice_of(const clred_problem *problem) {
  size_t i = 0;
  while (&choices[i].selection != problem->selection)
    i++;
  return &choices[i];
}

void choice_make(const struct choice *of, void *at, bool kept, uint64_t random) {
  const uint32_t nan = 0x7fa00000u | ((uint32_t)random & 0xfffffu);
  const bool is_vector = oracle_components(of->type) == 4;
  const uint64_t turns = random % (of->number == CLRED_TYPE_CHAR ? 128 : 1000);
  const double number = of->first[kept] + of->step[kept] * (double)turns;
  if (is_vector)
    oracle_put(of->number, at, 0, -number);
  if (of->number)
    oracle_put(of->number, at, is_vector ? 3 : 0, number);
  if (of->type == CLRED_TYPE_FLOAT && kept && random % 7 == 0)
    memcpy(at, &nan, sizeof nan);
}

bool choice_keeps(const struct choice *of, enum choice_pattern pattern, uint64_t i, uint64_t count) {
  const bool kept[CHOICE_PATTERNS] = {
    random_at(pattern, i) % 3 == 0, true, false, i % 2 == 1, i % 16 != 15, i + 1 == count};
  return of->number == CLRED_TYPE_NONE ? i % 5 == 0 : kept[pattern];
}

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
