// Files in which a runtime keeps numbers that were measured and findings of probes.
#ifndef CLR_RUNTIME_KEPT_H
#define CLR_RUNTIME_KEPT_H

#include "clreduce_device.h"
#include "runtime/runtime.h"

// Takes the rows of a file about this device. A file that is of no use is noted; that is no failure.
void clr_runtime_read_tuning(clred_runtime *runtime, const char *file);

// First takes what is known of the device by its name. `file` may be NULL.
cl_int clr_runtime_read_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

// As clred_tuning_save and clred_findings_save.
cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status);
cl_int clr_runtime_save_findings(clred_runtime *runtime, const char *file, struct clr_status *status);

#endif
