// How many turns the loops of a work-item take, where a device ends them (fact loop_trips): an upper bound for each
// launch, so that shapes stay below it and calls that cannot are refused.
#ifndef CLR_PLANNING_TRIPS_H
#define CLR_PLANNING_TRIPS_H

#include "planning/strategy.h"

// Bounds, as a strategy's `trips`. NULL stands for the first: as if one work-item did it all.
cl_ulong clr_trips_of_all(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass);
// Every work-item has the same share of the values of a launch.
cl_ulong clr_trips_of_share(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass);

// Whether all launches of a call over n elements, of the shape's rows and columns, stay below the bound.
bool clr_trips_hold(const struct clr_strategy *strategy, const struct clr_shape *shape, cl_ulong n);

// The longest call for which they do; CL_ULONG_MAX where loops may take any number of turns.
cl_ulong clr_trips_most(const struct clr_strategy *strategy, const struct clr_shape *shape);

// More groups than `otherwise`, with less for each: as many as one work-item can fold the partials of.
cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise);

#endif
