// The public functions of tuning.
#include "runtime/kept.h"
#include "tuning/tune.h"

cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                  clred_tuned tuned[CLRED_TUNED_MAX], size_t *count) {
  const clred_tune_options none = {0};
  struct clr_status status = {0};
  if (count)
    *count = 0;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(problem, "problem", &status);
  if (!err)
    err = clr_tune(runtime, problem, options ? options : &none, tuned, count, &status);
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_tuning_save(clred_runtime *runtime, const char *file) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  return clr_runtime_keep(runtime, clr_runtime_save_tuning(runtime, file, &status), &status);
}

const char *clred_tuning_note(const clred_runtime *runtime) {
  return runtime && runtime->tuning_note.bytes ? runtime->tuning_note.bytes : "";
}
