#include "runtime/findings.h"

#include "opencl/device.h"
#include "runtime/kept_file.h"

static const struct clr_kept_kind findings_kind = {
  "findings", CLR_FINDINGS_BEGIN,
  "it was written with another version of the driver or of this library; run selftest anew", .by_reported = true};

static enum clr_tuning_state take(clred_runtime *runtime, const char *bytes, size_t length,
                                  const struct clr_tuning_key *key) {
  return clr_findings_read(bytes, length, key, &runtime->known);
}

cl_int clr_runtime_read_findings(clred_runtime *runtime, const char *file, struct clr_status *status) {
  struct clr_device_names names;
  cl_int err = clr_device_name(runtime->device, &names, status);
  if (err)
    return err;
  clr_findings_known(names.platform, names.device, &runtime->known);
  if (file && *file)
    clr_kept_load(runtime, &findings_kind, file, &runtime->findings_note, take);
  return CL_SUCCESS;
}

void clr_runtime_probed_fact(clred_runtime *runtime, const struct clr_fact_row *row, clred_fact *fact) {
  struct clr_facts facts = runtime->reported;
  mtx_lock(&runtime->lock);
  clr_findings_apply(&runtime->found, &facts);
  const struct clr_finding_row *found = clr_finding_of(&runtime->found, row);
  *fact = (clred_fact){row->name, clr_fact_value(&facts, row), clr_fact_value(&runtime->reported, row), row->sentence,
                       found ? found->why : ""};
  mtx_unlock(&runtime->lock);
}

static void write(clred_runtime *runtime, const char *old, size_t length, const struct clr_tuning_key *key,
                  struct clr_text *text) {
  clr_findings_write(old, length, key, runtime->has_found ? &runtime->found : &runtime->known, text);
}

cl_int clr_runtime_save_findings(clred_runtime *runtime, const char *file, struct clr_status *status) {
  return clr_kept_save(runtime, &findings_kind, file, write, status);
}
