// Writes the text of a plan's program: generated files and the strategy's own, put together by resolve.c.
#pragma once

#include "base/text.h"
#include "planning/strategy.h"
#include "source/files.h"

// Writes the name of a kernel, such as "clred_wide_elements", in at most `size` bytes.
void clr_source_entry(const struct clr_strategy *strategy, enum clr_kernel kernel, char *name, size_t size);

// Writes a program with these kernels of the strategy (a set of CLR_KERNEL_BIT).
cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, unsigned wanted, enum clr_fence fence,
                        const struct clr_source_from *from, struct clr_text *text, struct clr_status *status);

// Writes a program with a caller's operator and a kernel that returns the sizes of its types.
cl_int clr_source_probe(const struct clr_operation *operation, const struct clr_source_from *from,
                        struct clr_text *text, struct clr_status *status);

// Writes a program with an operator and the kernel that tries its laws.
cl_int clr_source_laws(const struct clr_operation *operation, const struct clr_source_from *from, struct clr_text *text,
                       struct clr_status *status);

// Writes a program of a file of cl/ that has no operator; `plan` is its plan.clh.
cl_int clr_source_file(const struct clr_operation *operation, const char *plan, const char *root,
                       const struct clr_source_from *from, struct clr_text *text, struct clr_status *status);

// What histogram/keys.clh needs to know of an element type, as lines of plan.clh.
void clr_element_defines(const struct clr_type *type, struct clr_text *text);

// --- build_log.c ---
// Finds the first error in the caller's text ("lift:3:7: error: ...") and records a message with the piece, line and
// column. Compilers that ignore #line count the lines of the program, which is `text`. False if the log has no such
// error.
bool clr_explain_log(const char *log, const char *text, const char *operator_name, struct clr_status *status);
