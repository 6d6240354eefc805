// A status and the sentence that goes with it. Lower layers write failures here; only the runtime keeps one.
#ifndef CLR_BASE_STATUS_H
#define CLR_BASE_STATUS_H

#include "base/text.h"
#include "clreduce.h"

#define CLR_SENTENCE_SIZE 512

struct clr_status {
  cl_int code;
  bool of_selection;  // what clr_fail_operator calls an operator is a selection to the caller
  char sentence[CLR_SENTENCE_SIZE];
};

// Records a failure and returns its code, so that `return clr_fail(...)` reads as one step.
cl_int clr_fail(struct clr_status *status, cl_int code, const char *format, ...) CLR_PRINTF(3, 4);

// It returns `code`; the analyzer, which reads one file at a time, sees that nowhere else.
#ifdef __clang_analyzer__
#define clr_fail(status, code, ...) (clr_fail(status, code, __VA_ARGS__), (code))
#endif

// Records that the argument `name` is NULL, if it is.
cl_int clr_require(const void *argument, const char *name, struct clr_status *status);

// The status as C spells it; never NULL.
const char *clr_status_name(cl_int status);

// Records what is wrong in a caller's operator, as CLRED_OPERATOR_TEXT: "operator 'mine': combine is missing". `name`
// may be NULL.
cl_int clr_fail_operator(struct clr_status *status, const char *name, const char *format, ...) CLR_PRINTF(3, 4);

// Records that an OpenCL call failed: "clCreateBuffer: CL_OUT_OF_RESOURCES (-5): the scratch of 4096 bytes".
cl_int clr_fail_call(struct clr_status *status, cl_int code, const char *call, const char *what);

#endif
