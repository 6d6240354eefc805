// OpenCL drivers that crash while devices are listed: the process starts again without them, and they are named.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Between these calls, a driver that crashes, aborts or calls exit starts the process again (guard.h). The new process
// first loads each driver in a child process, and leaves out those that end it. Returns true, or false after it printed
// an error: no driver is left.
bool drivers_begin(void);
void drivers_end(void);

// Lists devices and forgets them, so that a crash comes before a pipe is read, because it can be read only once.
// Returns false after an error was printed, as drivers_begin.
bool drivers_try(void);

// One message about the drivers that crashed and are left out, or "".
const char *drivers_crashed(void);

// One message about the drivers whose libraries cannot be loaded, or "". Call it after devices were listed.
const char *drivers_not_loaded(void);
