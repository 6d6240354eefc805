#include "strategies/scans.h"

#define LEVELS_MAX 64

// Values of each level and where they begin in scratch: level 0 has the elements, every next one the reductions of its
// blocks.
struct levels {
  cl_ulong counts[LEVELS_MAX], begins[LEVELS_MAX];
  unsigned depth;  // levels with more than one value, at least one
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

static cl_ulong scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  *bounded = false;
  return levels_of(shape, n).end;
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

// Downwards through all levels; then up again from the last but one, which is the first that has anything before its
// groups.
static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  struct levels levels = levels_of(shape, n);
  unsigned joins = levels.depth > 1 ? levels.depth - 1 : 1;
  if (index < levels.depth)
    down(shape, &levels, index, out);
  else if (index < levels.depth + joins)
    up(shape, &levels, joins - 1 - (index - levels.depth), out);
  return index < levels.depth + joins;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan) {
  return clr_scan_blocks(scan, values, 2 * shape->group_size);
}

const struct clr_strategy clr_strategy_scan_blelloch_recursive = {
  .name = "scan_blelloch_recursive",
  .sentence = "many launches: groups scan by themselves, their reductions are scanned likewise and added back",
  .scans = true,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) | CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .local_states = 2,
  .scratch = scratch,
  .pass = pass,
  .step = clr_scan_step,
  .scan_reference = reference,
};
