// The longest chains of operations that results of scans need. A prefix combines the nodes of the binary digits of its
// place, the largest first. A node of 2^k leaves has depth k, so each node after the first adds one operation.
#include "strategies/scans.h"

static cl_ulong highest_of(cl_ulong number) {
  cl_ulong highest = 0;
  while (number >>= 1)
    highest++;
  return highest;
}

// Returns the depth of the chain of place j > 0.
static cl_ulong chain(cl_ulong j) {
  return highest_of(j) + clr_ones(j) - 1;
}

// Returns the most binary digits of a number below `end`.
static cl_ulong most_digits(cl_ulong end) {
  cl_ulong last = end - 1, most = clr_ones(last);
  for (cl_ulong bit = 0; last >> bit; bit++)
    if (last >> bit & 1) {
      cl_ulong digits = clr_ones(last >> (bit + 1)) + bit;
      most = digits > most ? digits : most;
    }
  return most;
}

// Returns the deepest chain of the places from 1 to end - 1; end > 1.
static cl_ulong deepest_chain(cl_ulong end) {
  cl_ulong highest = highest_of(end - 1), shorter = highest ? 2 * (highest - 1) : 0;
  return clr_at_least(highest + most_digits(end) - 1, shorter);
}

// --- fixed/1 (docs/order.md): leaves are lanes of 16 elements; the elements after the last whole lane are a fold ---

cl_ulong clr_scan_fixed_depth(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong most = shape->scan.kind == CLRED_SCAN_INCLUSIVE ? n : n - 1;  // elements of the longest prefix
  cl_ulong rows = shape->rows, lanes = most / rows, rest = most % rows;
  cl_ulong depth = clr_at_most(most, rows - 1);
  depth = depth ? depth - 1 : 0;
  if (lanes > 0)
    depth = clr_at_least(depth, rows - 1 + chain(lanes) + (rest > 0));
  if (lanes > 1)
    depth = clr_at_least(depth, rows - 1 + deepest_chain(lanes) + 1);
  return depth;
}

// --- Blelloch: blocks of 2G elements ---

// The prefix of a block combines all blocks before it, one after another.
cl_ulong clr_blelloch_depth(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong size = 2 * shape->group_size, last = (n - 1) / size, present = n - last * size, depth = 0;
  cl_ulong combines = shape->scan.kind == CLRED_SCAN_INCLUSIVE && n > 1;
  cl_ulong of_node = highest_of(size);  // also the depth of the prefix of block 1
  if (last == 0)
    return (present > 1 ? deepest_chain(present) : 0) + combines;
  depth = clr_at_least(deepest_chain(size), of_node + last - 1 + most_digits(present));
  if (last > 1)
    depth = clr_at_least(depth, of_node + last - 2 + of_node);
  return depth + combines;
}

// --- Blelloch, recursive: the reductions of blocks are the leaves of the level above ---

// Blocks of `size` = 2^height values; leaves of this level have the depth `leaf`.
struct level {
  cl_ulong size, height, leaf;
};

static struct level above(const struct level *level) {
  return (struct level){level->size, level->height, level->leaf + level->height};
}

// Returns the depth of the prefix of place i > 0.
static cl_ulong depth_at(struct level level, cl_ulong i) {
  cl_ulong block = i / level.size, place = i % level.size, own = place ? level.leaf + chain(place) : 0;
  if (block == 0)
    return own;
  cl_ulong before = depth_at(above(&level), block);
  return place ? clr_at_least(before, own) + 1 : before;
}

// Returns the depth of the deepest result among the first `present` places of a block that has no prefix. `adds`:
// results include their values.
static cl_ulong deepest_own(const struct level *level, cl_ulong present, cl_ulong adds) {
  return present > 1 ? level->leaf + deepest_chain(present) + adds : 0;
}

// Returns the depth of the deepest result among the places below `end`; end > 1.
static cl_ulong deepest_at(struct level level, cl_ulong end, cl_ulong adds) {
  cl_ulong last = (end - 1) / level.size, present = end - last * level.size;
  cl_ulong whole = deepest_own(&level, level.size, adds), own = deepest_own(&level, present, adds);
  if (last == 0)
    return own;
  cl_ulong before = depth_at(above(&level), last), deepest = whole;
  deepest = clr_at_least(deepest, present > 1 || adds ? clr_at_least(before, own) + 1 : before);
  if (last > 1)
    deepest = clr_at_least(deepest, clr_at_least(deepest_at(above(&level), last, 0), whole) + 1);
  return deepest;
}

cl_ulong clr_blelloch_recursive_depth(const struct clr_shape *shape, cl_ulong n) {
  const struct level level = {2 * shape->group_size, highest_of(2 * shape->group_size), 0};
  return n > 1 ? deepest_at(level, n, shape->scan.kind == CLRED_SCAN_INCLUSIVE) : 0;
}
