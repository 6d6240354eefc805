// What a runtime knows of its device beside what that says of itself.
#ifndef CLR_API_FINDINGS_H
#define CLR_API_FINDINGS_H

#include "clreduce_device.h"
#include "runtime/runtime.h"

// What is known by name; then what a file says, which may be NULL. A file that is of no use is noted, and no failure.
cl_int clr_runtime_read_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

// As clred_findings_save.
cl_int clr_runtime_save_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

// The fact as the latest probing leaves it.
void clr_runtime_probed_fact(clred_runtime *runtime, const struct clr_fact_row *row, clred_fact *fact);

#endif
