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
static void add_request(const struct walk *it, cl_ulong first, cl_ulong end, cl_ulong turn, struct clr_traffic *sum) {
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

static struct clr_traffic traffic_of_group(const struct walk *it, cl_ulong width) {
  struct clr_traffic sum = {0};
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
  for (cl_ulong group = 0; group < period && group < access.groups; group++) {
    it.base = access.base + group * access.a_group;
    clr_step_traffic(making->step, access.local, traffic_of_group(&it, width),
                     clr_ceil_divide(access.groups - group, period));
  }
}

void clr_step_alone(const struct clr_making *making, cl_ulong accesses) {
  making->step->local_accesses = clr_step_add(making->step->local_accesses, accesses);
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
