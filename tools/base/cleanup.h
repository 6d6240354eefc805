// Removes unfinished files if a signal ends the process.
#pragma once

// Drivers install signal handlers when they are loaded. With these handlers, a signal that should end the process may
// not end it, and a signal that its caller set to be ignored may end it. cleanup_begin stores the actions of the
// signals before the loader loads drivers. cleanup_resolve restores them, and is async-signal-safe.
void cleanup_begin(void);
void cleanup_resolve(void);

// Removes the file at this path if SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU or SIGXFSZ ends the process. The
// text must stay where it is until cleanup_forget; call this before mkstemp makes the file. A signal that is ignored
// stays so.
void cleanup_expect(const char *path);

void cleanup_forget(const char *path);

// Removes the files at once. For handlers of signals that end the process.
void cleanup_now(void);
