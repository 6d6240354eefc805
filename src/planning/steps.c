// Fills in steps of a tree's analysis; strategies call this in their `step` callback.
#include "planning/strategy.h"

#include <stdarg.h>
#include <stdio.h>

struct sub_groups {
  cl_ulong active, divergent;
};

static struct sub_groups count_sub_groups(struct clr_activity activity, cl_ulong width) {
  struct sub_groups counted = {0, 0};
  if (activity.items == 0)
    return counted;
  if (activity.apart >= width) {
    counted.active = activity.items;
    counted.divergent = width > 1 ? activity.items : 0;
    return counted;
  }
  cl_ulong in_each = width / activity.apart;
  counted.active = clr_ceil_divide(activity.items, in_each);
  counted.divergent = activity.apart > 1 ? counted.active : activity.items % width != 0;
  return counted;
}

void clr_step_make(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                   struct clr_activity full, struct clr_activity last, const char *name, ...) {
  // A group smaller than the preferred multiple is one sub-group of its own size.
  cl_ulong multiple = clr_power_of_two_below(shape->preferred_multiple);
  cl_ulong width = multiple < pass->group_size ? multiple : pass->group_size;
  struct sub_groups in_full = count_sub_groups(full, width), in_last = count_sub_groups(last, width);
  cl_ulong others = pass->groups - 1;
  *step = (struct clred_step){
    .active_work_items = others * full.items + last.items,
    .sub_groups = others * in_full.active + in_last.active,
    .divergent_sub_groups = others * in_full.divergent + in_last.divergent,
  };
  va_list arguments;
  va_start(arguments, name);
  vsnprintf(step->name, sizeof step->name, name, arguments);
  va_end(arguments);
}

bool clr_step_partials(struct clred_step *step, const struct clr_shape *shape, const struct clr_pass *pass,
                       cl_ulong partials) {
  struct clr_activity writers = {.items = partials, .apart = 1};
  clr_step_make(step, shape, pass, writers, writers, pass->groups == 1 ? "result" : "partials");
  step->global_requests = pass->groups * partials;
  // The last group reads all partials and writes the result. Each group takes a ticket, which is one more request.
  if (shape->finish == CLR_FINISH_LAST_GROUP && pass->groups > 1) {
    step->barriers = 2;
    step->global_requests += pass->groups * partials + pass->groups + 1;
  }
  return true;
}
