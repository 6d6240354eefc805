// Files of the cache of binaries: each has a header, the key that finds the program, and the binary. Also reads and
// replaces whole files.
#pragma once

#include <stdint.h>

#include "base/text.h"

struct clr_bytes {
  unsigned char *data;
  size_t size;
};

struct clr_record {
  struct clr_bytes binary;
  uint64_t kernels;  // number of kernels in the program
};

// The file's name without its ending: sixteen digits made from the key.
#define CLR_RECORD_NAME_SIZE 17

// The endings of names: binaries of programs, and notes about them.
#define CLR_RECORD_BINARY ".clred"
#define CLR_RECORD_NOTE ".note"
void clr_record_name(const struct clr_text *key, char name[CLR_RECORD_NAME_SIZE]);

// Returns the bytes of a file; free them. data is NULL if memory is out.
struct clr_bytes clr_record_write(const struct clr_text *key, const struct clr_record *record);

// Finds the binary within the bytes of a file. Returns NULL, or what is wrong with the file. All of `file` is checked
// before it is used, because drivers crash on damaged binaries.
const char *clr_record_read(const struct clr_bytes *file, const struct clr_text *key, struct clr_record *record);

// --- One file, which may be any file of the user ---
enum clr_file_state { CLR_FILE_READ, CLR_FILE_ABSENT, CLR_FILE_UNREADABLE, CLR_FILE_TOO_LARGE, CLR_FILE_NO_MEMORY };

// Reads a file of at most `most` bytes; free them.
enum clr_file_state clr_file_read(const char *path, size_t most, struct clr_bytes *bytes);

// Writes a temporary file and renames it, so that readers see the old file or the new one. If `is_private`, only this
// user may read it. False, with errno, if that failed.
bool clr_file_replace(const char *path, const void *bytes, size_t size, bool is_private);

// --- The directory: files are read whole, and written whole or not at all. A problem adds a line to `remarks`. ---

// Returns the bytes of a file; free them. data is NULL if no file exists, or if the file cannot be trusted. The file's
// content will run in this process, so it must be a regular file that belongs to this user or to the system, and no
// other user may write it.
struct clr_bytes clr_directory_read(const char *directory, const char *name, const char *ending,
                                    struct clr_text *remarks);

// Replaces a file by clr_file_replace. Creates the directory, but not its parents.
bool clr_directory_write(const char *directory, const char *name, const char *ending, const struct clr_bytes *bytes,
                         struct clr_text *remarks);

// If the cache's files in the directory take more than `most` bytes, removes the least recently used ones until three
// quarters of `most` are left.
void clr_directory_trim(const char *directory, uint64_t most);
