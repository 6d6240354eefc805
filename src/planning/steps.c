// The arithmetic of the analysis: requests, lines and conflicts of an access, sub-groups of active work-items.
#include "planning/steps.h"

#include <stdarg.h>
#include <stdio.h>

// The accesses of work-items, the requests of sub-groups, and the lines or bank conflicts of the requests.
struct traffic {
  cl_ulong accesses, requests, lines, conflicts;
};

cl_ulong clr_step_add(cl_ulong a, cl_ulong b) {
  return a == CLR_UNKNOWN || b == CLR_UNKNOWN ? CLR_UNKNOWN : clr_add(a, b);
}

cl_ulong clr_step_width(const struct clr_shape *shape, const struct clr_pass *pass) {
  return clr_min(clr_pow2_floor(shape->preferred_multiple), pass->group_size);
}

// Returns how many active work-items a sub-group has at most.
static cl_ulong in_each(cl_ulong width, cl_ulong apart) {
  return apart >= width ? 1 : width / apart;
}

// ---------------------------------------------------------------- Sub-groups

struct sub_groups {
  cl_ulong active, divergent;
};

static struct sub_groups count_sub_groups(cl_ulong items, cl_ulong apart, cl_ulong width) {
  cl_ulong active = clr_ceil_divide(items, in_each(width, apart));
  if (apart > 1 && width > 1)
    return (struct sub_groups){active, active};
  return (struct sub_groups){active, items % width != 0};
}

struct clr_step_builder clr_step_begin(struct clred_step *step, const struct clr_shape *shape,
                                       const struct clr_pass *pass, struct clr_active_items active, const char *name,
                                       ...) {
  cl_ulong width = clr_step_width(shape, pass), others = active.groups ? active.groups - 1 : 0;
  struct sub_groups full = count_sub_groups(active.full, active.apart, width);
  struct sub_groups last = count_sub_groups(active.last, active.apart, width);
  *step = (struct clred_step){
    .active_work_items = others * active.full + active.last,
    .sub_groups = others * full.active + last.active,
    .divergent_sub_groups = others * full.divergent + last.divergent,
  };
  step->idle_work_items = active.groups * pass->group_size - step->active_work_items;
  va_list arguments;
  va_start(arguments, name);
  vsnprintf(step->name, sizeof step->name, name, arguments);
  va_end(arguments);
  return (struct clr_step_builder){shape, pass, active, step};
}

// ---------------------------------------------------------------- Requests of one access

static struct traffic sum(struct traffic a, struct traffic b, cl_ulong times) {
  return (struct traffic){a.accesses + times * b.accesses, a.requests + times * b.requests, a.lines + times * b.lines,
                          a.conflicts + times * b.conflicts};
}

// Counts the units of `unit` bytes that `items` values touch, the first at `at`. Addresses never decrease.
static cl_ulong units_of(const struct clr_access *access, cl_ulong at, cl_ulong items, cl_ulong unit) {
  cl_ulong count = 0, next = 0;  // `next` is the first unit that was not counted
  for (cl_ulong i = 0; i < items; i++, at += access->value_stride) {
    cl_ulong first = at / unit, last = (at + access->size - 1) / unit;
    first = first < next ? next : first;
    count += last + 1 > first ? last + 1 - first : 0;
    next = last + 1;
  }
  return count;
}

// A bank serves one word at a time. Returns how many words the busiest bank serves, less the number that each bank
// would serve if all were equally busy.
static cl_ulong conflicts_of(const struct clr_access *access, cl_ulong at, cl_ulong items) {
  cl_ulong in_bank[CLR_BANKS] = {0}, words = 0, most = 0, next = 0;
  for (cl_ulong i = 0; i < items; i++, at += access->value_stride)
    for (cl_ulong word = at / CLR_BANK_WORD; word <= (at + access->size - 1) / CLR_BANK_WORD; word++) {
      if (word < next)
        continue;
      next = word + 1;
      words++;
      cl_ulong turns = ++in_bank[word % CLR_BANKS];
      most = turns > most ? turns : most;
    }
  return most - clr_ceil_divide(words, CLR_BANKS);
}

// Returns the traffic of active work-items `first` to `end`: each accesses one value, at neighbouring addresses from
// `at` on.
static struct traffic traffic_of_row(const struct clr_step_builder *making, const struct clr_access *access,
                                     cl_ulong at, cl_ulong first, cl_ulong end) {
  cl_ulong each = in_each(clr_step_width(making->shape, making->pass), making->active.apart);
  struct traffic traffic = {0};
  for (cl_ulong next; first < end; first = next) {
    next = clr_min((first / each + 1) * each, end);
    cl_ulong items = next - first, place = at + first * access->value_stride;
    traffic.accesses += items;
    traffic.requests++;
    if (access->local)
      traffic.conflicts += conflicts_of(access, place, items);
    else
      traffic.lines += units_of(access, place, items, making->shape->line_bytes);
  }
  return traffic;
}

// Returns the modulus of addresses: addresses that are equal modulo this number cause equal traffic.
static cl_ulong modulus(const struct clr_step_builder *making, const struct clr_access *access) {
  return access->local ? CLR_BANKS * CLR_BANK_WORD : making->shape->line_bytes;
}

// Returns after how many steps of `bytes` addresses are the same again modulo `modulus`.
static cl_ulong period_of(cl_ulong bytes, cl_ulong modulus) {
  cl_ulong a = modulus, b = bytes % modulus;
  while (b) {
    cl_ulong rest = a % b;
    a = b;
    b = rest;
  }
  return modulus / a;
}

// Returns how many of `count` steps are step `index` of a period.
static cl_ulong steps_like(cl_ulong count, cl_ulong period, cl_ulong index) {
  return count / period + (index < count % period);
}

// Returns the traffic of one group that accesses `values` values, row after row.
static struct traffic traffic_of_group(const struct clr_step_builder *making, const struct clr_access *access,
                                       cl_ulong at, cl_ulong values) {
  cl_ulong width = access->width ? access->width : values, rows = values / (width ? width : 1);
  cl_ulong a_row = width * access->value_stride, period = period_of(a_row, modulus(making, access));
  struct traffic traffic = {0};
  if (values <= access->skip)
    return traffic;
  if (rows)
    traffic = traffic_of_row(making, access, at, access->skip, width);
  for (cl_ulong row = 0; rows && row < period; row++)
    traffic = sum(traffic, traffic_of_row(making, access, at + row % period * a_row, 0, width),
                  steps_like(rows, period, row) - (row == 0));
  cl_ulong rest = values - rows * width;
  return sum(traffic, traffic_of_row(making, access, at + rows * a_row, rows ? 0 : access->skip, rest), 1);
}

static struct traffic traffic_of_groups(const struct clr_step_builder *making, const struct clr_access *access) {
  if (!access->groups)
    return (struct traffic){0};
  cl_ulong others = access->groups - 1, period = period_of(access->group_stride, modulus(making, access));
  struct traffic traffic = traffic_of_group(making, access, access->base + others * access->group_stride, access->last);
  for (cl_ulong group = 0; group < period && group < others; group++)
    traffic = sum(traffic, traffic_of_group(making, access, access->base + group * access->group_stride, access->full),
                  steps_like(others, period, group));
  return traffic;
}

void clr_step_access(const struct clr_step_builder *making, struct clr_access access) {
  struct clred_step *step = making->step;
  const struct traffic traffic = traffic_of_groups(making, &access);
  if (access.local) {
    step->local_accesses = clr_step_add(step->local_accesses, traffic.accesses);
    step->bank_conflicts = clr_step_add(step->bank_conflicts, traffic.conflicts);
    return;
  }
  step->global_accesses = clr_step_add(step->global_accesses, traffic.accesses);
  step->requests = clr_step_add(step->requests, traffic.requests);
  step->lines = clr_step_add(step->lines, traffic.lines);
}

// ---------------------------------------------------------------- Accesses

struct clr_access clr_access_each(const struct clr_active_items *active) {
  return (struct clr_access){.groups = active->groups, .full = active->full, .last = active->last};
}

static void access_at(const struct clr_step_builder *making, struct clr_access access, cl_ulong size, cl_ulong begin,
                      cl_ulong group_stride, cl_ulong value_stride) {
  access.size = size;
  access.base = begin * size;
  access.group_stride = group_stride * size;
  access.value_stride = value_stride * size;
  clr_step_access(making, access);
}

void clr_step_load(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                   cl_ulong group_stride, cl_ulong value_stride) {
  const struct clr_shape *shape = making->shape;
  struct clred_step *step = making->step;
  if (making->pass->kernel == CLR_KERNEL_STATES) {
    access_at(making, access, shape->state_size, making->pass->first + begin, group_stride, value_stride);
    return;
  }
  for (cl_ulong input = 0; input <= shape->inputs; input++)
    access_at(making, access, shape->element_size, begin, group_stride, value_stride);
  // With a stride, the distance between elements depends on the call, and so does the begin of a reversed scan. Further
  // inputs may have elements of another size.
  if (shape->strided || shape->inputs)
    step->lines = CLR_UNKNOWN;
}

void clr_step_scratch(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                      cl_ulong group_stride, cl_ulong value_stride) {
  access_at(making, access, making->shape->state_size, begin, group_stride, value_stride);
}

void clr_step_local(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                    cl_ulong value_stride) {
  access.local = true;
  access_at(making, access, making->shape->state_size, begin, 0, value_stride);
}

void clr_step_result(const struct clr_step_builder *making) {
  const struct clr_access one = {.groups = 1, .last = 1, .size = making->shape->result_size};
  clr_step_access(making, one);
}

void clr_step_results(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                      cl_ulong group_stride, cl_ulong value_stride) {
  access_at(making, access, making->shape->result_size, begin, group_stride, value_stride);
  if (making->shape->strided)
    making->step->lines = CLR_UNKNOWN;
}

void clr_step_combine(const struct clr_step_builder *making, cl_ulong operations, cl_ulong depth, cl_ulong at_once) {
  struct clred_step *step = making->step;
  step->operations = clr_step_add(step->operations, operations);
  step->depth = clr_step_add(step->depth, operations ? depth : 0);
  step->operations_at_once = at_once > step->operations_at_once ? at_once : step->operations_at_once;
}

// ---------------------------------------------------------------- Sums

void clr_step_unknown(struct clred_step *step, const char *name) {
#define SET_UNKNOWN(number) step->number = CLR_UNKNOWN;
  *step = (struct clred_step){.barriers = CLR_UNKNOWN, .depth = CLR_UNKNOWN, .operations_at_once = CLR_UNKNOWN};
  CLR_STEP_SUMS(SET_UNKNOWN)
  snprintf(step->name, sizeof step->name, "%s", name);
}

void clr_step_join(struct clred_step *step, const struct clred_step *other) {
#define ADD(number) step->number = clr_step_add(step->number, other->number);
  CLR_STEP_SUMS(ADD)
  // Tiles and blocks of different kinds are folded side by side.
  step->operations_at_once = clr_step_add(step->operations_at_once, other->operations_at_once);
}
