// Binaries of programs, kept in a directory between processes. src/runtime/program.c calls this. If the cache cannot be
// read or written, the program is built from text, and a line in `remarks` says why.
// The key of a binary is everything that shaped its build: the platform and its version, the device and its properties,
// the driver's version, the library's version, the build options, environment variables that compilers read, and the
// program's text. The file contains the whole key, and loading compares all of it.
#pragma once

#include "clreduce.h"

#include "base/text.h"
#include "cache/cache_files.h"

struct clr_binary_cache {
  char *directory;  // NULL: no cache
  cl_device_id device;
  struct clr_text about;    // the part of the key about the platform, the device and the library
  struct clr_text remarks;  // one line for each problem
};

// If `directory` is NULL or "", there is no cache. The directory is created at the first write.
void clr_cache_open(const char *directory, cl_device_id device, struct clr_binary_cache *cache);
void clr_cache_close(struct clr_binary_cache *cache);

// Loads and builds the program. Returns NULL if no usable binary exists.
cl_program clr_cache_load(struct clr_binary_cache *cache, cl_context context, const char *options, const char *text);

// Writes the program's binary; true if that worked. Some drivers compile more at a kernel's first launch. Call this
// function after that launch, or the binary lacks this code. Some drivers compile again when asked for a binary.
bool clr_cache_save(struct clr_binary_cache *cache, cl_program program, const char *options, const char *text);

// --- Notes: a line of text about a program, next to its binary ---
// The name under which the program's note is kept; the same in every process.
void clr_cache_note_name(const struct clr_binary_cache *cache, const char *options, const char *text,
                         char name[CLR_RECORD_NAME_SIZE]);

// Appends the note; appends nothing if there is none, or if it is damaged or of another program.
void clr_cache_note_load(struct clr_binary_cache *cache, const char *options, const char *text, struct clr_text *note);
void clr_cache_note_save(struct clr_binary_cache *cache, const char *options, const char *text, const char *note);

// --- The key ---

// Appends the program's part of the key. Returns false if the program may include files: the key would not cover their
// contents.
bool clr_cache_key_program(const struct clr_text *about, const char *options, const char *text, struct clr_text *key);
