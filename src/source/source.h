// Writes the text of a plan's program: generated files and the strategy's own, put together by resolve.h.
#ifndef CLR_PLANNING_SOURCE_H
#define CLR_PLANNING_SOURCE_H

#include "base/text.h"
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

// --- Files of cl/ ---
// The texts in cl/: embedded at build time, or read from the folder CLREDUCE_CL_DIR so that kernels can be changed
// without building the library anew.

struct clr_kernel_text {
  const char *name;
  const char *text;
};
extern const struct clr_kernel_text clr_embedded_kernels[];  // ended by a row without a name

// Where kernel files are read from. A text is valid until the next one is read.
struct clr_kernel_reader {
  const char *folder;  // NULL: the embedded ones
  struct clr_text held;
};
struct clr_kernel_reader clr_kernel_reader_open(void);
const char *clr_kernel_read(void *from,
                            const char *name);  // a clr_read_file, from a clr_kernel_reader; NULL if it cannot be had
void clr_kernel_reader_close(struct clr_kernel_reader *reader);

#endif
