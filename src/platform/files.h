// Files by the descriptors of the operating system. A function that fails returns false or -1 and sets errno. On
// Windows, paths are in the code page of the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct clr_os_facts {
  uint64_t size;
  time_t changed;   // the time of the last change
  bool is_regular;  // no directory, pipe, device or link
  bool is_private;  // it belongs to this user or to the system, and no other user may write it
};

// Opens a file to read it. Never waits, not even if the path names a pipe.
int clr_os_open(const char *path);

// Creates a file to write it; fails with EEXIST if the path exists. If `is_private`, only this user may read it.
int clr_os_create(const char *path, bool is_private);

bool clr_os_facts(int file, struct clr_os_facts *facts);

// Read or write exactly `size` bytes.
bool clr_os_read(int file, void *bytes, size_t size);
bool clr_os_write(int file, const void *bytes, size_t size);

// Sets the time of the last change to now.
void clr_os_touch(int file);

bool clr_os_close(int file);

// True if the process may write files of this size. Beyond its limit, a write may end the process.
bool clr_os_may_write(uint64_t size);

// Renames `from` to `to`, which is replaced if it exists. Readers see the old file or the new one.
bool clr_os_replace(const char *from, const char *to);
bool clr_os_remove(const char *path);

// Creates a directory for this user alone. Does nothing if the path exists.
bool clr_os_make_directory(const char *path);

// Calls `visit` for each regular file of the directory until it returns false. `name` is valid during the call only.
void clr_os_visit_directory(const char *path,
                            bool (*visit)(void *self, const char *name, const struct clr_os_facts *facts), void *self);

// Writes the system's message for a value of errno.
void clr_os_error_words(int code, char *words, size_t size);

// Returns the number of this process. Two running processes have different numbers.
long clr_os_process_number(void);

// False if no process of this machine has this number. True if that is not known.
bool clr_os_process_runs(long number);

// Writes the machine's name; "" if it has none.
void clr_os_machine_name(char *name, size_t size);
