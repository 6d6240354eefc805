// If a driver ends the process while it lists devices, or while the tool tries compiled programs, the process starts
// again and knows why. Where all drivers work, this costs a few system calls.
#pragma once

#include <signal.h>
#include <stdbool.h>

// What a crash comes from. GUARD_DRIVERS: from listing devices. GUARD_TRIALS: from trying programs.
enum guard_about { GUARD_DRIVERS, GUARD_TRIALS, GUARDS };

// Signals of crashes.
enum { CRASHES = 5 };
extern const int guard_crashes[CRASHES];

// The path of this program, from the words of main; "" if another program loaded the tool as a library.
const char *guard_program(char *const argv[]);

// Lets a crash start the process again with these words, which must be the words of main. Without this call, a crash
// ends the process with a message. Call it before standard input is read.
void guard_may_restart(char *const argv[]);

// True if a crash of this kind started this process.
bool guard_is_again(enum guard_about about);

// From here on, this process may try programs itself, because it prints nothing before its last plan is made.
// GUARD_FILES: all input is in files. GUARD_STANDARD: the process reads standard input, too. If that is a pipe, its
// first bytes are read now (standard.h).
enum guard_inputs { GUARD_PIPES, GUARD_FILES, GUARD_STANDARD };
void guard_allow_trials(enum guard_inputs read);

// The process is about to read something that it cannot read again. After a crash it ends with a message.
void guard_forbid_restart(void);

// True if this process tries programs itself, between guard_begin and guard_end.
bool guard_tries_here(void);

// Between these calls, which do not nest, a driver that crashes, aborts, or does not end within `seconds` (0: without a
// limit) starts the process again; so does one that calls exit while it lists devices. `kept` is the true standard
// error, or -1. guard_end also restores lists of drivers that loaders cut in the environment, for processes that this
// one starts.
void guard_begin(enum guard_about about, int kept, unsigned seconds);
void guard_end(void);

// Starts the process again at once, as a crash would. Returns if that is not possible.
void guard_restart(void);

// ---- Removes unfinished files if a signal ends the process

// Removes the file at this path if SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU or SIGXFSZ ends the process. The
// text must stay where it is until cleanup_forget; call this before mkstemp makes the file. A signal that is ignored
// stays so.
void cleanup_expect(const char *path);

void cleanup_forget(const char *path);

// Removes the files at once. For handlers of signals that end the process.
void cleanup_now(void);
