// Writes the text of a plan's program: generated files and the strategy's own, put together by resolve.h.
#ifndef CLR_PLANNING_SOURCE_H
#define CLR_PLANNING_SOURCE_H

#include "planning/strategy.h"
#include "source/resolve.h"

// Where the files of cl/ come from, and the options of the build, whose -D count in conditions.
struct clr_source_from {
  clr_read_file *read;
  void *from;
  const char *options;
};

// The entry point of a kernel of this strategy, as "clred_wide_elements"; at most `size` bytes.
void clr_source_entry(const struct clr_strategy *strategy, enum clr_kernel kernel, char *name, size_t size);

// A program with some of the strategy's kernels: a set of CLR_KERNEL_BIT.
cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, unsigned wanted, enum clr_fence fence,
                        const struct clr_source_from *from, struct clr_text *text, struct clr_status *status);

// A program with a caller's operator alone, and a kernel that tells the sizes of its types.
cl_int clr_source_probe(const struct clr_operation *operation, const struct clr_source_from *from,
                        struct clr_text *text, struct clr_status *status);

// A program with any operator alone, and the kernel that tries its laws.
cl_int clr_source_laws(const struct clr_operation *operation, const struct clr_source_from *from, struct clr_text *text,
                       struct clr_status *status);

#endif
