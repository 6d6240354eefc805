// Error messages: one line on standard error, and an exit code that all callers return unchanged.
#pragma once

#include <clreduce.h>

enum exit_code {
  EXIT_DONE = 0,
  EXIT_WORK_FAILED = 1,  // a file, OpenCL or memory
  EXIT_BAD_USE = 2,      // the command line, the input, or a combination that is refused
  EXIT_WRONG = 3         // a check found a wrong result
};

// Writes "clreduce: ..." as one line and returns `code`. Control characters become spaces.
int fail(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An OpenCL call of the tool failed; `about` names what it was for.
int fail_opencl(const char *call, cl_int status, const char *about);

// A call of the library failed. `sentence` is the library's message, or "" or NULL. The status decides the exit code.
int fail_library(cl_int status, const char *sentence);

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

// ---- Messages of drivers

// Some compilers print "2 errors generated." on standard error during a build, but the tool promises one line there.
// Redirects standard error until hush_end, which takes the value that hush_begin returned. If redirecting fails,
// nothing changes.
int hush_begin(void);
void hush_end(int kept);
