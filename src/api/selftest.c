// The public functions that probe a device and keep what was found.
#include "api/growth.h"
#include "runtime/kept.h"
#include "selftest/probe_plans.h"

cl_int clred_probe_device_v(cl_uint header, clred_runtime *runtime, const clred_probe_options *options,
                            clred_probe_counts *counts) {
  clred_probe_options full;
  struct clr_status status = {0};
  clred_probe_counts found = {0};
  cl_int err = clr_take(CLR_STRUCT_PROBE_OPTIONS, header, options, &full, &status);
  if (!err && runtime)
    err = clr_probe_device(runtime, &full, &found, &status);
  if (counts && clr_knows_header(header))
    clr_give(CLR_STRUCT_PROBE_COUNTS, header, &found, 1, counts);
  return runtime ? clr_runtime_keep(runtime, err, &status) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_probed_fact_v(cl_uint header, clred_runtime *runtime, size_t index, clred_fact *fact) {
  const struct clr_fact_row *row = clr_fact_row(index);
  clred_fact full;
  if (!runtime || !fact || !row || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  clr_runtime_probed_fact(runtime, row, &full);
  clr_give(CLR_STRUCT_FACT, header, &full, 1, fact);
  return CL_SUCCESS;
}

cl_int clred_findings_save(clred_runtime *runtime, const char *file) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  return clr_runtime_keep(runtime, clr_runtime_save_findings(runtime, file, &status), &status);
}
