// Reads and writes the two files that a runtime keeps: tuning (measured numbers) and findings of probes.
#ifndef CLR_RUNTIME_KEPT_H
#define CLR_RUNTIME_KEPT_H

#include "clreduce_device.h"
#include "runtime/runtime.h"

// Takes the rows about this device from a file. A useless file adds a line to the log; that is no failure.
void clr_runtime_read_tuning(clred_runtime *runtime, const char *file);

// First takes the findings that the library lists for a device of this name, then the file's. `file` may be NULL.
cl_int clr_runtime_read_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

// Implement clred_tuning_save and clred_findings_save.
cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status);
cl_int clr_runtime_save_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

#endif
