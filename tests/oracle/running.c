// Operators with the same bits in every order: integers, truth values, counts, extremes and their places. A state takes
// the elements one after another; its result can be read after each. Plain loops do for reductions and scans.

#include "oracle/column.h"

#include <math.h>
#include <string.h>

struct oracle_kind {
  void (*take)(oracle_running *running, uint64_t i);
  uint64_t (*result)(const oracle_running *running);
};

static bool is_signed(const oracle_column *column) {
  return oracle_is_signed(column->type);
}

static uint64_t magnitude(const oracle_column *column, uint64_t word) {
  return is_signed(column) && word >> 63 ? -word : word;
}

// ---------------------------------------------------------------- Counts

static void take_any(oracle_running *running, uint64_t i) {
  (void)running, (void)i;
}

static uint64_t count_of(const oracle_running *running) {
  return running->count;
}

static void take_nan(oracle_running *running, uint64_t i) {
  running->others += isnan(oracle_real_at(running->column, running->column->x, i)) != 0;
}

static uint64_t nans_of(const oracle_running *running) {
  return running->others;
}

// A number that is 0 if the element is, and a NaN if the element or a part of it is.
static double truth_at(const oracle_column *column, uint64_t i) {
  const double x = oracle_real_at(column, column->x, i);
  if (!oracle_is_complex(column->problem->type))
    return x;
  const oracle_column imaginary = oracle_imaginary(column);
  const double im = oracle_real_at(&imaginary, imaginary.x, i);
  return isnan(im) || fpclassify(x) == FP_ZERO ? im : x;
}

// An ignored element counts as true for `all`, as false for `any` and count_nonzero, and not at all for `count`.
static void take_truth(oracle_running *running, uint64_t i) {
  const double x = truth_at(running->column, i);
  if (oracle_is_ignored(running->column, x))
    return;
  running->zeros += fpclassify(x) == FP_ZERO;
  running->others += fpclassify(x) != FP_ZERO;
}

static uint64_t truth_of(const oracle_running *running) {
  switch (running->op) {
  case CLRED_OP_COUNT:
    return running->zeros + running->others;
  case CLRED_OP_COUNT_NONZERO:
    return running->others;
  default:
    return running->op == CLRED_OP_ALL ? running->zeros == 0 : running->others > 0;
  }
}

// ---------------------------------------------------------------- Words, modulo 2^64

// The lifted element.
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

static void take_word(oracle_running *running, uint64_t i) {
  const uint64_t x = term(running->column, running->op, i);
  switch (running->op) {
  case CLRED_OP_PROD:
    running->word *= x;
    break;
  case CLRED_OP_AND:
    running->word &= x;
    break;
  case CLRED_OP_OR:
    running->word |= x;
    break;
  case CLRED_OP_XOR:
    running->word ^= x;
    break;
  default:
    running->word += x;
  }
}

static uint64_t word_of(const oracle_running *running) {
  return running->word;
}

// ---------------------------------------------------------------- Extremes: see docs/numerics.md on NaNs, zeros and
// ties

static bool seeks_least(const oracle_running *running) {
  return running->op == CLRED_OP_MIN || running->op == CLRED_OP_ARGMIN;
}

// A word of type WIDE with the order of the values as an unsigned number. NaNs come first in the search for the
// smallest value, and last in the search for the largest.
static uint64_t rank(const oracle_running *running, uint64_t bits) {
  const clred_type type = oracle_wide(running->column->problem);
  const unsigned top = 8 * (unsigned)oracle_size(type) - 1;
  if (oracle_is_integral(running->column->problem))
    return oracle_is_signed(type) ? bits ^ (uint64_t)1 << 63 : bits;
  if (isnan(oracle_float_value(type, bits)))
    return seeks_least(running) ? 0 : UINT64_MAX;
  return bits >> top & 1 ? ~bits & (((uint64_t)1 << top) - 1) : bits | (uint64_t)1 << top;
}

// Of equal elements the first one counts; in a reversed scan that is the last one to be taken.
static void take_place(oracle_running *running, uint64_t i) {
  const oracle_column *column = running->column;
  const double x = oracle_real_at(column, column->x, i);
  if (oracle_is_ignored(column, x))
    return;
  const uint64_t bits = oracle_is_integral(column->problem) ? oracle_word_at(column, column->x, i)
                                                            : oracle_float_bits(oracle_wide(column->problem), x);
  const uint64_t now = rank(running, bits), before = rank(running, running->word);
  const bool ahead = seeks_least(running) ? now < before : now > before;
  if (running->found && !ahead && !(now == before && running->reversed))
    return;
  running->word = bits;
  running->index = running->reversed ? column->n - 1 - i : i;
  running->found = true;
}

static uint64_t place_of(const oracle_running *running) {
  return running->op == CLRED_OP_ARGMIN || running->op == CLRED_OP_ARGMAX ? running->index : running->word;
}

// The end of the result's type over no elements: the largest value for the smallest element, and the reverse.
static uint64_t end_of_type(const oracle_running *running) {
  const clred_problem *problem = running->column->problem;
  const uint64_t bits = 8 * oracle_result_bytes(problem), sign = (uint64_t)1 << (bits - 1);
  const bool greatest = seeks_least(running);
  if (!oracle_is_integral(problem))
    return oracle_float_bits(oracle_wide(problem), greatest ? (double)INFINITY : -(double)INFINITY);
  if (is_signed(running->column))
    return greatest ? sign - 1 : -sign;
  return greatest ? sign - 1 + sign : 0;
}

// ---------------------------------------------------------------- Exact sums, 192 bits in two's complement

static void take_in(oracle_long *sum, const uint64_t term[3]) {
  uint64_t carry = 0;
  for (int i = 0; i < 3; i++) {
    const uint64_t first = sum->word[i] + term[i], both = first + carry;
    carry = (first < term[i]) | (both < carry);
    sum->word[i] = both;
  }
}

static void negate(uint64_t term[3]) {
  oracle_long one = {{1, 0, 0}};
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
  oracle_long sum = {{low, high, 0}};
  for (int i = 0; i < 2; i++)
    take_in(&sum, (uint64_t[3]){cross[i] << 32, cross[i] >> 32, 0});
  for (int i = 0; i < 3; i++)
    term[i] = sum.word[i];
}

static oracle_long exact_term(const oracle_column *column, clred_op op, uint64_t i) {
  const uint64_t x = oracle_word_at(column, column->x, i);
  const uint64_t y = oracle_is_dot(op) ? oracle_word_at(column, column->y, i) : op == CLRED_OP_SUMSQ ? x : 1;
  oracle_long out;
  multiply(magnitude(column, x), magnitude(column, y), out.word);
  const bool negative = is_signed(column) && (x >> 63) != (oracle_is_dot(op) && y >> 63);
  if (negative && (oracle_is_dot(op) || op == CLRED_OP_SUM))
    negate(out.word);
  return out;
}

// ---------------------------------------------------------------- Overflow

// Factors of 0 are left out.
static void take_factor(oracle_running *running, uint64_t i) {
  const uint64_t x = oracle_word_at(running->column, running->column->x, i), factor = magnitude(running->column, x);
  running->is_negative ^= is_signed(running->column) && x >> 63;
  running->zeros += factor == 0;
  running->is_large = running->is_large || (factor && running->word > UINT64_MAX / factor);
  running->word *= factor ? factor : 1;
}

static void take_exactly(oracle_running *running, uint64_t i) {
  if (running->op == CLRED_OP_PROD)
    take_factor(running, i);
  else
    take_in(&running->sum, exact_term(running->column, running->op, i).word);
}

// Whether the sum fits an integer of this many bytes.
static bool fits(const oracle_long *sum, size_t bytes, bool as_signed) {
  const uint64_t rest = as_signed && sum->word[0] >> 63 ? UINT64_MAX : 0;
  const size_t digits = 8 * bytes - (as_signed ? 1 : 0);  // above them are copies of the sign; 64 cannot be shifted by
  const uint64_t above = (sum->word[0] ^ rest) >> (digits - 1) >> 1;
  return sum->word[1] == rest && sum->word[2] == rest && above == 0;
}

static uint64_t overflows(const oracle_running *running) {
  const size_t bytes = oracle_result_bytes(running->column->problem);
  const uint64_t half = (uint64_t)1 << (8 * bytes - 1);
  if (running->op != CLRED_OP_PROD)
    return !fits(&running->sum, bytes,
                 is_signed(running->column) && (running->op == CLRED_OP_SUM || oracle_is_dot(running->op)));
  const uint64_t most = !is_signed(running->column) ? half - 1 + half : running->is_negative ? half : half - 1;
  return !running->zeros && (running->is_large || running->word > most);
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

static void take_squares(oracle_running *running, uint64_t i) {
  take_in(&running->sum, exact_term(running->column, CLRED_OP_SUM, i).word);
  take_in(&running->squares, exact_term(running->column, CLRED_OP_SUMSQ, i).word);
}

// Rounded once.
static uint64_t moment_of(const oracle_running *running) {
  const clred_op op = running->op;
  const bool is_sample = op == CLRED_OP_VAR_SAMPLE || op == CLRED_OP_STD_SAMPLE;
  const bool is_root = op == CLRED_OP_STD || op == CLRED_OP_STD_SAMPLE;
  const uint64_t n = running->count, less = n - is_sample;
  oracle_long sum = running->sum;
  const bool negative = is_signed(running->column) && sum.word[2] >> 63;
  if (n == 0 || less == 0)
    return oracle_float_bits(CLRED_TYPE_DOUBLE, (double)NAN);
  if (negative)
    negate(sum.word);
  const long_number S = number_of(sum.word, 3), N = number_of(&n, 1);
  if (op == CLRED_OP_MEAN)
    return oracle_float_bits(CLRED_TYPE_DOUBLE, negative ? -nearest(S, N, false) : nearest(S, N, false));
  const long_number all = product_of(N, number_of(running->squares.word, 3));
  return oracle_float_bits(CLRED_TYPE_DOUBLE,
                           nearest(difference_of(all, product_of(S, S)), product_of(N, number_of(&less, 1)), is_root));
}

// ---------------------------------------------------------------- All of them

// NULL: the order matters.
static const struct oracle_kind *kind_of(const oracle_column *column, clred_op op, const char *part) {
  static const struct oracle_kind counts = {take_any, count_of}, nans = {take_nan, nans_of},
                                  truths = {take_truth, truth_of}, words = {take_word, word_of},
                                  places = {take_place, place_of}, detection = {take_exactly, overflows},
                                  moments = {take_squares, moment_of};
  const bool integral = oracle_is_integral(column->problem);
  if (strcmp(part, "count") == 0)
    return &counts;
  if (strcmp(part, "nan_count") == 0)
    return &nans;
  if (strcmp(part, "overflow") == 0)
    return &detection;
  if (ORACLE_IS_ONE(op, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_ARGMIN, CLRED_OP_ARGMAX))
    return &places;
  if (ORACLE_IS_ONE(op, ORACLE_TRUTHS))
    return &truths;
  if (ORACLE_IS_ONE(op, CLRED_OP_NORM2, CLRED_OP_LOGSUMEXP) || !integral)
    return NULL;
  return ORACLE_IS_ONE(op, ORACLE_MOMENTS) ? &moments : &words;
}

bool oracle_running_begin(oracle_running *running, const oracle_column *column, const oracle_part *part,
                          const uint64_t *start) {
  const clred_op op = oracle_op_of(column->problem->op, part->name);
  *running = (oracle_running){
    .column = column, .kind = kind_of(column, op, part->name), .op = op, .index = UINT64_MAX, .found = start != NULL};
  if (!running->kind)
    return false;
  running->word = start                               ? *start
                  : running->kind->result == place_of ? end_of_type(running)
                  : op == CLRED_OP_PROD               ? 1
                  : op == CLRED_OP_AND                ? UINT64_MAX
                                                      : 0;
  return true;
}

void oracle_running_take(oracle_running *running, uint64_t i) {
  running->kind->take(running, i);
  running->count++;
}

uint64_t oracle_running_result(const oracle_running *running) {
  return running->kind->result(running);
}
