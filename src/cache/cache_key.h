// What finds a binary again.
#ifndef CLR_OPENCL_CACHE_KEY_H
#define CLR_OPENCL_CACHE_KEY_H

#include "clreduce.h"

#include "base/text.h"

// Appends what the platform, the device and the library have to do with a build.
void clr_cache_key_device(cl_device_id device, struct clr_text *about);

// Appends to that what is a program's own; false for programs that may be made of files, whose contents no key holds.
bool clr_cache_key_program(const struct clr_text *about, const char *options, const char *text, struct clr_text *key);

#endif
