// scan_blelloch and scan_blelloch_recursive: the textbook's scan, in one group or in many launches.
#include <stdio.h>

#include "strategies/scans.h"

// ---------------------------------------------------------------- The analysis

// A launch does an up-sweep and a down-sweep over blocks of 2G values. The blocks of a launch are divided into batches:
// the blocks of a batch do the same work. A step is described for one batch; blocks_step adds up all batches.

// The blocks of a launch.
struct launch {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;   // values of a whole block
  cl_ulong turns;  // the most blocks that a group takes one after another
  bool chained;    // a block has a prefix if there are blocks before it
};

// A batch: `count` blocks that do the same work, from block `first` of the launch on, with `present` values each.
struct batch {
  const struct launch *launch;
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong size;
  cl_ulong count, first, present;
  bool prefixed;  // a prefix before the block exists
};

// Describes a step of a batch. `stride` is the stride of a sweep.
typedef void describe_batch(const struct batch *it, cl_ulong stride, struct clred_step *step);

static struct batch batch_of(const struct launch *launch, cl_ulong first, cl_ulong count, cl_ulong present) {
  return (struct batch){
    .launch = launch,
    .shape = launch->shape,
    .pass = launch->pass,
    .size = launch->size,
    .count = count,
    .first = first,
    .present = present,
    .prefixed = launch->chained && first > 0,
  };
}

// Describes a step of all blocks of a launch.
static void blocks_step(const struct launch *launch, describe_batch *describe, cl_ulong stride,
                        struct clred_step *step) {
  cl_ulong size = launch->size, values = launch->pass->count, others = clr_ceil_divide(values, size) - 1;
  cl_ulong alike = others && launch->chained ? others - 1 : others;  // blocks like the one before the last
  const struct batch all[] = {
    batch_of(launch, 0, others - alike, size),
    batch_of(launch, others - alike, alike, size),
    batch_of(launch, others, 1, values - others * size),
  };
  struct clred_step other;
  describe(&all[2], stride, step);
  for (size_t i = 0; i < 2; i++)
    if (all[i].count) {
      describe(&all[i], stride, &other);
      clr_step_join(step, &other);
      step->barriers = other.barriers > step->barriers ? other.barriers : step->barriers;
    }
  step->barriers *= launch->turns;
  // Some prefixes do not depend on all that was combined before, so the longest chain is shorter than all steps.
  step->depth = CLR_UNKNOWN;
}

// Begins a step in which work-items 0 to items - 1 are active for each block.
static struct clr_step_builder begin(const struct batch *it, struct clred_step *step, cl_ulong items,
                                     const char *name) {
  const struct clr_active_items active = {.groups = it->count, .full = items, .last = items, .apart = 1};
  return clr_step_begin(step, it->shape, it->pass, active, "%s", name);
}

// Returns an access for each block to `values` values, but not to the first `skip` of them, by the whole group.
static struct clr_access access_to(const struct batch *it, cl_ulong values, cl_ulong skip) {
  return (struct clr_access){
    .groups = it->count, .full = values, .last = values, .width = it->pass->group_size, .skip = skip};
}

// Work-item 0 is idle, unless it has a value in a second iteration.
static void first_is_idle(const struct batch *it, struct clred_step *step) {
  cl_ulong width = clr_step_width(it->shape, it->pass);
  if (it->present > it->pass->group_size)
    return;
  step->active_work_items -= it->count;
  step->idle_work_items += it->count;
  if (width == 1 || it->present == 1)
    step->sub_groups -= it->count;
  if (it->present == 1)
    step->divergent_sub_groups -= width > 1 ? it->count : 0;
  else
    step->divergent_sub_groups += it->present >= width && width > 1 ? it->count : 0;
}

// Adds an access by which the work-items of each block read or write their values in scratch or the source.
static void access_block(const struct clr_step_builder *making, const struct batch *it, cl_ulong skip) {
  struct clr_access all = access_to(it, it->present, skip);
  clr_step_scratch(making, all, it->pass->work + it->first * it->size, it->size, 1);
}

// ---------------------------------------------------------------- The steps of a block

static void load(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  struct clr_step_builder making = begin(it, step, clr_min(it->present, it->pass->group_size), "load");
  (void)stride;
  clr_step_load(&making, access_to(it, it->present, 0), it->first * it->size, it->size, 1);
  clr_step_local(&making, access_to(it, it->present, 0), 0, 1);
  step->barriers = it->launch->chained;
}

// The last place of a subtree holds its node.
static void up(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong nodes = it->present / (2 * stride);
  struct clr_step_builder making = begin(it, step, nodes, "up");
  clr_step_local(&making, access_to(it, nodes, 0), stride - 1, 2 * stride);
  clr_step_local(&making, access_to(it, nodes, 0), 2 * stride - 1, 2 * stride);
  clr_step_local(&making, access_to(it, nodes, 0), 2 * stride - 1, 2 * stride);
  clr_step_combine(&making, it->count * nodes, CLR_UNKNOWN, it->count * nodes);
  step->barriers = 1;
}

// Every work-item computes the prefix of the next block itself.
static void root(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong items = it->present == it->size ? it->pass->group_size : 0;
  struct clr_step_builder making = begin(it, step, items, "root");
  (void)stride;
  clr_step_local(&making, access_to(it, items, 0), it->size - 1, 0);
  if (it->prefixed)
    clr_step_combine(&making, it->count * items, CLR_UNKNOWN, it->count * items);
  step->barriers = 1;
}

static void clear(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  struct clr_step_builder making = begin(it, step, it->prefixed, "clear");
  (void)stride;
  clr_step_local(&making, access_to(it, it->prefixed, 0), it->size - 1, 1);
  step->barriers = 1;
}

// A node passes its prefix to its left child. The right child gets this prefix combined with the left child's node. A
// prefix that does not exist is never combined.
static void down(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  cl_ulong present = it->present, skip = !it->prefixed;
  cl_ulong nodes = clr_ceil_divide(present, 2 * stride), lefts = (present + stride) / (2 * stride);
  cl_ulong rights = clr_ceil_divide(clr_saturating_sub(present, stride), 2 * stride);
  cl_ulong operations = it->count * clr_saturating_sub(rights, skip);
  struct clr_step_builder making = begin(it, step, nodes == 1 && lefts == 0 && skip ? 0 : nodes, "down");
  clr_step_local(&making, access_to(it, lefts, 0), stride - 1, 2 * stride);
  clr_step_local(&making, access_to(it, nodes, skip), 2 * stride - 1, 2 * stride);
  clr_step_local(&making, access_to(it, nodes, skip), stride - 1, 2 * stride);
  clr_step_local(&making, access_to(it, rights, 0), 2 * stride - 1, 2 * stride);
  clr_step_combine(&making, operations, CLR_UNKNOWN, operations);
  step->barriers = 1;
}

// An inclusive scan combines each value with its prefix.
static void results(const struct batch *it, cl_ulong stride, struct clred_step *step) {
  bool adds = it->shape->scan.kind == CLRED_SCAN_INCLUSIVE && it->pass->kernel == CLR_KERNEL_ELEMENTS;
  cl_ulong skip = !it->prefixed, combined = it->count * (it->present - skip);
  struct clr_step_builder making = begin(it, step, clr_min(it->present, it->pass->group_size), "results");
  const struct clr_access one = {.groups = it->count, .full = 1, .last = 1};
  (void)stride;
  clr_step_local(&making, access_to(it, it->present, skip), 0, 1);
  if (it->launch->chained)
    clr_step_results(&making, access_to(it, it->present, 0), it->first * it->size, it->size, 1);
  else
    access_block(&making, it, !adds);
  if (!it->launch->chained && !adds)
    first_is_idle(it, step);
  if (!it->launch->chained && it->present == it->size)
    clr_step_scratch(&making, one, it->pass->target + it->first, 1, 1);
  if (adds)
    clr_step_combine(&making, combined, CLR_UNKNOWN, combined);
  step->barriers = 1;
}

// ---------------------------------------------------------------- The steps of a launch

// Returns what step `index` of a block is, with its stride; NULL past the last.
static describe_batch *step_of(cl_ulong size, unsigned index, cl_ulong *stride) {
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
  describe_batch *describe = step_of(size, index, &stride);
  const struct launch launch = {.shape = shape,
                                .pass = pass,
                                .size = size,
                                .turns = in_turn ? clr_ceil_divide(pass->count, size) : 1,
                                .chained = in_turn};
  if (!describe)
    return false;
  blocks_step(&launch, describe, stride, step);
  if (stride)
    snprintf(step->name, sizeof step->name, "%.4s %u", describe == up ? "up" : "down", (unsigned)stride);
  return true;
}

static bool one_group_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
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

static bool recursive_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                           unsigned index, struct clred_step *step) {
  (void)extent;
  if (pass->kernel != CLR_KERNEL_APPLY)
    return block_step(shape, pass, false, index, step);
  return index == 0 && apply_step(shape, pass, step);
}

// ---------------------------------------------------------------- The launches

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
  .step = one_group_step,
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

static void fold_level(const struct clr_shape *shape, const struct levels *levels, unsigned level,
                       struct clr_pass *out) {
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

static void apply_level(const struct clr_shape *shape, const struct levels *levels, unsigned level,
                        struct clr_pass *out) {
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
    fold_level(shape, &levels, index, out);
  else if (index < levels.depth + joins)
    apply_level(shape, &levels, joins - 1 - (index - levels.depth), out);
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
  .step = recursive_step,
};
