// The trees, by recursion from the last combination. Each tree is folded in place: the value of a node replaces its
// first leaf.

#include "oracle/tree.h"

#include <math.h>
#include <string.h>

#define TILE_BYTES 256
#define TILE_ROWS 16

uint64_t oracle_lanes(size_t element_size) {
  uint64_t lanes = 1;
  while (2 * lanes * element_size <= TILE_BYTES)
    lanes *= 2;
  return lanes;
}

uint64_t oracle_hand_over(uint64_t preferred_multiple, uint64_t group_size) {
  uint64_t power = 32;
  while (power < 128 && 2 * power <= preferred_multiple)
    power *= 2;
  return power < group_size ? power : group_size;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t ceil_div(uint64_t a, uint64_t b) {
  return (a + b - 1) / b;
}

// ---------------------------------------------------------------- Trees of n values

static void combine(const oracle_algebra *how, oracle_state *x, uint64_t into, uint64_t from) {
  how->combine(how->single, &x[into], &x[from]);
}

// x[first], x[first + stride], ... below n, in order.
static void in_order(const oracle_algebra *how, oracle_state *x, uint64_t first, uint64_t stride, uint64_t n) {
  for (uint64_t i = first + stride; i < n; i += stride)
    combine(how, x, first, i);
}

// Adjacent pairs; a value without a partner moves up. The left part is the largest power of two below the length.
static void pairs(const oracle_algebra *how, oracle_state *x, uint64_t n) {
  uint64_t left = 1;
  if (n == 1)
    return;
  while (2 * left < n)
    left *= 2;
  pairs(how, x, left);
  pairs(how, x + left, n - left);
  combine(how, x, 0, left);
}

// Halving over `places`, from its end: the value in place i at this stride combines the places i, i + stride, i + 2
// stride, ..., from two values of twice the stride.
static void halving(const oracle_algebra *how, oracle_state *x, uint64_t n, uint64_t places, uint64_t i,
                    uint64_t stride) {
  if (stride == places)
    return;
  halving(how, x, n, places, i, 2 * stride);
  if (i + stride >= n)
    return;
  halving(how, x, n, places, i + stride, 2 * stride);
  combine(how, x, i, i + stride);
}

// Folds the upper half onto the lower: place i of a list that `level` foldings have shortened to length[level].
static void folded(const oracle_algebra *how, oracle_state *x, const uint64_t *length, unsigned level, uint64_t i) {
  if (level == 0)
    return;
  const uint64_t other = i + length[level];
  folded(how, x, length, level - 1, i);
  if (other >= length[level - 1])
    return;
  folded(how, x, length, level - 1, other);
  combine(how, x, i, other);
}

static void top_down(const oracle_algebra *how, oracle_state *x, uint64_t n) {
  uint64_t length[65] = {n};
  unsigned level = 0;
  for (; length[level] > 1; level++)
    length[level + 1] = length[level] - length[level] / 2;
  folded(how, x, length, level, 0);
}

// The lane that begins at the element `first` of a tile: every L-th element, or the next R.
static void lane(const oracle_algebra *how, oracle_state *x, uint64_t first, uint64_t end) {
  if (how->ordered)
    in_order(how, x, first, 1, smaller(end, first + TILE_ROWS));
  else
    in_order(how, x, first, how->lanes, end);
}

// fixed/1: pairs over the list of the lanes of all tiles.
static void fixed_order(const oracle_algebra *how, oracle_state *x, uint64_t n) {
  const uint64_t tile = TILE_ROWS * how->lanes, step = how->ordered ? TILE_ROWS : 1;
  uint64_t length = 0;
  for (uint64_t start = 0; start < n; start += tile) {
    const uint64_t end = smaller(n, start + tile), last = smaller(end, start + step * how->lanes);
    for (uint64_t i = start; i < last; i += step) {
      lane(how, x, i, end);
      x[length++] = x[i];
    }
  }
  pairs(how, x, length);
}

// The first min(n, group_size) work-items of a group fold every stride-th value in order; then halving over them.
static void by_work_items(const oracle_algebra *how, oracle_state *x, uint64_t n, uint64_t group_size,
                          uint64_t stride) {
  const uint64_t items = smaller(n, group_size);
  for (uint64_t i = 0; i < items; i++)
    in_order(how, x, i, stride, n);
  halving(how, x, items, group_size, 0, 1);
}

// ---------------------------------------------------------------- Strategies

enum shape { IN_ORDER, PAIRS, TOP_DOWN, FIXED, GROUP_PAIRS, GROUP_HALVING, COARSENED, HAND_OFF, PARTS, INTERLEAVED };

static const struct strategy {
  const char *name;
  enum shape shape;
  unsigned values;  // values that a work-item takes, if their number is constant
} strategies[] = {
  {"host_serial", IN_ORDER, 0},
  {"device_serial", IN_ORDER, 0},
  {"bottom_up", PAIRS, 0},
  {"bottom_up_mono", PAIRS, 0},
  {"top_down", TOP_DOWN, 0},
  {"top_down_mono", TOP_DOWN, 0},
  {"wide", FIXED, 0},
  {"chunked", FIXED, 0},
  {"global_interleaved", GROUP_PAIRS, 2},
  {"global_sequential", GROUP_HALVING, 2},
  {"local_interleaved", GROUP_PAIRS, 2},
  {"local_sequential", GROUP_HALVING, 2},
  {"atomic", GROUP_HALVING, 2},
  {"local_coarsened", COARSENED, 0},
  {"hand_off", HAND_OFF, 2},
  {"persistent", PARTS, 0},
  {"persistent_interleaved", INTERLEAVED, 0},
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

// The number of neighbouring values that a group takes.
static uint64_t run_of(const oracle_tree *tree) {
  const struct strategy *strategy = find(tree->strategy);
  return tree->group_size * (strategy->shape == COARSENED ? tree->elements : strategy->values);
}

// The partial of one group over its run of m values.
static void partial(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t m) {
  switch (find(tree->strategy)->shape) {
  case GROUP_PAIRS:
    pairs(how, x, m);
    break;
  case COARSENED:
    by_work_items(how, x, m, tree->group_size, tree->group_size);
    break;
  default:
    halving(how, x, m, run_of(tree), 0, 1);
  }
}

static uint64_t launch_interleaved(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n) {
  // Groups of one work-item take two values at least, or a relaunch would never end.
  const uint64_t G = tree->group_size, K = smaller(ceil_div(n, G > 1 ? G : 2), tree->groups);
  for (uint64_t g = 0; g < K; g++) {
    by_work_items(how, x + g * G, n - g * G, G, K * G);
    x[g] = x[g * G];
  }
  return K;
}

// Group g has ceil((L - g) / K) of the L loads of 2G values, after the loads of the groups before it.
static uint64_t launch_parts(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n) {
  const uint64_t G = tree->group_size, L = ceil_div(n, 2 * G), K = smaller(L, tree->groups);
  uint64_t start = 0;
  for (uint64_t g = 0; g < K; g++) {
    const uint64_t m = smaller(n - start, 2 * G * ceil_div(L - g, K));
    by_work_items(how, x + start, m, G, G);
    x[g] = x[start];
    start += m;
  }
  return K;
}

// One launch over n values: stores the partials at the start and returns their number.
static uint64_t launch(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n) {
  if (find(tree->strategy)->shape == INTERLEAVED)
    return launch_interleaved(tree, how, x, n);
  if (find(tree->strategy)->shape == PARTS)
    return launch_parts(tree, how, x, n);
  const bool hands = find(tree->strategy)->shape == HAND_OFF;
  const uint64_t run = run_of(tree);
  uint64_t made = 0;
  for (uint64_t start = 0; start < n; start += run) {
    const uint64_t m = smaller(n - start, run), partials = hands ? smaller(m, tree->hand_over) : 1;
    for (uint64_t j = 0; j < partials; j++) {
      if (hands)
        halving(how, x + start, m, run, j, tree->hand_over);
      else
        partial(tree, how, x + start, m);
      x[made++] = x[start + j];
    }
  }
  return made;
}

// Launches and the finish, as docs/strategies.md describes them.
static void by_groups(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n) {
  const uint64_t G = tree->group_size;
  const bool hands = find(tree->strategy)->shape == HAND_OFF;
  if (n == 1 && !finish_is(tree, "host"))
    return;
  if (hands && n <= 2 * G && !finish_is(tree, "host")) {
    halving(how, x, n, 2 * G, 0, 1);
    return;
  }
  const uint64_t made = launch(tree, how, x, n);
  if (made == n && finish_is(tree, "relaunch"))
    oracle_fail("a relaunch shortens nothing with", tree->strategy);
  if (finish_is(tree, "relaunch") || (hands && made > 2 * G))
    by_groups(tree, how, x, made);
  else if (finish_is(tree, "host"))
    in_order(how, x, 0, 1, made);
  else
    by_work_items(how, x, made, G, G);
}

void oracle_fold(const oracle_tree *tree, const oracle_algebra *how, oracle_state *x, uint64_t n) {
  switch (find(tree->strategy)->shape) {
  case IN_ORDER:
    in_order(how, x, 0, 1, n);
    break;
  case PAIRS:
    pairs(how, x, n);
    break;
  case TOP_DOWN:
    top_down(how, x, n);
    break;
  case FIXED:
    fixed_order(how, x, n);
    break;
  default:
    by_groups(tree, how, x, n);
  }
}

// ---------------------------------------------------------------- Order "any"

// The depth in the work-item, plus the depth in the tree of the group, plus the depth over all partials.
double oracle_depth(const oracle_tree *tree, uint64_t n) {
  const enum shape shape = find(tree->strategy)->shape;
  const uint64_t G = tree->group_size;
  double steps = log2((double)(2 * G));
  if (shape == INTERLEAVED || shape == PARTS)
    return steps + 2 + (double)ceil_div(n, G * tree->groups) + (double)tree->groups;
  if (shape == COARSENED)
    return steps + (double)tree->elements + (double)ceil_div(n, run_of(tree));
  if (shape != HAND_OFF)
    return steps + (double)ceil_div(n, run_of(tree));
  for (uint64_t left = n; left > 2 * G; left = ceil_div(left, 2 * G) * tree->hand_over)
    steps += log2((double)(2 * G));
  return steps + (double)(2 * G);
}

bool oracle_any_order(const oracle_tree *tree) {
  return strcmp(tree->strategy, "atomic") == 0 || finish_is(tree, "atomic");
}
