// Writes the text of a plan's program: the operation and the numbers as defines, then the parts of cl/ in order.
#ifndef CLR_PLANNING_SOURCE_H
#define CLR_PLANNING_SOURCE_H

#include "planning/strategy.h"

// Gives the text of a kernel source by its name in cl/, NULL if it cannot be had. `from` is passed through.
typedef const char *clr_read_part(void *from, const char *name);

// The entry point of a kernel of this strategy, as "clred_wide_elements"; at most `size` bytes.
void clr_source_entry(const struct clr_strategy *strategy, enum clr_kernel kernel, char *name, size_t size);

cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, enum clr_fence fence, clr_read_part *read, void *from,
                        struct clr_text *text, struct clr_status *status);

// A program with a caller's operator alone, and a kernel that tells the sizes of its types.
cl_int clr_source_probe(const struct clr_operation *operation, clr_read_part *read, void *from, struct clr_text *text,
                        struct clr_status *status);

// A program with any operator alone, and the kernel that tries its laws.
cl_int clr_source_laws(const struct clr_operation *operation, clr_read_part *read, void *from, struct clr_text *text,
                       struct clr_status *status);

#endif
