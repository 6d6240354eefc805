// The key that finds a program's binary again, and the bytes of a file: a header, the key, and the binary.
#ifndef CLR_OPENCL_CACHE_RECORD_H
#define CLR_OPENCL_CACHE_RECORD_H

#include <stdint.h>

#include "base/text.h"
#include "clreduce.h"

// Appends what the platform, the device and the library have to do with a build.
void clr_cache_key_device(cl_device_id device, struct clr_text *about);

// Appends to that what is a program's own; false for programs that may be made of files, whose contents no key holds.
bool clr_cache_key_program(const struct clr_text *about, const char *options, const char *text, struct clr_text *key);

struct clr_bytes {
  unsigned char *data;
  size_t size;
};

struct clr_record {
  struct clr_bytes binary;
  uint64_t kernels;  // that the program has
};

// Sixteen digits made of the key; the name a file goes by.
#define CLR_RECORD_NAME_SIZE 17
void clr_record_name(const struct clr_text *key, char name[CLR_RECORD_NAME_SIZE]);

// The bytes of a file, to be freed; data is NULL where memory is out.
struct clr_bytes clr_record_write(const struct clr_text *key, const struct clr_record *record);

// Finds the binary in the bytes of a file, where it stays: NULL, or what is wrong with them. Nothing of `file` is
// believed before it was compared: drivers crash on binaries that were cut or changed.
const char *clr_record_read(const struct clr_bytes *file, const struct clr_text *key, struct clr_record *record);

#endif
