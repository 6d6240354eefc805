// Keeps the messages of drivers off standard error, where the tool promises one line. Some compilers print "2 errors
// generated." there during a build.
#pragma once

#include <stddef.h>

// Redirects standard error until capture_stderr_end, which takes the value that capture_stderr_begin returned. If
// redirecting fails, nothing changes. If a driver ends the process meanwhile, by exit, the tool's one line has the
// driver's last words, and the exit code is EXIT_WORK_FAILED.
int capture_stderr_begin(void);
void capture_stderr_end(int kept);

// Opens a file without a name, for what a driver prints. -1 if that fails.
int capture_open(void);

// Reads the last bytes of such a file, as one line. Async-signal-safe.
void capture_read(int file, char *words, size_t room);
