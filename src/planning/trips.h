// Bounds the turns of a work-item's loops, for devices that end loops early (fact loop_trips). Strategies choose shapes
// that stay below the bound; calls that cannot are refused.
#ifndef CLR_PLANNING_TRIPS_H
#define CLR_PLANNING_TRIPS_H

#include "planning/strategy.h"

// A bound for a launch, to be used as `trips` of a strategy. It assumes that one work-item folds all values of the
// call.
cl_ulong clr_trips_of_all(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);
// A bound that assumes that every work-item folds the same share of the launch's values.
cl_ulong clr_trips_of_share(const struct clr_shape *shape, const struct clr_extent *extent,
                            const struct clr_pass *pass);

// The strategy's bound for a launch.
cl_ulong clr_trips(const struct clr_shape *shape, const struct clr_extent *extent, const struct clr_pass *pass);

// True if all launches of the call stay below the device's bound.
bool clr_trips_hold(const struct clr_shape *shape, const struct clr_extent *extent);

// Returns the longest line whose launches stay below the bound; CL_ULONG_MAX if the device has no bound.
cl_ulong clr_trips_most(const struct clr_shape *shape);

// Returns the groups for a reduction: `otherwise`, or if the device ends loops early, as many partials as one work-item
// can fold, if that is more.
cl_ulong clr_trips_groups(const struct clr_facts *facts, cl_ulong otherwise);

#endif
