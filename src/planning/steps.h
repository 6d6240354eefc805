// Analyses a launch step by step, as textbooks do. A strategy describes each step once, as data: which work-items are
// active, what they combine, what they access. The numbers of struct clred_step follow by the arithmetic in steps.c.
#pragma once

#include "clreduce_device.h"
#include "planning/pass.h"
#include "planning/shape.h"

#define CLR_UNKNOWN CLRED_NOT_STATED

// Banks of local memory, and the bytes that a bank gives at once.
#define CLR_BANKS 32
#define CLR_BANK_WORD 4

// The numbers of a step that are summed over groups, and over steps.
#define CLR_STEP_SUMS(X) \
  X(active_work_items) \
  X(idle_work_items) \
  X(sub_groups) \
  X(divergent_sub_groups) \
  X(operations) \
  X(global_accesses) \
  X(requests) \
  X(lines) \
  X(local_accesses) \
  X(bank_conflicts)

// Active work-items: `full` in each group except the last, `last` in the last group. Every `apart`-th work-item of a
// group is active, from work-item 0 on.
struct clr_active_items {
  cl_ulong groups, full, last, apart;
};

// An access that each active work-item of a group makes. The access is repeated until the group has accessed `full`
// values, or `last` values in the last group. The work-items access `width` values at a time; 0: all of them. Addresses
// are in bytes.
struct clr_access {
  cl_ulong groups, full, last, width;
  cl_ulong skip;  // number of active work-items, from the first one on, that do not access their values
  bool local;
  cl_ulong size;                              // bytes of a value
  cl_ulong base, group_stride, value_stride;  // address of the first value; distance between groups, and between values
};

// A step that is being described.
struct clr_step_builder {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  struct clr_active_items active;
  struct clred_step *step;
};

// Begins the step: its name, its active and idle work-items. Everything else is 0.
struct clr_step_builder clr_step_begin(struct clred_step *step, const struct clr_shape *shape,
                                       const struct clr_pass *pass, struct clr_active_items active, const char *name,
                                       ...) CLR_PRINTF(5, 6);

// Adds an access.
void clr_step_access(const struct clr_step_builder *making, struct clr_access access);

// Adds accesses to values of the pass's source, elements or states. The first group begins `begin` values after the
// first value of the source, each further group `group_stride` values after the group before. Neighbouring values of a
// group are `value_stride` values apart.
void clr_step_load(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                   cl_ulong group_stride, cl_ulong value_stride);

// Adds accesses to states of scratch. The first group begins at state `begin`; the strides are those of clr_step_load.
void clr_step_scratch(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                      cl_ulong group_stride, cl_ulong value_stride);

// Adds accesses to states in local memory, with the same distances; every group begins at `begin`.
void clr_step_local(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                    cl_ulong value_stride);

// Adds a result, which one work-item writes.
void clr_step_result(const struct clr_step_builder *making);

// Adds accesses to results of a scan, from result `begin` on, with the same distances.
void clr_step_results(const struct clr_step_builder *making, struct clr_access access, cl_ulong begin,
                      cl_ulong group_stride, cl_ulong value_stride);

// Adds operations. The longest chain of them has `depth`; at most `at_once` of them are independent.
void clr_step_combine(const struct clr_step_builder *making, cl_ulong operations, cl_ulong depth, cl_ulong at_once);

// One access by each active work-item.
struct clr_access clr_access_each(const struct clr_active_items *active);

// Describes a whole launch as one step, of which no number is stated.
void clr_step_unknown(struct clred_step *step, const char *name);

// Adds the numbers of the same step of other groups, tiles or blocks.
void clr_step_join(struct clred_step *step, const struct clred_step *other);

// Returns the work-items of a sub-group. A group smaller than the preferred multiple is one sub-group of its own size.
cl_ulong clr_step_width(const struct clr_shape *shape, const struct clr_pass *pass);

// Returns a + b; CLR_UNKNOWN if one of them is not stated.
cl_ulong clr_step_add(cl_ulong a, cl_ulong b);
