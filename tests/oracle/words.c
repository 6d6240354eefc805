// Operators on integers, truth values and counts. Every order gives the same bits, so all are plain loops.

#include "oracle/column.h"

#include <math.h>

static bool is_signed(const oracle_column *column) {
  return oracle_is_signed(column->type);
}

static uint64_t magnitude(const oracle_column *column, uint64_t word) {
  return is_signed(column) && word >> 63 ? -word : word;
}

// The lifted element, modulo 2^64.
static uint64_t term(const oracle_column *column, clred_op op, uint64_t i) {
  const uint64_t x = oracle_word_at(column, column->x, i), size = magnitude(column, x);
  switch (op) {
  case CLRED_OP_NORM1:
    return size;
  case CLRED_OP_SUMSQ:
    return size * size;
  case CLRED_OP_DOT:
  case CLRED_OP_VDOT:
    return x * oracle_word_at(column, column->y, i);
  default:
    return x;
  }
}

uint64_t oracle_word_identity(clred_op op) {
  return op == CLRED_OP_PROD ? 1 : op == CLRED_OP_AND ? UINT64_MAX : 0;
}

uint64_t oracle_word_after(const oracle_column *column, clred_op op, uint64_t state, uint64_t i) {
  const uint64_t x = term(column, op, i);
  switch (op) {
  case CLRED_OP_PROD:
    return state * x;
  case CLRED_OP_AND:
    return state & x;
  case CLRED_OP_OR:
    return state | x;
  case CLRED_OP_XOR:
    return state ^ x;
  default:
    return state + x;
  }
}

uint64_t oracle_fold_words(const oracle_column *column, clred_op op) {
  uint64_t state = oracle_word_identity(op);
  for (uint64_t i = 0; i < column->n; i++)
    state = oracle_word_after(column, op, state, i);
  return state;
}

double oracle_truth_at(const oracle_column *column, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i);
  if (!oracle_is_complex(column->problem->type))
    return x;
  const oracle_column imaginary = oracle_imaginary(column);
  const double im = oracle_real_at(&imaginary, imaginary.x, i);
  return isnan(im) || fpclassify(x) == FP_ZERO ? im : x;
}

// An ignored element counts as true for `all`, as false for `any` and count_nonzero, and not at all for `count`.
uint64_t oracle_truth(const oracle_column *column, clred_op op) {
  uint64_t zeros = 0, others = 0;
  for (uint64_t i = 0; i < column->n; i++) {
    const double x = oracle_truth_at(column, i);
    if (oracle_is_ignored(column, x))
      continue;
    zeros += fpclassify(x) == FP_ZERO;
    others += fpclassify(x) != FP_ZERO;
  }
  if (op == CLRED_OP_COUNT)
    return zeros + others;
  if (op == CLRED_OP_COUNT_NONZERO)
    return others;
  return op == CLRED_OP_ALL ? zeros == 0 : others > 0;
}

// ---------------------------------------------------------------- Exact sums, 192 bits in two's complement

typedef struct long_sum {
  uint64_t word[3];
} long_sum;

static void take_in(long_sum *sum, const uint64_t term[3]) {
  uint64_t carry = 0;
  for (int i = 0; i < 3; i++) {
    const uint64_t first = sum->word[i] + term[i], both = first + carry;
    carry = (first < term[i]) | (both < carry);
    sum->word[i] = both;
  }
}

static void negate(uint64_t term[3]) {
  long_sum one = {{1, 0, 0}};
  for (int i = 0; i < 3; i++)
    term[i] = ~term[i];
  take_in(&one, term);
  for (int i = 0; i < 3; i++)
    term[i] = one.word[i];
}

// The product of two magnitudes by halves of 32 bits.
static void multiply(uint64_t a, uint64_t b, uint64_t term[3]) {
  const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), high = (a >> 32) * (b >> 32);
  const uint64_t cross[2] = {(a >> 32) * (b & UINT32_MAX), (a & UINT32_MAX) * (b >> 32)};
  long_sum sum = {{low, high, 0}};
  for (int i = 0; i < 2; i++)
    take_in(&sum, (uint64_t[3]){cross[i] << 32, cross[i] >> 32, 0});
  for (int i = 0; i < 3; i++)
    term[i] = sum.word[i];
}

static void exact_term(const oracle_column *column, clred_op op, uint64_t i, uint64_t out[3]) {
  const uint64_t x = oracle_word_at(column, column->x, i);
  const uint64_t y = oracle_is_dot(op) ? oracle_word_at(column, column->y, i) : op == CLRED_OP_SUMSQ ? x : 1;
  multiply(magnitude(column, x), magnitude(column, y), out);
  const bool negative = is_signed(column) && (x >> 63) != (oracle_is_dot(op) && y >> 63);
  if (negative && (oracle_is_dot(op) || op == CLRED_OP_SUM))
    negate(out);
}

static long_sum sum_up(const oracle_column *column, clred_op op) {
  long_sum sum = {{0}};
  for (uint64_t i = 0; i < column->n; i++) {
    uint64_t one[3];
    exact_term(column, op, i, one);
    take_in(&sum, one);
  }
  return sum;
}

// Whether the sum fits an integer of this many bytes.
static bool fits(const long_sum *sum, size_t bytes, bool as_signed) {
  const uint64_t rest = as_signed && sum->word[0] >> 63 ? UINT64_MAX : 0;
  const size_t digits = 8 * bytes - (as_signed ? 1 : 0);  // above them are copies of the sign; 64 cannot be shifted by
  const uint64_t above = (sum->word[0] ^ rest) >> (digits - 1) >> 1;
  return sum->word[1] == rest && sum->word[2] == rest && above == 0;
}

// Whether the product leaves the type: divides the greatest magnitude by each factor that is not 0.
static bool product_overflows(const oracle_column *column) {
  bool negative = false, is_zero = false, overflows = false;
  for (uint64_t i = 0; i < column->n; i++)
    negative ^= is_signed(column) && oracle_word_at(column, column->x, i) >> 63;
  const uint64_t half = (uint64_t)1 << (8 * oracle_result_bytes(column->problem) - 1);
  uint64_t room = !is_signed(column) ? half - 1 + half : negative ? half : half - 1;
  for (uint64_t i = 0; i < column->n; i++) {
    const uint64_t factor = magnitude(column, oracle_word_at(column, column->x, i));
    is_zero |= factor == 0;
    room /= factor ? factor : 1;
    overflows |= room == 0;
  }
  return overflows && !is_zero;
}

bool oracle_overflows(const oracle_column *column, clred_op op) {
  if (op == CLRED_OP_PROD)
    return product_overflows(column);
  const long_sum sum = sum_up(column, op);
  return !fits(&sum, oracle_result_bytes(column->problem),
               is_signed(column) && (op == CLRED_OP_SUM || oracle_is_dot(op)));
}

// ---------------------------------------------------------------- Means and variances: long integers are compared

enum { DIGITS = 32 };  // of 32 bits

typedef struct long_number {
  uint32_t digit[DIGITS];
} long_number;

static long_number number_of(const uint64_t *words, int count) {
  long_number made = {{0}};
  for (int i = 0; i < 2 * count; i++)
    made.digit[i] = (uint32_t)(words[i / 2] >> 32 * (i % 2));
  return made;
}

static long_number product_of(long_number a, long_number b) {
  long_number made = {{0}};
  for (int i = 0; i < DIGITS; i++) {
    uint64_t carry = 0;
    for (int j = 0; i + j < DIGITS; j++) {
      carry += (uint64_t)a.digit[i] * b.digit[j] + made.digit[i + j];
      made.digit[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return made;
}

static long_number difference_of(long_number a, long_number b) {
  int64_t borrow = 0;
  for (int i = 0; i < DIGITS; i++) {
    borrow += (int64_t)a.digit[i] - b.digit[i];
    a.digit[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
  return a;
}

static long double value_of(long_number a) {
  long double value = 0;
  for (int i = DIGITS; i-- > 0;)
    value = value * 0x1p32L + a.digit[i];
  return value;
}

// -1, 0 or 1: number x 2^exponent, or its square, is less than, equal to, or greater than p / q.
static int compare(uint64_t number, int exponent, bool is_root, long_number p, long_number q) {
  const long_number factor = number_of(&number, 1);
  long_number scale = {{0}}, left = product_of(is_root ? product_of(factor, factor) : factor, q), right = p;
  const int shift = (exponent < 0 ? -exponent : exponent) * (is_root ? 2 : 1);
  scale.digit[shift / 32] = (uint32_t)1 << shift % 32;
  *(exponent < 0 ? &right : &left) = product_of(exponent < 0 ? right : left, scale);
  for (int i = DIGITS; i-- > 0;)
    if (left.digit[i] != right.digit[i])
      return left.digit[i] < right.digit[i] ? -1 : 1;
  return 0;
}

static int compare_double(double x, bool is_root, long_number p, long_number q) {
  int exponent;
  const double fraction = frexp(x, &exponent);
  return compare((uint64_t)ldexp(fraction, 53), exponent - 53, is_root, p, q);
}

// The double that is nearest to p / q or to its root; ties go to even.
static double nearest(long_number p, long_number q, bool is_root) {
  const long double near = value_of(p) / value_of(q);
  double x = (double)(is_root ? sqrtl(near) : near);
  if (!(x > 0))
    return 0;
  while (compare_double(x, is_root, p, q) > 0)
    x = nextafter(x, 0);
  while (compare_double(nextafter(x, (double)INFINITY), is_root, p, q) <= 0)
    x = nextafter(x, (double)INFINITY);
  int exponent;
  const uint64_t number = (uint64_t)ldexp(frexp(x, &exponent), 53);
  const int middle = compare(2 * number + 1, exponent - 54, is_root, p, q);
  return middle < 0 || (middle == 0 && number % 2) ? nextafter(x, (double)INFINITY) : x;
}

uint64_t oracle_moments_of_words(const oracle_column *column, clred_op op) {
  const bool is_sample = op == CLRED_OP_VAR_SAMPLE || op == CLRED_OP_STD_SAMPLE;
  const bool is_root = op == CLRED_OP_STD || op == CLRED_OP_STD_SAMPLE;
  const uint64_t n = column->n, less = n - is_sample;
  long_sum sum = sum_up(column, CLRED_OP_SUM), squares = sum_up(column, CLRED_OP_SUMSQ);
  const bool negative = is_signed(column) && sum.word[2] >> 63;
  if (n == 0 || less == 0)
    return oracle_float_bits(CLRED_TYPE_DOUBLE, (double)NAN);
  if (negative)
    negate(sum.word);
  const long_number S = number_of(sum.word, 3), N = number_of(&n, 1), all = product_of(N, number_of(squares.word, 3));
  if (op == CLRED_OP_MEAN)
    return oracle_float_bits(CLRED_TYPE_DOUBLE, negative ? -nearest(S, N, false) : nearest(S, N, false));
  return oracle_float_bits(CLRED_TYPE_DOUBLE,
                           nearest(difference_of(all, product_of(S, S)), product_of(N, number_of(&less, 1)), is_root));
}
