// The trees, by recursion from their last combination backwards. A float sum or product is taken in double and rounded
// once more: two roundings give the bits of one, since 53 >= 2 * 24 + 2.

#include "oracle_tree.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_ROWS 16

void oracle_fail(const char *what, const char *which) {
  fprintf(stderr, "oracle: %s %s\n", what, which);
  abort();
}

void *oracle_claim(uint64_t count, size_t size) {
  void *memory = malloc((size_t)(count ? count : 1) * size);
  if (!memory)
    oracle_fail("out of", "memory");
  return memory;
}

// ---------------------------------------------------------------- Trees of n values

static double combine(oracle_arithmetic how, double a, double b) {
  const double c = how.multiply ? a * b : a + b;
  return how.single ? (double)(float)c : c;
}

// x[first], x[first + stride], ... below n, in order.
static double in_order(oracle_arithmetic how, const double *x, uint64_t first, uint64_t stride, uint64_t n) {
  double sum = x[first];
  for (uint64_t i = first + stride; i < n; i += stride)
    sum = combine(how, sum, x[i]);
  return sum;
}

// Adjacent pairs, the odd one rising: the left part is the greatest power of two below the length.
static double pairs(oracle_arithmetic how, const double *x, uint64_t n) {
  uint64_t left = 1;
  if (n == 1)
    return x[0];
  while (2 * left < n)
    left *= 2;
  return combine(how, pairs(how, x, left), pairs(how, x + left, n - left));
}

// Halving over `places`, seen from its end: the value left in place i at this stride stands for all places i, i +
// stride, i + 2 stride, ..., and was made of those of twice the stride.
static double halving(oracle_arithmetic how, const double *x, uint64_t n, uint64_t places, uint64_t i,
                      uint64_t stride) {
  if (stride == places)
    return x[i];
  const double own = halving(how, x, n, places, i, 2 * stride);
  return i + stride < n ? combine(how, own, halving(how, x, n, places, i + stride, 2 * stride)) : own;
}

// The upper half onto the lower: place i of a list that `level` foldings have shortened to length[level].
static double folded(oracle_arithmetic how, const double *x, const uint64_t *length, unsigned level, uint64_t i) {
  if (level == 0)
    return x[i];
  const double   own = folded(how, x, length, level - 1, i);
  const uint64_t other = i + length[level];
  return other < length[level - 1] ? combine(how, own, folded(how, x, length, level - 1, other)) : own;
}

static double top_down(oracle_arithmetic how, const double *x, uint64_t n) {
  uint64_t length[65] = {n};
  unsigned level = 0;
  for (; length[level] > 1; level++)
    length[level + 1] = length[level] - length[level] / 2;
  return folded(how, x, length, level, 0);
}

// fixed/1: the lanes of every tile as one list, then pairs.
static double fixed_order(oracle_arithmetic how, const double *x, uint64_t n) {
  const uint64_t lanes = how.single ? 64 : 32, tile = TILE_ROWS * lanes;
  double        *list = oracle_claim(n, sizeof *list);
  uint64_t       length = 0;
  for (uint64_t start = 0; start < n; start += tile) {
    const uint64_t end = n - start < tile ? n : start + tile;
    for (uint64_t i = start; i < end && i < start + lanes; i++)
      list[length++] = in_order(how, x, i, lanes, end);
  }
  const double result = pairs(how, list, length);
  free(list);
  return result;
}

// The first min(n, group_size) work-items of a group fold every stride-th value in order; then halving over them.
static double by_work_items(oracle_arithmetic how, const double *x, uint64_t n, uint64_t group_size, uint64_t stride) {
  const uint64_t items = n < group_size ? n : group_size;
  double        *own = oracle_claim(items, sizeof *own);
  for (uint64_t i = 0; i < items; i++)
    own[i] = in_order(how, x, i, stride, n);
  const double result = halving(how, own, items, group_size, 0, 1);
  free(own);
  return result;
}

// ---------------------------------------------------------------- Strategies

enum shape { IN_ORDER, PAIRS, TOP_DOWN, FIXED, GROUP_PAIRS, GROUP_HALVING, COARSENED, HAND_OFF, PERSISTENT };

static const struct strategy {
  const char *name;
  enum shape  shape;
  unsigned    values;  // a work-item takes, where it is a constant
} strategies[] = {
    {"host_serial", IN_ORDER, 0},
    {"device_serial", IN_ORDER, 0},
    {"bottom_up", PAIRS, 0},
    {"bottom_up_mono", PAIRS, 0},
    {"top_down", TOP_DOWN, 0},
    {"top_down_mono", TOP_DOWN, 0},
    {"wide", FIXED, 0},
    {"chunked", FIXED, 0},
    {"global_interleaved", GROUP_PAIRS, 1},
    {"global_sequential", GROUP_HALVING, 1},
    {"local_interleaved", GROUP_PAIRS, 2},
    {"local_sequential", GROUP_HALVING, 2},
    {"atomic", GROUP_HALVING, 2},
    {"local_coarsened", COARSENED, 0},
    {"hand_off", HAND_OFF, 2},
    {"persistent", PERSISTENT, 0},
};

static const struct strategy *find(const char *name) {
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
    if (strcmp(strategies[i].name, name) == 0)
      return &strategies[i];
  oracle_fail("no tree is known for strategy", name);
  return NULL;
}

static bool finish_is(const oracle_tree *tree, const char *name) {
  return tree->finish && strcmp(tree->finish, name) == 0;
}

// Neighbouring values a group takes.
static uint64_t run_of(const oracle_tree *tree) {
  const struct strategy *strategy = find(tree->strategy);
  return tree->group_size * (strategy->shape == COARSENED ? tree->elements : strategy->values);
}

// The partial of one group over its run of m values.
static double partial(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t m) {
  switch (find(tree->strategy)->shape) {
  case GROUP_PAIRS:
    return pairs(how, x, m);
  case COARSENED:
    return by_work_items(how, x, m, tree->group_size, tree->group_size);
  default:
    return halving(how, x, m, run_of(tree), 0, 1);
  }
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t ceil_div(uint64_t a, uint64_t b) {
  return (a + b - 1) / b;
}

// One launch over n values: writes the partials and returns their number.
static uint64_t launch(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n, double *out) {
  const uint64_t G = tree->group_size;
  uint64_t       made = 0;
  if (find(tree->strategy)->shape == PERSISTENT) {
    // Groups of one work-item take two values at least, or a relaunch would never end.
    const uint64_t K = smaller(ceil_div(n, G > 1 ? G : 2), tree->groups);
    for (uint64_t g = 0; g < K; g++)
      out[made++] = by_work_items(how, x + g * G, n - g * G, G, K * G);
    return made;
  }
  const bool     hands = find(tree->strategy)->shape == HAND_OFF;
  const uint64_t run = run_of(tree);
  for (uint64_t start = 0; start < n; start += run) {
    const uint64_t m = smaller(n - start, run);
    const uint64_t partials = hands ? smaller(m, tree->hand_over) : 1;
    for (uint64_t j = 0; j < partials; j++)
      out[made++] = hands ? halving(how, x + start, m, run, j, tree->hand_over) : partial(tree, how, x + start, m);
  }
  return made;
}

// Launches until nothing is left to fold; the finish takes over where docs/strategies.md says so.
static double by_groups(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n) {
  const uint64_t G = tree->group_size;
  const bool     hands = find(tree->strategy)->shape == HAND_OFF;
  if (n == 1 && !finish_is(tree, "host"))
    return x[0];
  if (hands && n <= 2 * G && !finish_is(tree, "host"))
    return halving(how, x, n, 2 * G, 0, 1);
  double        *out = oracle_claim(n, sizeof *out), result;
  const uint64_t made = launch(tree, how, x, n, out);
  if (made == n && finish_is(tree, "relaunch"))
    oracle_fail("a relaunch shortens nothing with", tree->strategy);
  if (finish_is(tree, "relaunch") || (hands && made > 2 * G))
    result = by_groups(tree, how, out, made);
  else if (finish_is(tree, "host"))
    result = in_order(how, out, 0, 1, made);
  else
    result = by_work_items(how, out, made, G, G);
  free(out);
  return result;
}

double oracle_fold(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n) {
  switch (find(tree->strategy)->shape) {
  case IN_ORDER:
    return in_order(how, x, 0, 1, n);
  case PAIRS:
    return pairs(how, x, n);
  case TOP_DOWN:
    return top_down(how, x, n);
  case FIXED:
    return fixed_order(how, x, n);
  default:
    return by_groups(tree, how, x, n);
  }
}

// ---------------------------------------------------------------- Order "any": a bound in place of bits

// Combinations an element can pass through: the group's tree, its share before the tree, and every partial.
static double depth(const oracle_tree *tree, uint64_t n) {
  const enum shape shape = find(tree->strategy)->shape;
  const uint64_t   G = tree->group_size;
  double           steps = log2((double)(2 * G));
  if (shape == PERSISTENT)
    return steps + (double)ceil_div(n, G * tree->groups) + (double)tree->groups;
  if (shape == COARSENED)
    return steps + (double)tree->elements + (double)ceil_div(n, run_of(tree));
  if (shape != HAND_OFF)
    return steps + (double)ceil_div(n, run_of(tree));
  for (uint64_t left = n; left > 2 * G; left = ceil_div(left, 2 * G) * tree->hand_over)
    steps += log2((double)(2 * G));
  return steps + (double)(2 * G);
}

void oracle_bound(const oracle_tree *tree, oracle_arithmetic how, const double *x, uint64_t n, double *value,
                  double *bound) {
  const double unit = how.single ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
  const double tiny = how.single ? ldexp(1, -137) : ldexp(1, -1062);
  long double  sum = how.multiply ? 1 : 0, size = sum;
  for (uint64_t i = 0; i < n; i++) {
    sum = how.multiply ? sum * x[i] : sum + x[i];
    size = how.multiply ? size * fabs(x[i]) : size + fabs(x[i]);
  }
  // A product is off by at most one unit a factor in any order; a long double may be no wider than a double.
  const double passes = how.multiply ? (double)n : depth(tree, n);
  const double own = (double)n * (double)(LDBL_EPSILON / 2) + DBL_EPSILON;
  *value = (double)sum;
  *bound = 1.01 * (passes * unit + own) * (double)size;
  // Products of denormals lose bits at the bottom of the range; sums do not.
  if (how.multiply)
    *bound += (double)n * tiny;
}

bool oracle_any_order(const oracle_tree *tree) {
  return strcmp(tree->strategy, "atomic") == 0 || finish_is(tree, "atomic");
}
