// The texts in cl/: embedded at build time, or read from the folder CLREDUCE_CL_DIR so that kernels can be changed
// without building the library anew.
#ifndef CLR_OPENCL_KERNEL_TEXT_H
#define CLR_OPENCL_KERNEL_TEXT_H

#include "base/text.h"

struct clr_kernel_text {
  const char *name;
  const char *text;
};
extern const struct clr_kernel_text clr_embedded_kernels[];  // ended by a row without a name

// Where parts are read from. The text handed out last is valid until the next.
struct clr_kernel_reader {
  const char *folder;  // NULL: the embedded ones
  struct clr_text held;
};
struct clr_kernel_reader clr_kernel_reader_open(void);
const char *clr_kernel_read(void *from,
                            const char *name);  // a clr_read_file, from a clr_kernel_reader; NULL if it cannot be had
void clr_kernel_reader_close(struct clr_kernel_reader *reader);

#endif
