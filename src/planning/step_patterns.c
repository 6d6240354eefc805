// Accesses that a rule with constant distances does not describe, launches that nothing describes, and sums of steps.
#include "planning/steps.h"

#include <stdio.h>

// ---------------------------------------------------------------- Patterns

// One group's accesses; its first value is at address `base`.
struct walk {
  const struct clr_pattern *pattern;
  const struct clr_access *access;
  cl_ulong base, unit;  // unit: bytes of a line, or of a bank's word
};

struct numbers {
  cl_ulong accesses, requests, lines, conflicts;
};

struct units {
  cl_ulong begin, end;
};

// Returns the units that a work-item touches in this turn.
static struct units units_at(const struct walk *it, cl_ulong item, cl_ulong turn) {
  cl_ulong value = it->pattern->at(it->pattern->data, item, turn);
  if (value == CLR_NOWHERE)
    return (struct units){1, 0};
  cl_ulong address = it->base + value * it->access->size;
  return (struct units){address / it->unit, (address + it->access->size - 1) / it->unit + 1};
}

// True if a work-item from `first` on, but before `item`, touches the unit, too.
static bool is_touched(const struct walk *it, cl_ulong first, cl_ulong item, cl_ulong turn, cl_ulong unit) {
  while (item-- > first) {
    struct units units = units_at(it, item, turn);
    if (unit >= units.begin && unit < units.end)
      return true;
  }
  return false;
}

// Adds what the work-items from `first` to `end`, a sub-group, do in one turn.
static void add_request(const struct walk *it, cl_ulong first, cl_ulong end, cl_ulong turn, struct numbers *sum) {
  cl_ulong in_bank[CLR_BANKS] = {0}, touched = 0, most = 0, accesses = 0;
  for (cl_ulong item = first; item < end; item++) {
    struct units units = units_at(it, item, turn);
    accesses += units.begin < units.end;
    for (cl_ulong unit = units.begin; unit < units.end; unit++) {
      if (is_touched(it, first, item, turn, unit))
        continue;
      touched++;
      cl_ulong turns = ++in_bank[unit % CLR_BANKS];
      most = turns > most ? turns : most;
    }
  }
  sum->accesses += accesses * (it->access->holds ? it->access->holds : 1);
  sum->requests += accesses > 0;
  sum->lines += touched;
  sum->conflicts += most - clr_ceil_divide(touched, CLR_BANKS);
}

static struct numbers numbers_of_group(const struct walk *it, cl_ulong width) {
  struct numbers sum = {0};
  for (cl_ulong turn = 0; turn < it->pattern->turns; turn++)
    for (cl_ulong first = 0; first < it->pattern->items; first += width)
      add_request(it, first, clr_at_most(first + width, it->pattern->items), turn, &sum);
  return sum;
}

void clr_step_pattern(const struct clr_making *making, const struct clr_pattern *pattern, struct clr_access access) {
  struct walk it = {pattern, &access, access.base, access.local ? CLR_BANK_WORD : making->shape->line_bytes};
  // Traffic depends on an address only modulo this.
  cl_ulong modulus = access.local ? CLR_BANKS * CLR_BANK_WORD : making->shape->line_bytes;
  cl_ulong period = clr_step_period(access.a_group, modulus), width = clr_step_width(making->shape, making->pass);
  struct clred_step *step = making->step;
  for (cl_ulong group = 0; group < period && group < access.groups; group++) {
    it.base = access.base + group * access.a_group;
    struct numbers sum = numbers_of_group(&it, width);
    cl_ulong times = clr_ceil_divide(access.groups - group, period);
    if (access.local) {
      step->local_accesses = clr_step_add(step->local_accesses, times * sum.accesses);
      step->bank_conflicts = clr_step_add(step->bank_conflicts, times * sum.conflicts);
      continue;
    }
    step->global_accesses = clr_step_add(step->global_accesses, times * sum.accesses);
    step->requests = clr_step_add(step->requests, times * sum.requests);
    step->lines = clr_step_add(step->lines, times * sum.lines);
  }
}

void clr_step_alone(const struct clr_making *making, cl_ulong accesses) {
  making->step->local_accesses = clr_step_add(making->step->local_accesses, accesses);
}

// ---------------------------------------------------------------- Sums

void clr_step_unknown(struct clred_step *step, const char *name) {
  *step = (struct clred_step){
    .active_work_items = CLR_UNKNOWN,
    .sub_groups = CLR_UNKNOWN,
    .divergent_sub_groups = CLR_UNKNOWN,
    .barriers = CLR_UNKNOWN,
    .global_accesses = CLR_UNKNOWN,
    .idle_work_items = CLR_UNKNOWN,
    .operations = CLR_UNKNOWN,
    .depth = CLR_UNKNOWN,
    .operations_at_once = CLR_UNKNOWN,
    .requests = CLR_UNKNOWN,
    .lines = CLR_UNKNOWN,
    .local_accesses = CLR_UNKNOWN,
    .bank_conflicts = CLR_UNKNOWN,
  };
  snprintf(step->name, sizeof step->name, "%s", name);
}

void clr_step_join(struct clred_step *step, const struct clred_step *other) {
  const struct {
    cl_ulong *to, number;
  } rows[] = {
    {&step->active_work_items, other->active_work_items},
    {&step->idle_work_items, other->idle_work_items},
    {&step->sub_groups, other->sub_groups},
    {&step->divergent_sub_groups, other->divergent_sub_groups},
    {&step->operations, other->operations},
    {&step->global_accesses, other->global_accesses},
    {&step->requests, other->requests},
    {&step->lines, other->lines},
    {&step->local_accesses, other->local_accesses},
    {&step->bank_conflicts, other->bank_conflicts},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    *rows[i].to = clr_step_add(*rows[i].to, rows[i].number);
  // Tiles and blocks of different kinds are folded side by side.
  step->operations_at_once = clr_step_add(step->operations_at_once, other->operations_at_once);
}
