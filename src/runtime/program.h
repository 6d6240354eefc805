// Programs for one device, each built or loaded once: a list of text and program.
#ifndef CLR_OPENCL_PROGRAM_H
#define CLR_OPENCL_PROGRAM_H

#include <stdatomic.h>

#include "base/status.h"
#include "cache/binary_cache.h"

struct clr_built {
  struct clr_built *next;
  cl_program program;
  char *text;
  bool opencl_3;
  atomic_bool launched;  // its kernels were; any thread may set it while others build or save
  bool cached;           // it was loaded, or is written
};

struct clr_programs {
  cl_context context;
  cl_device_id device;
  const char *options;  // the caller's own, "" if none
  bool rounds_divide;
  bool late;  // the driver compiles at a kernel's first launch, too, so binaries are taken after that
  struct clr_binary_cache cache;
  struct clr_built *first;
  size_t builds;        // from text, that succeeded
  size_t loads;         // from the cache
  struct clr_text log;  // the compiler's words on the last build
};

// The program of this text, loaded or built now if it is new; `opencl_3` asks for that language. The list keeps it.
cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, struct clr_built **built,
                        struct clr_status *status);

// Appends the program's text behind a comment with its build options.
void clr_programs_source(const struct clr_programs *programs, const struct clr_built *built, struct clr_text *text);

// Writes to the cache what was built and is not there yet; of a driver that compiles late, only what was launched. How
// many it wrote.
size_t clr_programs_save(struct clr_programs *programs);

void clr_programs_release(struct clr_programs *programs);

#endif
