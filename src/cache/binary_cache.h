// Binaries of programs, kept in a folder from one process to the next. A cache that cannot be read or written costs a
// build and nothing more; why it could not is a line in `remarks`.
//
// What finds a binary again is all that shaped its build: the platform and its version, the device, what it says of
// itself, the driver's version, the library's, options, variables of the environment that compilers read, and the
// program's text. It stands in the file whole and is compared whole.
#ifndef CLR_OPENCL_BINARY_CACHE_H
#define CLR_OPENCL_BINARY_CACHE_H

#include "clreduce.h"

#include "base/text.h"

struct clr_binary_cache {
  char *folder;  // NULL: none
  cl_device_id device;
  struct clr_text about;    // the platform, the device and the library
  struct clr_text remarks;  // lines
};

// `folder` may be NULL or "": none. Makes no folder yet.
void clr_cache_open(const char *folder, cl_device_id device, struct clr_binary_cache *cache);
void clr_cache_close(struct clr_binary_cache *cache);

// The program, loaded and built; NULL if it is not there or does not serve.
cl_program clr_cache_load(struct clr_binary_cache *cache, cl_context context, const char *options, const char *text);

// Writes the program's binary. What drivers leave out until a kernel is first launched is in it only after that. Some
// compile more when they are asked for the binary.
bool clr_cache_save(struct clr_binary_cache *cache, cl_program program, const char *options, const char *text);

#endif
