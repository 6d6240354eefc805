// Removes unfinished files if a signal ends the process.
#pragma once

// Removes the file at this path if SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU or SIGXFSZ ends the process. The
// text must stay where it is until cleanup_forget; call this before mkstemp makes the file. A signal that is ignored
// stays so. A handler that was there runs afterwards.
void cleanup_expect(const char *path);

void cleanup_forget(const char *path);

// Removes the files at once. For handlers of signals that end the process.
void cleanup_now(void);
