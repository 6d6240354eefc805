// Files of the cache: read whole, written whole or not at all, and the oldest removed. Whatever goes wrong is a line in
// `remarks` and nothing more. Where there is no POSIX there is no file, and none is written.
#ifndef CLR_OPENCL_CACHE_FOLDER_H
#define CLR_OPENCL_CACHE_FOLDER_H

#include "cache/cache_record.h"

// The bytes of a file, to be freed; data is NULL if there is none, which is no remark, or none that may be trusted:
// what it holds will run in this process, so it must be a plain file of the process's own user or of root that nobody
// else may write.
struct clr_bytes clr_folder_read(const char *folder, const char *name, struct clr_text *remarks);

// Writes a file under another name and gives it its own when it is whole: readers see the old one or the new one. Makes
// the folder if that is missing, but none above it.
bool clr_folder_write(const char *folder, const char *name, const struct clr_bytes *bytes, struct clr_text *remarks);

// Removes files, those first that were not used for longest, until the cache's files in the folder take at most three
// quarters of `most` bytes, if they take more than that.
void clr_folder_trim(const char *folder, uint64_t most);

#endif
