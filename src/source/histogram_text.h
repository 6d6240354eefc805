// Writes the text of a histogram's program.
#ifndef CLR_PLANNING_HISTOGRAM_TEXT_H
#define CLR_PLANNING_HISTOGRAM_TEXT_H

#include "source/source.h"

cl_int clr_histogram_text(const struct clr_strategy *strategy, const struct clr_operation *operation,
                          const struct clr_shape *shape, clr_read_part *read, void *from, struct clr_text *text,
                          struct clr_status *status);

#endif
