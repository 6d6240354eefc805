// Files of the cache: read whole, write whole or not at all, remove the oldest. A problem adds a line to `remarks`.
// Without POSIX nothing is read or written.
#ifndef CLR_OPENCL_CACHE_FOLDER_H
#define CLR_OPENCL_CACHE_FOLDER_H

#include "cache/cache_record.h"

// Returns the bytes of a file; free them. data is NULL if no file exists, or if the file cannot be trusted. Its content
// will run in this process, so it must be a regular file that belongs to this user or to root, and only the owner may
// write it.
struct clr_bytes clr_folder_read(const char *folder, const char *name, struct clr_text *remarks);

// Writes a temporary file and renames it, so that readers see the old file or the new one. Creates the folder, but not
// its parents.
bool clr_folder_write(const char *folder, const char *name, const struct clr_bytes *bytes, struct clr_text *remarks);

// If the cache's files in the folder take more than `most` bytes, removes the least recently used ones until three
// quarters of `most` are left.
void clr_folder_trim(const char *folder, uint64_t most);

#endif
