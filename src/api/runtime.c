// The public functions of a runtime: create and release it, its facts, what it built, and its last error.
#include "runtime/runtime.h"
#include "api/struct_versions.h"
#include "clreduce_partial.h"

cl_int clred_runtime_create_v(cl_uint header, cl_context context, cl_device_id device, const clred_options *options,
                              clred_runtime **runtime) {
  clred_options full;
  struct clr_status status = {0};
  if (runtime)
    *runtime = NULL;
  cl_int err = clr_struct_import(CLR_STRUCT_OPTIONS, header, options, &full, &status);
  if (!err)
    err = clr_require(context, "context", &status);
  if (!err)
    err = clr_require(device, "device", &status);
  if (!err)
    err = clr_require(runtime, "runtime", &status);
  if (!err)
    err = clr_runtime_make(context, device, &full, runtime, &status);
  if (err && full.error)
    clr_text_copy(status.message, full.error, full.error_size);
  return err;
}

void clred_runtime_release(clred_runtime *runtime) {
  clr_runtime_release(runtime);
}

size_t clred_runtime_save_cache(clred_runtime *runtime) {
  return runtime ? clr_runtime_save(runtime) : 0;
}

cl_int clred_runtime_fact_v(cl_uint header, const clred_runtime *runtime, size_t index, clred_fact *fact) {
  const struct clr_fact_row *row = clr_fact_row(index);
  if (!runtime || !row)
    return CLRED_INVALID_ARGUMENT;
  const clred_fact full = {row->name, clr_fact_value(&runtime->facts, row), clr_fact_value(&runtime->reported, row),
                           row->summary};
  return clr_struct_export(CLR_STRUCT_FACT, header, &full, 1, fact);
}

static const char *text_of(const struct clr_text *text) {
  return text->bytes ? text->bytes : "";
}

cl_int clred_runtime_inspect_v(cl_uint header, clred_runtime *runtime, clred_runtime_info *info) {
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  // Another thread may be building.
  clr_mutex_lock(&runtime->lock);
  const clred_runtime_info full = {.builds = runtime->programs.builds,
                                   .loads = runtime->programs.loads,
                                   .build_log = text_of(&runtime->programs.log),
                                   .tuning_note = text_of(&runtime->tuning_note),
                                   .failed_trials = runtime->programs.failed_trials};
  clr_mutex_unlock(&runtime->lock);
  return clr_struct_export(CLR_STRUCT_RUNTIME_INFO, header, &full, 1, info);
}

cl_int clred_runtime_fail(clred_runtime *runtime, cl_int status, const char *message) {
  struct clr_status kept = {.code = status};
  clr_text_copy(message ? message : "", kept.message, sizeof kept.message);
  return runtime ? clr_runtime_keep(runtime, status, &kept) : status;
}

const char *clred_last_error(const clred_runtime *runtime) {
  return runtime ? runtime->error.message : "";
}

size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size) {
  if (!runtime)
    return clr_text_copy("", text, size);
  clr_mutex_lock(&runtime->lock);
  size_t length = clr_text_copy(runtime->error.message, text, size);
  clr_mutex_unlock(&runtime->lock);
  return length;
}
