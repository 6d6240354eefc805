// What a compiler says about a caller's text.
#ifndef CLR_OPENCL_BUILD_LOG_H
#define CLR_OPENCL_BUILD_LOG_H

#include "base/status.h"

// Turns the first error that stands in a piece of the caller's operator ("lift:3:7: error: ...") into a sentence with
// the piece, line and column. `text` is the program: compilers that do not heed #line count its lines. False if the log
// has none.
bool clr_explain_log(const char *log, const char *text, const char *operator_name, struct clr_status *status);

#endif
