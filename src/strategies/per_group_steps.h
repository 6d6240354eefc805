// The analysis of launches in which each group computes a tree. per_group_loads.c describes how values are loaded,
// per_group_steps.c all that follows.
#pragma once

#include "strategies/per_group.h"

// A launch as its analysis sees it.
struct clr_group_launch {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  const struct clr_group_tree *tree;
  struct clr_group_end end;
  bool in_global;
  bool staged;                 // values are copied to local memory before they are folded
  bool pairs;                  // the first stride combines values as they are loaded
  cl_ulong places;             // of a group's tree
  cl_ulong taken, left;        // values that a full group and the last group take; if groups have parts, at a time
  cl_ulong in_full, in_last;   // values with which their trees begin
  cl_ulong partials, of_last;  // values that a full group leaves, and the last group
  unsigned loads, strides;     // steps
};

// Adds accesses to the tree's places, in global or local memory: by each active work-item, from place `begin` on.
void clr_group_places(const struct clr_step_builder *making, const struct clr_group_launch *it,
                      struct clr_access access, cl_ulong begin, cl_ulong value_stride);

// Describes load step `index`. False if there is no such step.
bool clr_group_load_step(const struct clr_group_launch *it, unsigned index, struct clred_step *step);
