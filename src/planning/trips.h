// Bounds the turns that the loops of a work-item take, for devices that end loops after a number of turns (fact
// loop_trips). Strategies choose shapes that stay below the bound, and calls that cannot are refused.
#ifndef CLR_PLANNING_TRIPS_H
#define CLR_PLANNING_TRIPS_H

#include "planning/strategy.h"

// Upper bounds for a launch, as `trips` of a strategy: as if one work-item took all values of the call.
cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);
// Every work-item takes the same share of the launch's values.
cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass);

// The strategy's bound for a launch.
cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// Whether all launches of the call stay below the device's bound.
bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent);

// The longest line for which they do; CL_ULONG_MAX if the device has no bound.
cl_ulong clr_trips_most(const struct clr_shape *shape);

// Groups for a reduction: at least `otherwise`; more if the device ends loops, as many as one work-item can fold the
// partials of.
cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise);

#endif
