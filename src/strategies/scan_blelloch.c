// scan_blelloch and scan_blelloch_recursive: the textbook's scan, in one group or in many launches.
#include "strategies/scans.h"

#define BLELLOCH .task = CLR_TASK_SCAN, .local_states = 2

static bool pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index, struct clr_pass *out) {
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_ELEMENTS, .groups = 1, .group_size = shape->group_size, .count = extent->count};
  return index == 0;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan) {
  return clr_scan_tiles(scan, values, 2 * shape->group_size);
}

const struct clr_strategy clr_strategy_scan_blelloch = {
  .name = "scan_blelloch",
  .summary = "one group: up-sweep and down-sweep in local memory, tile after tile",
  BLELLOCH,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS),
  .scan.reference = reference,
  .pass = pass,
  .step = clr_blelloch_step,
};

#define LEVELS_MAX 64

// The number of values of each level and where they begin in scratch. Level 0 has the elements; each further level has
// the reductions of the blocks of the level below.
struct levels {
  cl_ulong counts[LEVELS_MAX], begins[LEVELS_MAX];
  unsigned depth;  // levels with more than one value; at least 1
  cl_ulong end;
};

static struct levels levels_of(const struct clr_shape *shape, cl_ulong n) {
  struct levels levels = {.depth = 0};
  cl_ulong count = n;
  for (unsigned level = 0;; level++) {
    levels.counts[level] = count;
    levels.begins[level] = levels.end;
    levels.end = clr_add(levels.end, count);
    if (level > 0 && count <= 1)
      return levels;
    levels.depth++;
    count = clr_ceil_divide(count, 2 * shape->group_size);
  }
}

static cl_ulong scratch(const struct clr_shape *shape) {
  return levels_of(shape, shape->count_max).end;
}

static void down(const struct clr_shape *shape, const struct levels *levels, unsigned level, struct clr_pass *out) {
  *out = (struct clr_pass){
    .kernel = level ? CLR_KERNEL_STATES : CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(levels->counts[level], 2 * shape->group_size),
    .group_size = shape->group_size,
    .first = levels->begins[level],
    .count = levels->counts[level],
    .work = levels->begins[level],
    .target = levels->begins[level + 1],
  };
}

static void up(const struct clr_shape *shape, const struct levels *levels, unsigned level, struct clr_pass *out) {
  *out = (struct clr_pass){
    .kernel = CLR_KERNEL_APPLY,
    .groups = clr_ceil_divide(levels->counts[level], shape->group_size),
    .group_size = shape->group_size,
    .count = levels->counts[level],
    .span = level,
    .work = levels->begins[level],
    .target = levels->begins[level + 1],
  };
}

// First reduces level after level, from level 0 on, then applies prefixes in the opposite order. The highest level has
// a single group, which needs no prefix. This level is skipped, unless it is the only one.
static bool recursive_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                           struct clr_pass *out) {
  struct levels levels = levels_of(shape, extent->count);
  unsigned joins = levels.depth > 1 ? levels.depth - 1 : 1;
  if (index < levels.depth)
    down(shape, &levels, index, out);
  else if (index < levels.depth + joins)
    up(shape, &levels, joins - 1 - (index - levels.depth), out);
  return index < levels.depth + joins;
}

static cl_int recursive_reference(const struct clr_shape *shape, const struct clr_values *values,
                                  const struct clr_scan *scan) {
  return clr_scan_blocks(scan, values, 2 * shape->group_size);
}

const struct clr_strategy clr_strategy_scan_blelloch_recursive = {
  .name = "scan_blelloch_recursive",
  .summary = "many launches: each group scans a block, then the blocks' reductions are scanned and added back",
  BLELLOCH,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .growing = CLR_FINISH_BIT(CLR_FINISH_NONE),
  .scan.reference = recursive_reference,
  .scratch = scratch,
  .pass = recursive_pass,
  .step = clr_blelloch_recursive_step,
};
