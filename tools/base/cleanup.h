// Removes unfinished files if a signal ends the process.
#pragma once

// Compilers of drivers set handlers of signals when they are loaded: some let a process go on that should end, and some
// take the place of a signal that the caller ignores. cleanup_begin remembers what signals do, before drivers are
// loaded; cleanup_settle restores it, and may be called by a handler.
void cleanup_begin(void);
void cleanup_settle(void);

// Removes the file at this path if SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU or SIGXFSZ ends the process. The
// text must stay where it is until cleanup_forget; call this before mkstemp makes the file. A signal that is ignored
// stays so.
void cleanup_expect(const char *path);

void cleanup_forget(const char *path);

// Removes the files at once. For handlers of signals that end the process.
void cleanup_now(void);
