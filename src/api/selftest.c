// The public functions that probe a device and keep what was found.
#include "runtime/kept.h"
#include "selftest/probe_plans.h"

cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_counts *counts) {
  static const clred_probe_options defaults;
  struct clr_status status = {0};
  clred_probe_counts found = {0};
  if (counts)
    *counts = found;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_probe_device(runtime, options ? options : &defaults, &found, &status);
  if (counts)
    *counts = found;
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact) {
  const struct clr_fact_row *row = clr_fact_row(index);
  if (!runtime || !fact || !row)
    return CLRED_INVALID_ARGUMENT;
  clr_runtime_probed_fact(runtime, row, fact);
  return CL_SUCCESS;
}

cl_int clred_findings_save(clred_runtime *runtime, const char *file) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  return clr_runtime_keep(runtime, clr_runtime_save_findings(runtime, file, &status), &status);
}

const char *clred_findings_note(const clred_runtime *runtime) {
  return runtime && runtime->findings_note.bytes ? runtime->findings_note.bytes : "";
}
