// Computes the tile and the group size of a plan from facts.
#include "planning/shape.h"
#include "planning/pass.h"

#include <string.h>

static const char *const finish_names[CLR_FINISHES] = {"host", "relaunch", "last_group", "atomic"};

const char *clr_finish_name(enum clr_finish finish) {
  return finish < CLR_FINISH_NONE ? finish_names[finish] : NULL;
}

enum clr_finish clr_finish_named(const char *name) {
  for (int i = 0; i < CLR_FINISHES; i++)
    if (strcmp(name, finish_names[i]) == 0)
      return (enum clr_finish)i;
  return CLR_FINISH_NONE;
}

struct clr_extent clr_extent_line(cl_ulong count) {
  return (struct clr_extent){.count = count, .stride = 1, .rows = 1, .columns = 1};
}

// A row of lanes has 256 bytes, so that neighbouring loads of a GPU fill whole memory transactions.
void clr_shape_tile(struct clr_shape *shape) {
  shape->lanes = clr_power_of_two_below(256 / shape->element_size);
  shape->rows = 16;
}

struct limit {
  const char *name;
  cl_ulong items;
};

static cl_ulong tightest(const struct limit *limits, size_t count, const char **name) {
  cl_ulong items = CL_ULONG_MAX;
  for (size_t i = 0; i < count; i++) {
    if (limits[i].items >= items)
      continue;
    items = limits[i].items;
    *name = limits[i].name;
  }
  return items;
}

cl_ulong clr_usable_local(const struct clr_facts *facts) {
  return facts->local_mem_size > CLR_LOCAL_RESERVE ? facts->local_mem_size - CLR_LOCAL_RESERVE : 0;
}

cl_int clr_shape_group_size(const struct clr_facts *facts, cl_ulong asked, cl_ulong local_bytes_an_item,
                            cl_ulong *group_size, struct clr_status *status) {
  cl_ulong usable = clr_usable_local(facts);
  const struct limit limits[] = {
    {"max_work_group_size", facts->max_work_group_size},
    {"max_work_item_size", facts->max_work_item_size},
    {"kernel_work_group_size", facts->kernel_work_group_size ? facts->kernel_work_group_size : CL_ULONG_MAX},
    {"local_mem_size", local_bytes_an_item ? usable / local_bytes_an_item : CL_ULONG_MAX},
  };
  const char *name = "";
  cl_ulong most = tightest(limits, sizeof limits / sizeof *limits, &name);
  if (most == 0)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "local_mem_size is %llu: too little for one work-item",
                    (unsigned long long)facts->local_mem_size);
  if (asked > most)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "group_size %llu is above what %s allows here: %llu",
                    (unsigned long long)asked, name, (unsigned long long)most);
  // Eight sub-groups are enough to hide the latency of memory.
  cl_ulong good = clr_within(8 * facts->preferred_multiple, 64, 256);
  *group_size = asked ? asked : clr_power_of_two_below(clr_at_most(good, most));
  return CL_SUCCESS;
}
