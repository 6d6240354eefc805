// What scan strategies share: the shape of a tile that one work-group scans, and the board of look-back.
#ifndef CLR_STRATEGIES_SCANS_H
#define CLR_STRATEGIES_SCANS_H

#include "planning/steps.h"
#include "planning/strategy.h"

// A group's tile, a lane a work-item, with room in local memory for `nodes_beside` nodes more: settles how elements and
// results reach their work-items. A group size that the caller did not name is halved until all fits; else the limit is
// named.
cl_int clr_scan_fit_tile(const char *name, const struct clr_facts *facts, const struct clr_problem *problem,
                         cl_ulong nodes_beside, struct clr_shape *shape, struct clr_status *status);

// How many neighbouring lanes, or columns, a work-item of a CPU-like device scans at once: 1 where states are no
// vectors.
void clr_scan_fit_block(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape);

// How many tiles a launch takes, and in which words their nodes travel.
cl_int clr_scan_fit_board(const char *name, const struct clr_facts *facts, const struct clr_problem *problem,
                          struct clr_shape *shape, struct clr_status *status);
cl_ulong clr_scan_board_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded);

// Launch `index` of a call over n elements whose tiles have `tile` of them.
bool clr_scan_board_pass(const struct clr_shape *shape, cl_ulong n, cl_ulong tile, unsigned index,
                         struct clr_pass *pass);

bool clr_scan_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                   struct clred_step *step);

// The order fixed/1.
cl_int clr_scan_fixed_reference(const struct clr_shape *shape, const struct clr_values *values,
                                const struct clr_scan *scan);

#endif
