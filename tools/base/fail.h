// Error messages: one line on standard error, and an exit code that all callers return unchanged.
#pragma once

#include <clreduce.h>
#include <stdbool.h>

enum exit_code {
  EXIT_DONE = 0,
  EXIT_WORK_FAILED = 1,  // a file, OpenCL or memory
  EXIT_BAD_USE = 2,      // the command line, the input, or a combination that is refused
  EXIT_WRONG = 3         // a check found a wrong result
};

// Writes "clreduce: ..." as one line and returns `code`. Control characters become spaces.
int fail(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// For clreduce-mpi: lines begin with the name of this program. If `message` is not NULL, fail writes there instead of
// standard error.
enum { FAIL_MESSAGE_SIZE = 4096 };
void fail_hold(const char *name, char message[FAIL_MESSAGE_SIZE]);

// Sets a name with which every line begins, until NULL ends this. It is the name of a file that contains options. The
// name is not copied.
void fail_about(const char *name);

// An OpenCL call of the tool failed; `about` names what it was for.
int fail_opencl(const char *call, cl_int status, const char *about);

// A call of the library failed. `message` is the library's message, or "" or NULL. The status decides the exit code.
int fail_library(cl_int status, const char *message);

int fail_memory(void);

// For signal handlers: writes the line to the descriptor and ends the process with EXIT_WORK_FAILED. If another thread
// reports a failure at the same time, or has reported one before, only the line of that thread is written.
// Async-signal-safe.
_Noreturn void fail_in_handler(int descriptor, const char *line);

// The analyzer reads one file at a time and cannot see that these return their first argument.
#ifdef __clang_analyzer__
#define fail(code, ...) (fail(code, __VA_ARGS__), (int)(code))
#define fail_memory() (fail_memory(), (int)EXIT_WORK_FAILED)
#endif

// The exit code for a status of the library.
enum exit_code fail_code(cl_int status);

// ---- Colour for terminals: not elsewhere, and never if NO_COLOR is set or TERM is missing or "dumb"

enum colour { COLOUR_ERROR, COLOUR_BAR, COLOUR_BEST };

// What to print on this descriptor before and after coloured text; "" if there is no colour.
const char *colour_begin(int descriptor, enum colour colour);
const char *colour_end(int descriptor);

// ---- Notes: what a user should know although the work succeeds

// Keeps a message for notes_end. A failure must be the only line on standard error, so notes wait for the end.
void note(const char *message);

// Forgets the messages. Writes each as a line if `wanted`: the work succeeded.
void notes_end(bool wanted);
