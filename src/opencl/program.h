// Programs built for one device, each once: a list of text and program.
#ifndef CLR_OPENCL_PROGRAM_H
#define CLR_OPENCL_PROGRAM_H

#include "base/status.h"

struct clr_built;

struct clr_programs {
  cl_context        context;
  cl_device_id      device;
  const char       *options;  // the caller's own, "" if none
  bool              rounds_divide;
  struct clr_built *first;
  size_t            builds;   // that succeeded
  struct clr_text   log;      // the compiler's words on the last build
};

// The program of this text, built now if it is new; `opencl_3` asks for that language. The list keeps it.
cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, cl_program *program,
                        struct clr_status *status);
void clr_programs_release(struct clr_programs *programs);

#endif
