// Strategies that read the elements one after another: a loop on the host, for each task, or one work-item.
#include "host/in_order.h"
#include "planning/strategy.h"

static bool host_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                      struct clr_pass *pass) {
  static const enum clr_pass_kind kinds[] = {[CLR_TASK_REDUCE] = CLR_PASS_WALK_ON_HOST,
                                             [CLR_TASK_SCAN] = CLR_PASS_SCAN_ON_HOST,
                                             [CLR_TASK_COUNT] = CLR_PASS_COUNT_ON_HOST};
  *pass = (struct clr_pass){.kind = kinds[shape->strategy->task], .count = extent->count};
  return index == 0;
}

static bool device_pass(const struct clr_shape *shape, const struct clr_extent *extent, unsigned index,
                        struct clr_pass *pass) {
  (void)shape;
  *pass = (struct clr_pass){.kernel = CLR_KERNEL_ELEMENTS, .groups = 1, .group_size = 1, .count = extent->count};
  return index == 0;
}

static bool device_step(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass,
                        unsigned index, struct clred_step *step) {
  struct clr_active_items one = {.groups = 1, .last = 1, .apart = 1};
  struct clr_step_builder making = clr_step_begin(step, shape, pass, one, "walk");
  cl_ulong n = extent->count;
  clr_step_load(&making, (struct clr_access){.groups = 1, .last = n, .width = 1}, 0, 0, 1);
  clr_step_combine(&making, n - 1, n - 1, n > 1);
  clr_step_result(&making);
  return index == 0;
}

static cl_int reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  (void)shape;
  clr_fold_elements(values, state);
  return CL_SUCCESS;
}

static cl_int scan_reference(const struct clr_shape *shape, const struct clr_values *values,
                             const struct clr_scan *scan) {
  (void)shape;
  clr_scan_in_order(scan, values);
  return CL_SUCCESS;
}

const struct clr_strategy clr_strategy_host_serial = {
  .name = "host_serial",
  .summary = "one loop on the host",
  .exec = CLR_EXEC_HOST,
  .reduce = {.reference = reference},
  .pass = host_pass,
};

const struct clr_strategy clr_strategy_scan_host_serial = {
  .name = "scan_host_serial",
  .summary = "one loop on the host",
  .task = CLR_TASK_SCAN,
  .exec = CLR_EXEC_HOST,
  .scan = {.selects = true, .reference = scan_reference},
  .pass = host_pass,
};

const struct clr_strategy clr_strategy_histogram_host_serial = {
  .name = "histogram_host_serial",
  .summary = "one loop on the host",
  .task = CLR_TASK_COUNT,
  .exec = CLR_EXEC_HOST,
  .layouts = CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE),
  .launches_empty = true,
  .sums_weights = true,
  .pass = host_pass,
};

const struct clr_strategy clr_strategy_device_serial = {
  .name = "device_serial",
  .summary = "one work-item reads the whole array",
  .exec = CLR_EXEC_SINGLE_ITEM,
  .tree_in_global = true,
  .reduce = {.reference = reference},
  .pass = device_pass,
  .trips = clr_trips_of_share,
  .step = device_step,
};
