// Programs of one device. Each text is built or loaded once and kept in a list.
#pragma once

#include <stdatomic.h>

#include "base/status.h"
#include "cache/binary_cache.h"

struct clr_built {
  struct clr_built *next;
  cl_program program;
  char *text;
  bool opencl_3;
  atomic_bool launched;  // one of its kernels was launched; any thread may set this while others build or save
  bool cached;           // the cache has it
};

struct clr_programs {
  cl_context context;
  cl_device_id device;
  const char *options;  // the caller's build options; "" if none
  bool rounds_divide;
  bool late;  // the driver also compiles at a kernel's first launch, so binaries are saved after it
  struct clr_binary_cache cache;
  struct clr_built *first;
  size_t builds;        // successful builds from text
  size_t loads;         // programs loaded from the cache
  struct clr_text log;  // the compiler's log of the last build
};

// Finds the program of this text in the list, or loads it, or builds it, as OpenCL C 3.0 if `opencl_3` is set. The list
// owns the program.
cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, struct clr_built **built,
                        struct clr_status *status);

// Appends the program's text behind a comment with its build options.
void clr_programs_source(const struct clr_programs *programs, const struct clr_built *built, struct clr_text *text);

void clr_programs_release(struct clr_programs *programs);
