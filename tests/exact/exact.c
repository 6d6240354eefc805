// exact: the order exact compared with MPFR, bit by bit. Each problem is computed as it is, reversed, in random order,
// and cut in seven parts that are joined. CI runs a few problems of each operator and type; `exact --problems 2000` is
// the long form.

#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/own.h"
#include "grid/options.h"
#include "support/device.h"
#include "support/random.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// ---------------------------------------------------------------- Elements whose sums are hard to round

enum exact_data {
  DATA_ALL_EXPONENTS,
  DATA_NEAR,      // few exponents, sometimes of one sign
  DATA_CANCELS,   // x and -x, and what is left
  DATA_FINE,      // the same, over a hundred binades
  DATA_HIDDEN,    // small elements among great ones that cancel
  DATA_HUGE,      // sums overflow on the way, or at the end
  DATA_TINY,      // subnormal numbers, and sums near them
  DATA_TIES,      // sums that are halfway between two numbers, some of them a little beside it
  DATA_STEPS,     // the magnitude changes every few hundred elements, and the later half cancels the earlier one
  DATA_SPECIALS,  // infinities and NaNs among others
  DATA_ZEROS,     // zeros of both signs; sometimes all are -0
  DATA_EQUAL,     // one number with other last bits, so that nothing is left of leading bits in a variance
  DATA_EVEN,      // variances that are halfway between two numbers, sometimes a little above it
  DATAS
};

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

// Fills `count` elements of a real type, and their values as doubles.
static void exact_data_fill(clred_type type, enum exact_data data, size_t count, random_state *random, void *elements,
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

// ---------------------------------------------------------------- The expected results

// All sums and products have enough bits to be exact, and the result is rounded once. Nothing here knows the library's
// superaccumulators.

// Elements as doubles, which hold every type that has this order. Complex elements are pairs.
struct exact_values {
  clred_type type;  // of the result's components: FLOAT or DOUBLE
  const double *x, *y;
  size_t count;
  bool ignores_nan;
};

// Sums of squares of doubles have 4261 bits, and count x squares - sum^2 has 128 more.
#define BITS 4800

// Sums of the finite terms, and flags for the other terms.
struct sums {
  mpfr_t sum, term;
  size_t count;
  bool has_nan, has_plus, has_minus, only_minus_zeros;
};

static void open_sums(struct sums *sums) {
  *sums = (struct sums){.only_minus_zeros = true};
  mpfr_inits2(BITS, sums->sum, sums->term, (mpfr_ptr)NULL);
  mpfr_set_zero(sums->sum, 1);
}

static void close_sums(struct sums *sums) {
  mpfr_clears(sums->sum, sums->term, (mpfr_ptr)NULL);
}

// Adds a x b.
static void add(struct sums *sums, double a, double b) {
  const double rough = a * b;
  const bool finite = isfinite(a) && isfinite(b), is_zero = a == 0 || b == 0;
  sums->only_minus_zeros &= finite && is_zero && signbit(rough);
  if (!finite) {
    sums->has_nan |= isnan(rough);
    sums->has_plus |= rough == INFINITY;
    sums->has_minus |= rough == -INFINITY;
    return;
  }
  mpfr_set_d(sums->term, a, MPFR_RNDN);
  mpfr_mul_d(sums->term, sums->term, b, MPFR_RNDN);
  mpfr_add(sums->sum, sums->sum, sums->term, MPFR_RNDN);
}

static void add_all(struct sums *sums, clred_op op, const struct exact_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    double x = values->x[i], y = op == CLRED_OP_DOT ? values->y[i] : 0;
    const bool ignored = values->ignores_nan && (isnan(x) || isnan(y));
    sums->count += !ignored;
    if (ignored)
      x = y = 0;
    const double other = op == CLRED_OP_DOT ? y : op == CLRED_OP_SUMSQ || op == CLRED_OP_NORM2 ? x : 1;
    add(sums, op == CLRED_OP_NORM1 ? fabs(x) : x, other);
  }
}

// Rounds once. If `value` is a quotient or a root, it was rounded toward zero before, and `inexact` is not 0. A tie has
// few bits, so the next number above is on the right side of every tie.
static uint64_t rounded(clred_type type, mpfr_t value, int inexact) {
  if (inexact)
    mpfr_nextabove(value);
  return oracle_float_bits(type, type == CLRED_TYPE_FLOAT ? (double)mpfr_get_flt(value, MPFR_RNDN)
                                                          : mpfr_get_d(value, MPFR_RNDN));
}

// The result if a term is infinite or NaN, or if the exact value is 0; otherwise false.
static bool is_special(const struct sums *sums, clred_type type, uint64_t *bits) {
  if (sums->has_nan || (sums->has_plus && sums->has_minus))
    *bits = oracle_float_bits(type, NAN);
  else if (sums->has_plus || sums->has_minus)
    *bits = oracle_float_bits(type, sums->has_plus ? INFINITY : -INFINITY);
  else if (mpfr_zero_p(sums->sum))
    *bits = oracle_float_bits(type, sums->only_minus_zeros && sums->count ? -0. : 0.);
  else
    return false;
  return true;
}

static uint64_t plain(clred_op op, const struct exact_values *values) {
  struct sums sums;
  uint64_t bits;
  int inexact = 0;
  open_sums(&sums);
  add_all(&sums, op, values);
  if (op == CLRED_OP_MEAN && sums.count == 0) {
    bits = oracle_float_bits(values->type, NAN);
  } else if (!is_special(&sums, values->type, &bits)) {
    const bool is_negative = mpfr_signbit(sums.sum);
    mpfr_abs(sums.sum, sums.sum, MPFR_RNDN);
    if (op == CLRED_OP_MEAN)
      inexact = mpfr_div_ui(sums.sum, sums.sum, sums.count, MPFR_RNDZ);
    if (op == CLRED_OP_NORM2)
      inexact = mpfr_sqrt(sums.sum, sums.sum, MPFR_RNDZ);
    bits = rounded(values->type, sums.sum, inexact) | (uint64_t)is_negative
                                                        << (values->type == CLRED_TYPE_FLOAT ? 31 : 63);
  }
  close_sums(&sums);
  return bits;
}

// (n x squares - sum^2) / (n x divisor)
static uint64_t variance(clred_op op, const struct exact_values *values) {
  const bool is_sample = op == CLRED_OP_VAR_SAMPLE || op == CLRED_OP_STD_SAMPLE;
  struct sums sum, squares;
  uint64_t bits = oracle_float_bits(values->type, NAN);
  open_sums(&sum);
  open_sums(&squares);
  add_all(&sum, CLRED_OP_SUM, values);
  add_all(&squares, CLRED_OP_SUMSQ, values);
  const size_t n = sum.count;
  if (!sum.has_nan && !sum.has_plus && !sum.has_minus && n > is_sample) {
    mpfr_mul_ui(squares.sum, squares.sum, n, MPFR_RNDN);
    mpfr_sqr(sum.sum, sum.sum, MPFR_RNDN);
    mpfr_sub(squares.sum, squares.sum, sum.sum, MPFR_RNDN);
    mpfr_set_ui(sum.sum, n, MPFR_RNDN);
    mpfr_mul_ui(sum.sum, sum.sum, n - is_sample, MPFR_RNDN);
    int inexact = mpfr_div(squares.sum, squares.sum, sum.sum, MPFR_RNDZ);
    if (op == CLRED_OP_STD || op == CLRED_OP_STD_SAMPLE)
      inexact |= mpfr_sqrt(squares.sum, squares.sum, MPFR_RNDZ);
    bits = mpfr_zero_p(squares.sum) ? 0 : rounded(values->type, squares.sum, inexact);
  }
  close_sums(&sum);
  close_sums(&squares);
  return bits;
}

// The bits of the result; every NaN is the canonical one.
static uint64_t exact_expected(clred_op op, const struct exact_values *values) {
  return ORACLE_IS_ONE(op, ORACLE_MOMENTS) && op != CLRED_OP_MEAN ? variance(op, values) : plain(op, values);
}

// ---------------------------------------------------------------- What is computed

#define MOST 10000000  // elements of a problem

static const struct subject {
  const char *name;
  clred_op op;
  bool own;  // an operator of a caller (own.h)
} subjects[] = {
  {"sum", CLRED_OP_SUM, false},     {"norm1", CLRED_OP_NORM1, false},
  {"sumsq", CLRED_OP_SUMSQ, false}, {"dot", CLRED_OP_DOT, false},
  {"norm2", CLRED_OP_NORM2, false}, {"mean", CLRED_OP_MEAN, false},
  {"var", CLRED_OP_VAR, false},     {"var_sample", CLRED_OP_VAR_SAMPLE, false},
  {"std", CLRED_OP_STD, false},     {"std_sample", CLRED_OP_STD_SAMPLE, false},
  {"own_sum", CLRED_OP_SUM, true},  {"own_mean", CLRED_OP_MEAN, true},
};
static const struct {
  const char *name;
  clred_type type, result, state;
} types[] = {
  {"half", CLRED_TYPE_HALF, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"bfloat16", CLRED_TYPE_BFLOAT16, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"float", CLRED_TYPE_FLOAT, CLRED_TYPE_FLOAT, CLRED_TYPE_NONE},
  {"double", CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE, CLRED_TYPE_NONE},
  {"half as double", CLRED_TYPE_HALF, CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE},
  {"float as double", CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE},
};

// A problem: elements and their values, of x and of y.
struct problem {
  size_t count;
  unsigned char x[MOST * 8], y[MOST * 8];
  double x_values[MOST], y_values[MOST];
};

struct run {
  struct device device;
  clred_plan *plan;
  const struct subject *subject;
  clred_type type, result, state;
  size_t size;
  struct problem problem;
  random_state random;
  uint64_t calls, wrong;
  char what[160];
};

// ---------------------------------------------------------------- Orders of the elements

static void swap(struct run *run, size_t i, size_t j) {
  struct problem *problem = &run->problem;
  const uint64_t x = oracle_load(problem->x, run->size, i), y = oracle_load(problem->y, run->size, i);
  oracle_store(problem->x, run->size, i, oracle_load(problem->x, run->size, j));
  oracle_store(problem->y, run->size, i, oracle_load(problem->y, run->size, j));
  oracle_store(problem->x, run->size, j, x);
  oracle_store(problem->y, run->size, j, y);
}

static void reverse(struct run *run) {
  for (size_t i = 0; i < run->problem.count / 2; i++)
    swap(run, i, run->problem.count - 1 - i);
}

static void shuffle(struct run *run) {
  for (size_t i = run->problem.count; i > 1; i--)
    swap(run, i - 1, (size_t)random_below(&run->random, i));
}

// ---------------------------------------------------------------- Calls

static clred_host_call elements_of(const struct run *run, size_t first, size_t count, const void **y) {
  *y = run->problem.y + first * run->size;
  return (clred_host_call){
    .in = run->problem.x + first * run->size, .inputs = run->subject->op == CLRED_OP_DOT ? y : NULL, .count = count};
}

static cl_int compute(struct run *run, void *result) {
  const void *y;
  clred_host_call call = elements_of(run, 0, run->problem.count, &y);
  call.out = result;
  return clred_plan_run_host(run->device.queue, run->plan, &call);
}

static cl_int fold_part(struct run *run, clred_partial *whole, size_t first, size_t count) {
  const clred_partial_options options = {.first = first};
  const void *y;
  const clred_host_call call = elements_of(run, first, count, &y);
  clred_partial *part = NULL;
  cl_int status = clred_partial_create(run->plan, &options, &part);
  if (!status)
    status = clred_partial_push(run->device.queue, part, &call);
  if (!status)
    status = clred_partial_join(whole, part);
  clred_partial_release(part);
  return status;
}

enum { PARTS = 7 };

// Joins the parts from one of them on, each time the neighbour on the left or the right.
static cl_int compute_in_parts(struct run *run, void *result) {
  const clred_partial_options options = {.first = 0};
  clred_partial *whole = NULL;
  size_t cuts[PARTS + 1] = {0}, low = (size_t)random_below(&run->random, PARTS), high = low;
  cl_int status = clred_partial_create(run->plan, &options, &whole);
  for (size_t part = 0; part < PARTS; part++) {
    const size_t left = run->problem.count - cuts[part];
    cuts[part + 1] = cuts[part] + (part + 1 == PARTS ? left : (size_t)random_below(&run->random, left + 1));
  }
  while (high - low < PARTS && !status) {
    const bool goes_up = low == 0 || (high < PARTS && random_below(&run->random, 2) == 1);
    const size_t part = goes_up ? high++ : --low;
    status = fold_part(run, whole, cuts[part], cuts[part + 1] - cuts[part]);
  }
  if (!status)
    status = clred_partial_result(whole, result);
  clred_partial_release(whole);
  return status;
}

static void compare(struct run *run, const char *how, uint64_t wanted, cl_int status, const void *result) {
  const uint64_t given = oracle_load(result, run->result == CLRED_TYPE_FLOAT ? 4 : 8, 0);
  run->calls++;
  if (!status && given == wanted)
    return;
  run->wrong++;
  printf("WRONG %s %zu elements %s: status %d, 0x%" PRIx64 " is not 0x%" PRIx64 "\n", run->what, run->problem.count,
         how, (int)status, given, wanted);
}

static void check(struct run *run, clred_op op, bool in_parts, bool ignores_nan) {
  const struct problem *problem = &run->problem;
  const struct exact_values values = {run->result, problem->x_values, problem->y_values, problem->count, ignores_nan};
  const uint64_t wanted = exact_expected(op, &values);
  uint64_t result = 0;
  compare(run, "as they are", wanted, compute(run, &result), &result);
  reverse(run);
  compare(run, "reversed", wanted, compute(run, &result), &result);
  shuffle(run);
  compare(run, "shuffled", wanted, compute(run, &result), &result);
  if (in_parts)
    compare(run, "in parts", wanted, compute_in_parts(run, &result), &result);
}

// ---------------------------------------------------------------- Problems

// What the command line asks for.
struct asked {
  uint64_t problems, seed, most, groups;
  const char *strategy, *filter;
  bool few, ignores_nan;
};

static void check_all(struct run *run, const struct asked *asked, bool in_parts) {
  const size_t counts[] = {0, 1, 2, 3, 17, 100, (size_t)asked->most};
  struct problem *problem = &run->problem;
  for (uint64_t i = 0; i < asked->problems; i++) {
    const enum exact_data data = (enum exact_data)(i % DATAS);
    problem->count = counts[(i / DATAS + i % DATAS) % COUNT_OF(counts)];
    exact_data_fill(run->type, data, problem->count, &run->random, problem->x, problem->x_values);
    exact_data_fill(run->type, data, problem->count, &run->random, problem->y, problem->y_values);
    check(run, run->subject->op, in_parts, asked->ignores_nan);
  }
}

// Some operators on some types are enough for a device: the text of the others is the same.
static const char *const on_device[] = {
  "sum half",     "sum double",       "sum half as double", "dot float",     "dot float as double",
  "norm2 double", "std_sample float", "own_sum float",      "own_mean half", "own_mean double"};

static bool is_few(const char *what) {
  for (size_t i = 0; i < COUNT_OF(on_device); i++)
    if (strcmp(on_device[i], what) == 0)
      return true;
  return false;
}

// Operators of callers have no callbacks, and do not know of NaNs to ignore.
static bool is_possible(const struct run *run, const struct asked *asked) {
  return !run->subject->own || (strcmp(asked->strategy, "host_serial") != 0 && !asked->ignores_nan && !run->state);
}

static clred_problem problem_of(const struct run *run, const struct asked *asked) {
  if (run->subject->own)
    return (clred_problem)PROBLEM(.custom = exact_own(run->subject->op, run->type), .strategy = asked->strategy,
                                  .count_max = MOST, .groups = asked->groups);
  return (clred_problem)PROBLEM(.type = run->type, .op = run->subject->op, .order = CLRED_ORDER_EXACT,
                                .state = run->state, .strategy = asked->strategy, .count_max = MOST,
                                .groups = asked->groups,
                                .nan = asked->ignores_nan ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE);
}

static void check_subject(struct run *run, const struct asked *asked) {
  const clred_problem problem = problem_of(run, asked);
  clred_plan_info info;
  if (!is_possible(run, asked) || (asked->filter && !strstr(run->what, asked->filter)) ||
      (asked->few && !is_few(run->what)))
    return;
  if (clred_plan_create(run->device.runtime, &problem, &run->plan)) {
    const char *message = clred_last_error(run->device.runtime);
    printf("%s: no plan: %s\n", run->what, message);
    run->wrong += !strstr(message, "fp64") || run->result != CLRED_TYPE_DOUBLE;
    return;
  }
  clred_plan_inspect(run->plan, 1, &info);
  check_all(run, asked, strcmp(info.strategy, "wide") == 0 || strcmp(info.strategy, "chunked") == 0);
  clred_plan_release(run->plan);
}

static void check_subjects(struct run *run, const struct asked *asked) {
  for (size_t s = 0; s < COUNT_OF(subjects); s++)
    for (size_t t = 0; t < COUNT_OF(types); t++) {
      run->subject = &subjects[s];
      run->type = types[t].type;
      run->result = types[t].result;
      run->state = types[t].state;
      run->size = oracle_size(run->type);
      snprintf(run->what, sizeof run->what, "%s %s", subjects[s].name, types[t].name);
      check_subject(run, asked);
    }
}

int main(int argc, char **argv) {
  struct asked asked = {.problems = 70, .seed = 1, .most = 1500, .strategy = "host_serial"};
  const struct option options[] = {
    OPTION(.name = "--problems", .number = &asked.problems, .help = "problems of each operator and type"),
    OPTION(.name = "--most", .number = &asked.most, .help = "elements of the longest problems, at most 10000000"),
    OPTION(.name = "--groups", .number = &asked.groups, .help = "of a launch; 1: sums overflow bins"),
    OPTION(.name = "--seed", .number = &asked.seed, .help = "of the elements"),
    OPTION(.name = "--strategy", .text = &asked.strategy, .help = "host_serial by default"),
    OPTION(.name = "--filter", .text = &asked.filter, .help = "part of 'OPERATOR TYPE'"),
    OPTION(.name = "--few", .flag = &asked.few, .help = "a few operators and types only"),
    OPTION(.name = "--ignore-nan", .flag = &asked.ignores_nan, .help = "ignore NaNs"),
  };
  static struct run run;
  if (!OPTIONS_READ("exact", options, argc, argv) || asked.most > MOST)
    return 2;
  const char *failed = device_open(&run.device);
  if (failed) {
    printf("%s\n", failed);
    return 1;
  }
  run.random = random_seed(asked.seed);
  check_subjects(&run, &asked);
  device_close(&run.device);
  printf("exact: %" PRIu64 " results, %" PRIu64 " wrong\n", run.calls, run.wrong);
  return run.wrong != 0 || run.calls == 0;
}
