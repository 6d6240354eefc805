// A status and its message. Every layer reports failures here; the runtime keeps the last one.
#pragma once

#include "base/text.h"
#include "clreduce.h"

#define CLR_MESSAGE_SIZE 512

struct clr_status {
  cl_int code;
  bool of_selection;  // the caller's text is a selection; clr_fail_operator then says "selection"
  char message[CLR_MESSAGE_SIZE];
};

// Records a failure and returns its code: `return clr_fail(...)`.
cl_int clr_fail(struct clr_status *status, cl_int code, const char *format, ...) CLR_PRINTF(3, 4);

// The static analyzer reads one file at a time; here it sees that clr_fail returns `code`.
#ifdef __clang_analyzer__
#define clr_fail(status, code, ...) (clr_fail(status, code, __VA_ARGS__), (code))
#endif

// Records a failure if the argument `name` is NULL.
cl_int clr_require(const void *argument, const char *name, struct clr_status *status);

// Returns the status as C spells it; never NULL.
const char *clr_status_name(cl_int status);

// Records an error in a caller's operator, as CLRED_OPERATOR_TEXT: "operator 'mine': combine is missing". `name` may be
// NULL.
cl_int clr_fail_operator(struct clr_status *status, const char *name, const char *format, ...) CLR_PRINTF(3, 4);

// Records that an OpenCL call failed: "clCreateBuffer: CL_OUT_OF_RESOURCES (-5): the scratch of 4096 bytes".
cl_int clr_fail_call(struct clr_status *status, cl_int code, const char *call, const char *what);
