// The public functions of a runtime: its life, its facts, what it built, and its last error.
#include "runtime/runtime.h"

cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                            clred_runtime **runtime) {
  const clred_options none = {0};
  struct clr_status status = {0};
  if (runtime)
    *runtime = NULL;
  options = options ? options : &none;
  cl_int err = clr_require(context, "context", &status);
  if (!err)
    err = clr_require(device, "device", &status);
  if (!err)
    err = clr_require(runtime, "runtime", &status);
  if (!err)
    err = clr_runtime_make(context, device, options, NULL, runtime, &status);
  if (err && options->error)
    clr_text_copy(status.sentence, options->error, options->error_size);
  return err;
}

void clred_runtime_release(clred_runtime *runtime) {
  clr_runtime_release(runtime);
}

size_t clred_runtime_save(clred_runtime *runtime) {
  return runtime ? clr_runtime_save(runtime) : 0;
}

cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact) {
  const struct clr_fact_row *row = clr_fact_row(index);
  if (!runtime || !fact || !row)
    return CLRED_INVALID_ARGUMENT;
  const struct clr_finding_row *known = clr_finding_of(&runtime->known, row);
  *fact = (clred_fact){row->name, clr_fact_value(&runtime->facts, row), clr_fact_value(&runtime->reported, row),
                       row->sentence, known ? known->why : ""};
  return CL_SUCCESS;
}

// Another thread may be building.
static size_t read_count(clred_runtime *runtime, const size_t *count) {
  mtx_lock(&runtime->lock);
  size_t value = *count;
  mtx_unlock(&runtime->lock);
  return value;
}

size_t clred_runtime_builds(clred_runtime *runtime) {
  return runtime ? read_count(runtime, &runtime->programs.builds) : 0;
}

size_t clred_runtime_loads(clred_runtime *runtime) {
  return runtime ? read_count(runtime, &runtime->programs.loads) : 0;
}

const char *clred_last_error(const clred_runtime *runtime) {
  return runtime ? runtime->error.sentence : "";
}

size_t clred_copy_error(clred_runtime *runtime, char *text, size_t size) {
  if (!runtime)
    return clr_text_copy("", text, size);
  mtx_lock(&runtime->lock);
  size_t length = clr_text_copy(runtime->error.sentence, text, size);
  mtx_unlock(&runtime->lock);
  return length;
}

const char *clred_build_log(const clred_runtime *runtime) {
  return runtime && runtime->programs.log.bytes ? runtime->programs.log.bytes : "";
}
