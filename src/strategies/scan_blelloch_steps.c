// The analysis of scan_blelloch and scan_blelloch_recursive: the up-sweep and the down-sweep over blocks of 2G places.
#include <stdio.h>

#include "base/arithmetic.h"
#include "strategies/scan_tiles.h"

// Adds an access by which the work-items of each block read or write their values in scratch or the source.
static void access_block(const struct clr_step_builder *making, const struct clr_tiles *it, cl_ulong skip) {
  struct clr_access all = clr_tiles_access(it, it->present, skip);
  clr_step_scratch(making, all, it->pass->work + it->first * it->size, it->size, 1);
}

// ---------------------------------------------------------------- The steps of a block

static void load(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  struct clr_step_builder making = clr_tiles_begin(it, step, clr_min(it->present, it->pass->group_size), "load");
  (void)stride;
  clr_step_load(&making, clr_tiles_access(it, it->present, 0), it->first * it->size, it->size, 1);
  clr_step_local(&making, clr_tiles_access(it, it->present, 0), 0, 1);
  step->barriers = it->launch->chained;
}

// The last place of a subtree holds its node.
static void up(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong nodes = it->present / (2 * stride);
  struct clr_step_builder making = clr_tiles_begin(it, step, nodes, "up");
  clr_step_local(&making, clr_tiles_access(it, nodes, 0), stride - 1, 2 * stride);
  clr_step_local(&making, clr_tiles_access(it, nodes, 0), 2 * stride - 1, 2 * stride);
  clr_step_local(&making, clr_tiles_access(it, nodes, 0), 2 * stride - 1, 2 * stride);
  clr_step_combine(&making, it->count * nodes, CLR_UNKNOWN, it->count * nodes);
  step->barriers = 1;
}

// Every work-item computes the prefix of the next block itself.
static void root(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong items = it->present == it->size ? it->pass->group_size : 0;
  struct clr_step_builder making = clr_tiles_begin(it, step, items, "root");
  (void)stride;
  clr_step_local(&making, clr_tiles_access(it, items, 0), it->size - 1, 0);
  if (it->prefixed)
    clr_step_combine(&making, it->count * items, CLR_UNKNOWN, it->count * items);
  step->barriers = 1;
}

static void clear(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  struct clr_step_builder making = clr_tiles_begin(it, step, it->prefixed, "clear");
  (void)stride;
  clr_step_local(&making, clr_tiles_access(it, it->prefixed, 0), it->size - 1, 1);
  step->barriers = 1;
}

// A node passes its prefix to its left child. The right child gets this prefix combined with the left child's node. A
// prefix that does not exist is never combined.
static void down(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong present = it->present, skip = !it->prefixed;
  cl_ulong nodes = clr_ceil_divide(present, 2 * stride), lefts = (present + stride) / (2 * stride);
  cl_ulong rights = clr_ceil_divide(clr_saturating_sub(present, stride), 2 * stride);
  cl_ulong operations = it->count * clr_saturating_sub(rights, skip);
  struct clr_step_builder making = clr_tiles_begin(it, step, nodes == 1 && lefts == 0 && skip ? 0 : nodes, "down");
  clr_step_local(&making, clr_tiles_access(it, lefts, 0), stride - 1, 2 * stride);
  clr_step_local(&making, clr_tiles_access(it, nodes, skip), 2 * stride - 1, 2 * stride);
  clr_step_local(&making, clr_tiles_access(it, nodes, skip), stride - 1, 2 * stride);
  clr_step_local(&making, clr_tiles_access(it, rights, 0), 2 * stride - 1, 2 * stride);
  clr_step_combine(&making, operations, CLR_UNKNOWN, operations);
  step->barriers = 1;
}

// An inclusive scan combines each value with its prefix.
static void results(const struct clr_tiles *it, cl_ulong stride, struct clred_step *step) {
  bool adds = it->shape->scan.kind == CLRED_SCAN_INCLUSIVE && it->pass->kernel == CLR_KERNEL_ELEMENTS;
  cl_ulong skip = !it->prefixed, combined = it->count * (it->present - skip);
  struct clr_step_builder making = clr_tiles_begin(it, step, clr_min(it->present, it->pass->group_size), "results");
  const struct clr_access one = {.groups = it->count, .full = 1, .last = 1};
  (void)stride;
  clr_step_local(&making, clr_tiles_access(it, it->present, skip), 0, 1);
  if (it->launch->chained)
    clr_step_results(&making, clr_tiles_access(it, it->present, 0), it->first * it->size, it->size, 1);
  else
    access_block(&making, it, !adds);
  if (!it->launch->chained && !adds)
    clr_tiles_first_idle(it, step);
  if (!it->launch->chained && it->present == it->size)
    clr_step_scratch(&making, one, it->pass->target + it->first, 1, 1);
  if (adds)
    clr_step_combine(&making, combined, CLR_UNKNOWN, combined);
  step->barriers = 1;
}

// ---------------------------------------------------------------- The steps of a launch

// Returns what step `index` of a block is, with its stride; NULL past the last.
static clr_tiles_do *step_of(cl_ulong size, unsigned index, cl_ulong *stride) {
  unsigned levels = 0;
  while (size >> (levels + 1))
    levels++;
  *stride = 0;
  if (index == 0)
    return load;
  if (index > levels && index <= levels + 2)
    return index == levels + 1 ? root : clear;
  if (index > 2 * levels + 2)
    return index == 2 * levels + 3 ? results : NULL;
  *stride = index <= levels ? (cl_ulong)1 << (index - 1) : size >> (index - levels - 2);
  return index <= levels ? up : down;
}

// `in_turn`: one group scans all blocks.
static bool block_step(const struct clr_shape *shape, const struct clr_pass *pass, bool in_turn, unsigned index,
                       struct clred_step *step) {
  cl_ulong size = 2 * pass->group_size, stride;
  clr_tiles_do *describe = step_of(size, index, &stride);
  const struct clr_tile_launch launch = {.shape = shape,
                                         .pass = pass,
                                         .size = size,
                                         .values = pass->count,
                                         .turns = in_turn ? clr_ceil_divide(pass->count, size) : 1,
                                         .chained = in_turn};
  if (!describe)
    return false;
  clr_tiles_step(&launch, describe, stride, step);
  if (stride)
    snprintf(step->name, sizeof step->name, "%.4s %u", describe == up ? "up" : "down", (unsigned)stride);
  return true;
}

bool clr_blelloch_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                       unsigned index, struct clred_step *step) {
  (void)extent;
  return block_step(shape, pass, true, index, step);
}

// ---------------------------------------------------------------- scan_blelloch_recursive applies prefixes

// Each group of G work-items reads one prefix: the prefix of the block of 2G values that it is in. Block 0 has none.
// The block's prefix replaces the first value of the block. Exception: in level 0 of an inclusive scan, the prefix is
// combined with that value.
static bool apply_step(const struct clr_shape *shape, const struct clr_pass *pass, struct clred_step *step) {
  cl_ulong size = pass->group_size, n = pass->count, left = n - (pass->groups - 1) * size;
  bool is_last = pass->span == 0, own = is_last && shape->scan.kind == CLRED_SCAN_INCLUSIVE;
  struct clr_active_items active = {.groups = pass->groups, .full = size, .last = left, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, shape, pass, active, "apply");
  struct clr_access all = {.groups = active.groups, .full = size, .last = left};
  for (cl_ulong odd = 0; odd < 2; odd++) {
    cl_ulong groups = odd ? pass->groups / 2 : clr_ceil_divide(pass->groups, 2);
    bool has_last = (pass->groups - 1) % 2 == odd;
    struct clr_access values = {
      .groups = groups, .full = size, .last = has_last ? left : size, .skip = odd || own ? 0 : 1};
    clr_step_scratch(&making, values, pass->work + odd * size, 2 * size, 1);
  }
  cl_ulong behind = clr_saturating_sub(pass->groups, 2), combined = clr_saturating_sub(n, 2 * size),
           blocks = clr_ceil_divide(combined, 2 * size);
  if (behind) {
    struct clr_access prefixes = {.groups = behind, .full = size, .last = left};
    clr_step_scratch(&making, prefixes, pass->target, 0, 0);
    if (shape->line_bytes % shape->state_size)
      step->lines = CLR_UNKNOWN;
  }
  if (is_last) {
    clr_step_results(&making, all, 0, size, 1);
  } else {
    clr_step_scratch(&making, all, pass->work, size, 1);
  }
  cl_ulong operations = combined - (own ? 0 : blocks);
  clr_step_combine(&making, operations, CLR_UNKNOWN, operations);
  step->depth = CLR_UNKNOWN;
  return true;
}

bool clr_blelloch_recursive_step(const struct clr_shape *shape, const struct clr_extent *extent,
                                 const struct clr_pass *pass, unsigned index, struct clred_step *step) {
  (void)extent;
  if (pass->kernel != CLR_KERNEL_APPLY)
    return block_step(shape, pass, false, index, step);
  return index == 0 && apply_step(shape, pass, step);
}
