// The prefixes of scans, each from its definition: the binary digits of the length select nodes, and the elements
// behind them follow. Nodes of each size are folded once.

#include "oracle/tree.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 16  // R of fixed/1: the elements of a full lane
#define LEVELS 64

// A state, or no state.
struct prefix {
  bool has_value;
  oracle_state state;
};

static void follow(const oracle_algebra *how, struct prefix *x, const oracle_state *node) {
  if (x->has_value)
    how->combine(how->single, &x->state, node);
  else
    x->state = *node;
  x->has_value = true;
}

// ---------------------------------------------------------------- Nodes

// at[k][i] combines the leaves i 2^k to (i + 1) 2^k - 1. Nodes with missing leaves do not exist.
struct nodes {
  oracle_state *at[LEVELS];
};

static oracle_state node_of(const oracle_algebra *how, const oracle_state *below, uint64_t i) {
  oracle_state node = below[2 * i];
  how->combine(how->single, &node, &below[2 * i + 1]);
  return node;
}

// Owns the leaves from now on.
static struct nodes grow(const oracle_algebra *how, oracle_state *leaves, uint64_t count) {
  struct nodes nodes = {{leaves}};
  for (unsigned k = 1; count >> k; k++) {
    nodes.at[k] = oracle_claim(count >> k, sizeof *leaves);
    for (uint64_t i = 0; i < count >> k; i++)
      nodes.at[k][i] = node_of(how, nodes.at[k - 1], i);
  }
  return nodes;
}

static void release(struct nodes *nodes) {
  for (unsigned k = 0; k < LEVELS; k++)
    free(nodes->at[k]);
}

// Combines x and then the first g leaves: 13 = 8 + 4 + 1 selects the nodes of leaves 0-7, 8-11 and 12.
static struct prefix first_leaves(const oracle_algebra *how, const struct nodes *nodes, uint64_t g, struct prefix x) {
  uint64_t named = 0;
  for (unsigned k = LEVELS; k-- > 0;)
    if (g >> k & 1) {
      follow(how, &x, &nodes->at[k][named >> k]);
      named += (uint64_t)1 << k;
    }
  return x;
}

// ---------------------------------------------------------------- fixed/1

static oracle_state fold(const oracle_algebra *how, const oracle_state *x, uint64_t count) {
  oracle_state state = x[0];
  for (uint64_t i = 1; i < count; i++)
    how->combine(how->single, &state, &x[i]);
  return state;
}

static struct nodes lanes_of(const oracle_algebra *how, const oracle_state *x, uint64_t n) {
  oracle_state *lanes = oracle_claim(n / ROWS, sizeof *lanes);
  for (uint64_t g = 0; g < n / ROWS; g++)
    lanes[g] = fold(how, x + g * ROWS, ROWS);
  return grow(how, lanes, n / ROWS);
}

// Computes P(0) to P(n) of docs/order.md.
static void fixed_order(const oracle_algebra *how, const oracle_state *x, uint64_t n, struct prefix start,
                        struct prefix *p) {
  struct nodes nodes = lanes_of(how, x, n);
  for (uint64_t i = 0; i <= n; i++) {
    p[i] = first_leaves(how, &nodes, i / ROWS, start);
    if (i % ROWS) {
      const oracle_state rest = fold(how, x + i / ROWS * ROWS, i % ROWS);
      follow(how, &p[i], &rest);
    }
  }
  release(&nodes);
}

static void in_order(const oracle_algebra *how, const oracle_state *x, uint64_t n, struct prefix start,
                     struct prefix *p) {
  p[0] = start;
  for (uint64_t i = 0; i < n; i++) {
    p[i + 1] = p[i];
    follow(how, &p[i + 1], &x[i]);
  }
}

// ---------------------------------------------------------------- Blelloch's

static oracle_state *copy_of(const oracle_state *x, uint64_t count) {
  oracle_state *copy = oracle_claim(count, sizeof *copy);
  memcpy(copy, x, count * sizeof *copy);
  return copy;
}

// Scans `count` leaves that follow x: before[j] becomes the prefix before leaf j. Returns the prefix of all.
static struct prefix within(const oracle_algebra *how, const oracle_state *leaves, uint64_t count, struct prefix x,
                            struct prefix *before) {
  struct nodes nodes = grow(how, copy_of(leaves, count), count);
  const struct prefix after = first_leaves(how, &nodes, count, x);
  for (uint64_t j = 0; j < count; j++)
    before[j] = first_leaves(how, &nodes, j, x);
  release(&nodes);
  return after;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static void tiles(const oracle_algebra *how, const oracle_state *x, uint64_t n, uint64_t tile, struct prefix start,
                  struct prefix *before) {
  for (uint64_t first = 0; first < n; first += tile)
    start = within(how, x + first, smaller(n - first, tile), start, before + first);
}

// The prefix before each of n values. Each block is scanned by itself. An inclusive scan then adds value i to its
// prefix in the block. Last, the prefix is combined with the prefix of the block.
static void blocks(const oracle_algebra *how, const oracle_state *x, uint64_t n, uint64_t block, bool inclusive,
                   struct prefix *p) {
  const struct prefix nothing = {.has_value = false};
  const uint64_t count = (n + block - 1) / block;
  oracle_state *reductions = oracle_claim(count, sizeof *reductions);
  struct prefix *before = oracle_claim(count, sizeof *before);
  before[0] = nothing;
  for (uint64_t b = 0; b < count; b++)
    reductions[b] = within(how, x + b * block, smaller(n - b * block, block), nothing, p + b * block).state;
  if (count > 1)
    blocks(how, reductions, count, block, false, before);
  for (uint64_t i = 0; i < n; i++) {
    const struct prefix own = p[i];
    struct prefix part = own;
    if (inclusive)
      follow(how, &part, &x[i]);
    p[i] = before[i / block];
    if (part.has_value)
      follow(how, &p[i], &part.state);
  }
  free(reductions);
  free(before);
}

// ---------------------------------------------------------------- Strategies

static void by_blocks(const oracle_tree *tree, const oracle_algebra *how, const oracle_state *x, uint64_t n,
                      struct prefix start, bool inclusive, struct prefix *p) {
  blocks(how, x, n, 2 * tree->group_size, inclusive, p);
  for (uint64_t i = 0; i < n; i++) {
    const struct prefix own = p[i];
    p[i] = start;
    if (own.has_value)
      follow(how, &p[i], &own.state);
  }
}

static void by_tiles(const oracle_tree *tree, const oracle_algebra *how, const oracle_state *x, uint64_t n,
                     struct prefix start, bool inclusive, struct prefix *p) {
  tiles(how, x, n, 2 * tree->group_size, start, p);
  for (uint64_t i = 0; i < n && inclusive; i++)
    follow(how, &p[i], &x[i]);
}

static bool is_fixed(const char *strategy) {
  return strcmp(strategy, "scan_wide") == 0 || strcmp(strategy, "scan_chunked") == 0 ||
         strcmp(strategy, "scan_reduce_then_scan") == 0;
}

void oracle_prefixes(const oracle_tree *tree, const oracle_algebra *how, const oracle_state *x, uint64_t n,
                     const oracle_state *start, bool inclusive, const oracle_state *nothing, oracle_state *prefixes) {
  const struct prefix first = {start != NULL, start ? *start : *nothing};
  struct prefix *all = oracle_claim(n + 1, sizeof *all), *p = all;
  if (is_fixed(tree->strategy))
    fixed_order(how, x, n, first, p);
  else if (strcmp(tree->strategy, "scan_host_serial") == 0)
    in_order(how, x, n, first, p);
  else if (strcmp(tree->strategy, "scan_blelloch") == 0)
    by_tiles(tree, how, x, n, first, inclusive, p);
  else if (strcmp(tree->strategy, "scan_blelloch_recursive") == 0)
    by_blocks(tree, how, x, n, first, inclusive, p);
  else
    oracle_fail("no prefixes are known for strategy", tree->strategy);
  // These strategies have P(0) to P(n). An inclusive scan drops P(0).
  if (inclusive && (is_fixed(tree->strategy) || strcmp(tree->strategy, "scan_host_serial") == 0))
    p++;
  for (uint64_t i = 0; i < n; i++)
    prefixes[i] = p[i].has_value ? p[i].state : *nothing;
  free(all);
}
