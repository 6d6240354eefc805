// The lists of nodes that the groups of wide fold: columns of tiles, or states. wide_lists.c cuts them into lots,
// wide_loads.c describes how they are read, wide_steps.c how they are folded.
#pragma once

#include "strategies/lines_steps.h"

// Nodes that a group reads at a time: `count` lots that do the same, from node `first` of the list on.
struct clr_lot {
  cl_ulong count, first, present;
};

#define CLR_LOTS_MAX 80

// The lists that the groups of a launch fold. The last group may have fewer nodes.
struct clr_list {
  const struct clr_shape *shape;
  const struct clr_pass *pass;
  cl_ulong n;          // elements of the call
  bool columns;        // nodes are columns of tiles, otherwise states
  bool handed_over;    // the states are the partials of this launch
  bool exact;          // each work-item folds its nodes first, and only one of each goes to local memory
  cl_ulong groups;     // that fold such a list
  cl_ulong size;       // nodes of a whole lot
  cl_ulong turns;      // lots of a group, at most
  cl_ulong all_turns;  // of all groups
  struct clr_lot lots[CLR_LOTS_MAX];
  unsigned count;
};

cl_ulong clr_columns_a_tile(const struct clr_shape *shape);

// Lists: the columns of a call, and `count` states of an earlier launch or, if handed over, of this one.
struct clr_list clr_list_of_columns(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong n);
struct clr_list clr_list_of_states(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong count,
                                   bool handed_over);

// Adds the loads of a lot.
void clr_list_load(const struct clr_making *making, const struct clr_list *list, const struct clr_lot *lot);

// Returns the elements of a lot of columns.
cl_ulong clr_lot_elements(const struct clr_list *list, const struct clr_lot *lot);
