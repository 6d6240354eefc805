// How the tool says no: one line on standard error, and the exit code that the caller passes on. Whoever first sees a
// failure calls one of these and returns what it returns; nobody above says anything more.

#ifndef CLREDUCE_TOOL_FAIL_H
#define CLREDUCE_TOOL_FAIL_H

#include <clreduce.h>

enum exit_code {
  EXIT_DONE = 0,
  EXIT_WORK_FAILED = 1,  // a file, OpenCL, memory
  EXIT_BAD_USE = 2,      // the command line, the input, a combination that is refused
  EXIT_WRONG = 3         // a check found a wrong result
};

// Writes "clreduce: ..." as one line, whatever the arguments contain, and returns `code`.
int fail(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A failure of a call of the tool's own: its name, the status by name, and what it was about.
int fail_opencl(const char *call, cl_int status, const char *about);

// A failure of the library: `sentence` is its own ("" or NULL: none), and the status decides the exit code.
int fail_library(cl_int status, const char *sentence);

int fail_memory(void);

// For signal handlers: writes the line to the descriptor and ends the process with EXIT_WORK_FAILED. If another thread
// reports a failure at the same time, or has reported one, only that line is written. Async-signal-safe.
_Noreturn void fail_in_handler(int descriptor, const char *line);

// They return what they are given; the analyzer, which reads one file at a time, sees that nowhere else.
#ifdef __clang_analyzer__
#define fail(code, ...) (fail(code, __VA_ARGS__), (int)(code))
#define fail_memory() (fail_memory(), (int)EXIT_WORK_FAILED)
#endif

// The exit code that a status of the library stands for.
enum exit_code fail_code(cl_int status);

#endif
